// SPDX-License-Identifier: GPL-2.0-or-later
#include "indexer/walk/file_reader.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "tests/support/temp_dir.h"

namespace fs = std::filesystem;

namespace kw::indexer {
namespace {

class FileReaderTest : public testing::Test {
 protected:
  FileReaderTest() {
    test::make_tree(dir_ / "root", {{"a.md", "one"}, {"sub/deep/b.md", "two"}, {"sub/c.md", ""}});
    test::write_file(dir_ / "outside/b.md", "secret");
  }

  FileReader reader(bool follow = false, std::uint64_t max_size = 100) const {
    auto opened = FileReader::open((dir_ / "root").string(), follow, max_size);
    EXPECT_TRUE(opened);
    return *std::move(opened);
  }

  /// The bytes, or what was said instead.
  static std::string read(FileReader& reader, const std::string& path) {
    const auto result = reader.read(path);
    if (const auto* file = std::get_if<FileBytes>(&result)) return std::string(file->bytes);
    if (const auto* reason = std::get_if<SkipReason>(&result))
      return "<" + std::string(text_of(*reason)) + ">";
    return "<vanished>";
  }

  test::TempDir dir_;
};

TEST_F(FileReaderTest, ReadsInAnyOrder) {
  FileReader r = reader();
  EXPECT_EQ(read(r, "sub/deep/b.md"), "two");
  EXPECT_EQ(read(r, "a.md"), "one");
  EXPECT_EQ(read(r, "sub/c.md"), "");
  EXPECT_EQ(read(r, "sub/deep/b.md"), "two");
}

TEST_F(FileReaderTest, TheStampIsOfTheBytes) {
  FileReader r = reader();
  const auto result = r.read("a.md");
  struct stat st;
  ASSERT_EQ(::stat((dir_ / "root/a.md").c_str(), &st), 0);
  const FileStat& stamp = std::get<FileBytes>(result).stamp;
  EXPECT_EQ(stamp.size, 3u);
  EXPECT_EQ(stamp.inode, st.st_ino);
  EXPECT_EQ(stamp.mtime_ns, st.st_mtim.tv_sec * 1'000'000'000 + st.st_mtim.tv_nsec);
  EXPECT_EQ(stamp.ctime_ns, st.st_ctim.tv_sec * 1'000'000'000 + st.st_ctim.tv_nsec);
}

TEST_F(FileReaderTest, WhatANameMeansByNow) {
  const fs::path root = dir_ / "root";
  fs::create_directory(root / "folder.md");
  ASSERT_EQ(::mkfifo((root / "fifo.md").c_str(), 0600), 0);
  fs::create_symlink("a.md", root / "link.md");
  test::write_file(root / "large.md", std::string(101, 'x'));
  test::write_file(root / "limit.md", std::string(100, 'x'));
  struct Case {
    const char* path;
    const char* expected;
  };
  const Case cases[] = {
      {"gone.md", "<vanished>"},   {"gone/x.md", "<vanished>"}, {"a.md/x", "<vanished>"},
      {"folder.md", "<vanished>"}, {"link.md", "<vanished>"},  // a walk passes links over
      {"fifo.md", "<special>"},                                // and nobody waits for its writer
      {"large.md", "<too large>"},
  };
  FileReader r = reader();
  for (const Case& c : cases) EXPECT_EQ(read(r, c.path), c.expected) << c.path;
  EXPECT_EQ(read(r, "limit.md").size(), 100u);
}

TEST_F(FileReaderTest, AFolderSwappedForALinkLeadsNowhere) {
  const fs::path root = dir_ / "root";
  fs::rename(root / "sub/deep", dir_ / "away");
  fs::create_directory_symlink(dir_ / "outside", root / "sub/deep");
  FileReader r = reader();
  EXPECT_EQ(read(r, "sub/deep/b.md"), "<vanished>");
  fs::remove(root / "sub/deep");
  fs::rename(root / "sub", dir_ / "away2");
  fs::create_directory_symlink(dir_.path(), root / "sub");
  EXPECT_EQ(read(r, "sub/outside/b.md"), "<vanished>") << "the first of two folders, too";
  FileReader following = reader(/*follow=*/true);
  EXPECT_EQ(read(following, "sub/outside/b.md"), "secret") << "--follow asks for it";
}

TEST_F(FileReaderTest, NoRoot) {
  EXPECT_FALSE(FileReader::open((dir_ / "missing").string(), false, 1));
  EXPECT_FALSE(FileReader::open((dir_ / "root/a.md").string(), false, 1));
}

}  // namespace
}  // namespace kw::indexer
