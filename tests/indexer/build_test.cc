// SPDX-License-Identifier: GPL-2.0-or-later
// Pieces of a build; the whole is tested by tests/cli/kwindex_test.cc.
#include "indexer/build.h"

#include <gmock/gmock.h>

#include <atomic>
#include <stdexcept>

#include "indexer/parallel.h"

namespace kw {
namespace {

using Batches = std::vector<std::pair<std::size_t, std::size_t>>;

TEST(CutBatches, BySizeAndNumber) {
  struct Case {
    const char* why;
    std::vector<std::uint64_t> sizes;
    Batches expected;
  };
  const Case cases[] = {
      {"nothing", {}, {}},
      {"one", {5}, {{0, 1}}},
      {"up to the limit", {4, 6, 1}, {{0, 2}, {2, 3}}},
      {"three at most", {1, 1, 1, 1}, {{0, 3}, {3, 4}}},
      {"a huge one alone", {1, 99, 1}, {{0, 1}, {1, 2}, {2, 3}}},
      {"huge ones", {99, 99}, {{0, 1}, {1, 2}}},
      {"empty files count by number", {0, 0, 0, 0, 0, 0}, {{0, 3}, {3, 6}}},
  };
  for (const Case& c : cases) EXPECT_EQ(cut_batches(c.sizes, 10, 3), c.expected) << c.why;
}

TEST(RunParallel, EachItemOnce) {
  for (const unsigned threads : {0u, 1u, 3u, 50u}) {
    std::vector<std::atomic<int>> calls(20);
    const auto done = run_parallel(
        calls.size(), threads,
        [&](unsigned worker, std::size_t item) -> Result<void> {
          EXPECT_LT(worker, std::max(1u, threads));
          ++calls[item];
          return {};
        },
        [] {});
    EXPECT_TRUE(done);
    for (const auto& n : calls) EXPECT_EQ(n, 1);
  }
  EXPECT_TRUE(run_parallel(
      0, 4, [](unsigned, std::size_t) { return Result<void>(); }, [] {}));
}

TEST(RunParallel, AnErrorStopsTheRest) {
  std::atomic<int> calls{0};
  const auto done = run_parallel(
      1000, 1,
      [&](unsigned, std::size_t item) -> Result<void> {
        ++calls;
        if (item == 2) return Error{ErrorCode::Failed, "third", ""};
        return {};
      },
      [] {});
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().message, "third");
  EXPECT_EQ(calls, 3);
}

TEST(RunParallel, AnExceptionIsAnError) {
  const auto done = run_parallel(
      4, 2, [](unsigned, std::size_t) -> Result<void> { throw std::runtime_error("no memory"); },
      [] {});
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().message, "internal error: no memory");
}

}  // namespace
}  // namespace kw
