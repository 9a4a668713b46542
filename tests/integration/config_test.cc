// SPDX-License-Identifier: GPL-2.0-or-later
// Configuration files end to end: which file counts when, what a tree's file may do, what is
// stored.
#include "schema/cli/config.h"

#include "tests/integration/kwindex_fixture.h"
#include "tests/support/help_options.h"

namespace kw::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;
using Words = std::vector<std::string>;

class ConfigFiles : public KwindexTest {
 protected:
  ConfigFiles() {
    make_tree(root(), {{"a.md", "# A\n\nname_one\n"},
                       {"b.md", "# B\n\nname_one\n"},
                       {"old/c.md", "# C\n\nname_one\n"}});
  }

  void tree_file(const std::string& text) const { write_file(root() / ".kwsearch.toml", text); }
  void own_file(const std::string& text) const {
    write_file(dir_ / "config/kwsearch/config.toml", text);
  }

  CommandResult run_in_tree(const Words& words,
                            const std::string& variable = "KWSEARCH_DB=") const {
    CommandOptions options;
    options.folder = root().string();
    options.environment = {"XDG_CONFIG_HOME=" + (dir_ / "config").string(), variable};
    return run_command(words, options);
  }

  /// How many results are shown.
  std::ptrdiff_t results(Words words, const std::string& variable = "KWSEARCH_DB=") const {
    words.insert(words.begin(), {"kwsearch", "-l", "name_one"});
    const CommandResult result = run_in_tree(words, variable);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return std::count(result.out.begin(), result.out.end(), '\n');
  }

  /// The paths in the index.
  std::string files() const {
    return run_in_tree({"kwsearch", "--config=", "-l", "-n0", "name_one"}).out;
  }

  static void expect_error(const CommandResult& result, const Words& said) {
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 2) << result.err;
    for (const std::string& part : said) EXPECT_THAT(result.err, HasSubstr(part));
  }
};

// The table of keys is another list of the options: it must be the programs' own.
TEST_F(ConfigFiles, KnowsEveryOptionOfThePrograms) {
  const std::pair<const char*, unsigned> programs[] = {
      {"kwindex", cli::kIndex}, {"kwsearch", cli::kSearch}, {"kwexport", cli::kExport}};
  for (const auto& [program, bit] : programs) {
    std::set<std::string> keys;
    for (const cli::ConfigKey& key : cli::kConfigKeys)
      if (key.programs & bit) keys.emplace(key.name);
    EXPECT_EQ(keys, long_options(program)) << program;
  }
}

TEST_F(ConfigFiles, Precedence) {
  index();
  EXPECT_EQ(results({}), 3);
  own_file("results = 2\n");
  EXPECT_EQ(results({}), 2) << "a person's file";
  tree_file("results = 1\n");
  EXPECT_EQ(results({}), 1) << "a tree's file before it";
  EXPECT_EQ(results({"-n", "3"}), 3) << "the command line before both";
  write_file(dir_ / "own.toml", "offset = 1\n");
  EXPECT_EQ(results({"--config", (dir_ / "own.toml").string()}), 2) << "instead of both";
  EXPECT_EQ(results({"--config", ""}), 3) << "none at all";
  tree_file("[kwsearch]\nresults = 2\n[kwindex]\njobs = 1\n");
  EXPECT_EQ(results({}), 2) << "a section";
  tree_file("exclude = 'x'\nlimit = 3\n");
  EXPECT_EQ(results({}), 2) << "options of the other programs are theirs";
  fs::create_directories(root() / "old");
  CommandOptions below;
  below.folder = (root() / "old").string();
  tree_file("results = 1\n");
  EXPECT_EQ(run_command({"kwsearch", "-l", "name_one"}, below).out, "a.md\n")
      << "from a folder below";
}

