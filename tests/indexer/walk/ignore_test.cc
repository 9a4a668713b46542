// SPDX-License-Identifier: GPL-2.0-or-later
#include "indexer/walk/ignore.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <string>

#include "indexer/walk/directory.h"
#include "schema/text/text.h"
#include "tests/support/temp_dir.h"

namespace kw::indexer {
namespace {

using test::TempDir;
using test::write_file;

constexpr Verdict kUnmatched = Verdict::Unmatched;
constexpr Verdict kLeftOut = Verdict::LeftOut;
constexpr Verdict kKept = Verdict::Kept;

struct RuleCase {
  std::string file;
  std::string path;  ///< a folder if it ends in a slash
  Verdict verdict;
  const char* reason;
};

TEST(RuleList, VerdictOfAnIgnoreFile) {
  using namespace std::string_literals;
  const RuleCase cases[] = {
      {"", "a", kUnmatched, "no rules"},
      {"a\n", "a", kLeftOut, "a name"},
      {"a", "a", kLeftOut, "a last line without an end counts"},
      {"a\n", "x/y/a", kLeftOut, "a name at any depth"},
      {"a\n", "a/", kLeftOut, "a folder has a name too"},
      {"a\n", "a/b", kUnmatched, "what is in it is not asked for: the folder is not entered"},
      {"/a\n", "a", kLeftOut, "bound to the folder"},
      {"/a\n", "x/a", kUnmatched, "and not deeper"},
      {"x/a\n", "x/a", kLeftOut, "a slash within binds too"},
      {"x/a\n", "y/x/a", kUnmatched, "and not deeper"},
      {"**/x/a\n", "y/x/a", kLeftOut, "unless it says so"},
      {"a/\n", "a/", kLeftOut, "folders only"},
      {"a/\n", "a", kUnmatched, "not a file"},
      {"a/\n", "x/a/", kLeftOut, "a last slash does not bind"},
      {"*.o\n", "x/y.o", kLeftOut, "a glob for names"},
      {"*.o/\n", "y.o", kUnmatched, "a glob for folders"},
      {"*\n!a\n", "a", kKept, "the later line wins"},
      {"!a\n*\n", "a", kLeftOut, "also the other way"},
      {"a\n!a/\n", "a", kLeftOut, "a rule for folders says nothing of a file"},
      {"a\n!a/\n", "a/", kKept, "but of a folder"},
      {"*\n!*/\n!*.md\n", "x/a.md", kKept, "everything but"},
      {"*\n!*/\n!*.md\n", "x/a.txt", kLeftOut, "everything but"},
      {"/x/a\n!a\n", "x/a", kKept, "a name after a path"},
      {"!a\n/x/a\n", "x/a", kLeftOut, "a path after a name"},
      {"a*\n!ab\n", "ab", kKept, "a literal after a glob"},
      {"!ab\na*\n", "ab", kLeftOut, "a glob after a literal"},
      {"x/**\n", "x/y/z", kLeftOut, "everything below"},
      {"x/**\n", "x/", kUnmatched, "not the folder itself"},
      {"# a\n", "# a", kUnmatched, "a comment"},
      {"\\#a\n", "#a", kLeftOut, "an escaped comment sign"},
      {"\\!a\n", "!a", kLeftOut, "an escaped exclamation mark"},
      {" a\n", "a", kUnmatched, "blanks before a pattern belong to it"},
      {" a\n", " a", kLeftOut, "blanks before a pattern belong to it"},
      {"a \t \n", "a", kLeftOut, "blanks after it do not"},
      {"a\\ \n", "a ", kLeftOut, "unless escaped"},
      {"a b\n", "a b", kLeftOut, "blanks within do"},
      {"\n  \n", "  ", kUnmatched, "blank lines are none"},
      {"a\r\nb\r\n", "a", kLeftOut, "lines may end in CR LF"},
      {"a\\ \r\n", "a ", kLeftOut, "also after an escaped blank"},
      {"\xef\xbb\xbf"
       "a\n",
       "a", kLeftOut, "a byte-order mark is no part of the first line"},
      {"[\na\n", "a", kLeftOut, "a bad line does not end the file"},
      {"\xff\xfe\na\n", "a", kLeftOut, "nor do bytes that are not UTF-8"},
      {"\xff*\n", "\xff\x80", kLeftOut, "which match bytes"},
      {"a\0b\nc\n"s, "c", kLeftOut, "nor does a NUL"},
      {"/\n", "a", kUnmatched, "a slash alone is nothing"},
      {"!\n", ".a", kKept, "a mark alone is everything, as in ripgrep"},
      {"a.\n", "a.", kLeftOut, "a last dot is a byte like others"},
      {"{a,b}.md\n", "b.md", kLeftOut, "braces, as in ripgrep"},
      {"{x/a,b}\n", "y/b", kUnmatched, "a slash in braces binds too"},
      {"**\n", "x/y", kLeftOut, "everything"},
      {"**/\n", "x/y", kUnmatched, "every folder"},
      {"**/\n", "x/y/", kLeftOut, "every folder"},
  };
  for (const RuleCase& c : cases) {
    RuleList rules;
    rules.add_file(c.file);
    std::string_view path = c.path;
    const bool is_folder = path.ends_with('/');
    if (is_folder) path.remove_suffix(1);
    EXPECT_EQ(rules.verdict(path, file_name_of(path), is_folder), c.verdict)
        << c.file << " says of " << c.path << ": " << c.reason;
  }
}

TEST(RuleList, SaysWhatALineWas) {
  RuleList rules;
  const Result<bool> comment = rules.add("# x");
  ASSERT_TRUE(comment);
  EXPECT_FALSE(*comment);
  EXPECT_TRUE(rules.empty());
  const Result<bool> rule = rules.add("x");
  ASSERT_TRUE(rule);
  EXPECT_TRUE(*rule);
  EXPECT_FALSE(rules.empty());
  EXPECT_FALSE(rules.add("[x"));
}

TEST(RuleList, ManyRulesAreFast) {
  std::string file;
  for (int i = 0; i < 100'000; ++i) file += "name" + std::to_string(i) + "\n";
  RuleList rules;
  rules.add_file(file);
  int left_out = 0;
  for (int i = 0; i < 100'000; ++i) {
    const std::string name = "name" + std::to_string(i * 2);
    left_out += rules.verdict(name, name, false) == kLeftOut;
  }
  EXPECT_EQ(left_out, 50'000);
}

// Bound: ignore files at one place
TEST(RuleList, OneFileHasSoManyGlobs) {
  std::string file;
  for (std::size_t i = 0; i < kMaxIgnoreGlobs; ++i) file += "[a]" + std::to_string(i) + "\n";
  RuleList rules;
  EXPECT_TRUE(RuleList().add_file(file + "literal\n{not a glob\n\n"));
  EXPECT_FALSE(rules.add_file(file + "[b]\nliteral\n!a0\n"));
  EXPECT_EQ(rules.globs(), kMaxIgnoreGlobs);
  EXPECT_EQ(rules.verdict("a9999", "a9999", false), kLeftOut);
  EXPECT_EQ(rules.verdict("b", "b", false), kUnmatched) << "one too many";
  EXPECT_EQ(rules.verdict("literal", "literal", false), kLeftOut) << "names are looked up";
  EXPECT_EQ(rules.verdict("a0", "a0", false), kKept);
}

/// A tree of ignore files that is entered folder by folder.
class IgnoreStackTest : public testing::Test {
 protected:
  /// Enters the folder `path` of dir_, from it down.
  void enter(const std::string& path) {
    std::string whole = dir_.str() + "/";
    stack_.enter_above(whole);
    enter_one(whole);
    for (const auto& name : std::filesystem::path(path)) {
      whole += name.string() + "/";
      enter_one(whole);
    }
    path_ = whole;
  }
  void enter_one(const std::string& whole) {
    const Descriptor folder = open_at(AT_FDCWD, whole, O_RDONLY | O_DIRECTORY);
    ASSERT_TRUE(folder) << whole;
    const auto names = stack_.enter(folder.get(), kAllIgnoreFiles, whole);
    unreadable_.insert(unreadable_.end(), names.begin(), names.end());
  }
  Verdict verdict(const std::string& name) { return stack_.verdict(path_ + name, name, false); }

  TempDir dir_;
  IgnoreStack stack_;
  std::string path_;
  std::vector<std::string_view> unreadable_;
};

TEST_F(IgnoreStackTest, KindsWinInOrder) {
  std::filesystem::create_directories(dir_ / ".git");
  write_file(dir_ / ".git/info/exclude", "exclude\ngit\nignore\nkw\n");
  write_file(dir_ / ".gitignore", "!git\nignore\nkw\n");
  write_file(dir_ / ".ignore", "!ignore\nkw\n");
  write_file(dir_ / ".kwignore", "!kw\n");
  enter("");
  EXPECT_EQ(verdict("exclude"), kLeftOut);
  EXPECT_EQ(verdict("git"), kKept);
  EXPECT_EQ(verdict("ignore"), kKept);
  EXPECT_EQ(verdict("kw"), kKept);
  EXPECT_EQ(verdict("none"), kUnmatched);
}

TEST_F(IgnoreStackTest, DeeperFilesWinWithinAKindOnly) {
  write_file(dir_ / ".ignore", "a\nb\n");
  write_file(dir_ / ".kwignore", "c\n");
  write_file(dir_ / "x/y/.ignore", "!a\n!c\n");
  enter("x/y");
  EXPECT_EQ(verdict("a"), kKept) << "the deeper file";
  EXPECT_EQ(verdict("b"), kLeftOut) << "the shallower one still counts";
  EXPECT_EQ(verdict("c"), kLeftOut) << "a stronger kind wins from any height";
  stack_.leave();
  EXPECT_EQ(stack_.verdict(dir_.str() + "/x/a", "a", false), kLeftOut) << "left: it counts no more";
}

TEST_F(IgnoreStackTest, GitCountsInAWorkTreeOnly) {
  write_file(dir_ / ".gitignore", "a\n");
  write_file(dir_ / "x/.gitignore", "b\n");
  enter("x");
  EXPECT_EQ(verdict("a"), kUnmatched);
  EXPECT_EQ(verdict("b"), kUnmatched);
}

TEST_F(IgnoreStackTest, GitEndsAtTheNearestWorkTree) {
  std::filesystem::create_directories(dir_ / ".git");
  write_file(dir_ / ".gitignore", "a\n");
  std::filesystem::create_directories(dir_ / "x/.git");
  write_file(dir_ / "x/.gitignore", "b\n");
  write_file(dir_ / "x/y/.gitignore", "c\n");
  enter("x/y");
  EXPECT_EQ(verdict("a"), kUnmatched) << "another work tree's";
  EXPECT_EQ(verdict("b"), kLeftOut);
  EXPECT_EQ(verdict("c"), kLeftOut);
}

TEST_F(IgnoreStackTest, ALinkedWorkTreeSharesItsExcludeFile) {
  write_file(dir_ / "main/.git/info/exclude", "a\n");
  write_file(dir_ / "main/.git/worktrees/w/commondir", "../..\n");
  write_file(dir_ / "w/.git", "gitdir: " + dir_.str() + "/main/.git/worktrees/w\n");
  enter("w");
  EXPECT_EQ(verdict("a"), kLeftOut);
}

TEST_F(IgnoreStackTest, ABrokenGitFileIsStillAWorkTree) {
  write_file(dir_ / ".git", "gitdir: /nonexistent\n");
  write_file(dir_ / ".gitignore", "a\n");
  enter("");
  EXPECT_EQ(verdict("a"), kLeftOut);
}

TEST_F(IgnoreStackTest, FoldersAboveCount) {
  std::filesystem::create_directories(dir_ / ".git");
  write_file(dir_ / ".gitignore", "/x/y/a\nb\n");
  write_file(dir_ / "x/.ignore", "c\n");
  const std::string root = dir_.str() + "/x/y/";
  std::filesystem::create_directories(root);
  stack_.enter_above(root);
  path_ = root;
  EXPECT_EQ(verdict("a"), kLeftOut) << "bound to a folder above";
  EXPECT_EQ(verdict("b"), kLeftOut);
  EXPECT_EQ(verdict("c"), kLeftOut);
}

// Opening a FIFO for reading waits for a writer: this test would not end.
TEST_F(IgnoreStackTest, WhatIsNoFileIsNotRead) {
  ASSERT_EQ(::mkfifo((dir_ / ".ignore").c_str(), 0600), 0);
  std::filesystem::create_directories(dir_ / ".gitignore");
  std::filesystem::create_symlink("/dev/zero", dir_ / ".kwignore");
  enter("");
  EXPECT_EQ(verdict("a"), kUnmatched);
  EXPECT_TRUE(unreadable_.empty());
}

TEST_F(IgnoreStackTest, ALinkIsReadAndALinkToItselfIsUnreadable) {
  write_file(dir_ / "rules", "a\n");
  std::filesystem::create_symlink("rules", dir_ / ".ignore");
  std::filesystem::create_symlink(".kwignore", dir_ / ".kwignore");
  enter("");
  EXPECT_EQ(verdict("a"), kLeftOut);
  EXPECT_EQ(unreadable_, std::vector<std::string_view>{".kwignore"});
}

TEST_F(IgnoreStackTest, ALargeFileIsCutAtALine) {
  std::string rules = "first\n";
  while (rules.size() < kMaxIgnoreBytes - 2) rules += "#" + std::string(1000, 'x') + "\n";
  rules.resize(kMaxIgnoreBytes - 2);
  rules += "\n*.never\n";  // the limit falls after the star
  write_file(dir_ / ".ignore", rules);
  enter("");
  EXPECT_EQ(verdict("first"), kLeftOut);
  EXPECT_EQ(verdict("other"), kUnmatched) << "half of a line must not count";
  EXPECT_THAT(stack_.cut_files(), testing::ElementsAre((dir_ / ".ignore").string()));
}

// Bound: ignore files at one place
TEST_F(IgnoreStackTest, AFileThatEndsAtTheLimitIsNotCut) {
  std::string rules(kMaxIgnoreBytes, '\n');
  rules.replace(rules.size() - 6, 6, "*.last");
  write_file(dir_ / ".ignore", rules);
  write_file(dir_ / "x/.ignore", "");
  enter("x");
  EXPECT_EQ(verdict("a.last"), kLeftOut);
  EXPECT_THAT(stack_.cut_files(), testing::IsEmpty());
  write_file(dir_ / "x/.ignore", "a");
  enter_one(dir_.str() + "/x/");
  EXPECT_THAT(stack_.cut_files(), testing::ElementsAre((dir_ / "x/.ignore").string()));
}

TEST_F(IgnoreStackTest, FilesWithTooManyGlobsAreNamed) {
  std::string globs;
  for (std::size_t i = 0; i < kMaxIgnoreGlobs; ++i) globs += "[a]" + std::to_string(i) + "\n";
  std::filesystem::create_directories(dir_ / ".git");
  write_file(dir_ / ".kwignore", globs);
  write_file(dir_ / ".git/info/exclude", "*.o\n");
  write_file(dir_ / "x/.ignore", "name\n");
  write_file(dir_ / "x/y/.ignore", "*.x\n");
  enter("x/y");
  EXPECT_THAT(stack_.cut_files(), testing::ElementsAre((dir_ / ".git/info/exclude").string(),
                                                       (dir_ / "x/y/.ignore").string()));
}

}  // namespace
}  // namespace kw::indexer
