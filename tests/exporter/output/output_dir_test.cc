// SPDX-License-Identifier: GPL-2.0-or-later
#include "exporter/output/output_dir.h"

#include <gmock/gmock.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <filesystem>
#include <functional>

#include "schema/base/bounds.h"
#include "schema/index/manifest.h"
#include "tests/support/temp_dir.h"

namespace fs = std::filesystem;

namespace kw::exporter {
namespace {

using test::read_text;
using test::TempDir;
using test::write_file;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::string kPage = std::string(kGeneratedMark) + "`x`\n\nold\n";

OutputDir open_dir(const fs::path& path, OutputDir::Mode mode = OutputDir::Mode::Write) {
  auto dir = OutputDir::open(path.string(), mode);
  if (!dir) throw std::runtime_error(dir.error().message);
  return *std::move(dir);
}

void list(const fs::path& folder, const std::set<std::string>& pages) {
  write_file(folder / std::string(kManifestName), format_manifest({pages}));
}

std::set<std::string> listed(const fs::path& folder) {
  auto manifest = parse_manifest(read_text(folder / std::string(kManifestName)));
  return manifest ? manifest->files : std::set<std::string>{"(no manifest)"};
}

TEST(OutputDir, WritesOnlyWhatDiffers) {
  const TempDir tmp;
  const fs::path out = tmp / "out";
  for (int round = 0; round < 2; ++round) {
    OutputDir dir = open_dir(out);
    ASSERT_TRUE(dir.claim("a/b/x_kw.md", false));
    ASSERT_TRUE(dir.begin());
    EXPECT_EQ(*dir.write("a/b/x_kw.md", kPage),
              round == 0 ? OutputDir::Written::Changed : OutputDir::Written::Unchanged);
    ASSERT_TRUE(dir.finish("", 0));
  }
  EXPECT_EQ(read_text(out / "a/b/x_kw.md"), kPage);
  EXPECT_THAT(listed(out), ElementsAre("a/b/x_kw.md"));
}

TEST(OutputDir, KnowsThatAllIsThereAsItWasWritten) {
  const TempDir tmp;
  const auto write = [&](const std::set<std::string>& pages, const std::string& inputs) {
    OutputDir dir = open_dir(tmp.path());
    for (const std::string& page : pages) EXPECT_TRUE(dir.claim(page, false));
    EXPECT_TRUE(dir.begin());
    for (const std::string& page : pages) EXPECT_TRUE(dir.write(page, kPage));
    EXPECT_TRUE(dir.finish(inputs, 1));
  };
  const struct {
    const char* why;
    std::function<void()> happens;
    bool kept;
  } rows[] = {
      {"nothing happens", [] {}, true},
      {"a file that is not ours comes", [&] { write_file(tmp / "other", "x"); }, true},
      {"a page is changed to one as long",
       [&] {
         std::string bytes(kPage);
         bytes.back() = '!';
         write_file(tmp / "a_kw.md", bytes);
       },
       false},
      {"one grows", [&] { write_file(tmp / "a_kw.md", std::string(kPage) + "more"); }, false},
      {"one goes", [&] { fs::remove(tmp / "d/b_kw.md"); }, false},
      {"its folder goes", [&] { fs::remove_all(tmp / "d"); }, false},
      {"one becomes a link to its like",
       [&] {
         fs::rename(tmp / "a_kw.md", tmp / "elsewhere");
         fs::create_symlink("elsewhere", tmp / "a_kw.md");
       },
       false},
      {"two change places",
       [&] {
         write_file(tmp / "a_kw.md", "");
         fs::rename(tmp / "d/b_kw.md", tmp / "a_kw.md");
       },
       false},
      {"a run writes some of the pages", [&] { write({"a_kw.md"}, "f00d"); }, false},
      {"a run that failed",
       [&] {
         write({"a_kw.md", "d/b_kw.md"}, "");
       },
       false},
      {"a run from other inputs",
       [&] {
         write({"a_kw.md", "d/b_kw.md"}, "beef");
       },
       false},
  };
  for (const auto& row : rows) {
    fs::remove_all(tmp.path());
    fs::create_directory(tmp.path());
    write({"a_kw.md", "d/b_kw.md"}, "f00d");
    row.happens();
    OutputDir dir = open_dir(tmp.path());
    const auto kept = dir.kept("f00d");
    ASSERT_EQ(kept.has_value(), row.kept) << row.why;
    EXPECT_FALSE(dir.kept("")) << row.why;
    EXPECT_FALSE(dir.kept("f00")) << row.why;
    if (!kept) continue;
    EXPECT_EQ(kept->pages, 1u);
    EXPECT_EQ(kept->files, 2u);
    EXPECT_EQ(kept->bytes, 2 * std::string_view(kPage).size());
  }
}

TEST(OutputDir, ListedPagesAreRestored) {
  const TempDir tmp;
  list(tmp.path(), {"x_kw.md"});
  for (const char* spoilt : {"", "something else"}) {
    write_file(tmp / "x_kw.md", spoilt);
    OutputDir dir = open_dir(tmp.path());
    ASSERT_TRUE(dir.claim("x_kw.md", false));
    EXPECT_EQ(*dir.write("x_kw.md", kPage), OutputDir::Written::Changed) << spoilt;
    EXPECT_EQ(read_text(tmp / "x_kw.md"), kPage);
  }
}

TEST(OutputDir, ClaimedPagesAreListedBeforeTheFirstIsWritten) {
  const TempDir tmp;
  list(tmp.path(), {"old_kw.md"});
  {
    OutputDir dir = open_dir(tmp.path());
    ASSERT_TRUE(dir.claim("a_kw.md", false));
    ASSERT_TRUE(dir.claim("b_kw.md", false));
    ASSERT_TRUE(dir.begin());
    ASSERT_TRUE(dir.write("a_kw.md", kPage));
    // Here the process dies.
  }
  EXPECT_THAT(listed(tmp.path()), ElementsAre("a_kw.md", "b_kw.md", "old_kw.md"));
  write_file(tmp / ".kwexport.tmp", "half a pa");
  OutputDir dir = open_dir(tmp.path());
  ASSERT_TRUE(dir.claim("a_kw.md", false));
  ASSERT_TRUE(dir.claim("b_kw.md", false));
  ASSERT_TRUE(dir.begin());
  EXPECT_EQ(*dir.write("a_kw.md", kPage), OutputDir::Written::Unchanged);
  EXPECT_EQ(*dir.write("b_kw.md", kPage), OutputDir::Written::Changed);
  EXPECT_EQ(*dir.remove("old_kw.md"), OutputDir::Removed::Gone);
  ASSERT_TRUE(dir.finish("", 0));
  EXPECT_THAT(listed(tmp.path()), ElementsAre("a_kw.md", "b_kw.md"));
  EXPECT_FALSE(fs::exists(tmp / ".kwexport.tmp"));
}

TEST(OutputDir, FilesOfOthersStay) {
  const struct {
    const char* why;
    const char* bytes;
    bool adopt;
    bool taken;
  } rows[] = {
      {"a file of another's", "notes\n", false, false},
      {"not even with --adopt", "notes\n", true, false},
      {"a mark that does not begin the file", "\n# Keyword Index: `x`\n", true, false},
      {"half a mark", "# Keyword In", true, false},
      {"a keyword page needs --adopt", "# Keyword Index: `x`\n", false, false},
      {"and is taken over with it", "# Keyword Index: `x`\n", true, true},
  };
  for (const auto& row : rows) {
    const TempDir tmp;
    write_file(tmp / "x_kw.md", row.bytes);
    OutputDir dir = open_dir(tmp.path());
    const auto claimed = dir.claim("x_kw.md", row.adopt);
    EXPECT_EQ(static_cast<bool>(claimed), row.taken) << row.why;
    if (!claimed) {
      EXPECT_THAT(claimed.error().message, HasSubstr("x_kw.md")) << row.why;
      EXPECT_THAT(dir.pages(), IsEmpty()) << row.why;
    }
    EXPECT_EQ(read_text(tmp / "x_kw.md"), row.bytes) << row.why;
  }
}

TEST(OutputDir, AFileThatAppearsDuringTheRunStays) {
  const TempDir tmp;
  OutputDir dir = open_dir(tmp.path());
  ASSERT_TRUE(dir.claim("x_kw.md", false));
  ASSERT_TRUE(dir.begin());
  write_file(tmp / "x_kw.md", "notes");
  EXPECT_FALSE(dir.write("x_kw.md", kPage));
  ASSERT_TRUE(dir.finish("", 0));
  EXPECT_EQ(read_text(tmp / "x_kw.md"), "notes");
  EXPECT_THAT(listed(tmp.path()), IsEmpty());
}

TEST(OutputDir, AFolderInThePlaceOfAPage) {
  const TempDir tmp;
  fs::create_directories(tmp / "new_kw.md");
  fs::create_directories(tmp / "listed_kw.md");
  list(tmp.path(), {"listed_kw.md"});
  OutputDir dir = open_dir(tmp.path());
  EXPECT_FALSE(dir.claim("new_kw.md", true));
  ASSERT_TRUE(dir.claim("listed_kw.md", false));
  ASSERT_TRUE(dir.claim("next_kw.md", false));
  ASSERT_TRUE(dir.begin());
  EXPECT_FALSE(dir.write("listed_kw.md", kPage));
  EXPECT_TRUE(dir.write("next_kw.md", kPage));
  ASSERT_TRUE(dir.finish("", 0));
  EXPECT_THAT(listed(tmp.path()), ElementsAre("listed_kw.md", "next_kw.md"));
  EXPECT_FALSE(fs::exists(tmp / ".kwexport.tmp"));
}

TEST(OutputDir, NoLinkLeadsOutside) {
  const TempDir tmp;
  const fs::path out = tmp / "out", outside = tmp / "outside";
  fs::create_directories(out);
  write_file(outside / "x_kw.md", kPage);
  fs::create_directory_symlink(outside, out / "link");
  fs::create_symlink(outside / "x_kw.md", out / "file_kw.md");
  fs::create_symlink(outside / "x_kw.md", out / "stale_kw.md");
  list(out, {"link/x_kw.md", "link/y_kw.md", "file_kw.md", "stale_kw.md"});
  OutputDir dir = open_dir(out);
  EXPECT_EQ(*dir.remove("link/x_kw.md"), OutputDir::Removed::NotOurs);
  EXPECT_EQ(*dir.remove("stale_kw.md"), OutputDir::Removed::NotOurs);
  for (const char* page : {"link/y_kw.md", "link/new_kw.md", "link/deep/new_kw.md", "file_kw.md"})
    ASSERT_TRUE(dir.claim(page, true)) << page;
  ASSERT_TRUE(dir.begin());
  EXPECT_FALSE(dir.write("link/y_kw.md", "new"));
  EXPECT_FALSE(dir.write("link/new_kw.md", "new"));
  EXPECT_FALSE(dir.write("link/deep/new_kw.md", "new"));
  EXPECT_EQ(*dir.write("file_kw.md", "new"), OutputDir::Written::Changed) << "the link is replaced";
  EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(out / "file_kw.md")));
  EXPECT_EQ(read_text(outside / "x_kw.md"), kPage);
  EXPECT_EQ(std::distance(fs::directory_iterator(outside), fs::directory_iterator()), 1);
}

