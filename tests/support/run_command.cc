// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/support/run_command.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <stdexcept>

namespace kw::test {
namespace {

std::string program_path(const std::string& name) {
  for (const char* ours : {"kwindex", "kwsearch", "kwexport"})
    if (name == ours) return std::string(KW_BINARY_DIR) + "/bin/" + name;
  for (const char* tool : {"kwconstants", "kwdump", "kwfields", "rank_eval"})
    if (name == tool) return std::string(KW_BINARY_DIR) + "/" + name;
  return name;
}

}  // namespace

CommandResult run_command(std::vector<std::string> command, const CommandOptions& options) {
  command[0] = program_path(command[0]);
  int in[2], out[2], err[2];
  if (::pipe2(in, O_CLOEXEC) || ::pipe2(out, O_CLOEXEC) || ::pipe2(err, O_CLOEXEC))
    throw std::runtime_error("pipe failed");
  std::vector<char*> argv;
  for (std::string& word : command) argv.push_back(word.data());
  argv.push_back(nullptr);

  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("fork failed");
  if (child == 0) {
    ::dup2(in[0], 0);
    ::dup2(out[1], 1);
    ::dup2(err[1], 2);
    if (!options.folder.empty() && ::chdir(options.folder.c_str()) != 0) ::_exit(126);
    // What starts the tests may ignore signals, as a shell does for what it runs behind `&`; so
    // does this process, below. A child would inherit that.
    for (const int signal : {SIGINT, SIGQUIT, SIGPIPE}) ::signal(signal, SIG_DFL);
    for (const std::string& e : options.environment) ::putenv(const_cast<char*>(e.c_str()));
    ::execvp(argv[0], argv.data());
    ::_exit(127);
  }
  ::close(in[0]);
  ::close(out[1]);
  ::close(err[1]);
  ::signal(SIGPIPE, SIG_IGN);

  CommandResult result;
  std::size_t written = 0;
  pollfd fds[] = {{out[0], POLLIN, 0}, {err[0], POLLIN, 0}, {in[1], POLLOUT, 0}};
  if (options.input.empty()) {
    ::close(in[1]);
    fds[2].fd = -1;
  }
  const auto until =
      std::chrono::steady_clock::now() + std::chrono::duration<double>(options.timeout_seconds);
  bool timed_out = false;
  while (fds[0].fd >= 0 || fds[1].fd >= 0) {
    const auto left = std::chrono::duration_cast<std::chrono::nanoseconds>(
                          until - std::chrono::steady_clock::now())
                          .count();
    const timespec patience{left / 1'000'000'000, left % 1'000'000'000};
    if (left <= 0 || ::ppoll(fds, 3, &patience, nullptr) == 0) {
      ::kill(child, SIGKILL);
      timed_out = true;
      break;
    }
    for (int i = 0; i < 2; ++i) {
      if (fds[i].fd < 0 || !fds[i].revents) continue;
      char buffer[65536];
      const ssize_t n = ::read(fds[i].fd, buffer, sizeof buffer);
      if (n > 0)
        (i == 0 ? result.out : result.err).append(buffer, static_cast<std::size_t>(n));
      else
        fds[i].fd = -1;
    }
    if (fds[2].fd >= 0 && fds[2].revents) {
      const ssize_t n =
          ::write(in[1], options.input.data() + written, options.input.size() - written);
      if (n > 0) written += static_cast<std::size_t>(n);
      if (n < 0 || written == options.input.size()) {
        ::close(in[1]);
        fds[2].fd = -1;
      }
    }
  }
  if (fds[2].fd >= 0) ::close(in[1]);
  ::close(out[0]);
  ::close(err[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  result.exit_code = timed_out           ? 124
                     : WIFEXITED(status) ? WEXITSTATUS(status)
                                         : 128 + WTERMSIG(status);
  return result;
}

}  // namespace kw::test
