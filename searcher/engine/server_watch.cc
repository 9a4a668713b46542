// SPDX-License-Identifier: GPL-2.0-or-later
#include "searcher/engine/server_watch.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/tcp.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <future>
#include <memory>
#include <new>
#include <utility>

#include "schema/base/bounds.h"
#include "schema/base/descriptor.h"
#include "schema/text/text.h"

namespace kw::search {
namespace {

using Clock = std::chrono::steady_clock;

// What has sent less is not why memory ran out: it holds at most some forty times as much.
constexpr std::uint64_t kMuch = 4 << 20;

std::chrono::milliseconds milliseconds(double seconds) {
  return std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000));
}

/// "HOST PORT" in numbers; empty for what is no address of the Internet.
std::string to_numbers(const sockaddr* address, socklen_t size, std::string* host = nullptr) {
  if (address->sa_family != AF_INET && address->sa_family != AF_INET6) return {};
  char name[NI_MAXHOST], service[NI_MAXSERV];
  if (::getnameinfo(address, size, name, sizeof name, service, sizeof service,
                    NI_NUMERICHOST | NI_NUMERICSERV) != 0)
    return {};
  if (host) *host = name;
  return fmt::format("{} {}", name, service);
}

struct Address {
  std::string host;  // in numbers
  std::string name;  // to_numbers()
};

struct Resolved {
  int error = 0;  // of getaddrinfo(3)
  std::vector<Address> addresses;
};

Resolved resolve(const std::string& host, std::uint16_t port, int flags) {
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_NUMERICSERV | flags;
  addrinfo* list = nullptr;
  Resolved resolved;
  resolved.error = ::getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &list);
  if (resolved.error != 0) return resolved;
  for (const addrinfo* at = list; at; at = at->ai_next) {
    Address address;
    address.name = to_numbers(at->ai_addr, at->ai_addrlen, &address.host);
    if (!address.name.empty()) resolved.addresses.push_back(std::move(address));
  }
  ::freeaddrinfo(list);
  return resolved;
}

/// The resolver has timeouts of its own, which are longer. It goes on by itself where it is late.
std::optional<Resolved> resolve_within(const std::string& host, std::uint16_t port,
                                       double seconds) {
  if (auto numbers = resolve(host, port, AI_NUMERICHOST); numbers.error == 0) return numbers;
  auto promise = std::make_shared<std::promise<Resolved>>();
  auto answer = promise->get_future();
  try {
    std::thread([promise, host, port] { promise->set_value(resolve(host, port, 0)); }).detach();
  } catch (const std::system_error&) {  // no more threads
    return resolve(host, port, 0);
  }
  if (answer.wait_for(milliseconds(seconds)) != std::future_status::ready) return std::nullopt;
  return answer.get();
}

std::string about(const DatabaseLocation& place) {
  return fmt::format("cannot open index '{}'", printable(place.name()));
}

Error too_much(const DatabaseLocation& place) {
  return Error{ErrorCode::Unreachable, about(place) + ": it sends too much",
               "see that xapian-tcpsrv answers there, for a folder of kwindex; a larger --timeout "
               "also takes more"};
}

}  // namespace

ServerWatch::ServerWatch(double timeout_seconds)
    : ServerWatch(
          timeout_seconds,
          static_cast<std::uint64_t>(static_cast<double>(kServerBytesASecond) * timeout_seconds)) {}

ServerWatch::ServerWatch(double timeout_seconds, std::uint64_t most_bytes)
    : timeout_seconds_(timeout_seconds),
      most_bytes_(most_bytes),
      end_(Clock::now() + milliseconds(timeout_seconds)),
      thread_([this] { run(); }) {}

ServerWatch::~ServerWatch() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  wakes_.notify_all();
  thread_.join();
}

double ServerWatch::seconds_left() const {
  const std::lock_guard lock(mutex_);
  return std::chrono::duration<double>(end_ - Clock::now()).count();
}

bool ServerWatch::time_is_up() const { return seconds_left() <= 0; }

void ServerWatch::begin_search() {
  const std::lock_guard lock(mutex_);
  state_ = State::Searching;
  end_ = Clock::now() + milliseconds(timeout_seconds_);
  for (Server& server : servers_) server.before = server.received;
  wakes_.notify_all();
}

void ServerWatch::end_search() {
  const std::lock_guard lock(mutex_);
  state_ = State::Idle;
}

Error ServerWatch::too_late(const DatabaseLocation& place) const {
  return Error{
      ErrorCode::Unreachable,
      fmt::format("{}: its server does not answer within {} s", about(place), timeout_seconds_),
      "see that xapian-tcpsrv runs there, or wait longer with: --timeout"};
}