TEST(OutputDir, AManifestThatIsALinkIsRefused) {
  const TempDir tmp;
  write_file(tmp / "elsewhere", format_manifest({{"x_kw.md"}}));
  fs::create_directories(tmp / "out");
  fs::create_symlink(tmp / "elsewhere", tmp / "out" / std::string(kManifestName));
  const auto dir = OutputDir::open((tmp / "out").string(), OutputDir::Mode::Write);
  ASSERT_FALSE(dir);
  EXPECT_EQ(dir.error().code, ErrorCode::Refused);
}

TEST(OutputDir, HostileAndDamagedManifestsAreRefused) {
  const struct {
    const char* why;
    const char* manifest;
  } rows[] = {
      {"climbs out", "kwexport 1\n../x_kw.md\n"}, {"climbs out inside", "kwexport 1\na/../../x\n"},
      {"absolute", "kwexport 1\n/etc/passwd\n"},  {"an empty name", "kwexport 1\n\n"},
      {"cut short", "kwexport 1\na_kw.md"},       {"another format", "kwexport 2\na_kw.md\n"},
  };
  for (const auto& row : rows) {
    const TempDir tmp;
    write_file(tmp / std::string(kManifestName), row.manifest);
    EXPECT_FALSE(OutputDir::open(tmp.str(), OutputDir::Mode::Write)) << row.why;
    EXPECT_EQ(read_text(tmp / std::string(kManifestName)), row.manifest) << row.why;
  }
}

