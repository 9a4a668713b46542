// SPDX-License-Identifier: GPL-2.0-or-later
#include "schema/index/index_writer.h"

#include <gmock/gmock.h>
#include <sys/resource.h>

#include <algorithm>
#include <filesystem>

#include "schema/index/index_reader.h"
#include "tests/support/temp_dir.h"

namespace fs = std::filesystem;

namespace kw {
namespace {

using testing::ElementsAre;

/// A database of one document, "f000" and so on.
std::string make_batch(const fs::path& path, std::size_t number) {
  IndexEntry entry;
  const std::string digits = std::to_string(number);
  entry.record.path = "f" + std::string(3 - digits.size(), '0') + digits;
  entry.group_key = entry.record.path;
  auto batch = BatchWriter::create(path.string());
  EXPECT_TRUE(batch && batch->add(entry) && batch->set_info({}) && batch->finish());
  return path.string();
}

TEST(MergeDatabases, ManyInTheirOrderWithinTheUsualLimitOfDescriptors) {
  rlimit before;
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  const rlimit usual{std::min<rlim_t>(1024, before.rlim_max), before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &usual), 0);
  constexpr std::size_t kBatches = 300;  // two rounds
  for (const unsigned jobs : {1u, 8u}) {
    const test::TempDir dir;
    std::vector<std::string> sources;
    for (std::size_t i = 0; i < kBatches; ++i)
      sources.push_back(make_batch(dir / ("batch-" + std::to_string(i)), i));
    const auto merged = merge_databases(sources, (dir / "index").string(), jobs);
    ASSERT_TRUE(merged) << merged.error().message;
    auto reader = IndexReader::open_generation((dir / "index").string());
    ASSERT_TRUE(reader);
    const auto files = reader->stored_files();
    ASSERT_TRUE(files);
    ASSERT_EQ(files->size(), kBatches);
    for (std::size_t i = 0; i < kBatches; ++i) EXPECT_EQ((*files)[i].docid, i + 1);
    std::vector<std::string> left;
    for (const auto& entry : fs::directory_iterator(dir.path()))
      left.push_back(entry.path().filename().string());
    EXPECT_THAT(left, ElementsAre("index")) << "nothing is left on the way";
  }
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
}

TEST(MergeDatabases, AnErrorOfOneEndsAll) {
  const test::TempDir dir;
  std::vector<std::string> sources;
  for (std::size_t i = 0; i < 100; ++i) {
    sources.push_back((dir / ("batch-" + std::to_string(i))).string());
    if (i != 99) make_batch(sources.back(), i);
  }
  EXPECT_FALSE(merge_databases(sources, (dir / "index").string(), 2));
}

}  // namespace
}  // namespace kw
