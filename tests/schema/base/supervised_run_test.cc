// SPDX-License-Identifier: GPL-2.0-or-later
#include "schema/base/supervised_run.h"

#include <gmock/gmock.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <ctime>
#include <new>
#include <vector>

#include "tests/support/child_usage.h"

namespace kw {
namespace {

/// What run_supervised() gives in a process of its own, for it changes signals of its process.
int code_of(const std::function<int()>& work) {
  const pid_t child = ::fork();
  if (child == 0) {
    const auto code = run_supervised([&]() -> int { ::_exit(work()); });
    ::_exit(code ? *code : 99);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

TEST(SupervisedRun, TheCodeIsTheWorksOwn) {
  EXPECT_EQ(code_of([] { return 0; }), 0);
  EXPECT_EQ(code_of([] { return 75; }), 75);
}

TEST(SupervisedRun, ACrashIsAnError) {
  for (const int signal : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGXCPU})
    EXPECT_EQ(code_of([signal] {
                ::signal(signal, SIG_DFL);
                return ::raise(signal);
              }),
              99)
        << signal;
}

TEST(SupervisedRun, WhatEndsTheWorkEndsTheProgram) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGKILL, SIGPIPE})
    EXPECT_EQ(code_of([signal] {
                ::signal(signal, SIG_DFL);  // it may be ignored where tests run
                return ::raise(signal);
              }),
              128 + signal);
}

TEST(SupervisedRun, SignalsReachTheWork) {
  EXPECT_EQ(code_of([] {
              ::kill(::getppid(), SIGTERM);
              for (;;) ::pause();
              return 0;
            }),
            128 + SIGTERM);
}

TEST(SupervisedRun, WorkHasALimitOfTime) {
  EXPECT_EQ(code_of([] {
              limit_work(1, 0);
              while (test::child_seconds() < 1'000) {
              }
              return 0;
            }),
            99);
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

TEST(SupervisedRun, WorkHasALimitOfMemory) {
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
