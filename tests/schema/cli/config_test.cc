// SPDX-License-Identifier: GPL-2.0-or-later
#include "schema/cli/config.h"

#include <gmock/gmock.h>

#include "schema/base/bounds.h"
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
      {"jobs", "line 1 is not TOML"},
      {"\n= 3", "line 2 is not TOML"},
      {"jobs =", "line 1"},
      {"jobs = 3 4", "line 1"},
      {"jobs = [1", "while parsing array"},
      {"exclude = [\"a\"\njobs = 1\n", "line 2"},
      {"then = \"a", "line 1"},
      {"then = \"a\\q\"", "while parsing string"},
      {"then = \"a\\", "while parsing string"},
      {"[kwindex", "while parsing table header"},
      {"[\n\tkwindex]\njobs = 1", "line 1"},
      {"jobs = $x", "while parsing value"},
      {"jobs = \u01d0", "line 1"},
      {"jobs = \u00e9\n", "line 1"},
      {"jobs = 1\x01", "\\u0001"},
      {"then = 'a\x1b'", "control characters"},
      {"jobs = 1\nwait = 1\njobs = 2", "line 3 is not TOML"},
      {"then = \"a\"7", "line 1"},
      {"\"x\"99999 = 1", "line 1"},
      {"[\"x\"99999]", "line 1"},
      {"jobs = 7'a'", "line 1"},
      {"exclude = [\"a\" \"b\"]", "expected comma"},
      {"exclude = [\"a\",\n\"b\"\n\"c\"]", "line 3"},
  };
  for (const auto& c : cases) EXPECT_THAT(read(c.text), HasSubstr(c.said)) << c.text;
  EXPECT_THAT(read(std::string("jobs = 1\0", 9)), HasSubstr("line 1"));
}

constexpr const char* kRefused = nullptr;
constexpr const char* kSame = "=";

