// SPDX-License-Identifier: GPL-2.0-or-later
#include "indexer/walk/walker.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "schema/base/bounds.h"
#include "schema/base/descriptor.h"
#include "schema/index/manifest.h"
#include "tests/support/effort.h"
#include "tests/support/temp_dir.h"

namespace kw::indexer {
namespace {

namespace fs = std::filesystem;
using test::make_tree;
using test::TempDir;
using test::write_file;
using testing::ElementsAre;
using testing::IsEmpty;

using Paths = std::vector<std::string>;

class WalkTest : public testing::Test {
 protected:
  /// Walks the tree; it must succeed.
  void walk_tree() {
    Result<WalkResult> result = walk(dir_.str(), database_, options_, {}, threads_);
    ASSERT_TRUE(result) << result.error().message;
    result_ = *std::move(result);
  }
  Paths files() {
    walk_tree();
    Paths paths;
    for (const FoundFile& file : result_.files) paths.push_back(file.path);
    return paths;
  }
  /// "reason: path", of the walk before.
  Paths skipped() const {
    Paths paths;
    for (const SkippedPath& path : result_.skipped)
      paths.push_back(std::string(text_of(path.reason)) + ": " + path.path);
    return paths;
  }
  void write(const std::string& path, const std::string& bytes = "x") {
    write_file(dir_ / path, bytes);
  }