TEST_F(ConfigFiles, TheCommandLineTakesBackWhatItExcludes) {
  index();
  own_file("json = true\n");
  EXPECT_THAT(run_in_tree({"kwsearch", "name_one"}).out, StartsWith("{"));
  EXPECT_EQ(run_in_tree({"kwsearch", "-l", "-n1", "name_one"}).out, "a.md\n");
  EXPECT_EQ(run_in_tree({"kwsearch", "-0", "-n1", "name_one"}).out, std::string("a.md\0", 5));
  own_file("vimgrep = true\n");
  EXPECT_THAT(run_in_tree({"kwsearch", "name_one"}).out, StartsWith("a.md:3:1:"));
  EXPECT_THAT(run_in_tree({"kwsearch", "--vimgrep=false", "name_one"}).out,
              StartsWith("a.md   A\n"));
}

TEST_F(ConfigFiles, TheEnvironmentIsBeforeFiles) {
  index();
  make_tree(dir_ / "other", {{"z.md", "# Z\n\nname_one\n"}});
  ASSERT_EQ(run({"other"}).exit_code, 0);
  own_file("db = '" + (dir_ / "other").string() + "'\ncolor = 'always'\n");
  const Words search{"kwsearch", "-l", "name_one"};
  EXPECT_EQ(run_in_tree(search).out, "z.md\n") << "the index of a person's file";
  write_file(dir_ / "other/.kwsearch.toml", "absolute = true\n");
  EXPECT_EQ(run_in_tree(search).out, (dir_ / "other/z.md").string() + "\n")
      << "and its tree's file";
  EXPECT_EQ(run_in_tree(search, "KWSEARCH_DB=" + database().string()).out,
            "a.md\nb.md\nold/c.md\n");
  EXPECT_EQ(run_in_tree({"kwsearch", "--db", root().string(), "-l", "-n1", "name_one"}).out,
            "a.md\n");
  own_file("color = 'always'\n");
  EXPECT_THAT(run_in_tree({"kwsearch", "name_one"}).out, HasSubstr("\x1b["));
  EXPECT_THAT(run_in_tree({"kwsearch", "name_one"}, "NO_COLOR=1").out, Not(HasSubstr("\x1b[")));
}

TEST_F(ConfigFiles, WhatATreeSaysIsNotStored) {
  tree_file("exclude = ['old']\n");
  const Words index{"kwindex", ".", "-q"};
  EXPECT_EQ(run_in_tree(index).exit_code, 0);
  EXPECT_EQ(files(), "a.md\nb.md\n");
  EXPECT_EQ(run_in_tree({"kwindex", "-q", "--exclude", "b.md"}).exit_code, 0);
  EXPECT_EQ(files(), "a.md\nold/c.md\n") << "the command line before the file; it is stored";
  EXPECT_EQ(run_in_tree(index).exit_code, 0);
  EXPECT_EQ(files(), "a.md\nb.md\n") << "the file before what is stored";
  const auto status = nlohmann::json::parse(run_in_tree({"kwindex", "--status", "--json"}).out);
  EXPECT_EQ(status["options"]["exclude"], nlohmann::json({"old"})) << "what is in force";
  fs::remove(root() / ".kwsearch.toml");
  EXPECT_EQ(run_in_tree(index).exit_code, 0);
  EXPECT_EQ(files(), "a.md\nold/c.md\n") << "and what is stored stands behind it";
  EXPECT_EQ(run_in_tree({"kwindex", "-q", "--reset"}).exit_code, 0);
  EXPECT_EQ(files(), "a.md\nb.md\nold/c.md\n");
}

TEST_F(ConfigFiles, AnIndexElsewhereHasItsRootsFile) {
  tree_file("exclude = ['old']\nresults = 1\n");
  EXPECT_EQ(run({"tree", "-q", "--db", "elsewhere"}).exit_code, 0);
  CommandOptions here;
  here.folder = dir_.str();
  EXPECT_EQ(run_command({"kwsearch", "--db", "elsewhere", "-l", "name_one"}, here).out, "a.md\n");
  EXPECT_EQ(run_command({"kwsearch", "--db", "elsewhere", "-c", "name_one"}, here).out, "2\n");
  fs::remove(root() / ".kwsearch.toml");
  EXPECT_EQ(run({"-q", "--db", "elsewhere"}).exit_code, 0);
  EXPECT_EQ(run_command({"kwsearch", "--db", "elsewhere", "-c", "name_one"}, here).out, "3\n");
}