// What version 0.1 took, with its values, and what is taken now. `before` is what its reader said
// of the file: kSame as now.
TEST(Config, WhatWasTakenIsTakenOrRefusedWithItsLine) {
  constexpr const char *kwindex = "kwindex", *kwsearch = "kwsearch", *kwexport = "kwexport";
  struct {
    const char *why, *text, *program, *before, *now;
  } const cases[] = {
      {"nothing", "", kwindex, kSame, ""},
      {"blank lines", " \n\t\n", kwindex, kSame, ""},
      {"comments", "# one\n  # two\n", kwindex, kSame, ""},
      {"number", "jobs = 3", kwindex, kSame, "jobs=3"},
      {"negative", "context = -1", kwsearch, kSame, "context=-1"},
      {"plus", "jobs = +3", kwindex, kSame, "jobs=+3"},
      {"hexadecimal", "jobs = 0x1F", kwindex, kSame, "jobs=0x1F"},
      {"underscore in a number", "results = 1_000", kwsearch, kSame, "results=1_000"},
      {"fraction keeps its digits", "project = 1.10", kwexport, kSame, "project=1.10"},
      {"exponent", "timeout = 1e1", kwsearch, kSame, "timeout=1e1"},
      {"leading zero", "project = 007", kwexport, "project=007", "line 1"},
      {"a float as infinity", "project = inf", kwexport, kSame, "project=inf"},
      {"true", "hidden = true", kwindex, kSame, "hidden=true"},
      {"false", "hidden = false", kwindex, kSame, "hidden=false"},
      {"capital True", "hidden = True", kwindex, "hidden=True", "line 1"},
      {"yes", "hidden = yes", kwindex, "hidden=yes", "line 1"},
      {"on", "hidden = on", kwindex, "hidden=on", "line 1"},
      {"a string", "symbols = \"none\"", kwindex, kSame, "symbols=none"},
      {"a literal string", "symbols = 'none'", kwindex, kSame, "symbols=none"},
      {"a string over lines", "project = \"\"\"a\nb\"\"\"", kwexport, kRefused, "project=a\nb"},
      {"escapes", "then = \"a \\\"b\\\" \\\\ \\n\\t c\"", kwindex, kSame, "then=a \"b\" \\ \n\t c"},
      {"an escape by number", "then = \"\\u0041\"", kwindex, kRefused, "then=A"},
      {"a bad escape", "then = \"\\q\"", kwindex, kRefused, "line 1"},
      {"no escapes in a literal string", "exclude = '\\#*'", kwindex, kSame, "exclude=\\#*"},
      {"marks in a string", "then = \"a # b, [c] = 'd'\" # e", kwindex, kSame,
       "then=a # b, [c] = 'd'"},
      {"an empty string", "doc-root = ''", kwindex, kSame, "doc-root="},
      {"an unquoted word", "symbols = none", kwindex, "symbols=none", "line 1"},
      {"an unquoted size", "max-file-size = 8M", kwindex, "max-file-size=8M", "line 1"},
      {"an unquoted version", "project = 1.2.3", kwexport, "project=1.2.3", "line 1"},
      {"an unquoted path", "db = /srv/x", kwindex, kRefused, "line 1"},
      {"two unquoted words", "project = a b", kwindex, kRefused, "line 1"},
      {"an unquoted word of a list", "exclude = [old, new]", kwindex, "exclude=old|new", "line 1"},
      {"an unquoted list of numbers", "exclude = [1, 2]", kwindex, kSame, "exclude=1|2"},
      {"a date", "date = 2026-01-31", kwexport, kSame, "date=2026-01-31"},
      {"a date that is none", "date = 2026-02-31", kwexport, "date=2026-02-31", "line 1"},
      {"a time", "date = 2026-01-31T10:20:30Z", kwexport, kRefused, "date=2026-01-31T10:20:30Z"},
      {"a list", "exclude = [\"a\", 'b']", kwindex, kSame, "exclude=a|b"},
      {"a list over lines", "exclude = [ # why\n  \"a\" , # this\n\n  \"b\",\n]\njobs = 1", kwindex,
       kSame, "exclude=a|b jobs=1"},
      {"an empty list", "exclude = []", kwindex, kSame, "exclude="},
      {"a list of one", "results = [5]", kwsearch, kSame, "results=5"},
      {"a comma first", "exclude = [,\"a\"]", kwindex, "exclude=|a", "line 1"},
      {"two commas", "exclude = [\"a\",,\"b\"]", kwindex, "exclude=a||b", "line 1"},
      {"no comma", "exclude = [\"a\" \"b\"]", kwindex, kRefused, "line 1"},
      {"an open list", "exclude = [\"a\"\njobs = 1", kwindex, kRefused, "line 2"},
      {"a list in a list", "exclude = [[\"a\"]]", kwindex, kRefused, "line 1"},
      {"a mixed list", "exclude = [1, \"a\", true]", kwindex, kSame, "exclude=1|a|true"},
      {"a table in a list", "exclude = [{a = 1}]", kwindex, kRefused, "line 1"},
      {"a section", "[kwindex]\njobs = 2", kwindex, kSame, "jobs=2"},
      {"a section with blanks", "[ kwindex ]\njobs = 2", kwindex, kSame, "jobs=2"},
      {"a section in quotes", "[\"kwindex\"]\njobs = 2", kwindex, kSame, "jobs=2"},
      {"another section", "[kwsearch]\nresults = 1", kwsearch, kSame, "results=1"},
      {"a section twice", "[kwindex]\njobs = 2\n[kwexport]\n[kwindex]\nwait = 3", kwindex,
       "jobs=2 wait=3", "line 4"},
      {"an empty section", "[kwindex]", kwindex, kSame, ""},
      {"an unknown section", "[other]\njobs = 1", kwindex, kRefused, "line 1"},
      {"an unknown, empty section", "[other]", kwindex, kRefused, "line 1"},
      {"a section in a section", "[kwindex.more]\njobs = 1", kwindex, kRefused, "line 1"},
      {"a section of double brackets", "[[kwindex]]\njobs = 2", kwindex, "jobs=2", "line 1"},
      {"the section default", "[default]\njobs = 2", kwindex, "jobs=2", "line 1"},
      {"an inline table", "kwindex = {jobs = 2}", kwindex, kRefused, "jobs=2"},
      {"a dotted key", "kwindex.jobs = 2", kwindex, kSame, "jobs=2"},
      {"a dotted key with blanks", "kwindex . jobs = 2", kwindex, kRefused, "jobs=2"},
      {"a dotted key, then the section", "kwindex.jobs = 2\n[kwindex]\nwait = 3", kwindex,
       "jobs=2 wait=3", "line 2"},
      {"a dotted key in quotes", "\"kwindex.jobs\" = 2", kwindex, kRefused, "line 1"},
      {"a key in quotes", "\"jobs\" = 3", kwindex, kSame, "jobs=3"},
      {"an empty key", "\"\" = 3", kwindex, kRefused, "line 1"},
      {"a key alone", "jobs", kwindex, kRefused, "line 1"},
      {"no key", "= 3", kwindex, kRefused, "line 1"},
      {"no value", "jobs =", kwindex, kRefused, "line 1"},
      {"a colon", "jobs: 3", kwindex, kRefused, "line 1"},
      {"a key twice", "jobs = 1\njobs = 2", kwindex, "jobs=1|2", "line 2"},
      {"a key twice, in a section", "[kwindex]\njobs = 1\njobs = 2", kwindex, "jobs=1|2", "line 3"},
      {"a list twice", "exclude = ['a']\nexclude = ['b']", kwindex, "exclude=a|b", "line 2"},
      {"above and in a section", "jobs = 1\n[kwindex]\njobs = 2", kwindex, kSame, "jobs=2"},
      {"collections", "[collections]\nwork = ['/a']", kwindex, kSame, ""},
      {"an unknown key", "nonsense = 1", kwindex, kRefused, "line 1"},
      {"a key of the command line", "config = 'x'", kwindex, kRefused, "line 1"},
      {"CRLF", "jobs = 3\r\nwait = 2\r\n", kwindex, kSame, "jobs=3 wait=2"},
      {"CR alone", "jobs = 3\rwait = 2", kwindex, kRefused, "line 1"},
      {"a byte-order mark", "\xef\xbb\xbfjobs = 3", kwindex, kRefused, "jobs=3"},
      {"UTF-8",
       "project = 'Gr\xc3\xbc\xc3\x9f"
       "e'",
       kwexport, kSame,
       "project=Gr\xc3\xbc\xc3\x9f"
       "e"},
      {"a comment in UTF-8", "# \xc3\xbc\njobs = 1", kwindex, kSame, "jobs=1"},
      {"a number behind UTF-8", "kwexport = {project = '\xc3\xbc', limit = 1.50}", kwexport,
       kRefused, "project=\xc3\xbc limit=1.50"},
      {"not UTF-8 in a string", "exclude = ['caf\xe9']", kwindex, "exclude=caf\xe9", "line 1"},
      {"not UTF-8 in a comment", "# caf\xe9\njobs = 1", kwindex, "jobs=1", "line 1"},
      {"a control character in a comment", "# \x01\njobs = 1", kwindex, "jobs=1", "line 1"},
      {"a control character in a string", "then = 'a\x1b'", kwindex, kRefused, "line 1"},
      {"a control character", "jobs = 1\x01", kwindex, kRefused, "line 1"},
      {"a tab in a string", "project = 'a\tb'", kwexport, kSame, "project=a\tb"},
      {"an INI comment", "; jobs = 1", kwindex, "", "line 1"},
      {"an open string", "then = \"a", kwindex, kRefused, "line 1"},
      {"an open section", "[kwindex", kwindex, kRefused, "line 1"},
      {"a string behind a word", "jobs = 7'a'", kwindex, kRefused, "line 1"},
      {"a word behind a string", "then = \"a\"7", kwindex, kRefused, "line 1"},
      {"a variable", "jobs = $N", kwindex, kRefused, "line 1"},
      {"no newline at the end", "jobs=3", kwindex, kSame, "jobs=3"},
      {"blanks around everything", "  jobs   =   3   ", kwindex, kSame, "jobs=3"},
  };
  for (const auto& c : cases) {
    const std::string now = read(c.text, c.program);
    if (std::string_view(c.now).starts_with("line "))
      EXPECT_THAT(now, HasSubstr(std::string("'f.toml' ") + c.now + " ")) << c.why;
    else
      EXPECT_EQ(now, c.now) << c.why;
    if (c.before && c.before != kSame && now != c.before) {
      EXPECT_THAT(c.now, testing::StartsWith("line ")) << c.why << ": refused, or the same";
    }
  }
}

