// SPDX-License-Identifier: GPL-2.0-or-later
#include "schema/base/child_run.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string_view>

#include "schema/base/descriptor.h"

namespace kw {
namespace {

[[noreturn]] void run_and_exit(const std::function<std::string()>& work, unsigned cpu_seconds,
                               int to_parent, pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);  // it died before the line above
  // Processor time, not the clock's: a busy or sleeping machine must not change the result.
  const rlimit processor{cpu_seconds, cpu_seconds}, no_core{0, 0};
  ::setrlimit(RLIMIT_CPU, &processor);
  ::setrlimit(RLIMIT_CORE, &no_core);
  const std::string result = work();
  std::string_view left = result;
  while (!left.empty()) {
    const ssize_t n = ::write(to_parent, left.data(), left.size());
    if (n < 0 && errno != EINTR) ::_exit(1);
    if (n > 0) left.remove_prefix(static_cast<std::size_t>(n));
  }
  ::_exit(0);  // without destructors and exit handlers: what they would end is the parent's
}

std::string read_all(int fd) {
  std::string all;
  char buffer[16 << 10];
  for (ssize_t n; (n = ::read(fd, buffer, sizeof buffer)) != 0;) {
    if (n < 0 && errno != EINTR) break;
    if (n > 0) all.append(buffer, static_cast<std::size_t>(n));
  }
  return all;
}

}  // namespace

Result<std::string> run_in_child(const std::function<std::string()>& work, unsigned cpu_seconds) {
  const auto no_child = [](int reason) {
    return Error{ErrorCode::Failed,
                 fmt::format("cannot start a child process: {}", std::strerror(reason)),
                 {}};
  };
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return no_child(errno);
  const Descriptor from_child(ends[0]);
  Descriptor to_parent(ends[1]);
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child < 0) return no_child(errno);
  if (child == 0) run_and_exit(work, cpu_seconds, to_parent.get(), parent);
  to_parent = Descriptor();
  std::string result = read_all(from_child.get());
  int status = 0;
  while (::waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return no_child(errno);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return result;
  return Error{ErrorCode::Failed,
               WIFSIGNALED(status)
                   ? fmt::format("a child process ended by signal {} ({})", WTERMSIG(status),
                                 ::strsignal(WTERMSIG(status)))
                   : fmt::format("a child process ended with code {}", WEXITSTATUS(status)),
               {}};
}

}  // namespace kw
