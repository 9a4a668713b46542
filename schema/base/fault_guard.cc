// SPDX-License-Identifier: GPL-2.0-or-later
#include "schema/base/fault_guard.h"

#include <signal.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>

namespace kw {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;
#elif defined(__has_feature)  // clang
constexpr bool kSanitized = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
constexpr bool kSanitized = false;
#endif

// A search of 92 MB takes 2 s of processor time at worst, a site of it 20 s; and 250 MB, 700 MB.
constexpr unsigned kSecondsToRead = kSanitized ? 120 : 8;
constexpr std::uint64_t kBytesASecond = 2 << 20;
constexpr std::uint64_t kMemoryToRead = 400u << 20;
constexpr std::uint64_t kMemoryPerByte = 16;
// A site's page of one word of 32 MiB takes 5.4 s.
constexpr std::uint64_t kTextBytesASecond = 1 << 20;

constexpr std::string_view kHint =
    "hint: rebuild the index with: kwindex --rebuild; it may be damaged\n";

struct Line {
  std::array<char, 160> bytes{};
  std::size_t size = 0;
};
Line crash_line, timeout_line;                       // made before: a handler may not allocate
alignas(16) std::array<char, 32 << 10> fault_stack;  // a stack that ran over has no room

Line make_line(std::string_view program, std::string_view message) {
  Line line;
  for (const std::string_view part : {program, std::string_view(": error: "), message, kHint}) {
    const std::size_t n = std::min(part.size(), line.bytes.size() - line.size);
    std::copy_n(part.begin(), n, line.bytes.begin() + line.size);
    line.size += n;
  }
  return line;
}

[[noreturn]] void write_and_exit(const Line& line) {
  [[maybe_unused]] const ssize_t n = ::write(STDERR_FILENO, line.bytes.data(), line.size);
  ::_exit(2);
}

timer_t work_timer{};  // which limit_work() starts
std::atomic<std::uint64_t> allowed_bytes{0};
static_assert(std::atomic<std::uint64_t>::is_always_lock_free);  // a handler reads it

void start_timer(time_t seconds) {
  const itimerspec once{{}, {seconds, 0}};
  ::timer_settime(work_timer, 0, &once, nullptr);
}

/// Restarts the timer for what was allowed since it was started, or ends the process. A limit that
/// the user set (ulimit -t) sends the same signal, and is not extended.
extern "C" void report_timeout(int, siginfo_t* info, void*) {
  const std::uint64_t bytes = allowed_bytes.exchange(0);
  if (info->si_code != SI_TIMER || bytes < kTextBytesASecond) write_and_exit(timeout_line);
  allowed_bytes += bytes % kTextBytesASecond;
  start_timer(static_cast<time_t>(bytes / kTextBytesASecond));
}

extern "C" void report_fault(int) { write_and_exit(crash_line); }

}  // namespace

void report_faults(std::string_view program) {
  crash_line = make_line(program, "crashed while it worked with the index\n");
  timeout_line = make_line(program, "gave up: reading the index took too much processor time\n");
  stack_t stack{};
  stack.ss_sp = fault_stack.data();
  stack.ss_size = fault_stack.size();
  ::sigaltstack(&stack, nullptr);
  struct sigaction action {};
  action.sa_flags = SA_ONSTACK | SA_RESTART | SA_SIGINFO;
  action.sa_sigaction = report_timeout;
  ::sigaction(SIGXCPU, &action, nullptr);
  action.sa_flags = SA_ONSTACK;
  action.sa_handler = report_fault;
  ::sigaction(SIGABRT, &action, nullptr);
  if (kSanitized) return;
  for (const int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL}) ::sigaction(fault, &action, nullptr);
}

void limit_work(unsigned seconds, std::uint64_t bytes) {
  // A timer, not RLIMIT_CPU: programs that are started from here must not inherit it.
  static const bool made = [] {
    sigevent ring{};
    ring.sigev_notify = SIGEV_SIGNAL;
    ring.sigev_signo = SIGXCPU;
    return ::timer_create(CLOCK_PROCESS_CPUTIME_ID, &ring, &work_timer) == 0;
  }();
  if (made) start_timer(0);
  allowed_bytes = 0;
  if (made) start_timer(static_cast<time_t>(seconds));
  if (kSanitized) return;
  rlimit data{};
  ::getrlimit(RLIMIT_DATA, &data);
  data.rlim_cur = bytes > 0 && bytes < data.rlim_max ? bytes : data.rlim_max;
  ::setrlimit(RLIMIT_DATA, &data);
}

void allow_time_for(std::uint64_t bytes) { allowed_bytes += bytes; }

Error out_of_memory() {
  return {ErrorCode::Failed, "out of memory, or over the limit for an index of this size",
          "if the index may be damaged, rebuild it with: kwindex --rebuild"};
}

unsigned seconds_to_read(std::uint64_t index_bytes) {
  return kSecondsToRead + static_cast<unsigned>(index_bytes / kBytesASecond);
}

void limit_reading(std::uint64_t index_bytes) {
  limit_work(seconds_to_read(index_bytes), kMemoryToRead + kMemoryPerByte * index_bytes);
}

}  // namespace kw