TEST_F(ConfigFiles, ExportTakesItsFolderFromAPersonsFile) {
  index();
  own_file("[kwexport]\nout = 'pages'\n");
  tree_file("project = 'Of the tree'\nlimit = 3\n");
  EXPECT_EQ(run_in_tree({"kwexport", "-q"}).exit_code, 0);
  EXPECT_THAT(read_text(root() / "pages/a.md_kw.md"), HasSubstr("Of the tree"));
  expect_error(run_in_tree({"kwexport", "--config="}), {"no output directory"});
  expect_error(run_in_tree({"kwexport", "--nonsense"}), {"error: unknown option '--nonsense'"});
}

TEST_F(ConfigFiles, ExportPassesOverWhatItsFormatDoesNotHave) {
  index();
  own_file("[kwexport]\nprofile = 'classic'\n");
  tree_file("base-url = 'https://h/'\npath = 'none'\n");
  EXPECT_EQ(run_in_tree({"kwexport", "-q", "--out", "pages", "--path", "a.md"}).exit_code, 0);
  EXPECT_TRUE(fs::exists(root() / "pages/a.md_kw.md"));
  EXPECT_EQ(run_in_tree({"kwexport", "-q", "--out", "site", "--format", "html"}).exit_code, 0);
  EXPECT_TRUE(fs::exists(root() / "site/a.md.html"));
  EXPECT_TRUE(fs::exists(root() / "site/sitemap.xml"));
}

TEST_F(ConfigFiles, ErrorsNameFileAndKey) {
  index();
  const std::string file = (root() / ".kwsearch.toml").string();
  const std::pair<const char*, const char*> cases[] = {
      {"nonsense = 1\n", "'nonsense', which is no option"},
      {"results = 'many'\n", "--results: 'many' is no number"},
      {"results = [1, 2]\n", "'results' takes one value"},
      {"links = true\njson = true\n", "may not set 'json'"},
      {"hidden = true\n", "may not set 'hidden'"},
      {"exclude = [\"a\" \"b\"]\n", "expected comma"},
      {"jobs\n", "line 1"},
      {"then = 'touch ran'\n", "may not set 'then'"},
      {"[kwindex]\nthen = 'touch ran'\n", "may not set 'then'"},
      {"kwindex.then = 'touch ran'\n", "may not set 'then'"},
      {"db = '/elsewhere'\n", "may not set 'db'"},
      {"out = 'elsewhere'\n", "may not set 'out'"},
      {"config = 'elsewhere'\n", "may not set 'config'"},
      {"ctags = './ctags'\n", "'ctags', which is no option"},
  };
  for (const auto& [text, said] : cases) {
    tree_file(text);
    expect_error(run_in_tree({"kwsearch", "name_one"}), {file, said});
    EXPECT_EQ(results({"-n", "1", "--config="}), 1);
  }
  tree_file("then = 'touch ran'\n");
  expect_error(run_in_tree({"kwindex"}), {file, "may not set 'then'"});
  expect_error(run({"tree"}), {"tree/.kwsearch.toml", "may not set 'then'"});
  expect_error(run_in_tree({"kwexport", "--out", "x"}), {file, "may not set 'then'"});
  EXPECT_FALSE(fs::exists(root() / "ran") || fs::exists(root() / "x"));
  // Other programs act on pages with such names, git and direnv.
  for (const char* text : {"list-page = '.git'\n", "folder-page = '.envrc'\n"}) {
    tree_file(text);
    expect_error(run_in_tree({"kwexport", "--out", "x"}), {file, "begins with no dot"});
    EXPECT_FALSE(fs::exists(root() / "x")) << text;
  }
  fs::remove(file);
  own_file("reslts = 1\n");
  expect_error(run_in_tree({"kwsearch", "name_one"}), {"kwsearch/config.toml", "'reslts'"});
  own_file("then = 'touch ran'\nwait = 1\n");
  write_file(root() / "d.md", "# D\n");
  EXPECT_EQ(run_in_tree({"kwindex", "-q"}).exit_code, 0);
  EXPECT_TRUE(fs::exists(root() / "ran")) << "a person's own file may";
  EXPECT_EQ(run_in_tree({"kwindex", "--status"}).exit_code, 0) << "which excludes --then";
}

}  // namespace
}  // namespace kw::test
