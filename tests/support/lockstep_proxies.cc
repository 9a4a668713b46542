// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/support/lockstep_proxies.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <stdexcept>
#include <string_view>

#include "tests/support/served_index.h"
#include "tools/remote_message.h"

namespace kw::test {
namespace {

void send_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (n <= 0) return;
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
}

void send_at_once(int fd) {
  const int on = 1;
  ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

}  // namespace

struct LockstepProxies::Pair {
  std::uint16_t server_port = 0;
  int listener = -1, client = -1, server = -1;
  std::string received;      // of the client
  std::string held;          // a request that waits for the others
  bool is_of_group = false;  // the last query was for the other files of a group
  std::size_t others = 0, connections = 0;

  void close() {
    if (client >= 0) ::close(client);
    if (server >= 0) ::close(server);
    client = server = -1;
    received.clear();
    held.clear();
  }

  void accept() {
    const int fd = ::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
    if (fd < 0) return;
    close();  // whoever opens anew
    client = fd;
    ++connections;
    server = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(server_port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (::connect(server, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
      throw std::runtime_error("the server is gone");
    send_at_once(client);
    send_at_once(server);
  }
};

LockstepProxies::LockstepProxies(const std::vector<std::uint16_t>& ports) {
  for (const std::uint16_t port : ports) {
    auto pair = std::make_unique<Pair>();
    pair->server_port = port;
    std::uint16_t own = 0;
    pair->listener = listen_anywhere(own);
    own_ports_.push_back(own);
    pairs_.push_back(std::move(pair));
  }
  if (::pipe2(stop_, O_CLOEXEC) != 0) throw std::runtime_error("no proxy");
  thread_ = std::thread([this] { serve(); });
}

LockstepProxies::~LockstepProxies() {
  ::close(stop_[1]);
  thread_.join();
  ::close(stop_[0]);
  for (const auto& pair : pairs_) {
    pair->close();
    ::close(pair->listener);
  }
}

LockstepProxies::Counts LockstepProxies::counts() const {
  const std::lock_guard lock(mutex_);
  Counts counts;
  counts.rounds = rounds_;
  for (const auto& pair : pairs_) {
    counts.others = std::max(counts.others, pair->others);
    counts.connections = std::max(counts.connections, pair->connections);
  }
  return counts;
}

void LockstepProxies::reset() {
  const std::lock_guard lock(mutex_);
  rounds_ = 0;
  for (const auto& pair : pairs_) pair->others = pair->connections = 0;
}

void LockstepProxies::serve() {
  for (;;) {
    std::vector<pollfd> waits{{stop_[0], 0, 0}};
    for (const auto& pair : pairs_)
      for (const int fd : {pair->listener, pair->client, pair->server})
        waits.push_back({fd, POLLIN, 0});
    ::poll(waits.data(), waits.size(), -1);
    if (waits[0].revents) return;
    const std::lock_guard lock(mutex_);
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      Pair& pair = *pairs_[i];
      const pollfd* const of = &waits[1 + 3 * i];
      char buffer[65536];
      if (of[2].revents && of[2].fd >= 0) {
        const ssize_t n = ::recv(pair.server, buffer, sizeof buffer, 0);
        if (n <= 0) {
          pair.close();
          continue;
        }
        send_all(pair.client, {buffer, static_cast<std::size_t>(n)});
      }
      if (of[1].revents && of[1].fd >= 0 && !take_requests(pair)) pair.close();
      if (of[0].revents) pair.accept();
    }
    release_if_all_wait();
  }
}

/// False at the end of a connection.
bool LockstepProxies::take_requests(Pair& pair) {
  char buffer[65536];
  const ssize_t n = ::recv(pair.client, buffer, sizeof buffer, 0);
  if (n <= 0) return false;
  pair.received.append(buffer, static_cast<std::size_t>(n));
  while (const std::size_t size = remote::first_message(pair.received)) {
    const std::string request = pair.received.substr(0, size);
    pair.received.erase(0, size);
    const auto type = static_cast<unsigned char>(request[0]);
    // The other files of a group are not weighed, and asked for where the group is.
    if (type == remote::kQuery) pair.is_of_group = request.find("BoolWeight") != request.npos;
    const bool is_of_all =
        type == remote::kAllTerms || type == remote::kTermExists ||
        type == remote::kTermFrequency || type == remote::kFrequencies ||
        ((type == remote::kQuery || type == remote::kResults) && !pair.is_of_group);
    if (is_of_all) {
      pair.held += request;
    } else {
      ++pair.others;
      send_all(pair.server, request);
    }
  }
  return true;
}

void LockstepProxies::release_if_all_wait() {
  if (std::any_of(pairs_.begin(), pairs_.end(),
                  [](const auto& pair) { return pair->held.empty(); }))
    return;
  ++rounds_;
  for (const auto& pair : pairs_) {
    send_all(pair->server, pair->held);
    pair->held.clear();
  }
}

}  // namespace kw::test
