// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/support/served_index.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <vector>

namespace kw::test {
namespace {

sockaddr_in loopback(std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

/// Small messages are not held back: each way would wait forty milliseconds for the other.
void send_at_once(int fd) {
  const int on = 1;
  ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

/// A socket on a free port; which one.
int bind_anywhere(std::uint16_t& port) {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address = loopback(0);
  socklen_t size = sizeof address;
  if (fd < 0 || ::bind(fd, reinterpret_cast<sockaddr*>(&address), size) != 0 ||
      ::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) != 0)
    throw std::runtime_error("no free port");
  port = ntohs(address.sin_port);
  return fd;
}

/// Starts a server in a process group of its own: it kills its whole group when it is told to end.
/// False if somebody was quicker to take the port.
bool start(const std::string& folder, std::uint16_t port, pid_t& group, int& output) {
  int out[2];
  if (::pipe2(out, O_CLOEXEC) != 0) throw std::runtime_error("pipe failed");
  const std::string number = std::to_string(port);
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("fork failed");
  if (child == 0) {
    ::setpgid(0, 0);
    ::dup2(out[1], 1);
    ::dup2(out[1], 2);
    ::execlp("xapian-tcpsrv", "xapian-tcpsrv", "--interface", "127.0.0.1", "--port", number.c_str(),
             folder.c_str(), static_cast<char*>(nullptr));
    ::_exit(127);
  }
  ::setpgid(child, child);
  ::close(out[1]);
  // "Listening..." comes when it does; else the end.
  std::string said;
  pollfd waits{out[0], POLLIN, 0};
  char buffer[4096];
  while (said.find("Listening") == std::string::npos && ::poll(&waits, 1, 20'000) == 1) {
    const ssize_t n = ::read(out[0], buffer, sizeof buffer);
    if (n <= 0) break;
    said.append(buffer, static_cast<std::size_t>(n));
  }
  group = child;
  output = out[0];
  if (said.find("Listening") != std::string::npos) return true;
  ::close(out[0]);
  ::kill(-child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  if (said.find("in use") == std::string::npos)
    throw std::runtime_error("xapian-tcpsrv does not start: " + said);
  return false;
}

}  // namespace

std::uint16_t free_port() {
  std::uint16_t port = 0;
  ::close(bind_anywhere(port));
  return port;
}

int listen_anywhere(std::uint16_t& port) {
  const int fd = bind_anywhere(port);
  if (::listen(fd, 16) != 0) throw std::runtime_error("no free port");
  return fd;
}

ServedIndex::ServedIndex(const std::string& folder) {
  for (int tries = 0; tries < 20; ++tries) {
    port_ = free_port();
    if (start(folder, port_, group_, out_)) return;
  }
  throw std::runtime_error("no port for xapian-tcpsrv");
}

ServedIndex::~ServedIndex() { kill(); }

void ServedIndex::kill() {
  if (group_ <= 0) return;
  ::kill(-group_, SIGKILL);
  ::waitpid(group_, nullptr, 0);
  ::close(out_);
  group_ = -1;
}

void ServedIndex::stop() {
  ::kill(-group_, SIGSTOP);
  int status = 0;
  ::waitpid(group_, &status, WUNTRACED);
}

void ServedIndex::resume() { ::kill(-group_, SIGCONT); }

BreakingProxy::BreakingProxy(std::uint16_t port, std::size_t bytes, Then then)
    : port_(port), bytes_(bytes), then_(then) {
  listener_ = listen_anywhere(own_port_);
  if (::pipe2(stop_, O_CLOEXEC) != 0) throw std::runtime_error("no proxy");
  thread_ = std::thread([this] { serve(); });
}

BreakingProxy::~BreakingProxy() {
  ::close(stop_[1]);
  thread_.join();
  ::close(stop_[0]);
  ::close(listener_);
}

void BreakingProxy::serve() {
  std::vector<std::thread> connections;
  for (;;) {
    pollfd waits[] = {{listener_, POLLIN, 0}, {stop_[0], 0, 0}};
    ::poll(waits, 2, -1);
    if (waits[1].revents) break;
    const int client = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (client < 0) continue;
    const bool is_first = connections.empty();
    connections.emplace_back([this, client, is_first] { serve_one(client, is_first); });
  }
  for (std::thread& connection : connections) connection.join();
}

std::string BreakingProxy::said() const {
  const std::lock_guard lock(mutex_);
  return said_;
}

void BreakingProxy::serve_one(int client, bool is_first) {
  int server = -1;
  if (port_ != 0) {
    server = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const sockaddr_in address = loopback(port_);
    if (::connect(server, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
      throw std::runtime_error("the server is gone");
    send_at_once(server);
  }
  send_at_once(client);
  std::size_t left = bytes_;
  bool flooding = false;
  char buffer[65536];
  bool broken = left == 0;
  while (!broken) {
    pollfd waits[] = {{client, POLLIN, 0}, {server, POLLIN, 0}, {stop_[0], 0, 0}};
    ::poll(waits, 3, -1);
    if (waits[2].revents) break;
    if (waits[0].revents) {
      const ssize_t n = ::recv(client, buffer, sizeof buffer, 0);
      if (n <= 0) break;
      ::send(server, buffer, static_cast<std::size_t>(n), MSG_NOSIGNAL);
      flooding = then_ == Then::Flood && buffer[0] == 0;  // MSG_ALLTERMS of Xapian's protocol
      if (flooding) break;
    }
    if (waits[1].revents) {
      const ssize_t n = ::recv(server, buffer, std::min(left, sizeof buffer), 0);
      if (n <= 0) break;
      left -= static_cast<std::size_t>(n);
      passed_ = std::max<std::size_t>(passed_, bytes_ - left);
      broken = left == 0;
      if (is_first) {
        const std::lock_guard lock(mutex_);
        said_.append(buffer, static_cast<std::size_t>(n));
      }
      ::send(client, buffer, static_cast<std::size_t>(n), MSG_NOSIGNAL);
    }
  }
  if (flooding) flood(client, server);
  if (broken && then_ == Then::Giant) {
    std::string announced =
        "\x02\xff";  // its length less 255 follows, 7 bits a byte, the last marked
    for (std::uint32_t rest = (512u << 20) - 255; rest; rest >>= 7)
      announced += static_cast<char>((rest & 0x7f) | (rest < 0x80 ? 0x80 : 0));
    ::send(client, announced.data(), announced.size(), MSG_NOSIGNAL);
    repeat(client, std::string(sizeof buffer, 'x'));
  }
  if (broken && then_ == Then::Garbage) {
    const std::string garbage = "HTTP/1.1 400 Bad Request\r\n\r\n" + std::string(400, '\xff');
    ::send(client, garbage.data(), garbage.size(), MSG_NOSIGNAL);
  }
  if (broken && then_ == Then::Drip) {
    pollfd waits[] = {{client, POLLRDHUP, 0}, {stop_[0], 0, 0}};
    while (::poll(waits, 2, 100) == 0)
      if (::recv(server, buffer, 1, MSG_DONTWAIT) == 1) ::send(client, buffer, 1, MSG_NOSIGNAL);
  }
  if (broken && then_ != Then::Close) {
    // Until the client gives up, or the test ends.
    pollfd waits[] = {{client, POLLIN | POLLRDHUP, 0}, {stop_[0], 0, 0}};
    while (::poll(waits, 2, -1) > 0 && !waits[1].revents &&
           ::recv(client, buffer, sizeof buffer, MSG_DONTWAIT) != 0)
      waits[0].revents = 0;
  }
  ::close(client);
  if (server >= 0) ::close(server);
}

/// Passes on the first message of an answer, and then again and again. What is left of the client's
/// question may still come.
void BreakingProxy::flood(int client, int server) {
  std::string answer;  // the type of its first message, its length in a byte, and so much more
  char buffer[65536];
  const auto is_whole = [&answer] {
    return answer.size() >= 2 && answer.size() >= 2u + static_cast<unsigned char>(answer[1]);
  };
  while (!is_whole()) {
    pollfd waits[] = {{client, POLLIN, 0}, {server, POLLIN, 0}, {stop_[0], 0, 0}};
    ::poll(waits, 3, -1);
    if (waits[2].revents) return;
    if (waits[0].revents) {
      const ssize_t n = ::recv(client, buffer, sizeof buffer, 0);
      if (n <= 0) return;
      ::send(server, buffer, static_cast<std::size_t>(n), MSG_NOSIGNAL);
    }
    if (waits[1].revents) {
      const ssize_t n = ::recv(server, buffer, sizeof buffer, 0);
      if (n <= 0) return;
      answer.append(buffer, static_cast<std::size_t>(n));
    }
  }
  answer.resize(2u + static_cast<unsigned char>(answer[1]));
  std::string many;
  while (many.size() < 65536) many += answer;
  repeat(client, many);
}

/// Until the client closes, or the test ends.
void BreakingProxy::repeat(int client, const std::string& bytes) {
  pollfd waits[] = {{client, POLLOUT, 0}, {stop_[0], 0, 0}};
  for (std::size_t sent = 0; ::poll(waits, 2, -1) > 0 && !waits[1].revents;) {
    const ssize_t n =
        ::send(client, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n < 0 && errno != EAGAIN) return;
    if (n > 0) sent = (sent + static_cast<std::size_t>(n)) % bytes.size();
  }
}

}  // namespace kw::test
