// SPDX-License-Identifier: GPL-2.0-or-later
#include "schema/cli/config.h"

#include <gmock/gmock.h>

#include "tests/support/temp_dir.h"

namespace kw::cli {
namespace {

using testing::HasSubstr;

/// "name=value|value ..." of a file, or its error.
std::string read(const std::string& text, const char* program = "kwindex",
                 ConfigTrust trust = ConfigTrust::Person) {
  const auto settings = parse_config(text, "f.toml", program, trust);
  if (!settings) {
    EXPECT_EQ(settings.error().code, ErrorCode::Usage);
    EXPECT_THAT(settings.error().message, HasSubstr("f.toml")) << "the file is named";
    EXPECT_NE(settings.error().hint, "") << settings.error().message;
    return settings.error().message;
  }
  std::string out;
  for (const ConfigSetting& s : *settings) {
    out += (out.empty() ? "" : " ") + s.name + "=";
    for (const std::string& value : s.values) out += (&value == &s.values[0] ? "" : "|") + value;
  }
  return out;
}

TEST(Config, Reads) {
  struct {
    const char *why, *text, *expected;
  } const cases[] = {
      {"nothing", "", ""},
      {"comments", "# one\n   # two\n\n", ""},
      {"a number, a truth, a text", "jobs = 3\nhidden = true\nsymbols = \"none\"\n",
       "jobs=3 hidden=true symbols=none"},
      {"no newline at the end", "jobs=3", "jobs=3"},
      {"of DOS", "jobs = 3\r\nwait = 2\r\n", "jobs=3 wait=2"},
      {"a list", "exclude = [\"a\", 'b']", "exclude=a|b"},
      {"over lines", "exclude = [ # why\n  \"a\" ,  # this\n  \"b\",\n]\njobs = 1\n",
       "exclude=a|b jobs=1"},
      {"an empty list", "exclude = []", "exclude="},
      {"an empty text", "doc-root = ''", "doc-root="},
      {"marks in texts", "then = \"a # b, [c] = 'd'\"  # e", "then=a # b, [c] = 'd'"},
      {"escapes", R"(then = "a \"b\" \\ c")", R"(then=a "b" \ c)"},
      {"none in a literal text", R"(exclude = '\#*')", R"(exclude=\#*)"},
      {"a key in quotes", "\"jobs\" = 3", "jobs=3"},
      {"another program's option", "results = 3\njobs = 2", "jobs=2"},
      {"sections", "[kwsearch]\nresults = 3\n[kwindex]\njobs = 2\n[kwexport]\nlimit = 1\n",
       "jobs=2"},
      {"a section before what is for all", "json = true\nquiet = true\n[kwindex]\njson = false\n",
       "json=false quiet=true"},
      {"a section as part of the key", "kwindex.jobs = 2\nkwsearch.results = 1", "jobs=2"},
  };
  for (const auto& c : cases) EXPECT_EQ(read(c.text), c.expected) << c.why;
}

TEST(Config, Refuses) {
  struct {
    const char *text, *said;
  } const cases[] = {
      {"nonsense = 1", "'nonsense'"},
      {"h = 1", "'h'"},
      {"ROOT = 'x'", "'ROOT'"},
      {"[kwindex]\nresults = 1", "'results'"},
      {"[kwsearch]\nnonsense = 1", "'nonsense'"},
      {"[other]\njobs = 1", "'other'"},
      {"[kwindex.more]\njobs = 1", "kwindex"},
      {"config = 'x'", "may not set 'config'"},
      {"help = true", "may not set 'help'"},
      {"[kwsearch]\nversion = true", "may not set 'version'"},
      {"jobs", "line 1: no 'key = value'"},
      {"\n= 3", "line 2: no 'key = value'"},
      {"jobs =", "line 1: the key has no value"},
      {"jobs = 3 4", "line 1"},
      {"jobs = [1", "an array is not closed"},
      {"exclude = [\"a\"\njobs = 1\n", "line 2"},
      {"then = \"a", "line 1: a string is not closed"},
      {"then = \"a\\q\"", "an unknown escape"},
      {"then = \"a\\", "an unknown escape"},
      {"[kwindex", "a section is not closed"},
      {"jobs = $x", "'$' in a value"},
      {"jobs = 1\x01", "a control character"},
      {"then = 'a\x1b'", "a control character"},
      {"jobs = 1\nwait = 1\njobs = 2", "sets 'jobs' twice"},
      {"then = \"a\"7", "right behind a string"},
      {"\"x\"99999 = 1", "right behind a string"},
      {"[\"x\"99999]", "right behind a string"},
      {"jobs = 7'a'", "a comma is missing"},
      {"exclude = [\"a\" \"b\"]", "a comma is missing"},
      {"exclude = [\"a\",\n\"b\"\n\"c\"]", "line 3: a comma is missing"},
  };
  for (const auto& c : cases) EXPECT_THAT(read(c.text), HasSubstr(c.said)) << c.text;
  EXPECT_THAT(read(std::string("jobs = 1\0", 9)), HasSubstr("a control character"));
}

// What a tree's file could do harm with. Each stands here by name: who loosens the table must say
// so twice.
TEST(Config, ATreeMayNotSet) {
  const std::vector<std::string> harmful{
      "db", "out", "then", "config", "shared", "follow", "allow-empty", "adopt", "shard", "wait",
      "dry-run", "rebuild", "reset", "watch", "status", "skipped", "check", "complete",
      "serve-stdio", "completion", "version", "help", "fields", "collections",
      // What a call does, and what ignore rules keep from the index.
      "count", "count-by", "explain", "files", "format", "hidden", "json", "no-ignore", "null",
      "offset", "partial", "profile", "regex", "timeout", "vimgrep",
      // Whose index is obeyed, and how a query is read.
      "trust", "as", "uses"};
  for (const std::string& name : harmful)
    for (const char* program : {"kwindex", "kwsearch", "kwexport"})
      EXPECT_THAT(read(name + " = '1'", program, ConfigTrust::Tree),
                  HasSubstr("may not set '" + name + "'"))
          << program;
  for (const ConfigKey& key : kConfigKeys) {
    const bool is_harmful = std::find(harmful.begin(), harmful.end(), key.name) != harmful.end();
    EXPECT_EQ(key.trust != ConfigTrust::Tree, is_harmful) << key.name;
  }
}

TEST(Config, Files) {
  const test::TempDir dir;
  const auto code = [&](const char* name) {
    return read_config((dir / name).string(), "kwindex", ConfigTrust::Tree).error().code;
  };
  EXPECT_EQ(code("none"), ErrorCode::NotFound);
  std::filesystem::create_symlink("/dev/zero", dir / "zero");
  EXPECT_EQ(code("zero"), ErrorCode::Usage) << "no end";
  std::filesystem::create_directory(dir / "folder");
  EXPECT_EQ(code("folder"), ErrorCode::Usage);
  test::write_file(dir / "large", std::string(100'000, '\n'));
  EXPECT_EQ(code("large"), ErrorCode::Usage);
}

}  // namespace
}  // namespace kw::cli