// Bound: .kwexport, in a tree
TEST(OutputDir, AManifestOverItsBoundIsRefused) {
  const TempDir tmp;
  std::string manifest = "kwexport 1\n";
  while (manifest.size() < kMaxManifestBytes)
    manifest +=
        std::string(std::min<std::size_t>(kMaxManifestBytes - manifest.size(), 4096) - 1, 'x') +
        "\n";
  write_file(tmp / std::string(kManifestName), manifest);
  EXPECT_TRUE(OutputDir::open(tmp.str(), OutputDir::Mode::Write));
  write_file(tmp / std::string(kManifestName), manifest + "y\n");
  const auto over = OutputDir::open(tmp.str(), OutputDir::Mode::Write);
  ASSERT_FALSE(over);
  EXPECT_THAT(over.error().message, HasSubstr("too large"));
}

TEST(OutputDir, RemovesPagesAndTheFoldersTheyLeaveEmpty) {
  const TempDir tmp;
  write_file(tmp / "a/b/x_kw.md", kPage);
  write_file(tmp / "a/b/y_kw.md", kPage);
  write_file(tmp / "c/d/e/z_kw.md", kPage);
  write_file(tmp / "c/keep", "notes");
  write_file(tmp / "edited_kw.md", "my own text");
  list(tmp.path(), {"a/b/x_kw.md", "a/b/y_kw.md", "c/d/e/z_kw.md", "edited_kw.md"});
  OutputDir dir = open_dir(tmp.path());
  EXPECT_EQ(*dir.remove("a/b/x_kw.md"), OutputDir::Removed::Yes);
  EXPECT_TRUE(fs::exists(tmp / "a/b"));
  EXPECT_EQ(*dir.remove("a/b/y_kw.md"), OutputDir::Removed::Yes);
  EXPECT_FALSE(fs::exists(tmp / "a"));
  EXPECT_EQ(*dir.remove("c/d/e/z_kw.md"), OutputDir::Removed::Yes);
  EXPECT_FALSE(fs::exists(tmp / "c/d"));
  EXPECT_TRUE(fs::exists(tmp / "c/keep"));
  EXPECT_EQ(*dir.remove("edited_kw.md"), OutputDir::Removed::NotOurs);
  EXPECT_EQ(read_text(tmp / "edited_kw.md"), "my own text");
  // A folder that was removed is made again.
  ASSERT_TRUE(dir.claim("a/b/x_kw.md", false));
  EXPECT_TRUE(dir.write("a/b/x_kw.md", kPage));
  ASSERT_TRUE(dir.finish("", 0));
  EXPECT_THAT(listed(tmp.path()), ElementsAre("a/b/x_kw.md"));
}

