// SPDX-License-Identifier: GPL-2.0-or-later
#include "schema/index/database_dir.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "schema/base/descriptor.h"
#include "tests/support/temp_dir.h"

namespace fs = std::filesystem;

namespace kw {
namespace {

using test::TempDir;
using test::write_file;
using testing::HasSubstr;
using testing::UnorderedElementsAre;

TEST(Layout, GenerationNamesAreMadeAndParsed) {
  for (const std::uint32_t n : {0u, 1u, 12u, 999'999'999u})
    EXPECT_EQ(parse_generation_name(generation_name(n)), n);
  for (const char* bad : {"", "gen-", "gen-x", "gen-1 ", "gen--1", "gen-+1", "gen-01", "Gen-1",
                          "gen-1.tmp", "gen-1/..", "../gen-1", "gen-1234567890"})
    EXPECT_FALSE(parse_generation_name(bad)) << bad;
}

TEST(Layout, OnlyAGenerationInsideIsLive) {
  struct Case {
    const char* why;
    std::string stub;
    std::optional<ErrorCode> refused_as;
  };
  const Case cases[] = {
      {"ours", "auto gen-1\n", std::nullopt},
      {"its end may be missing", "auto gen-1", std::nullopt},
      {"a folder outside", "auto ../gen-1\n", ErrorCode::Refused},
      {"an absolute folder", "auto /tmp/gen-1\n", ErrorCode::Refused},
      {"a program", "remote :sh -c 'touch x'\n", ErrorCode::Refused},
      {"a server", "remote localhost:4000\n", ErrorCode::Refused},
      {"two lines", "auto gen-1\nauto gen-1\n", ErrorCode::Refused},
      {"ours, then a program", "auto gen-1\nremote :sh\n", ErrorCode::Refused},
      {"a comment first", "# x\nauto gen-1\n", ErrorCode::Refused},
      {"another backend", "glass gen-1\n", ErrorCode::Refused},
      {"a file of it", "auto gen-1/iamglass\n", ErrorCode::Refused},
      {"a carriage return", "auto gen-1\r\n", ErrorCode::Refused},
      {"empty", "", ErrorCode::Refused},
      {"a zero byte", std::string("auto gen-1\0\n", 12), ErrorCode::Refused},
      {"larger than any of ours", "auto gen-1" + std::string(1000, ' '), ErrorCode::Refused},
      {"a generation that is not there", "auto gen-2\n", ErrorCode::Corrupt},
      {"a link to a folder", "auto gen-3\n", ErrorCode::Refused},
      {"a folder with links in it", "auto gen-4\n", ErrorCode::Refused},
      {"a file", "auto gen-5\n", ErrorCode::Refused},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.why);
    const TempDir dir;
    const DatabaseFolder folder((dir / ".kwsearch").string());
    write_file(dir / ".kwsearch/gen-1/iamglass", "");
    write_file(dir / "elsewhere/iamglass", "");
    fs::create_directory_symlink(dir / "elsewhere", dir / ".kwsearch/gen-3");
    fs::create_directory(dir / ".kwsearch/gen-4");
    fs::create_symlink(dir / "elsewhere/iamglass", dir / ".kwsearch/gen-4/iamglass");
    write_file(dir / ".kwsearch/gen-5", "");
    write_file(folder.stub(), c.stub);
    const auto live = folder.live_generation();
    if (c.refused_as) {
      ASSERT_FALSE(live);
      EXPECT_EQ(live.error().code, *c.refused_as);
      EXPECT_NE(live.error().hint, "");
    } else {
      ASSERT_TRUE(live);
      EXPECT_EQ(*live, 1u);
    }
  }
}

TEST(Layout, AStubThatIsALinkIsRefused) {
  const TempDir dir;
  write_file(dir / "stub", "auto gen-1\n");
  write_file(dir / "gen-1/iamglass", "");
  fs::create_symlink(dir / "stub", dir / "XAPIANDB");
  const auto live = DatabaseFolder(dir.str()).live_generation();
  ASSERT_FALSE(live);
  EXPECT_EQ(live.error().code, ErrorCode::Refused);
}

TEST(Layout, NoFolderOrNoStubIsNotFound) {
  const TempDir dir;
  for (const char* name : {"", "/missing"}) {
    const auto live = DatabaseFolder(dir.str() + name).live_generation();
    ASSERT_FALSE(live);
    EXPECT_EQ(live.error().code, ErrorCode::NotFound);
  }
}

TEST(Layout, ForeignNames) {
  struct Case {
    const char* why;
    std::vector<std::string> files;
    std::optional<std::string> foreign;
  };
  const Case cases[] = {
      {"empty", {}, {}},
      {"a first build that was killed",
       {".gitignore", "lock", "gen-1.tmp/batch-0/iamglass", "XAPIANDB.77.tmp"},
       {}},
      {"it has a stub: whether that is legal is live_generation's", {"XAPIANDB", "x"}, {}},
      {"somebody's notes", {"notes.txt"}, "notes.txt"},
      {"another Xapian database", {"iamglass"}, "iamglass"},
      {"a tree", {".gitignore", "main.c"}, "main.c"},
  };
  for (const Case& c : cases) {
    const TempDir dir;
    for (const std::string& name : c.files) write_file(dir / name, "");
    EXPECT_EQ(DatabaseFolder(dir.str()).foreign_name(), c.foreign) << c.why;
  }
  EXPECT_EQ(DatabaseFolder("/no/such/folder").foreign_name(), std::nullopt);
}

TEST(Layout, CreateSwitchAndRemove) {
  const TempDir dir;
  const DatabaseFolder folder((dir / "a/.kwsearch").string());
  ASSERT_TRUE(folder.create(false));
  ASSERT_TRUE(folder.create(false)) << "a second time changes nothing";
  struct stat st;
  ASSERT_EQ(::stat(folder.path().c_str(), &st), 0);
  EXPECT_EQ(st.st_mode & 07777, 0700u);
  EXPECT_EQ(test::read_text(dir / "a/.kwsearch/.gitignore"), "*\n");
  for (const char* name : {"gen-1/x", "gen-2/x", "gen-3/x", "gen-4.tmp/x", "other/x"})
    write_file(fs::path(folder.path()) / name, "");
  ASSERT_TRUE(folder.switch_to(2));
  EXPECT_EQ(*folder.live_generation(), 2u);
  EXPECT_THAT(folder.generations(), UnorderedElementsAre(1, 2, 3, 4));
  folder.remove_leftovers({1, 2});
  EXPECT_THAT(folder.generations(), UnorderedElementsAre(1, 2));
  EXPECT_TRUE(fs::exists(dir / "a/.kwsearch/other/x"));
}

TEST(Layout, ALinkOrFileInTheWayIsNoDatabaseFolder) {
  const TempDir dir;
  fs::create_directory(dir / "real");
  fs::create_directory_symlink(dir / "real", dir / "link");
  write_file(dir / "file", "");
  for (const char* name : {"link", "file"}) {
    const auto created = DatabaseFolder((dir / name).string()).create(false);
    ASSERT_FALSE(created) << name;
    EXPECT_EQ(created.error().code, ErrorCode::Refused);
  }
  EXPECT_TRUE(fs::is_empty(dir / "real"));
}

TEST(Layout, OneWriterAtATime) {
  const TempDir dir;
  const DatabaseFolder folder(dir.str());
  {
    const auto first = WriterLock::acquire(folder, 0);
    ASSERT_TRUE(first);
    const auto second = WriterLock::acquire(folder, 0);
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error().code, ErrorCode::Locked);
    EXPECT_THAT(second.error().message, HasSubstr("process " + std::to_string(::getpid())));
  }
  EXPECT_TRUE(WriterLock::acquire(folder, 0)) << "released with its owner";
  const TempDir other;
  fs::create_symlink(other / "victim", other / "lock");
  EXPECT_FALSE(WriterLock::acquire(DatabaseFolder(other.str()), 0)) << "a link is not followed";
  EXPECT_FALSE(fs::exists(other / "victim"));
}

