// SPDX-License-Identifier: GPL-2.0-or-later
#include "indexer/extract/comment_lexer.h"

#include <gmock/gmock.h>

#include <random>
#include <string>
#include <vector>

namespace kw::indexer {
namespace {

using ::testing::ElementsAreArray;

std::vector<std::string> comments(const std::string& text, const std::string& fence) {
  std::vector<std::string> out;
  for (const ByteRange& range : find_comments(text, language_of_fence(fence)->comments))
    out.push_back(text.substr(range.begin, range.end - range.begin));
  return out;
}

TEST(Source, FindsComments) {
  struct Row {
    std::string fence, text;
    std::vector<std::string> expected;
    std::string why;
  };
  const Row rows[] = {
      {"cpp", "int a; // one\nint b;", {"// one"}, "to the end of the line, without it"},
      {"cpp", "a /* b\n c */ d", {"/* b\n c */"}, "over lines"},
      {"cpp", "a /* b", {"/* b"}, "never ends: to the end of the text"},
      {"cpp", "/* // */ a // /* b\nc", {"/* // */", "// /* b"}, "one inside another"},
      {"cpp", R"(x = "// no"; // yes)", {"// yes"}, "a string"},
      {"cpp", R"(x = "\"// no"; // yes)", {"// yes"}, "an escaped quote"},
      {"cpp", R"(x = '"'; // yes)", {"// yes"}, "a quote in quotes"},
      {"cpp", "x = \"open // no\n// yes", {"// yes"}, "a string ends with its line"},
      {"cpp", "x = \"a\\\n// no\"; // yes", {"// yes"}, "but a backslash carries it over"},
      {"cpp", "a / b; c /", {}, "no marks"},
      {"cpp", "//", {"//"}, "nothing but a mark"},
      {"cpp", "//\r\na", {"//\r"}, "a carriage return is part of its line"},
      {"c#", "/// <summary>", {"/// <summary>"}, "a longer mark"},
      {"python", "x = 1  # c\n#d", {"# c", "#d"}, ""},
      {"python",
       "def f():\n    \"\"\"Doc\n    # string\"\"\"\n    pass",
       {"\"\"\"Doc\n    # string\"\"\""},
       "documentation strings are comments"},
      {"python", "x = '#no' + \"#no\"  # yes", {"# yes"}, "both quotes"},
      {"python", "'''a''' b '''c", {"'''a'''", "'''c"}, "the other quotes, and never ending"},
      {"sh", "echo $# ${#x} ${x#y} a#b \\# # yes", {"# yes"}, "what is no comment in a shell"},
      {"sh", "#!/bin/sh\n", {"#!/bin/sh"}, "the first line"},
      {"js", "x = `a // no\n// no` // yes", {"// yes"}, "a template string spans lines"},
      {"js", "x = ` // open\n// yes", {"// yes"}, "where it ends at all"},
      {"js", "u = https://x; // yes", {"// yes"}, "an address"},
      {"rust", "fn f<'a>(x: &'a str) {} // yes", {"// yes"}, "lifetimes are no quotes"},
      {"sql", "select 1 -- a\n/* b */", {"-- a", "/* b */"}, ""},
      {"lua", "a --[[ b\nc ]] d -- e", {"--[[ b\nc ]]", "-- e"}, "the longer mark goes first"},
      {"haskell", "x' = 1 -- a\n{- b -}", {"-- a", "{- b -}"}, "a prime is no quote"},
      {"ocaml", "let x = 'a' (* b\n*)", {"(* b\n*)"}, "blocks only"},
      {"html", "a <!-- b --> c", {"<!-- b -->"}, ""},
      {"vim",
       "let a = 1\n  \" yes\nlet b = \" no",
       {"\" yes"},
       "only as the first thing on a line"},
      {"ini", "; a\nb = c ; d\n# e", {"; a", "# e"}, "only as the first thing on a line"},
      {"bat", "rem a\nremove b\n:: c", {"rem a", ":: c"}, "a word that is a mark must be whole"},
      {"ruby", "a\n=begin\nb\n=end\nc =begin", {"=begin\nb\n=end"}, "only at the start of a line"},
      {"matlab", "a = b'; % c", {"% c"}, "a prime is no quote"},
      {"json", "{\"a\": \"b // c\"}", {}, ""},
      {"text", "# no // no", {}, "prose has no comments"},
      {"cpp", "", {}, "nothing"},
  };
  for (const Row& row : rows)
    EXPECT_THAT(comments(row.text, row.fence), ElementsAreArray(row.expected))
        << row.fence << ": " << row.text << ": " << row.why;
}

// Lines of nothing but unclosed strings and marks: each must be looked through once.
TEST(Source, IsLinearOnHostileText) {
  std::string text;
  for (int i = 0; i < 200'000; ++i) text += "\\`\n";
  EXPECT_TRUE(comments("`" + text, "js").empty());
  EXPECT_TRUE(comments(std::string(1'000'000, ' ') + "a", "vim").empty());
  EXPECT_EQ(comments(std::string(1'000'000, '#'), "python").size(), 1u);
}

TEST(Source, RandomTextGivesOrderedRangesInside) {
  const std::string letters = "/*#\"'`\\\n -=;%{}[]<!>(ra\xc3";
  std::mt19937 random(1);
  for (const char* const fence : {"cpp", "python", "js", "ruby", "lua", "bat", "vim", "html"}) {
    for (int round = 0; round < 300; ++round) {
      std::string text;
      for (int i = 0; i < 60; ++i) text += letters[random() % letters.size()];
      std::size_t last = 0;
      for (const ByteRange& range : find_comments(text, language_of_fence(fence)->comments)) {
        ASSERT_LE(last, range.begin);
        ASSERT_LT(range.begin, range.end);
        ASSERT_LE(range.end, text.size());
        last = range.end;
      }
    }
  }
}

}  // namespace
}  // namespace kw::indexer
