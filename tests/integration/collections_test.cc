// SPDX-License-Identifier: GPL-2.0-or-later
// Several trees in one search, and collections: lists of databases that have a name in a person's
// configuration.
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/support/sample_tree.h"

namespace kw::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsSupersetOf;
using testing::StartsWith;
using Words = std::vector<std::string>;

class Collections : public SampleTree {
 protected:
  Collections() {
    make_tree(dir_ / "notes", {{"plan.md", "# Plan\n\nWhat plan_buffers is for.\n"}});
    EXPECT_EQ(run({"kwindex", "-q", (dir_ / "notes").string()}).exit_code, 0);
    config("color = 'never'\n[collections]\nwork = [\"" + tree().string() +
           "\", '~/notes/.kwsearch']\nmine = \"~/notes\"\n");
  }

  void config(const std::string& text) const {
    write_file(dir_ / ".config/kwsearch/config.toml", text);
  }

  /// As a person starts it, with a configuration file.
  CommandResult own(Words words) const {
    words.insert(words.begin(), {"env", "XDG_CONFIG_HOME=" + (dir_ / ".config").string()});
    return run(words);
  }

  static Words lines_of(const std::string& text) {
    Words lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
  }
};

TEST_F(Collections, AreSearchedAsOne) {
  const Words both = lines_of(own({"kwsearch", "--db", "@work", "-l", "-n0", "plan_buffers"}).out);
  EXPECT_THAT(both, IsSupersetOf({"plan.md", "docs/skein/csrc/executor.cpp_docs.md"}));
  EXPECT_EQ(lines_of(own({"kwsearch", "--db", "@mine", "-l", "plan_buffers"}).out),
            Words{"plan.md"});
  const std::string text = own({"kwsearch", "--db=@work", "-n0", "plan_buffers"}).out;
  EXPECT_THAT(text, AllOf(HasSubstr("plan.md   Plan   in " + (dir_ / "notes").string() + "\n"),
                          HasSubstr("   in " + tree().string() + "\n")));
  EXPECT_EQ(own({"kwsearch", "--db=@work", "--db=@mine", "-n0", "plan_buffers"}).out, text)
      << "a database that is named twice counts once";
}

TEST_F(Collections, EachHitSaysItsTree) {
  std::set<std::string> trees;
  for (const std::string& line :
       lines_of(own({"kwsearch", "--db=@work", "--json", "-n0", "plan_buffers"}).out))
    trees.insert(nlohmann::json::parse(line).value("tree", ""));
  EXPECT_EQ(trees, (std::set<std::string>{tree().string(), (dir_ / "notes").string()}));
}

TEST_F(Collections, AreTakenWhereADatabaseIs) {
  const std::string expected = own({"kwsearch", "--db=@mine", "plan"}).out;
  EXPECT_THAT(expected, HasSubstr("plan.md"));
  EXPECT_EQ(own({"env", "KWSEARCH_DB=@mine", "kwsearch", "plan"}).out, expected);
  const std::string request =
      R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":)"
      R"({"query":"plan_buffers","results":100}}})"
      "\n";
  const CommandResult served = run({"env", "XDG_CONFIG_HOME=" + (dir_ / ".config").string(),
                                    "kwsearch", "--serve-stdio", "--db", "@work"},
                                   request);
  EXPECT_THAT(served.out, AllOf(HasSubstr("plan.md"), HasSubstr("executor.cpp_docs.md"),
                                HasSubstr((dir_ / "notes").string())));
  config("db = '@mine'\n[collections]\nmine = '~/notes'\n");
  EXPECT_EQ(own({"kwsearch", "plan"}).out, expected);
}

TEST_F(Collections, AreListed) {
  EXPECT_EQ(own({"kwsearch", "--collections"}).out, "@mine      " + (dir_ / "notes").string() +
                                                        "\n@work      " + tree().string() + " " +
                                                        (dir_ / "notes/.kwsearch").string() + "\n");
  EXPECT_EQ(own({"kwsearch", "--collections", "--config="}).out, "") << "no file, no collection";
}

