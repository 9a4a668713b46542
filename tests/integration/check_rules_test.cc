// SPDX-License-Identifier: GPL-2.0-or-later
// tools/check_rules.sh must find each kind of fault: a check that cannot fail checks nothing.
#include <gmock/gmock.h>

#include <filesystem>

#include "tests/support/run_command.h"
#include "tests/support/temp_dir.h"

namespace kw::test {
namespace {

constexpr const char* kScript = KW_SOURCE_DIR "/tools/check_rules.sh";
const std::string kLicence = "// SPDX-License-Identifier: GPL-2.0-or-later\n";

struct Case {
  const char* name;
  std::string file;
  std::string text;
  std::string expected;  ///< what is printed; empty: no rule is broken
};

TEST(CheckRules, FindsEachKindOfFault) {
  // Words that the script looks for are put together here, so that it does not find them in this
  // file.
  const std::string unfinished = std::string("TO") + "DO";
  const std::string place = std::string("/wo") + "rk/main";
  const std::string prefix = std::string("\"X") + "I:\"";
  const std::string pattern = std::string("std::") + "regex";
  const std::vector<Case> cases{
      {"a clean source", "searcher/a.cc", kLicence + "#include \"schema/index/fields.h\"\n", ""},
      {"xapian.h has one door", "schema/a.cc", kLicence + "#include <xap" + "ian.h>\n",
       "schema/a.cc:2: <xapian.h> is included in schema/base/xapian_api.h only\n"},
      {"that door", "schema/base/xapian_api.h", kLicence + "#include <xap" + "ian.h>\n", ""},
      {"a prefix outside the table", "indexer/a.cc", kLicence + "auto p = " + prefix + ";\n",
       "indexer/a.cc:2: a term prefix is written in schema/index/fields.h only\n"},
      {"an example in a comment", "schema/a.h", kLicence + "/// gives " + prefix + "\n", ""},
      {"the table", "schema/index/fields.h", kLicence + "auto p = " + prefix + ";\n", ""},
      {"tests state the right values themselves", "tests/schema/a.cc",
       kLicence + "auto p = " + prefix + ";\n", ""},
      {"slow patterns", "searcher/a.cc", kLicence + pattern + " r;\n",
       "searcher/a.cc:2: patterns are RE2, never the standard ones\n"},
      {"an exception that nobody named", "indexer/a.cc", kLicence + "catch (...) {}\n",
       "indexer/a.cc:2: an exception is caught by its type\n"},
      {"the environment is the user's", "indexer/a.cc",
       kLicence + "setenv(\"LC_ALL\", \"C\", 1);\n",
       "indexer/a.cc:2: the environment is not changed\n"},
      {"unfinished work", "tools/a.sh",
       "# SPDX-License-Identifier: GPL-2.0-or-later\n# " + unfinished + "\n",
       "tools/a.sh:2: unfinished work has no place in the code\n"},
      {"a word that only contains it", "tools/a.cc", kLicence + "int x" + unfinished + "s;\n", ""},
      {"a path of one machine", "tools/a.cc", kLicence + "auto p = \"" + place + "\";\n",
       "tools/a.cc:2: a path of somebody's machine\n"},
      {"no licence line", "exporter/a.h", "#pragma once\n",
       "exporter/a.h:1: the licence line is missing\n"},
      {"no licence line in a tool without extension", "tools/bench", "#!/bin/sh\n",
       "tools/bench:1: the licence line is missing\n"},
      {"a long source that nothing tests", "indexer/a.cc", kLicence + std::string(100, '\n'),
       "indexer/a.cc:1: over 100 lines, and no test of its own, nor one in tests/covers.txt\n"},
      {"a short one", "indexer/a.cc", kLicence + std::string(98, '\n'), ""},
      {"a line for what is gone", "tests/covers.txt", "# a comment\nindexer/gone.cc  Gone\n",
       "tests/covers.txt:1: indexer/gone.cc needs no line\n"
       "tests/covers.txt:1: there is no test of suite Gone\n"},
      {"the sample tree is no code of ours", "tools/sample/a.cc", "// " + unfinished + "\n", ""},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    TempDir dir;
    make_tree(dir.path(), {{c.file, c.text}});
    const CommandResult result = run_command({kScript, dir.str()});
    EXPECT_EQ(result.out, c.expected);
    EXPECT_EQ(result.exit_code, c.expected.empty() ? 0 : 1) << result.err;
  }
}

TEST(CheckRules, EachBoundHasATest) {
  const std::string table =
      kLicence +
      "//   input         bound  over it\n//   a file        kMost  an error\n"
      "//   what they say kMost  nothing\n//\n//   no row\n#pragma once\n";
  const auto bound = [](const std::string& name) {
    return kLicence + "// Bo" + "und: " + name + "\n";
  };
  TempDir dir;
  make_tree(dir.path(), {{"schema/base/bounds.h", table},
                         {"tests/a.cc", bound("a file")},
                         {"tests/b.cc", bound("what they say")}});
  EXPECT_EQ(run_command({kScript, dir.str()}).out, "");
  write_file(dir / "tests/b.cc", bound("what it says"));
  const CommandResult result = run_command({kScript, dir.str()});
  EXPECT_EQ(result.out,
            "schema/base/bounds.h:1: no test has a line \"// Bo"
            "und: what they say\"\n"
            "schema/base/bounds.h:1: a test is of a bound that has no row: what it says\n");
  EXPECT_EQ(result.exit_code, 1);
}

TEST(CheckRules, NothingIsLeftAtTheTopLevel) {
  TempDir dir;
  make_tree(dir.path(), {{"README.md", "# A project\n"}, {"perf.data", "left by a tool"}});
  std::filesystem::create_directories(dir / "tools");
  std::filesystem::copy_file(kScript, dir / "tools/check_rules.sh");
  for (const auto& command : std::vector<std::vector<std::string>>{
           {"git", "init", "-q", dir.str()}, {"git", "-C", dir.str(), "add", "-A"}})
    ASSERT_EQ(run_command(command).exit_code, 0);
  const CommandResult result = run_command({kScript, dir.str()});
  EXPECT_EQ(result.out, "perf.data:1: no file of the project has its place there\n");
  EXPECT_EQ(result.exit_code, 1);
}

TEST(CheckRules, ThisCheckoutBreaksNone) {
  const CommandResult result = run_command({kScript});
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.exit_code, 0);
}

}  // namespace
}  // namespace kw::test