TEST(OutputDir, DryRunChangesNothing) {
  const TempDir tmp;
  {
    OutputDir dir = open_dir(tmp / "missing", OutputDir::Mode::DryRun);
    ASSERT_TRUE(dir.claim("a/x_kw.md", false));
    ASSERT_TRUE(dir.begin());
    EXPECT_EQ(*dir.write("a/x_kw.md", kPage), OutputDir::Written::Changed);
    ASSERT_TRUE(dir.finish("", 0));
    EXPECT_FALSE(fs::exists(tmp / "missing"));
  }
  write_file(tmp / "out/x_kw.md", kPage);
  write_file(tmp / "out/y_kw.md", kPage);
  list(tmp / "out", {"x_kw.md", "y_kw.md"});
  OutputDir dir = open_dir(tmp / "out", OutputDir::Mode::DryRun);
  EXPECT_EQ(*dir.remove("x_kw.md"), OutputDir::Removed::Yes);
  ASSERT_TRUE(dir.claim("y_kw.md", false));
  ASSERT_TRUE(dir.begin());
  EXPECT_EQ(*dir.write("y_kw.md", kPage), OutputDir::Written::Unchanged);
  EXPECT_EQ(*dir.write("y_kw.md", "new"), OutputDir::Written::Changed);
  ASSERT_TRUE(dir.finish("", 0));
  EXPECT_EQ(read_text(tmp / "out/x_kw.md"), kPage);
  EXPECT_EQ(read_text(tmp / "out/y_kw.md"), kPage);
  EXPECT_THAT(listed(tmp / "out"), ElementsAre("x_kw.md", "y_kw.md"));
}

