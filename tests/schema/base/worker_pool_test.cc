// SPDX-License-Identifier: GPL-2.0-or-later
#include "schema/base/worker_pool.h"

#include <gmock/gmock.h>

#include <atomic>
#include <latch>
#include <stdexcept>
#include <string>
#include <vector>

namespace kw {
namespace {

TEST(WorkerPool, EachItemIsDoneOnce) {
  WorkerPool pool(7);
  for (const std::size_t items : {0u, 1u, 2u, 8u, 1000u}) {
    std::vector<std::atomic<int>> done(items);
    pool.run(items, [&](std::size_t item) { ++done[item]; });
    for (const auto& times : done) EXPECT_EQ(times, 1);
  }
}

TEST(WorkerPool, ItemsWaitAtTheSameTime) {
  // Each goes on when all have begun: in fewer threads it would never end.
  WorkerPool pool(7);
  std::latch begun(8);
  pool.run(8, [&](std::size_t) { begun.arrive_and_wait(); });
}

TEST(WorkerPool, WhatIsThrownComesBack) {
  WorkerPool pool(3);
  EXPECT_THROW(pool.run(100,
                        [](std::size_t item) {
                          if (item == 50) throw std::runtime_error("no");
                        }),
               std::runtime_error);
  std::atomic<int> done = 0;
  pool.run(10, [&](std::size_t) { ++done; });
  EXPECT_EQ(done, 10);
}

TEST(WorkerPool, OneOfManyThatAreThrownComesBack) {
  WorkerPool pool(3);
  for (int round = 0; round < 200; ++round) {
    std::string said;
    try {
      pool.run(4, [](std::size_t item) {
        throw std::runtime_error("a message of more than sixteen letters, item " +
                                 std::to_string(item));
      });
    } catch (const std::runtime_error& e) {
      said = e.what();
    }
    EXPECT_THAT(said, testing::StartsWith("a message"));
  }
}

TEST(WorkerPool, WithoutThreadsTheCallerDoesIt) {
  WorkerPool pool(0);
  int done = 0;
  pool.run(3, [&](std::size_t) { ++done; });
  EXPECT_EQ(done, 3);
}

}  // namespace
}  // namespace kw
