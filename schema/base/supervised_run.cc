// SPDX-License-Identifier: GPL-2.0-or-later
#include "schema/base/supervised_run.h"

#include <fmt/format.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>

namespace kw {
namespace {

constexpr std::array kPassedOn{SIGINT, SIGTERM, SIGHUP, SIGQUIT};

// A search of 92 MB takes 2 s of processor time at worst, a site of it 20 s; and 250 MB, 700 MB.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr unsigned kSecondsToRead = 120;
#else
constexpr unsigned kSecondsToRead = 8;
#endif
constexpr std::uint64_t kBytesASecond = 2 << 20;
constexpr std::uint64_t kMemoryToRead = 400u << 20;
constexpr std::uint64_t kMemoryPerByte = 16;

Error failed(std::string message) {
  return {ErrorCode::Failed, std::move(message),
          "rebuild the index with: kwindex --rebuild; it may be damaged"};
}

/// The signal that ends the process: as the copy's own parent would have died of it.
[[noreturn]] void die_of(int signal, const sigset_t& before) {
  ::signal(signal, SIG_DFL);
  sigset_t one;
  ::sigemptyset(&one);
  ::sigaddset(&one, signal);
  ::sigprocmask(SIG_SETMASK, &before, nullptr);
  ::sigprocmask(SIG_UNBLOCK, &one, nullptr);
  ::raise(signal);
  ::_exit(128 + signal);
}

bool is_passed_on(int signal) {
  for (const int one : kPassedOn)
    if (one == signal) return true;
  return signal == SIGKILL || signal == SIGPIPE;
}

/// Waits for the copy, and hands it the signals that this process gets.
int wait_for(pid_t child, const sigset_t& signals) {
  for (;;) {
    int status = 0;
    const pid_t ended = ::waitpid(child, &status, WNOHANG);
    if (ended == child) return status;
    siginfo_t info{};
    const int signal = ::sigwaitinfo(&signals, &info);
    // What the terminal sends (Ctrl-C), the copy has got, too.
    if (signal > 0 && signal != SIGCHLD && info.si_code != SI_KERNEL) ::kill(child, signal);
  }
}

}  // namespace

Result<int> run_supervised(const std::function<int()>& work) {
  ::signal(SIGCHLD, SIG_DFL);  // ignored, as some callers leave it, nobody could be waited for
  sigset_t signals, before;
  ::sigemptyset(&signals);
  ::sigaddset(&signals, SIGCHLD);
  for (const int one : kPassedOn) ::sigaddset(&signals, one);
  ::sigprocmask(SIG_BLOCK, &signals, &before);
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child < 0) {
    const int why = errno;
    ::sigprocmask(SIG_SETMASK, &before, nullptr);
    return Error{
        ErrorCode::Failed, fmt::format("cannot start a child process: {}", std::strerror(why)), {}};
  }
  if (child == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(1);  // it died before the line above
    ::sigprocmask(SIG_SETMASK, &before, nullptr);
    rlimit core{};
    ::getrlimit(RLIMIT_CORE, &core);
    core.rlim_cur = 0;  // no file of a crash in the folder where a search ran
    ::setrlimit(RLIMIT_CORE, &core);
    ::exit(work());
  }
  const int status = wait_for(child, signals);
  if (WIFSIGNALED(status) && is_passed_on(WTERMSIG(status))) die_of(WTERMSIG(status), before);
  ::sigprocmask(SIG_SETMASK, &before, nullptr);
  if (WIFEXITED(status)) return WEXITSTATUS(status);
  const int signal = WTERMSIG(status);
  if (signal == SIGXCPU) return failed("gave up: reading the index took too much processor time");
  return failed(fmt::format("crashed while it read the index ({})", ::strsignal(signal)));
}

void limit_work(unsigned seconds, std::uint64_t bytes) {
  // A timer, not RLIMIT_CPU: programs that are started from here must not inherit it.
  static const auto timer = [] {
    sigevent ring{};
    ring.sigev_notify = SIGEV_SIGNAL;
    ring.sigev_signo = SIGXCPU;
    timer_t made{};
    return ::timer_create(CLOCK_PROCESS_CPUTIME_ID, &ring, &made) == 0 ? made : timer_t{};
  }();
  const itimerspec once{{}, {static_cast<time_t>(seconds), 0}};
  ::timer_settime(timer, 0, &once, nullptr);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  rlimit data{};
  ::getrlimit(RLIMIT_DATA, &data);
  data.rlim_cur = bytes > 0 && bytes < data.rlim_max ? bytes : data.rlim_max;
  ::setrlimit(RLIMIT_DATA, &data);
#else
  (void)bytes;
#endif
}

unsigned seconds_to_read(std::uint64_t index_bytes) {
  return kSecondsToRead + static_cast<unsigned>(index_bytes / kBytesASecond);
}

void limit_reading(std::uint64_t index_bytes) {
  limit_work(seconds_to_read(index_bytes), kMemoryToRead + kMemoryPerByte * index_bytes);
}

}  // namespace kw