TEST(OutputDir, OneWriterAtATime) {
  const TempDir tmp;
  const OutputDir dir = open_dir(tmp.path());
  const auto second = OutputDir::open(tmp.str(), OutputDir::Mode::Write);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, ErrorCode::Locked);
}

TEST(OutputDir, AWriteThatFailsLeavesTheOldPage) {
  const TempDir tmp;
  write_file(tmp / "x_kw.md", kPage);
  list(tmp.path(), {"x_kw.md"});
  OutputDir dir = open_dir(tmp.path());
  ASSERT_TRUE(dir.claim("x_kw.md", false));
  ASSERT_TRUE(dir.claim("new_kw.md", false));
  ASSERT_TRUE(dir.begin());
  // A limit on the size of files stands for a full disk.
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  const auto handler = ::signal(SIGXFSZ, SIG_IGN);
  rlimit small = before;
  small.rlim_cur = 1000;
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const auto replaced = dir.write("x_kw.md", std::string(5000, 'x'));
  const auto added = dir.write("new_kw.md", std::string(5000, 'x'));
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  ::signal(SIGXFSZ, handler);
  EXPECT_FALSE(replaced);
  EXPECT_FALSE(added);
  ASSERT_TRUE(dir.finish("", 0));
  EXPECT_EQ(read_text(tmp / "x_kw.md"), kPage);
  EXPECT_FALSE(fs::exists(tmp / "new_kw.md"));
  EXPECT_FALSE(fs::exists(tmp / ".kwexport.tmp"));
  EXPECT_THAT(listed(tmp.path()), ElementsAre("x_kw.md"));
}

TEST(OutputDir, OddFilesInThePlaceOfAPageDoNotBlock) {
  const TempDir tmp;
  ASSERT_EQ(::mkfifo((tmp / "x_kw.md").c_str(), 0600), 0);
  list(tmp.path(), {"x_kw.md"});
  OutputDir dir = open_dir(tmp.path());
  ASSERT_TRUE(dir.claim("x_kw.md", false));
  EXPECT_EQ(*dir.write("x_kw.md", kPage), OutputDir::Written::Changed);
  EXPECT_EQ(read_text(tmp / "x_kw.md"), kPage);
}

TEST(OutputDir, NoPageTakesTheManifestsName) {
  const TempDir tmp;
  OutputDir dir = open_dir(tmp.path());
  EXPECT_FALSE(dir.claim(std::string(kManifestName), true));
  EXPECT_FALSE(dir.claim(".kwexport.tmp", true));
}

}  // namespace
}  // namespace kw::exporter
