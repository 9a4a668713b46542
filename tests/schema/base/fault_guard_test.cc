// SPDX-License-Identifier: GPL-2.0-or-later
#include "schema/base/fault_guard.h"

#include <gmock/gmock.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <ctime>
#include <functional>
#include <new>
#include <string>
#include <vector>

#include "tests/support/child_usage.h"

namespace kw {
namespace {

/// How a process ends that does some work with its faults reported, and what it says.
struct Ended {
  int code;
  std::string said;
};
Ended ended(const std::function<int()>& work) {
  int pipe[2];
  EXPECT_EQ(::pipe(pipe), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(pipe[1], STDERR_FILENO);
    report_faults("kwsearch");
    ::_exit(work());
  }
  ::close(pipe[1]);
  Ended result{0, std::string(1000, '\0')};
  const ssize_t n = ::read(pipe[0], result.said.data(), result.said.size());
  result.said.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
  ::close(pipe[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  result.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}
int code_of(const std::function<int()>& work) { return ended(work).code; }

TEST(FaultGuard, AFaultIsAnErrorMessage) {
  if (test::kSanitized) GTEST_SKIP() << "a sanitizer reports faults itself";
  for (const int signal : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL}) {
    const Ended end = ended([signal] { return ::raise(signal); });
    EXPECT_EQ(end.code, 2) << signal;
    EXPECT_EQ(end.said,
              "kwsearch: error: crashed while it worked with the index\n"
              "hint: rebuild the index with: kwindex --rebuild; it may be damaged\n");
  }
}

int run_over(int depth) {
  volatile char block[4096] = {};
  block[0] = static_cast<char>(depth);
  return depth > 10'000'000 ? 0 : run_over(depth + 1) + block[0];
}

TEST(FaultGuard, AStackThatRunsOverIsOne) {
  if (test::kSanitized) GTEST_SKIP() << "a sanitizer reports faults itself";
  EXPECT_EQ(code_of([] { return run_over(0); }), 2);
}

TEST(FaultGuard, OtherEndsAreAsEver) {
  EXPECT_EQ(code_of([] { return 75; }), 75);
  for (const int signal : {SIGTERM, SIGKILL}) {
    const auto raised = [signal] {
      ::signal(signal, SIG_DFL);  // it may be ignored where tests run
      return ::raise(signal);
    };
    EXPECT_EQ(code_of(raised), 128 + signal);
  }
}

TEST(FaultGuard, WorkHasALimitOfTime) {
#if defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the thread sanitizer keeps signals from work that makes no call";
#endif
  EXPECT_EQ(code_of([] {
              limit_work(1, 0);
              while (test::child_seconds() < 1'000) {
              }
              return 0;
            }),
            2);
  EXPECT_EQ(code_of([] {
              limit_work(1, 0);
              limit_work(0, 0);
              while (std::clock() < 5 * CLOCKS_PER_SEC / 4) {
              }
              return 5;
            }),
            5)
      << "which can be lifted";
}

// A file of one word of 32 MiB has a record of 3 kB. The limit depended on the size of the index
// alone, 8 s, and its page took longer on a busy machine.
TEST(FaultGuard, TheLimitOfTimeGrowsWithTheText) {
#if defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the thread sanitizer keeps signals from work that makes no call";
#endif
  const auto work_for = [](double seconds) {
    while (static_cast<double>(std::clock()) < seconds * CLOCKS_PER_SEC) {
    }
    return 5;
  };
  EXPECT_EQ(code_of([&] {
              limit_work(1, 0);
              allow_time_for(1 << 20);
              return work_for(1.5);
            }),
            5);
  EXPECT_EQ(code_of([&] {
              limit_work(1, 0);
              allow_time_for(1 << 20);
              return work_for(10);
            }),
            2)
      << "once";
}

TEST(FaultGuard, ASearchTakesLittleLongerForIt) {
  constexpr int kTimes = 1000;
  EXPECT_EQ(code_of([] {
              const double before = static_cast<double>(std::clock());
              for (int i = 0; i < kTimes; ++i) {
                report_faults("kwsearch");
                limit_reading(100u << 20);
              }
              const double ms = (static_cast<double>(std::clock()) - before) * 1e3 / CLOCKS_PER_SEC;
              return ms / kTimes < .3 ? 0 : 1;
            }),
            0);
}

TEST(FaultGuard, WorkHasALimitOfMemory) {
  if (test::kSanitized) GTEST_SKIP() << "a sanitizer needs the memory itself";
  EXPECT_EQ(code_of([] {
              limit_work(0, 200u << 20);
              try {
                std::vector<char> much(400u << 20, 'x');
                return static_cast<int>(much[7]);
              } catch (const std::bad_alloc&) {
                return 6;
              }
            }),
            6);
}

}  // namespace
}  // namespace kw