Result<IndexReader> ServerWatch::open(const DatabaseLocation& place) {
  const auto resolved = resolve_within(place.host, place.port, std::max(0.0, seconds_left()));
  if (!resolved) return too_late(place);
  if (resolved->addresses.empty())
    return Error{ErrorCode::Unreachable,
                 fmt::format("{}: its host is not known ({})", about(place),
                             resolved->error ? ::gai_strerror(resolved->error) : "no address"),
                 "see that its name is right"};
  std::optional<Error> failed;
  for (const Address& address : resolved->addresses) {
    if (time_is_up()) break;
    add_address(place, address.name);
    // Connections are cut off when the time is up; Xapian's own timeout is for connecting.
    try {
      auto reader =
          IndexReader::open_remote(place, address.host, std::max(0.0, seconds_left()) + 0.05);
      if (reader) mark_open(place);
      if (reader || reader.error().code != ErrorCode::Unreachable) return reader;
      if (auto fault = fault_of(place)) return *std::move(fault);
      if (!failed) failed = reader.error();
    } catch (const std::bad_alloc&) {  // it announces a message that is larger than the memory
      return too_much(place);
    }
  }
  return time_is_up() || !failed ? too_late(place) : *std::move(failed);
}

std::optional<Error> ServerWatch::fault_of(const DatabaseLocation& place) const {
  const std::lock_guard lock(mutex_);
  const Server* const server = find(place);
  return server && server->floods ? std::optional<Error>(too_much(place)) : std::nullopt;
}

std::optional<Error> ServerWatch::reason_of(const DatabaseLocation& place) const {
  if (auto fault = fault_of(place)) return fault;
  return time_is_up() ? std::optional<Error>(too_late(place)) : std::nullopt;
}

bool ServerWatch::blame_greatest() {
  look_at_connections();
  const std::lock_guard lock(mutex_);
  const auto greatest = std::max_element(
      servers_.begin(), servers_.end(),
      [](const Server& a, const Server& b) { return a.in_search() < b.in_search(); });
  if (greatest == servers_.end() || greatest->in_search() < kMuch) return false;
  greatest->floods = true;
  return true;
}

void ServerWatch::add_address(const DatabaseLocation& place, const std::string& address) {
  const std::lock_guard lock(mutex_);
  Server* server = find(place);
  if (!server) {
    server = &servers_.emplace_back();
    by_name_[place.name()] = server;
  }
  by_address_.emplace(address, server);
}

ServerWatch::Server* ServerWatch::find(const DatabaseLocation& place) const {
  const auto at = by_name_.find(place.name());
  return at == by_name_.end() ? nullptr : at->second;
}

void ServerWatch::mark_open(const DatabaseLocation& place) {
  const std::lock_guard lock(mutex_);
  if (Server* const server = find(place)) server->is_open = true;
}

void ServerWatch::run() {
  std::unique_lock lock(mutex_);
  while (!ended_) {
    if (state_ == State::Idle) {
      wakes_.wait(lock, [this] { return ended_ || state_ != State::Idle; });
      continue;
    }
    // A look takes some microseconds a connection.
    const auto pause = std::chrono::microseconds(20'000 + 100 * servers_.size());
    wakes_.wait_for(lock, pause, [this] { return ended_; });
    if (ended_) break;
    lock.unlock();
    try {
      look_at_connections();
    } catch (const std::bad_alloc&) {
      // Whoever took the memory has none for more, either: that search ends by itself.
    }
    lock.lock();
  }
}

/// Xapian does not say which descriptors are its connections: they are those to the addresses.
void ServerWatch::look_at_connections() {
  std::error_code error;
  std::filesystem::directory_iterator entry("/proc/self/fd", error), end;
  for (; !error && entry != end; entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    int number = -1;
    std::from_chars(name.data(), name.data() + name.size(), number);
    // A copy, since Xapian may close its own at any time.
    const Descriptor fd(::fcntl(number, F_DUPFD_CLOEXEC, 3));
    sockaddr_storage storage{};
    socklen_t size = sizeof storage;
    auto* const address = reinterpret_cast<sockaddr*>(&storage);
    if (fd.get() >= 0 && ::getpeername(fd.get(), address, &size) == 0)
      look_at(fd.get(), to_numbers(address, size));
  }
}

void ServerWatch::look_at(int fd, const std::string& address) {
  tcp_info info{};
  socklen_t size = sizeof info;
  if (::getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &size) != 0) return;
  const std::lock_guard lock(mutex_);
  const auto [begin, end] = by_address_.equal_range(address);
  for (auto at = begin; at != end; ++at) {
    Server& server = *at->second;
    server.received = std::max<std::uint64_t>(server.received, info.tcpi_bytes_received);
    if (server.in_search() > most_bytes_) server.floods = true;
    const bool is_waited_for =
        state_ == State::Searching || (state_ == State::Opening && !server.is_open);
    if (server.floods || (is_waited_for && Clock::now() >= end_)) ::shutdown(fd, SHUT_RDWR);
  }
}

}  // namespace kw::search