TEST(Layout, DatabasesAsPeopleNameThem) {
  const TempDir dir;
  fs::create_directories(dir / "tree/.kwsearch");
  fs::create_directories(dir / "tree/sub/deep");
  write_file(dir / "index/XAPIANDB", "auto gen-1\n");
  fs::create_directories(dir / "index/.kwsearch");
  const auto path = [&](const char* name) { return (dir / name).string(); };
  EXPECT_EQ(resolve_database_path(path("tree")), path("tree/.kwsearch"));
  EXPECT_EQ(resolve_database_path(path("tree/")), path("tree/.kwsearch"));
  EXPECT_EQ(resolve_database_path(path("tree/.kwsearch")), path("tree/.kwsearch"));
  EXPECT_EQ(resolve_database_path(path("index")), path("index")) << "it is one itself";
  EXPECT_EQ(resolve_database_path(path("new")), path("new"));
  EXPECT_EQ(find_database_above(path("tree/sub/deep")), path("tree/.kwsearch"));
  EXPECT_EQ(find_database_above(path("tree")), path("tree/.kwsearch"));
}

TEST(Layout, ReadFileStopsAtItsLimit) {
  const TempDir dir;
  write_file(dir / "f", "12345");
  EXPECT_EQ(*read_file((dir / "f").string(), 5), "12345");
  EXPECT_EQ(read_file((dir / "f").string(), 4).error().code, ErrorCode::Refused);
  EXPECT_FALSE(read_file((dir / "missing").string(), 5));
  EXPECT_FALSE(read_file(dir.str(), 5)) << "a folder";
  ASSERT_EQ(::mkfifo((dir / "fifo").c_str(), 0600), 0);
  EXPECT_FALSE(read_file((dir / "fifo").string(), 5)) << "and it does not wait for a writer";
}

TEST(Layout, WritingAFileLeavesNothingBeside) {
  const TempDir dir;
  ASSERT_TRUE(write_file_atomically((dir / "f").string(), "one"));
  ASSERT_TRUE(write_file_atomically((dir / "f").string(), "two"));
  EXPECT_EQ(test::read_text(dir / "f"), "two");
  EXPECT_EQ(std::distance(fs::directory_iterator(dir.path()), fs::directory_iterator()), 1);
  EXPECT_FALSE(write_file_atomically((dir / "no/such/f").string(), "x"));
}

TEST(Layout, FolderBytes) {
  const TempDir dir;
  write_file(dir / "a", "123");
  write_file(dir / "b/c", "4567");
  EXPECT_EQ(folder_bytes(dir.str()), 7u);
  EXPECT_EQ(folder_bytes((dir / "missing").string()), 0u);
  EXPECT_TRUE(sync_tree(dir.str()));
  EXPECT_FALSE(sync_tree((dir / "missing").string()));
}

}  // namespace
}  // namespace kw
