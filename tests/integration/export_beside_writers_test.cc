// SPDX-License-Identifier: GPL-2.0-or-later
// Exports and checks beside updates: a long reader keeps what it reads, and no writer is held up by
// one reader.
#include <fmt/format.h>
#include <sys/file.h>

#include <atomic>
#include <thread>

#include "schema/index/database_dir.h"
#include "schema/index/index_reader.h"
#include "tests/integration/kwindex_fixture.h"

namespace kw::test {
namespace {

class ExportBesideWriters : public KwindexTest {
 protected:
  ExportBesideWriters() {
    for (int i = 0; i < 60; ++i)
      write_file(root() / fmt::format("page{}.md", i),
                 fmt::format("# Page {}\n\nwords w{}\n", i, i));
    index();
  }

  void change(int n) const {
    write_file(root() / "page1.md", fmt::format("# Page 1\n\nnew{}\n", n));
  }

  std::vector<std::string> generations() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(database()))
      if (entry.is_directory()) names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
  }
};

TEST_F(ExportBesideWriters, NoExportAndNoCheckFails) {
  std::atomic<bool> stop{false};
  int updates = 0;
  std::thread writer([&] {
    for (; !stop; ++updates) {
      change(updates);
      const CommandResult result = run({"tree", "-q", "--wait", "30"});
      EXPECT_EQ(result.exit_code, 0) << result.err;
    }
  });
  for (int i = 0; i < 8; ++i) {
    const std::string out = (dir_ / fmt::format("out{}", i)).string();
    const CommandResult pages = run_command(
        {"kwexport", "--db", root().string(), "--format", i % 2 ? "html" : "md", "--out", out});
    EXPECT_EQ(pages.exit_code, 0) << pages.err;
    const CommandResult checked = run({"tree", "--check"});
    EXPECT_EQ(checked.exit_code, 0) << checked.err << checked.out;
  }
  stop = true;
  writer.join();
  EXPECT_GT(updates, 3);
  EXPECT_LE(generations().size(), 3u);
}

TEST_F(ExportBesideWriters, AWriterWorksOnACopyAndKeepsAtMostOneMore) {
  auto reader = IndexReader::open(DatabaseFolder(database().string()), Reading::Whole);
  ASSERT_TRUE(reader);
  for (int n = 0; n < 3; ++n) {  // the copy has no reader, and is updated in place
    change(n);
    index();
    EXPECT_EQ(generations(), (std::vector<std::string>{"gen-1", "gen-2"}));
  }
  EXPECT_EQ(dump(database()), fresh_dump());
  const auto files = reader->stored_files();
  ASSERT_TRUE(files);
  for (const StoredFile& file : *files)
    EXPECT_TRUE(reader->record(file.docid, RecordParts::All)) << "as it was when it was opened";
  {
    const auto second = IndexReader::open(DatabaseFolder(database().string()), Reading::Whole);
    change(4);
    const CommandResult refused = run({"tree"});
    EXPECT_EQ(refused.exit_code, 75) << "there would be three";
    EXPECT_THAT(refused.err, testing::HasSubstr("still being exported or checked"));
    EXPECT_THAT(refused.err, testing::HasSubstr("--wait SECONDS"));
  }
  index();
  reader = Error{};
  change(5);
  index();
  EXPECT_EQ(generations().size(), 1u) << "what nobody reads is removed by the next run";
}

TEST_F(ExportBesideWriters, ACheckNeedsNoLockOfAWriter) {
  const auto lock = WriterLock::acquire(DatabaseFolder(database().string()), 0);
  ASSERT_TRUE(lock);
  EXPECT_EQ(run({"tree", "--check"}).exit_code, 0);
}

}  // namespace
}  // namespace kw::test
