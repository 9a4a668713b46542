// SPDX-License-Identifier: GPL-2.0-or-later
#include "searcher/mcp/mcp_worker.h"

#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>

namespace kw::search {
namespace {

bool send_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

bool receive_all(int fd, char* to, std::size_t size) {
  while (size > 0) {
    const ssize_t n = ::recv(fd, to, size, 0);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    to += n;
    size -= static_cast<std::size_t>(n);
  }
  return true;
}

/// Its size, then the bytes.
bool send_text(int fd, std::string_view text) {
  const std::uint64_t size = text.size();
  return send_all(fd, {reinterpret_cast<const char*>(&size), sizeof size}) && send_all(fd, text);
}

std::optional<std::string> receive_text(int fd) {
  std::uint64_t size = 0;
  if (!receive_all(fd, reinterpret_cast<char*>(&size), sizeof size)) return std::nullopt;
  std::string text(size, '\0');
  if (!receive_all(fd, text.data(), text.size())) return std::nullopt;
  return text;
}

}  // namespace

bool McpWorker::begin() {
  if (child_ > 0) return true;
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return false;
  Descriptor ours(ends[0]), theirs(ends[1]);
  const pid_t parent = ::getpid();
  child_ = ::fork();
  if (child_ < 0) return false;
  if (child_ > 0) {
    channel_ = std::move(ours);
    return true;
  }
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);  // it died before the line above
  ours = Descriptor();
  const auto answer = make_();
  while (const auto message = receive_text(theirs.get()))
    if (!send_text(theirs.get(), answer(*message))) break;
  ::_exit(0);  // without exit handlers: what they would end is the parent's
}

void McpWorker::end() {
  if (child_ <= 0) return;
  channel_ = Descriptor();  // the end of its messages
  while (::waitpid(child_, nullptr, 0) < 0 && errno == EINTR) {
  }
  child_ = -1;
}

/// False: it is given up, and the child has ended.
bool McpWorker::wait_for_answer(const Interrupt& interrupt) {
  using Then = Interrupt::Then;
  pollfd waits[] = {{channel_.get(), POLLIN, 0}, {interrupt.descriptor, POLLIN, 0}};
  while (true) {
    if (::poll(waits, 2, -1) < 0 && errno != EINTR) return true;
    if (waits[0].revents) return true;
    if (!waits[1].revents) continue;
    const Then then = interrupt.read();
    if (then == Then::WatchNoMore) waits[1].fd = -1;
    if (then != Then::GiveUp) continue;
    ::kill(child_, SIGKILL);
    return false;
  }
}

std::optional<std::string> McpWorker::ask(std::string_view message, const Interrupt& interrupt) {
  if (!begin()) return std::nullopt;
  if (send_text(channel_.get(), message) && wait_for_answer(interrupt))
    if (auto answer = receive_text(channel_.get())) return answer;
  end();
  return std::nullopt;
}

}  // namespace kw::search
