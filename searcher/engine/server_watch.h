// SPDX-License-Identifier: GPL-2.0-or-later
// The connections to the servers of one search. Xapian waits for each reply by itself, however many
// come, and takes whatever it is sent. So a thread of its own watches the connections, and cuts off
// a server that sends too much, and all of them when the time of the search is up: Xapian then
// reports a network error.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <list>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

#include "schema/base/result.h"
#include "schema/index/database_location.h"
#include "schema/index/index_reader.h"

namespace kw::search {

/// Any thread may call all of it.
class ServerWatch {
 public:
  /// The time to open servers runs from here. `timeout_seconds` also bounds what each server may
  /// send: kServerBytesASecond.
  explicit ServerWatch(double timeout_seconds);
  /// Each server may send `most_bytes`.
  ServerWatch(double timeout_seconds, std::uint64_t most_bytes);
  ServerWatch(const ServerWatch&) = delete;
  ServerWatch& operator=(const ServerWatch&) = delete;
  ~ServerWatch();

  /// The index that a server has. Its host is resolved, and its addresses are tried in turn, in the
  /// time that is left. Unreachable: no address answers, or too late, or with too much.
  Result<IndexReader> open(const DatabaseLocation& place);

  /// All that can be opened is: the time to search them, as much once more, runs from here, and
  /// what they may send is counted from here.
  void begin_search();
  /// Nothing is asked until the next search: no time is up.
  void end_search();

  bool time_is_up() const;

  /// Why a server is not to be asked again: it sent too much. nullopt: it did not, or is unknown.
  std::optional<Error> fault_of(const DatabaseLocation& place) const;
  /// The same, or that its time is up.
  std::optional<Error> reason_of(const DatabaseLocation& place) const;

  /// Memory ran out: blames the server that has sent most. False if none has sent much.
  bool blame_greatest();

 private:
  struct Server {
    std::uint64_t received = 0;  // by the connection that had most, in this search
    std::uint64_t before = 0;    // what it had received before
    bool is_open = false;
    bool floods = false;

    std::uint64_t in_search() const { return received - before; }
  };

  double seconds_left() const;
  Server* find(const DatabaseLocation& place) const;
  void mark_open(const DatabaseLocation& place);
  Error too_late(const DatabaseLocation& place) const;
  void add_address(const DatabaseLocation& place, const std::string& address);
  void run();
  void look_at_connections();
  void look_at(int fd, const std::string& address);

  const double timeout_seconds_;
  const std::uint64_t most_bytes_;
  mutable std::mutex mutex_;
  std::chrono::steady_clock::time_point end_;
  enum class State { Opening, Searching, Idle } state_ = State::Opening;
  std::list<Server> servers_;
  std::unordered_map<std::string, Server*> by_name_;  // of its place
  std::unordered_multimap<std::string, Server*> by_address_;
  bool ended_ = false;
  std::condition_variable wakes_;
  std::thread thread_;
};

}  // namespace kw::search
