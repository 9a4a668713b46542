// SPDX-License-Identifier: GPL-2.0-or-later
// Proxies before servers of one search that let it go on only when all of them have been asked: who
// asks one after the other waits for ever. So what is counted does not depend on time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace kw::test {

class LockstepProxies {
 public:
  /// One for each server behind these ports of this machine.
  explicit LockstepProxies(const std::vector<std::uint16_t>& ports);
  LockstepProxies(const LockstepProxies&) = delete;
  LockstepProxies& operator=(const LockstepProxies&) = delete;
  ~LockstepProxies();

  /// Of the proxies, in the order of the servers.
  const std::vector<std::uint16_t>& ports() const { return own_ports_; }

  struct Counts {
    /// How often all were asked: for terms, or for what a query finds. Requests are held back until
    /// there is one for each server.
    std::size_t rounds = 0;
    /// Most requests of one server for what only some have: documents, other files of a group, and
    /// metadata. They are passed on at once.
    std::size_t others = 0;
    std::size_t connections = 0;  ///< to the server that was opened most often
  };
  Counts counts() const;
  /// Counts from 0 again.
  void reset();

 private:
  struct Pair;
  void serve();
  bool take_requests(Pair& pair);
  void release_if_all_wait();

  std::vector<std::uint16_t> own_ports_;
  std::vector<std::unique_ptr<Pair>> pairs_;
  int stop_[2] = {-1, -1};  // a pipe: closed at the end
  mutable std::mutex mutex_;
  std::size_t rounds_ = 0;
  std::thread thread_;
};

}  // namespace kw::test