  TempDir dir_;
  std::string database_;
  IndexOptions options_;
  unsigned threads_ = 4;
  WalkResult result_;
};

TEST_F(WalkTest, EmptyTree) {
  EXPECT_THAT(files(), IsEmpty());
  EXPECT_THAT(skipped(), IsEmpty());
}

// '-' and '.' come before '/', '0' after it.
TEST_F(WalkTest, OrderIsThatOfWholePaths) {
  for (const char* path : {"a/x", "a/b/x", "a-", "a.b", "a0", "b-/x", "b", "aa/x", "A"})
    write(path);
  write("\xff");
  write("\x01");
  EXPECT_THAT(files(), ElementsAre("\x01", "A", "a-", "a.b", "a/b/x", "a/x", "a0", "aa/x", "b",
                                   "b-/x", "\xff"));
  write("c.d/x");
  write("c/x");
  write("c./x");
  EXPECT_THAT(files(), ElementsAre("\x01", "A", "a-", "a.b", "a/b/x", "a/x", "a0", "aa/x", "b",
                                   "b-/x", "c./x", "c.d/x", "c/x", "\xff"));
}

TEST_F(WalkTest, StampIsTheStatData) {
  write("a", "12345");
  files();
  struct stat info;
  ASSERT_EQ(::stat((dir_ / "a").c_str(), &info), 0);
  const FileStat& stamp = result_.files.at(0).stamp;
  EXPECT_EQ(stamp.size, 5u);
  EXPECT_EQ(stamp.inode, info.st_ino);
  EXPECT_EQ(stamp.mtime_ns, info.st_mtim.tv_sec * 1'000'000'000 + info.st_mtim.tv_nsec);
  EXPECT_EQ(stamp.ctime_ns, info.st_ctim.tv_sec * 1'000'000'000 + info.st_ctim.tv_nsec);
  EXPECT_EQ(stamp.seen_ns, 0) << "not the walk's to say";
}

TEST_F(WalkTest, NamesMayHoldAnyBytes) {
  const Paths names = {"\x1b[31m", " ",    "\"'`$(x)", "*?[a]",   "\\",
                       "a\nb",     "a\tb", "\xc3\xa9", "\xff\xfe"};
  for (const std::string& name : names) write(name + "/" + name);
  Paths expected;
  for (const std::string& name : names) expected.push_back(name + "/" + name);
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(files(), expected);
}

TEST_F(WalkTest, HiddenNames) {
  make_tree(dir_.path(), {{".a", ""}, {".b/c", ""}, {"d/.e", ""}, {"f", ""}});
  EXPECT_THAT(files(), ElementsAre("f"));
  options_.hidden = true;
  EXPECT_THAT(files(), ElementsAre(".a", ".b/c", "d/.e", "f"));
  options_.hidden = false;
  write(".ignore", "!.b/\n");
  EXPECT_THAT(files(), ElementsAre(".b/c", "f")) << "a rule takes it in";
}

TEST_F(WalkTest, IgnoreFiles) {
  make_tree(dir_.path(),
            {{"a.o", ""}, {"build/x", ""}, {"keep.o", ""}, {"s/a.o", ""}, {"s/b", ""}});
  write(".kwignore", "*.o\n!keep.o\n/build/\n");
  write("s/.kwignore", "b\n!a.o\n");
  EXPECT_THAT(files(), ElementsAre("keep.o", "s/a.o"));
  EXPECT_THAT(skipped(), IsEmpty()) << "what rules leave out is not counted";
  options_.use_ignore_files = false;
  EXPECT_THAT(files(), ElementsAre("a.o", "build/x", "keep.o", "s/a.o", "s/b"));
}

TEST_F(WalkTest, WhatIsInAnIgnoredFolderCannotBeTakenInAgain) {
  make_tree(dir_.path(), {{"a/b", ""}, {"a/.ignore", "!b\n"}, {".ignore", "a/\n!a/b\n"}});
  EXPECT_THAT(files(), IsEmpty());
}

TEST_F(WalkTest, IncludeAndExclude) {
  make_tree(dir_.path(),
            {{"a.md", ""}, {"a.py", ""}, {"d/a.md", ""}, {"d/e/b.md", ""}, {"x/d/c.md", ""}});
  struct Case {
    Paths include, exclude, expected;
    const char* reason;
  };
  const Case cases[] = {
      {{"*.py"}, {}, {"a.py"}, "a name"},
      {{"*.md"}, {}, {"a.md", "d/a.md", "d/e/b.md", "x/d/c.md"}, "a name at any depth"},
      {{"/*.md"}, {}, {"a.md"}, "bound to the root"},
      {{"d/*.md"}, {}, {"d/a.md"}, "a slash within binds too"},
      {{"d/**"}, {}, {"d/a.md", "d/e/b.md"}, "all below a folder"},
      {{"**/d/**"}, {}, {"d/a.md", "d/e/b.md", "x/d/c.md"}, "any such folder"},
      {{"d"}, {}, {}, "files only"},
      {{"*.md", "!b.md"}, {}, {"a.md", "d/a.md", "x/d/c.md"}, "the last that matches counts"},
      {{"a.py", "b.md"}, {}, {"a.py", "d/e/b.md"}, "either"},
      {{}, {"*.md"}, {"a.py"}, "a name"},
      {{}, {"d"}, {"a.md", "a.py"}, "a folder at any depth, and what is in it"},
      {{}, {"/d/"}, {"a.md", "a.py", "x/d/c.md"}, "a folder bound to the root"},
      {{}, {"*.md", "!a.md"}, {"a.md", "a.py", "d/a.md"}, "the last that matches counts"},
      {{"*.md"}, {"d"}, {"a.md"}, "both"},
  };
  for (const Case& c : cases) {
    options_.include = c.include;
    options_.exclude = c.exclude;
    EXPECT_EQ(files(), c.expected) << c.reason;
    EXPECT_THAT(skipped(), IsEmpty()) << c.reason;
  }
  write(".ignore", "a.md\n");
  options_.include = {"a.md"};
  options_.exclude = {};
  EXPECT_THAT(files(), IsEmpty()) << "include takes in nothing that rules leave out";
}

TEST_F(WalkTest, GlobsThatCannotWork) {
  const struct {
    Paths include, exclude;
    const char* message;
    const char* hint;
  } cases[] = {
      {{"[a"}, {}, "bad glob '[a': a '[' is not closed", "put a '\\'"},
      {{}, {"a\\"}, "bad glob 'a\\': it ends in a '\\' that escapes nothing", "put a '\\'"},
      {{"#a"}, {}, "bad glob '#a': it names nothing", "put a '\\'"},
      {{}, {""}, "bad glob '': it names nothing", "put a '\\'"},
      {{"d/"}, {}, "bad glob 'd/': --include selects files, and this names a folder", "'d/**'"},
  };
  for (const auto& c : cases) {
    options_.include = c.include;
    options_.exclude = c.exclude;
    const Result<WalkResult> result = walk(dir_.str(), "", options_);
    ASSERT_FALSE(result) << c.message;
    EXPECT_EQ(result.error().code, ErrorCode::Usage);
    EXPECT_EQ(result.error().message, c.message);
    EXPECT_THAT(result.error().hint, testing::HasSubstr(c.hint));
  }
}

TEST_F(WalkTest, SpecialAndLargeFiles) {
  ASSERT_EQ(::mkfifo((dir_ / "fifo").c_str(), 0600), 0);
  ASSERT_EQ(::mknod((dir_ / "socket").c_str(), S_IFSOCK | 0600, 0), 0);
  write("at", std::string(100, 'x'));
  write("over", std::string(101, 'x'));
  options_.max_file_size = 100;
  EXPECT_THAT(files(), ElementsAre("at"));
  EXPECT_THAT(skipped(), ElementsAre("special: fifo", "too large: over", "special: socket"));
  options_.include = {"at"};
  files();
  EXPECT_THAT(skipped(), IsEmpty()) << "what options leave out is not counted";
}

TEST_F(WalkTest, OwnAndGitsFoldersAreNotEntered) {
  make_tree(dir_.path(), {{".git/a", ""},
                          {".kwsearch/a", ""},
                          {"x/.git", ""},
                          {"x/.kwsearch/a", ""},
                          {"db/a", ""},
                          {"y", ""}});
  write(".ignore", "!.git\n!.kwsearch\n");
  options_.hidden = true;
  database_ = (dir_ / "db").string();
  EXPECT_THAT(files(), ElementsAre(".ignore", "y"));
}

TEST_F(WalkTest, GeneratedFiles) {
  make_tree(dir_.path(),
            {{"a_kw.md", ""}, {"out/a_kw.md", ""}, {"out/d/b\nc_kw.md", ""}, {"out/own.md", ""}});
  write("out/.kwexport", format_manifest({{"a_kw.md", "d/b\nc_kw.md", "gone_kw.md"}}));
  EXPECT_THAT(files(), ElementsAre("a_kw.md", "out/own.md"));
  EXPECT_THAT(skipped(), ElementsAre("generated: out/a_kw.md", "generated: out/d/b\nc_kw.md"));
  options_.hidden = true;
  EXPECT_THAT(files(), ElementsAre("a_kw.md", "out/own.md"));
  EXPECT_THAT(skipped(), ElementsAre("generated: out/.kwexport", "generated: out/a_kw.md",
                                     "generated: out/d/b\nc_kw.md"));
}

TEST_F(WalkTest, ABadManifestCountsAsNone) {
  write("a", "");
  write("d/b", "");
  const std::string good = format_manifest({{"a"}});
  const Paths manifests = {"",
                           "a\n",
                           "something 1\na\n",
                           good + "../a\n",
                           good.substr(0, good.size() - 1),
                           "kwexport 12\na\n",
                           "kwexport 1 f00d\na\n",
                           "kwexport 1 f00d beef 1 2\na\n",
                           "kwexport 1 f00d beef -1\na\n",
                           "kwexport 1 F00d beef 1\na\n",
                           "kwexport 1 f00d  beef 1\na\n",
                           "kwexport 1 \na\n"};
  for (const std::string& manifest : manifests) {
    write(".kwexport", manifest);
    EXPECT_THAT(files(), ElementsAre("a", "d/b")) << manifest;
  }
  write(".kwexport", "kwexport 1 f00d beef 1\na\n");
  EXPECT_THAT(files(), ElementsAre("d/b")) << "one with the state of the export";
  write("elsewhere", good);
  fs::remove(dir_ / ".kwexport");
  fs::create_symlink("elsewhere", dir_ / ".kwexport");
  EXPECT_THAT(files(), ElementsAre("a", "d/b", "elsewhere")) << "a link is none of ours";
}

// Bound: .kwexport, in a tree
TEST_F(WalkTest, AManifestOverItsBoundCountsAsNone) {
  write("a", "");
  std::string manifest = format_manifest({{"a"}});
  while (manifest.size() < kMaxManifestBytes)
    manifest +=
        std::string(std::min<std::size_t>(kMaxManifestBytes - manifest.size(), 4096) - 1, 'x') +
        "\n";
  write(".kwexport", manifest);
  EXPECT_THAT(files(), IsEmpty());
  write(".kwexport", manifest + "y\n");  // what is within the bound has a form
  EXPECT_THAT(files(), ElementsAre("a"));
}

TEST_F(WalkTest, LinksArePassedOver) {
  write("a");
  write("d/b");
  fs::create_symlink("a", dir_ / "file");
  fs::create_symlink("d", dir_ / "folder");
  fs::create_symlink("nowhere", dir_ / "dangling");
  fs::create_symlink("..", dir_ / "d/loop");
  EXPECT_THAT(files(), ElementsAre("a", "d/b"));
  EXPECT_THAT(skipped(), IsEmpty());
}

TEST_F(WalkTest, FollowedLinks) {
  TempDir outside;
  write_file(outside / "o", "");
  write("d/b");
  write("z");
  fs::create_symlink("../z", dir_ / "d/c");           // a file, before its own name
  fs::create_symlink("d", dir_ / "e");                // a folder, after its own name
  fs::create_symlink(".", dir_ / "d/loop");           // itself
  fs::create_symlink("..", dir_ / "d/up");            // the root
  fs::create_symlink(outside.path(), dir_ / "out");   // outside
  fs::create_symlink("nowhere", dir_ / "dangling");   // nowhere
  fs::create_symlink("self", dir_ / "self");          // nowhere either
  fs::create_hard_link(dir_ / "d/b", dir_ / "hard");  // the same file
  options_.follow = true;
  EXPECT_THAT(files(), ElementsAre("d/b", "d/c", "out/o"));
  EXPECT_THAT(skipped(), ElementsAre("unreadable: dangling", "unreadable: self"));
  write(".ignore", "dangling\nself\nout/\n");
  EXPECT_THAT(files(), ElementsAre("d/b", "d/c")) << "a link to a folder counts as a folder";
  EXPECT_THAT(skipped(), IsEmpty());
}

TEST_F(WalkTest, RootErrors) {
  write("file");
  const struct {
    std::string root;
    const char* fact;
  } cases[] = {
      {dir_.str() + "/none", "no such file or directory"},
      {dir_.str() + "/file", "not a directory"},
      {"", "no such file or directory"},
  };
  for (const auto& c : cases) {
    const Result<WalkResult> result = walk(c.root, "", options_);
    ASSERT_FALSE(result) << c.root;
    EXPECT_EQ(result.error().code, ErrorCode::NotFound);
    EXPECT_EQ(result.error().message, "cannot read '" + c.root + "': " + c.fact);
    EXPECT_FALSE(result.error().hint.empty());
  }
  const Result<WalkResult> own = walk(dir_.str(), dir_.str(), options_);
  ASSERT_FALSE(own);
  EXPECT_EQ(own.error().code, ErrorCode::Usage) << "the root is the index itself";
}

TEST_F(WalkTest, TheRootMayBeALinkAndEndInASlash) {
  TempDir other;
  write("d/.ignore", "/a\n");
  write("d/a");
  write("d/b");
  write(".ignore", "/d/c\n");
  write("d/c");
  fs::create_symlink(dir_ / "d", other / "link");
  const Result<WalkResult> result = walk(other.str() + "/link//", "", options_);
  ASSERT_TRUE(result);
  ASSERT_EQ(result->files.size(), 1u) << "ignore files above where the root really is count";
  EXPECT_EQ(result->files[0].path, "b");
}

// One thread follows links, several walk where there are none to follow: in a tree without links
// they find the same.
TEST_F(WalkTest, SeveralThreadsFindWhatOneFinds) {
  const auto seed = static_cast<unsigned>(test::seed_or(7));
  std::minstd_rand random(seed);
  const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  const auto name = [&] {
    static constexpr const char* kNames[] = {"a", "a-", "a.b", "b", ".h", "out", "x.md", "y.c"};
    return std::string(kNames[below(std::size(kNames))]) + (below(3) ? "" : "0");
  };
  for (unsigned i = 0; i < 2'000; ++i) {
    std::string folder;
    for (unsigned depth = below(6); depth > 0; --depth) folder += name() + "d/";
    if (i % 97 == 0)
      write(folder + ".gitignore", "out*\n/b\n*.c0\n");
    else if (i % 89 == 0)
      write(folder + ".kwignore", "!.h*\na-/\n");
    else if (i % 101 == 0)
      write(folder + ".kwexport", format_manifest({{"a", "x.md"}}));
    else
      write(folder + name(), std::string(below(300), 'x'));
  }
  options_.max_file_size = 290;
  options_.include = {"**/*[a-x]*", "x?md"};
  options_.exclude = {"**/a?d/**/o[a-u]t", "*-*d/b0d"};
  options_.follow = true;
  walk_tree();
  const WalkResult one = std::move(result_);
  ASSERT_GT(one.files.size(), 800u);
  ASSERT_GT(one.skipped.size(), 10u);
  options_.follow = false;
  threads_ = 1;
  walk_tree();
  ASSERT_EQ(result_.files.size(), one.files.size());
  threads_ = 4;
  const auto paths = [](const auto& found) {
    Paths all;
    for (const auto& file : found) all.push_back(file.path);
    return all;
  };
  for (int i = 0; i < 10; ++i) {
    walk_tree();
    ASSERT_EQ(paths(result_.files), paths(one.files)) << "seed " << seed;
    ASSERT_EQ(paths(result_.skipped), paths(one.skipped)) << "seed " << seed;
    ASSERT_EQ(result_.folders, one.folders) << "seed " << seed;
  }
}

TEST_F(WalkTest, LargeRulesLeaveAFolderToTheFirstThread) {
  for (int i = 0; i < 2'000; ++i) write(fmt::format("{}/{}/{}", "abz"[i % 3], i % 5, i));
  std::string rules;
  for (int i = 0; i < 30'000; ++i) rules += fmt::format("no-such-name-{}\n", i);
  write("b/.gitignore", rules + "7*\n");
  write(".git/HEAD");
  options_.follow = true;
  const Paths one = files();
  EXPECT_LT(one.size(), 2'000u);
  options_.follow = false;
  EXPECT_EQ(files(), one);
  write(".gitignore", rules + "8*\n");
  const Paths fewer = files();
  EXPECT_LT(fewer.size(), one.size());
  options_.follow = true;
  EXPECT_EQ(files(), fewer);
}

TEST_F(WalkTest, ProgressCounts) {
  for (int i = 0; i < 1000; ++i) write(fmt::format("d{}/{}", i % 7, i));
  std::vector<std::uint64_t> calls;
  ASSERT_TRUE(walk(dir_.str(), "", options_, [&](std::uint64_t n) { calls.push_back(n); }));
  EXPECT_FALSE(calls.empty());
  EXPECT_TRUE(std::is_sorted(calls.begin(), calls.end()));
  EXPECT_LE(calls.back(), 1000u);
}

/// Root may read everything: as long as this lives, root is somebody else. Others stay who they
/// are.
class WithoutPrivilege {
 public:
  WithoutPrivilege() : was_root_(::geteuid() == 0) {
    constexpr uid_t kNobody = 65534;
    if (was_root_ && ::seteuid(kNobody) != 0) throw std::runtime_error("seteuid failed");
  }
  WithoutPrivilege(const WithoutPrivilege&) = delete;
  WithoutPrivilege& operator=(const WithoutPrivilege&) = delete;
  ~WithoutPrivilege() {
    if (was_root_ && ::seteuid(0) != 0) std::abort();
  }

 private:
  bool was_root_;
};

TEST_F(WalkTest, UnreadableFoldersAndFiles) {
  make_tree(dir_.path(), {{"a/x", ""},
                          {"a.b", ""},
                          {"list/x", ""},
                          {"list/d/y", ""},
                          {"r/.ignore", "x\n"},
                          {"r/x", ""}});
  ASSERT_EQ(::chmod(dir_.str().c_str(), 0755), 0);
  ASSERT_EQ(::chmod((dir_ / "a").c_str(), 0), 0);
  ASSERT_EQ(::chmod((dir_ / "list").c_str(), 0444), 0) << "names, but not what they name";
  ASSERT_EQ(::chmod((dir_ / "r/.ignore").c_str(), 0), 0);
  {
    const WithoutPrivilege nobody;
    EXPECT_THAT(files(), ElementsAre("a.b", "r/x"));
    options_.hidden = true;
    EXPECT_THAT(files(), ElementsAre("a.b", "r/x")) << "what is skipped is not found as well";
  }
  EXPECT_THAT(skipped(), ElementsAre("unreadable: a", "unreadable: list/d", "unreadable: list/x",
                                     "unreadable: r/.ignore"));
  ASSERT_EQ(::chmod((dir_ / "a").c_str(), 0755), 0);
  ASSERT_EQ(::chmod((dir_ / "list").c_str(), 0755), 0);

  ASSERT_EQ(::chmod(dir_.str().c_str(), 0), 0);
  {
    const WithoutPrivilege nobody;
    const Result<WalkResult> result = walk(dir_.str(), "", options_);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().message, "cannot read '" + dir_.str() + "': permission denied");
  }
  ASSERT_EQ(::chmod(dir_.str().c_str(), 0755), 0);
}

/// Folders `d` in each other, with a file `f` and a folder `z` beside each `kStep`th: the walk
/// comes back to those. Longer than a path may be, so it is made, and removed, from folder to
/// folder.
class DeepTree {
 public:
  static constexpr int kStep = 10;

  DeepTree(const std::string& root, int depth) : depth_(depth) {
    Descriptor at(::open(root.c_str(), O_RDONLY | O_DIRECTORY));
    for (int i = 0; i < depth; ++i) {
      make(::mkdirat(at.get(), "d", 0700) == 0);
      if (i % kStep == 0) {
        make(::mkdirat(at.get(), "z", 0700) == 0);
        for (const char* file : {"f", "z/f"})
          make(bool(Descriptor(::openat(at.get(), file, O_CREAT | O_WRONLY, 0600))));
      }
      at = Descriptor(::openat(at.get(), "d", O_RDONLY | O_DIRECTORY));
      make(bool(at));
    }
    bottom_ = std::move(at);
  }
  DeepTree(const DeepTree&) = delete;
  DeepTree& operator=(const DeepTree&) = delete;
  ~DeepTree() {
    Descriptor at = std::move(bottom_);
    for (int i = 0; i < depth_; ++i) {
      at = Descriptor(::openat(at.get(), "..", O_RDONLY | O_DIRECTORY));
      for (const char* file : {"f", "z/f"}) ::unlinkat(at.get(), file, 0);
      for (const char* folder : {"d", "z"}) ::unlinkat(at.get(), folder, AT_REMOVEDIR);
    }
  }

 private:
  static void make(bool made) {
    if (!made) throw std::runtime_error("cannot make a deep tree");
  }
  int depth_;
  Descriptor bottom_;
};

/// As long as this lives, the program may open only so many files more.
class FewDescriptors {
 public:
  explicit FewDescriptors(int more) {
    ::getrlimit(RLIMIT_NOFILE, &before_);
    const Descriptor next(::open("/", O_RDONLY));
    rlimit limit = before_;
    limit.rlim_cur = static_cast<rlim_t>(next.get() + more);
    ::setrlimit(RLIMIT_NOFILE, &limit);
  }
  FewDescriptors(const FewDescriptors&) = delete;
  FewDescriptors& operator=(const FewDescriptors&) = delete;
  ~FewDescriptors() { ::setrlimit(RLIMIT_NOFILE, &before_); }

 private:
  rlimit before_{};
};

TEST_F(WalkTest, DepthEndsNothing) {
  constexpr int kDepth = 5000;
  const DeepTree deep(dir_.str(), kDepth);
  const FewDescriptors few(40);
  const Paths found = files();
  EXPECT_EQ(found.size(), 2u * kDepth / DeepTree::kStep);
  EXPECT_TRUE(std::is_sorted(found.begin(), found.end()));
  EXPECT_THAT(skipped(), IsEmpty());
}

// Bound: the path of a folder
TEST_F(WalkTest, WhatLiesTooDeepIsToldAndNotLookedAt) {
  const DeepTree deep(dir_.str(), 15'000);
  write("also.md");
  walk_tree();
  constexpr std::size_t kFolders = kMaxTreePathBytes / 2;  // `d/d/d`: each takes two bytes, but one
  std::string longest = "d";
  for (std::size_t i = 1; i < kFolders; ++i) longest += "/d";
  EXPECT_TRUE(std::find(result_.folders.begin(), result_.folders.end(), longest + "/") !=
              result_.folders.end());
  EXPECT_TRUE(skipped() == Paths{"too deep: " + longest + "/d"});
  for (const FoundFile& file : result_.files) ASSERT_LE(file.path.size(), longest.size() + 4);
  EXPECT_EQ(result_.files.front().path, "also.md");
}

// There `..` does not lead back, so the folders are opened again by their paths.
TEST_F(WalkTest, DepthByLinksEndsNothing) {
  constexpr int kDepth = 200;
  for (int i = 0; i < kDepth; ++i) {
    const std::string folder = fmt::format("x{}", i);
    write(folder + "/z/f");
    fs::create_symlink(fmt::format("../x{}", i + 1), dir_ / folder / "d");
  }
  fs::create_directories(dir_ / fmt::format("x{}", kDepth));
  write(".ignore", "/x*\n!/x0\n");
  options_.follow = true;
  const FewDescriptors few(40);
  const Paths found = files();
  EXPECT_EQ(found.size(), static_cast<std::size_t>(kDepth));
  EXPECT_TRUE(std::is_sorted(found.begin(), found.end()));
  EXPECT_THAT(skipped(), IsEmpty());
}

}  // namespace
}  // namespace kw::indexer
