// SPDX-License-Identifier: GPL-2.0-or-later
#include "schema/base/parallel.h"

#include <gmock/gmock.h>
#include <pthread.h>
#include <sys/resource.h>

#include <atomic>
#include <barrier>
#include <cstdlib>
#include <functional>
#include <new>
#include <stdexcept>
#include <thread>
#include <vector>

#include "tests/support/child_usage.h"

namespace kw {
namespace {

const std::function<void()> kDraw = [] {}, kNoDraw;

TEST(RunParallel, EachItemOnce) {
  for (const auto& draw : {kDraw, kNoDraw}) {
    for (const unsigned threads : {0u, 1u, 3u, 50u}) {
      std::vector<std::atomic<int>> calls(20);
      const auto done = run_parallel(
          calls.size(), threads,
          [&](unsigned worker, std::size_t item) -> Result<void> {
            EXPECT_LT(worker, std::max(1u, threads));
            ++calls[item];
            return {};
          },
          draw);
      EXPECT_TRUE(done);
      for (const auto& n : calls) EXPECT_EQ(n, 1);
    }
    EXPECT_TRUE(run_parallel(
        0, 4, [](unsigned, std::size_t) { return Result<void>(); }, draw));
  }
}

TEST(RunParallel, TheCallerWorksWhereItDoesNotDraw) {
  // Of two items that wait for one another each needs a thread, and one of the two is the caller's.
  std::barrier both(2);
  std::atomic<int> of_caller{0};
  const auto caller = std::this_thread::get_id();
  EXPECT_TRUE(run_parallel(2, 2, [&](unsigned worker, std::size_t) -> Result<void> {
    EXPECT_EQ(worker == 0, std::this_thread::get_id() == caller);
    of_caller += worker == 0;
    both.arrive_and_wait();
    return {};
  }));
  EXPECT_EQ(of_caller, 1);
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

/// A process that cannot have the stack of another thread.
void exit_after_work_without_threads(const std::function<void()>& draw) {
  pthread_attr_t large;
  pthread_attr_init(&large);
  pthread_attr_setstacksize(&large, std::size_t{2} << 30);
  pthread_setattr_default_np(&large);
  const rlimit limit{1 << 30, 1 << 30};
  ::setrlimit(RLIMIT_AS, &limit);
  int calls = 0;
  const auto done = run_parallel(
      10, 4,
      [&](unsigned worker, std::size_t) -> Result<void> {
        calls += worker == 0;
        return {};
      },
      draw);
  std::_Exit(done && calls == 10 ? 0 : 1);
}

TEST(RunParallel, WhereThereAreNoThreadsTheCallerDoesTheWork) {
  if (test::kSanitized) GTEST_SKIP() << "a sanitizer needs more address space";
  EXPECT_EXIT(exit_after_work_without_threads(kDraw), testing::ExitedWithCode(0), "");
  EXPECT_EXIT(exit_after_work_without_threads(kNoDraw), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace kw
