// SPDX-License-Identifier: GPL-2.0-or-later
// tools/changed_files: in every kind of clone it finds what to compare with, or counts every file.
// A check that finds nothing to analyse checks nothing.
#include <gmock/gmock.h>

#include "tests/support/run_command.h"
#include "tests/support/temp_dir.h"

namespace kw::test {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class ChangedFiles : public ::testing::Test {
 protected:
  ChangedFiles() {
    std::filesystem::create_directories(root_);
    git({"init", "-q", "-b", "main"});
    commit({{"schema/a.cc", "int a;\n"}, {"schema/b.cc", "int b;\n"}});
    commit({{"schema/b.cc", "int c;\n"}});
  }

  void git(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(),
                     {"git", "-c", "user.name=A", "-c", "user.email=a@example.org"});
    const CommandResult result =
        run_command(arguments, {.folder = root_, .environment = {"GIT_CONFIG_GLOBAL=/dev/null"}});
    ASSERT_EQ(result.exit_code, 0) << result.err;
  }
  void commit(const std::vector<std::pair<std::string, std::string>>& files) {
    make_tree(root_, files);
    git({"add", "-A"});
    git({"commit", "-q", "-m", "x"});
  }
  std::string run(std::vector<std::string> options = {}) {
    options.insert(options.begin(), KW_SOURCE_DIR "/tools/changed_files");
    options.push_back(root_);
    const CommandResult result = run_command(options);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(result.err, "");
    return result.out;
  }
  /// Goes on in a clone of what there is, made with these options.
  void clone(std::vector<std::string> options) {
    const std::string from = "file://" + root_;
    root_ = (dir_ / "clone").string();
    options.insert(options.begin(), {"git", "clone", "-q"});
    options.insert(options.end(), {from, root_});
    ASSERT_EQ(run_command(options).exit_code, 0);
  }

  TempDir dir_;
  std::string root_ = (dir_ / "first").string();
};

TEST_F(ChangedFiles, OnMainThoseOfTheLastCommit) {
  EXPECT_EQ(run(), "schema/b.cc\n");
  EXPECT_THAT(run({"--since"}), StartsWith("the commit before, "));
}

TEST_F(ChangedFiles, OnABranchThoseSinceItLeftMain) {
  git({"checkout", "-q", "-b", "work"});
  commit({{"schema/c.cc", ""}});
  commit({{"schema/d.cc", ""}});
  make_tree(root_, {{"schema/a.cc", "int changed;\n"}, {"docs/new.md", ""}});
  EXPECT_EQ(run(), "docs/new.md\nschema/a.cc\nschema/c.cc\nschema/d.cc\n");
  EXPECT_THAT(run({"--since"}), StartsWith("where this branch left main, "));
}

TEST_F(ChangedFiles, WithoutABranchMainThoseSinceTheRemoteOne) {
  git({"checkout", "-q", "-b", "work"});
  commit({{"schema/c.cc", ""}});
  commit({{"schema/d.cc", ""}});
  clone({"--branch", "work"});
  EXPECT_EQ(run(), "schema/c.cc\nschema/d.cc\n");
  EXPECT_THAT(run({"--since"}), StartsWith("where this branch left origin/main, "));
}

TEST_F(ChangedFiles, WithADetachedHeadAndNoMainThoseOfTheLastCommit) {
  git({"checkout", "-q", "--detach"});
  git({"branch", "-q", "-D", "main"});
  EXPECT_EQ(run(), "schema/b.cc\n");
}

TEST_F(ChangedFiles, InACloneOfDepthOneAll) {
  clone({"--depth", "1"});
  EXPECT_EQ(run(), "schema/a.cc\nschema/b.cc\n");
  EXPECT_THAT(run({"--since"}), HasSubstr("every file counts"));
}

TEST_F(ChangedFiles, WithoutGitAll) {
  std::filesystem::remove_all(root_ + "/.git");
  EXPECT_EQ(run(), "schema/a.cc\nschema/b.cc\n");
}

TEST_F(ChangedFiles, AnalysisReadsAHeaderByASourceFile) {
  commit({{"schema/pair.h", ""},
          {"schema/pair.cc", ""},
          {"schema/alone.h", ""},
          {"indexer/user.cc", "#include \"schema/alone.h\"\n"}});
  git({"rm", "-q", "schema/a.cc"});
  commit({{"schema/pair.h", "int x;\n"},
          {"schema/alone.h", "int y;\n"},
          {"tests/a_test.cc", ""},
          {"tools/sample/x.cc", ""}});
  EXPECT_EQ(run({"--sources"}), "indexer/user.cc\nschema/pair.cc\n");
}

}  // namespace
}  // namespace kw::test
