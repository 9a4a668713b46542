// SPDX-License-Identifier: GPL-2.0-or-later
// At each bound an input is taken, over it it is not: schema/base/bounds.h has the table.
#include "schema/base/bounds.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "schema/index/database_dir.h"
#include "schema/index/manifest.h"
#include "schema/index/status.h"
#include "tests/support/temp_dir.h"

namespace kw {
namespace {

// Bound: .kwexport, in a tree
TEST(Bounds, NamesOfAManifest) {
  std::string text = "kwexport 1\n";
  for (std::size_t i = 0; i < kMaxManifestNames; ++i) text += fmt::format("{:x}\n", i);
  const auto at_it = parse_manifest(text);
  ASSERT_TRUE(at_it);
  EXPECT_EQ(at_it->files.size(), kMaxManifestNames);
  const auto over = parse_manifest(text + "one more\n");
  ASSERT_FALSE(over);
  EXPECT_THAT(over.error().message, testing::HasSubstr("too many files"));
}

// Bound: status.json
TEST(Bounds, AStatusFileThatIsTooLongCountsAsNone) {
  const test::TempDir dir;
  const DatabaseFolder folder(dir.str());
  RunStatus status;
  status.files = 7;
  ASSERT_TRUE(write_status(folder, status));
  std::string json = to_json(status);
  json.resize(kMaxStatusBytes, ' ');
  test::write_file(folder.status(), json);
  EXPECT_EQ(read_status(folder).files, 7u);
  test::write_file(folder.status(), json + " ");
  EXPECT_EQ(read_status(folder), RunStatus{});
}

TEST(Bounds, AStatusFileIsWrittenWithinItsBound) {
  const test::TempDir dir;
  const DatabaseFolder folder(dir.str());
  RunStatus status;
  status.files = 7;
  status.unsearched = {{"too large", 100'000}};
  for (int i = 0; i < 100'000; ++i)
    status.skipped.push_back({fmt::format("{:0>200}", i), "too large", {}});
  ASSERT_TRUE(write_status(folder, status));
  const RunStatus back = read_status(folder);
  EXPECT_EQ(back.files, 7u);
  EXPECT_EQ(back.unsearched, status.unsearched) << "counts are not cut";
  EXPECT_LT(back.skipped.size(), status.skipped.size());
  EXPECT_GT(back.skipped.size(), 10'000u);
}

}  // namespace
}  // namespace kw
