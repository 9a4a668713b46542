// SPDX-License-Identifier: GPL-2.0-or-later
#include "exporter/output/in_order.h"

#include <gmock/gmock.h>

#include <atomic>
#include <chrono>
#include <future>
#include <latch>
#include <semaphore>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace kw::exporter {
namespace {

TEST(InOrder, TakesEachOnceInOrderWhoeverIsFirst) {
  constexpr std::size_t kItems = 500;
  std::vector<std::string> taken;
  std::atomic<int> taking{0};
  const auto done = make_in_order<std::string>(
      kItems,
      [](std::size_t item, const auto&) -> Result<std::string> {
        if (item % 7 == 0) std::this_thread::yield();
        return std::to_string(item);
      },
      [&](std::size_t item, const std::string& made) {
        EXPECT_EQ(++taking, 1) << "two at once";
        EXPECT_EQ(item, taken.size());
        taken.push_back(made);
        --taking;
      });
  ASSERT_TRUE(done);
  ASSERT_EQ(taken.size(), kItems);
  for (std::size_t i = 0; i < kItems; ++i) EXPECT_EQ(taken[i], std::to_string(i));
}

TEST(InOrder, WhatWaitsForItsTurnIsMadeAlone) {
  std::vector<std::string> taken;
  std::atomic<int> large{0};
  const auto done = make_in_order<std::string>(
      200,
      [&](std::size_t item, const auto& wait) -> Result<std::string> {
        if (item % 3 != 0) return std::to_string(item);
        wait();
        EXPECT_EQ(++large, 1) << "two at once";
        EXPECT_EQ(taken.size(), item) << "some before it are not taken";
        std::this_thread::yield();
        --large;
        return std::to_string(item);
      },
      [&](std::size_t, const std::string& made) { taken.push_back(made); });
  ASSERT_TRUE(done);
  EXPECT_EQ(taken.size(), 200u);
}

TEST(InOrder, AnErrorEndsWhatWaitsForItsTurn) {
  std::latch waits{core_count() > 1 ? 1 : 0};
  std::atomic<bool> went_on{false};
  const auto done = make_in_order<std::string>(
      50,
      [&](std::size_t item, const auto& wait) -> Result<std::string> {
        if (item == 3) {
          waits.wait();
          return Error{ErrorCode::Failed, "no page", ""};
        }
        if (item == 4) waits.count_down();
        wait();
        if (item > 3) went_on = true;
        return std::string();
      },
      [](std::size_t, const std::string&) {});
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().message, "no page");
  EXPECT_FALSE(went_on);
}

TEST(InOrder, OthersPutWhileOneTakes) {
  std::binary_semaphore second_is_put{0};
  std::vector<std::size_t> taken;
  InOrder<std::string> in_order(4, [&](std::size_t item, const std::string&) {
    if (item == 0 && !second_is_put.try_acquire_for(std::chrono::seconds(60))) return;
    taken.push_back(item);
  });
  {
    std::jthread other([&] {
      in_order.put(1, "b");
      second_is_put.release();
    });
    in_order.put(0, "a");
  }
  EXPECT_THAT(taken, testing::ElementsAre(0, 1));
}

TEST(InOrder, NothingToDo) {
  const auto make = [](std::size_t, const auto&) -> Result<std::string> { return "a"; };
  std::string taken;
  const auto take = [&](std::size_t, const std::string& made) { taken += made; };
  EXPECT_TRUE(make_in_order<std::string>(0, make, take));
  EXPECT_EQ(taken, "");
  EXPECT_TRUE(make_in_order<std::string>(1, make, take));
  EXPECT_EQ(taken, "a");
}

TEST(InOrder, AnErrorEndsIt) {
  for (const std::size_t bad : {std::size_t{0}, std::size_t{3}, std::size_t{999}}) {
    std::vector<std::size_t> taken;
    const auto done = make_in_order<std::string>(
        1000,
        [&](std::size_t item, const auto&) -> Result<std::string> {
          if (item == bad) return Error{ErrorCode::Failed, "no page", ""};
          return std::to_string(item);
        },
        [&](std::size_t item, const std::string&) { taken.push_back(item); });
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().message, "no page");
    EXPECT_LE(taken.size(), bad);
    for (std::size_t i = 0; i < taken.size(); ++i) EXPECT_EQ(taken[i], i);
  }
}

TEST(InOrder, AnExceptionIsAnError) {
  const auto done = make_in_order<std::string>(
      100,
      [](std::size_t item, const auto&) -> Result<std::string> {
        if (item == 5) throw std::runtime_error("no memory");
        return std::string();
      },
      [](std::size_t, const std::string&) {});
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().message, "internal error: no memory");
}

/// Whether a put of `item` returns while nothing is taken.
bool returns_at_once(InOrder<std::string>& in_order, std::size_t item, std::string made,
                     std::future<void>& putting) {
  putting = std::async(std::launch::async, [&in_order, item, made = std::move(made)]() mutable {
    in_order.put(item, std::move(made));
  });
  return putting.wait_for(std::chrono::milliseconds(100)) == std::future_status::ready;
}

TEST(InOrder, WhatIsMadeAheadIsBounded) {
  struct Case {
    const char* why;
    std::size_t most_ahead, size;
  };
  for (const Case& c : {Case{"as many as may be", 2, 1}, Case{"few, but large", 100, 9 << 20}}) {
    SCOPED_TRACE(c.why);
    std::vector<std::size_t> taken;
    std::future<void> putting;
    InOrder<std::string> in_order(
        c.most_ahead, [&](std::size_t item, const std::string&) { taken.push_back(item); });
    const std::string made(c.size, 'x');
    in_order.put(1, made);
    EXPECT_FALSE(returns_at_once(in_order, 2, made, putting)) << "it waits for 0";
    in_order.put(0, made);
    putting.get();
    EXPECT_THAT(taken, testing::ElementsAre(0, 1, 2));
  }
}

}  // namespace
}  // namespace kw::exporter
