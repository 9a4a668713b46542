// SPDX-License-Identifier: GPL-2.0-or-later
#include "indexer/walk/glob.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <string_view>

#include "schema/text/text.h"

namespace kw::indexer {
namespace {

struct MatchCase {
  const char* pattern;
  const char* text;
  bool matches;
  const char* reason;
};

TEST(Glob, Matches) {
  const MatchCase cases[] = {
      {"a", "a", true, "itself"},
      {"a", "ab", false, "the whole text counts"},
      {"a", "A", false, "case counts"},
      {"", "", true, "nothing is nothing"},
      {"", "a", false, "nothing is not something"},
      {"*", "", true, "a star may be empty"},
      {"*.md", "a.md", true, "any bytes"},
      {"*.md", "a.b.md", true, "dots are nothing special"},
      {"*.md", ".md", true, "a leading dot neither"},
      {"*.md", "a/b.md", false, "a star does not cross a slash"},
      {"a*b", "ab", true, "both ends meet"},
      {"aa*aa", "aaa", false, "the ends must not overlap"},
      {"a*b*c", "a1b2b3c", true, "two stars, the first match of b is not the last"},
      {"a*b*c", "a1c2b", false, "order counts"},
      {"a***b", "a12b", true, "stars within a name are one"},
      {"a**b", "a/b", false, "so they do not cross a slash"},
      {"?", "a", true, "one byte"},
      {"?", "/", false, "but a slash"},
      {"?", "\xc3\xa9", false, "bytes, not characters"},
      {"??", "\xc3\xa9", true, "bytes, not characters"},
      {"a?c", "abc", true, "in the middle"},
      {"[abc]", "b", true, "one of a set"},
      {"[abc]", "d", false, "none of the set"},
      {"[a-c]x", "bx", true, "a range"},
      {"[!a-c]", "b", false, "not of a range"},
      {"[^a-c]", "z", true, "the other sign for not"},
      {"a[!b]c", "a/c", true, "a negated set has the slash, as in ripgrep"},
      {"[]]", "]", true, "first in a set it is itself"},
      {"[!]]", "]", false, "also after the sign"},
      {"[-a]", "-", true, "a dash that comes first"},
      {"[a-]", "-", true, "a dash that comes last"},
      {"[a-c-e]", "d", true, "a second dash stretches the range"},
      {"[\\]", "\\", true, "no escapes in a set"},
      {"[*]", "*", true, "nothing is special in a set"},
      {"[[:alpha:]]", "x", false, "no names of classes"},
      {"\\*", "*", true, "an escaped star"},
      {"\\*", "a", false, "is no star"},
      {"\\a", "a", true, "any byte may be escaped"},
      {"**", "a/b/c", true, "everything"},
      {"**/a", "a", true, "in no folder"},
      {"**/a", "x/y/a", true, "in any folder"},
      {"**/a", "xa", false, "whole names only"},
      {"**/a/b", "x/a/b", true, "two names in any folder"},
      {"**/a/b", "a/b", true, "and in none"},
      {"**/**/a", "a", true, "several are one"},
      {"a/**/b", "a/b", true, "no folder between"},
      {"a/**/b", "a/x/y/b", true, "any folders between"},
      {"a/**/b", "ab", false, "but the slash stands"},
      {"a/**/b", "a/xb", false, "and names are whole"},
      {"a/**/**/b", "a/b", true, "several are one"},
      {"a/**", "a/b/c", true, "everything below"},
      {"a/**", "a", false, "not itself"},
      {"a/**/*", "a/b", true, "as ignore files put it"},
      {"a/**b", "a/xb", true, "beside other bytes they are one star"},
      {"a/**b", "a/x/b", false, "beside other bytes they are one star"},
      {"{a,b}", "b", true, "either"},
      {"{a,b}", "{a,b}", false, "braces are special"},
      {"{a,b}c", "a", false, "the branch leads on"},
      {"{a,b}c", "ac", true, "the first branch leads on"},
      {"{a,b}c", "bc", true, "the second too"},
      {"x{a*,?b}y", "xacy", true, "globs in branches"},
      {"x{a*,?b}y", "xcby", true, "globs in branches"},
      {"{a,{b,c}d}", "cd", true, "branches in branches"},
      {"{,a}", "a", true, "an empty branch counts for nothing"},
      {"{,a}", "", false, "an empty branch counts for nothing"},
      {"{b,,a}c", "ac", true, "in the middle neither"},
      {"a{}", "a", true, "nor do empty braces"},
      {"{**/a,b}", "x/a", true, "folders in a branch"},
      {"{x/**,b}", "x/y/z", true, "everything below, in a branch"},
      {"a,b", "a,b", true, "a comma outside of braces"},
      {"\\{a", "{a", true, "an escaped brace"},
  };
  for (const MatchCase& c : cases) {
    const Result<Glob> glob = Glob::parse(c.pattern);
    ASSERT_TRUE(glob) << c.pattern;
    const std::string_view text = glob->name_only() ? file_name_of(c.text) : c.text;
    EXPECT_EQ(glob->matches(text), c.matches) << c.pattern << " and " << c.text << ": " << c.reason;
  }
}

TEST(Glob, SaysWhenOnlyTheNameCounts) {
  const struct {
    const char* pattern;
    bool name_only;
    const char* reason;
  } cases[] = {
      {"**/a", true, "a name"},         {"**/*.py[co]", true, "a set without a slash"},
      {"**/{a,b*}", true, "branches"},  {"a", false, "bound to the folder"},
      {"**/a/b", false, "two names"},   {"**/[!a]", false, "the set has the slash"},
      {"**", false, "any path at all"}, {"**/{a/b,c}", false, "a branch with a slash"},
  };
  for (const auto& c : cases) {
    const Result<Glob> glob = Glob::parse(c.pattern);
    ASSERT_TRUE(glob) << c.pattern;
    EXPECT_EQ(glob->name_only(), c.name_only) << c.pattern << ": " << c.reason;
  }
}

// Bound: one glob
TEST(Glob, RefusesWhatIsNone) {
  const struct {
    std::string pattern;
    const char* message;
  } cases[] = {
      {"[ab", "a '[' is not closed"},
      {"[]", "a '[' is not closed"},
      {"[z-a]", "a range in '[' runs backwards"},
      {"{a,b", "a '{' is not closed"},
      {"a}", "a '}' has no '{' before it"},
      {"a\\", "it ends in a '\\' that escapes nothing"},
  };
  for (const auto& c : cases) {
    const Result<Glob> glob = Glob::parse(c.pattern);
    ASSERT_FALSE(glob) << c.pattern;
    EXPECT_EQ(glob.error().code, ErrorCode::Usage);
    EXPECT_EQ(glob.error().message, c.message);
    EXPECT_FALSE(glob.error().hint.empty());
  }
  EXPECT_FALSE(Glob::parse(std::string(kMaxGlobBytes + 1, 'a'))) << "too long";
  EXPECT_TRUE(Glob::parse(std::string(kMaxGlobBytes, 'a'))) << "just short enough";
  EXPECT_FALSE(Glob::parse(std::string(2000, '{') + std::string(2000, '}'))) << "nested too deep";
}

// Each would keep a backtracking matcher busy for longer than anyone waits.
TEST(Glob, HostilePatternsTakeNoTime) {
  std::string stars, double_stars = "a", braces, path = "a";
  for (int i = 0; i < 1000; ++i) stars += "*a";
  for (int i = 0; i < 800; ++i) double_stars += "/**/a";
  for (int i = 0; i < 400; ++i) braces += "{a*,*a,a}";
  for (int i = 0; i < 2000; ++i) path += "/a";
  const std::string name(255, 'a');
  for (const std::string& pattern : {stars + "b", double_stars + "/b", braces + "b"}) {
    const Result<Glob> glob = Glob::parse(pattern);
    ASSERT_TRUE(glob);
    EXPECT_FALSE(glob->matches(name));
    EXPECT_FALSE(glob->matches(path));
  }
  EXPECT_TRUE(Glob::parse(double_stars)->matches(path));
  EXPECT_TRUE(Glob::parse("*a*a*a*a*a*a*a*a*[b]")->matches(name + "b"));
}

TEST(Glob, AnyBytesAreSafe) {
  using namespace std::string_view_literals;
  constexpr std::string_view kBytes = "ab/**?[]!^-{},\\\0\xff"sv;
  std::mt19937 random(1);
  auto bytes = [&] {
    std::string text;
    for (std::size_t n = random() % 12; n > 0; --n) text += kBytes[random() % kBytes.size()];
    return text;
  };
  int globs = 0;
  for (int i = 0; i < 50'000; ++i) {
    const Result<Glob> glob = Glob::parse(bytes());
    if (!glob) continue;
    ++globs;
    if (glob->is_literal()) {
      EXPECT_TRUE(glob->matches(glob->literal()));
    }
    glob->matches(bytes());
  }
  EXPECT_GT(globs, 1000) << "most are none, and nothing is shown";
}

}  // namespace
}  // namespace kw::indexer
