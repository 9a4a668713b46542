// SPDX-License-Identifier: GPL-2.0-or-later
#include "schema/base/child_run.h"

#include <gmock/gmock.h>
#include <signal.h>
#include <unistd.h>

namespace kw {
namespace {

using testing::HasSubstr;

TEST(RunInChild, ReturnsWhatTheWorkReturns) {
  std::string large(1 << 20, 'x');  // more than a pipe holds
  large[70'000] = '\0';
  const auto result = run_in_child([&] { return large; }, 60);
  ASSERT_TRUE(result);
  EXPECT_EQ(*result, large);
  const auto nothing = run_in_child([] { return std::string(); }, 60);
  ASSERT_TRUE(nothing);
  EXPECT_EQ(*nothing, "");
}

TEST(RunInChild, ItsDeathIsAnErrorThatNamesTheSignal) {
  const auto killed = run_in_child(
      []() -> std::string {
        ::kill(::getpid(), SIGKILL);
        return "never";
      },
      60);
  ASSERT_FALSE(killed);
  EXPECT_THAT(killed.error().message, HasSubstr("signal 9"));
  const auto ended = run_in_child([]() -> std::string { ::_exit(3); }, 60);
  ASSERT_FALSE(ended);
  EXPECT_THAT(ended.error().message, HasSubstr("code 3"));
}

TEST(RunInChild, WorkWithoutAnEndIsStopped) {
  const auto result = run_in_child(
      []() -> std::string {
        for (volatile bool on = true; on;) {
        }
        return "never";
      },
      1);
  ASSERT_FALSE(result);
}

}  // namespace
}  // namespace kw