TEST_F(Collections, WhatIsWrong) {
  const auto said = [&](const std::string& text, const std::string& name) {
    config(text);
    const CommandResult result = own({"kwsearch", "--db", name, "plan"});
    EXPECT_EQ(result.exit_code, 2) << text;
    EXPECT_THAT(result.err, HasSubstr("config.toml'")) << text;
    return result.err;
  };
  EXPECT_THAT(
      said("[collections]\nwork = '/a'\nhome = '/b'\n", "@wrk"),
      AllOf(HasSubstr("no collection '@wrk' in '"), HasSubstr("hint: it has @home, @work")));
  EXPECT_THAT(said("results = 3\n", "@work"), HasSubstr("below [collections]"));
  EXPECT_THAT(said("[collections]\nwork = []\n", "@work"), HasSubstr("it names no database"));
  EXPECT_THAT(said("[collections]\nwork = ['notes']\n", "@work"),
              HasSubstr("collection 'work': 'notes' is no path from / or ~"));
  EXPECT_THAT(said("[collections]\nwork = ['@mine']\n", "@work"), HasSubstr("'@mine' is no path"));
  EXPECT_THAT(said("[collections.more]\nwork = ['/a']\n", "@work"), HasSubstr("has no dot"));
  EXPECT_THAT(said("[collections]\nwork = '/a'\nx = '/b'\nwork = '/c'\n", "@work"),
              HasSubstr("line 4 is not TOML"));
  EXPECT_THAT(own({"kwsearch", "--db=@work", "--config=", "plan"}).err,
              HasSubstr("no collection '@work'"));
  EXPECT_EQ(own({"kwsearch", "--db=@", "plan"}).exit_code, 2);
}

TEST_F(Collections, ATreesFileHasNone) {
  write_file(tree() / ".kwsearch.toml", "[collections]\nwork = '/'\n");
  const CommandResult result = own({"kwsearch", "plan"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("may not have collections"));
  EXPECT_EQ(own({"kwsearch", "--db=@mine", "plan"}).exit_code, 0) << "of several trees none counts";
}

// Each limit ends it at another file: of a stub, of Xapian, of a text.
TEST_F(Collections, TooManyForTheOpenFiles) {
  std::string databases;
  for (int i = 0; i < 8; ++i) {
    const std::filesystem::path copy = dir_ / ("copy" + std::to_string(i));
    make_tree(copy, {{"plan.md", "# Plan\n\nWhat plan_buffers is for.\n"}});
    EXPECT_EQ(run({"kwindex", "-q", copy.string()}).exit_code, 0);
    databases += " --db " + copy.string();
  }
  int failed = 0;
  for (int limit = 16; limit < 26; ++limit) {
    const CommandResult result =
        run({"sh", "-c", "ulimit -n " + std::to_string(limit) + "; kwsearch -l plan" + databases});
    if (result.exit_code == 0) continue;
    ++failed;
    EXPECT_EQ(result.exit_code, 2) << limit;
    EXPECT_THAT(result.err, AllOf(HasSubstr("oo many"), HasSubstr("raise: ulimit -n"))) << limit;
  }
  EXPECT_GT(failed, 0);
}

TEST_F(Collections, AreCompleted) {
  const CommandResult bash =
      own({"bash", "--norc", "-c",
           "source <(kwsearch --completion bash); COMP_LINE='kwsearch --db @w'\n"
           "COMP_POINT=${#COMP_LINE}; _kwsearch; printf '%s\\n' \"${COMPREPLY[@]}\""});
  EXPECT_EQ(bash.out, "@work\n") << bash.err;
  if (is_installed("fish")) {
    const CommandResult fish = own({"fish", "--no-config", "-c",
                                    "kwsearch --completion fish | source\n"
                                    "complete -C 'kwsearch --db @w'"});
    EXPECT_THAT(lines_of(fish.out), ElementsAre(StartsWith("@work\t"))) << fish.err;
  }
}

}  // namespace
}  // namespace kw::test