TEST(Config, SaysHowToMendAFile) {
  const auto hint = [](const char* text) {
    return parse_config(text, "f", "kwindex", ConfigTrust::Person).error().hint;
  };
  EXPECT_THAT(hint("max-file-size = 8M"), HasSubstr("text in quotes"));
  EXPECT_THAT(hint("jobs = 1\njobs = 2"), HasSubstr("one line for each key"));
  EXPECT_THAT(hint("exclude = ['caf\xe9']"), HasSubstr("UTF-8"));
}

TEST(Config, DeepAndLargeFilesAreNoHarm) {
  std::string dots, inlined, tables, many = "exclude = [\n";
  for (int i = 0; i < 32'000; ++i) dots += "a.";
  for (int i = 0; i < 16'000; ++i) inlined += "{a=";
  for (int i = 0; i < 300; ++i) tables += "[kwindex" + dots.substr(1, 2 * i) + "]\n";
  for (int i = 0; i < 9'000; ++i) many += "'a',\n";
  EXPECT_THAT(read(dots + "a = 1"), HasSubstr("line 1 is not TOML [a key is nested too deep]"));
  EXPECT_THAT(read("\n[" + dots + "a]"), HasSubstr("line 2"));
  EXPECT_THAT(read("jobs = " + inlined), HasSubstr("line 1"));
  EXPECT_THAT(read("jobs = " + std::string(60'000, '[')), HasSubstr("line 1"));
  EXPECT_THAT(read(tables), HasSubstr("line "));
  EXPECT_EQ(parse_config(many + "]", "f", "kwindex", ConfigTrust::Tree)->at(0).values.size(),
            9'000u);
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

// Bound: .kwsearch.toml
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
  test::write_file(dir / "large", std::string(kMaxConfigBytes, '\n'));
  EXPECT_TRUE(read_config((dir / "large").string(), "kwindex", ConfigTrust::Tree));
  test::write_file(dir / "larger", std::string(kMaxConfigBytes + 1, '\n'));
  EXPECT_EQ(code("larger"), ErrorCode::Usage);
}

}  // namespace
}  // namespace kw::cli
