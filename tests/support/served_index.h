// SPDX-License-Identifier: GPL-2.0-or-later
// An index behind xapian-tcpsrv on a free port of this machine, and a proxy that breaks what such a
// server says at a chosen byte.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>

namespace kw::test {

/// A port of this machine that nobody listens on, a moment ago.
std::uint16_t free_port();

/// A socket that listens on a free port of this machine; which one. Throws if there is none.
int listen_anywhere(std::uint16_t& port);

/// One xapian-tcpsrv, with the processes that it starts; ended with this.
class ServedIndex {
 public:
  /// Returns when the server listens. Throws if it does not.
  explicit ServedIndex(const std::string& folder);
  ServedIndex(const ServedIndex&) = delete;
  ServedIndex& operator=(const ServedIndex&) = delete;
  ~ServedIndex();

  std::uint16_t port() const { return port_; }
  /// "127.0.0.1:PORT"
  std::string name() const { return "127.0.0.1:" + std::to_string(port_); }

  /// As a machine does that loses its power: SIGKILL to all its processes.
  void kill();
  /// It takes connections, and says nothing: SIGSTOP to all its processes.
  void stop();
  /// Goes on after stop().
  void resume();

 private:
  pid_t group_ = -1;
  std::uint16_t port_ = 0;
  int out_ = -1;  // what it says; kept open, for it would die of writing to nobody
};

/// A server that says what another says, up to a byte.
class BreakingProxy {
 public:
  /// Drip: a byte now and then. Giant: a message of 512 MiB. Flood: once the client asks for a
  /// list of terms, the first of them again and again, for ever.
  enum class Then { Close, Silence, Garbage, Drip, Giant, Flood };

  /// Of each connection the first `bytes` that the server behind `port` says are passed on; then
  /// the proxy does something else. Port 0: nobody is behind it.
  BreakingProxy(std::uint16_t port, std::size_t bytes, Then then);
  BreakingProxy(const BreakingProxy&) = delete;
  BreakingProxy& operator=(const BreakingProxy&) = delete;
  ~BreakingProxy();

  std::uint16_t port() const { return own_port_; }
  std::string name() const { return "127.0.0.1:" + std::to_string(own_port_); }
  /// What was passed on by the connection that had most.
  std::size_t passed() const { return passed_; }
  /// What was passed on by the first connection.
  std::string said() const;

 private:
  void serve();
  void serve_one(int client, bool is_first);
  void flood(int client, int server);
  void repeat(int client, const std::string& bytes);

  const std::uint16_t port_;
  const std::size_t bytes_;
  const Then then_;
  int listener_ = -1;
  int stop_[2] = {-1, -1};  // a pipe: closed at the end
  std::uint16_t own_port_ = 0;
  std::atomic<std::size_t> passed_ = 0;
  mutable std::mutex mutex_;
  std::string said_;
  std::thread thread_;
};

}  // namespace kw::test
