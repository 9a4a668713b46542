// SPDX-License-Identifier: GPL-2.0-or-later
#include "schema/base/parallel.h"

#include <gmock/gmock.h>

#include <atomic>
#include <new>
#include <stdexcept>
#include <vector>

namespace kw {
namespace {

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
  const auto large = run_parallel(
      4, 2, [](unsigned, std::size_t) -> Result<void> { throw std::bad_alloc(); }, [] {});
  ASSERT_FALSE(large);
  EXPECT_THAT(large.error().message, testing::HasSubstr("out of memory"));
  EXPECT_THAT(large.error().hint, testing::HasSubstr("kwindex --rebuild"));
}

}  // namespace
}  // namespace kw
