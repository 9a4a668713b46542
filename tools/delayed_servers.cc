// SPDX-License-Identifier: GPL-2.0-or-later
// Serves many indexes on the loopback interface as far-off machines would: each reply is sent a
// round trip after its request was read. One process does it, so that a thousand servers and the
// client fit on one machine.
//
//   delayed_servers [--delay MICROSECONDS] [--seconds MOST] FOLDER...
//
// What it replies is what xapian-progsrv replies for that folder, of which one runs for each. It is
// asked once for each request, and its reply is kept: the cores of this machine then do the work of
// the client, and not that of a thousand servers beside it. Prints one "remote HOST:PORT" line for
// each folder, then "ready". A line "report" on standard input is answered by a line of JSON on
// what came since the last one:
//
//   connections, requests, bytes (of replies), asked (replies that were not known yet), and
//   in_sequence: the longest chain of requests of which each was read after the one before it was
//   answered. It is what the client waits for, in round trips.
//
// Ends at the end of standard input, or after --seconds (600).
#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tools/remote_message.h"

namespace {

using namespace kw;
using Clock = std::chrono::steady_clock;

/// xapian-progsrv for one folder.
class Program {
 public:
  explicit Program(const std::string& folder) {
    int in[2], out[2];
    if (::pipe2(in, O_CLOEXEC) != 0 || ::pipe2(out, O_CLOEXEC) != 0)
      throw std::runtime_error("no pipe");
    process_ = ::fork();
    if (process_ < 0) throw std::runtime_error("no process");
    if (process_ == 0) {
      ::dup2(in[0], 0);
      ::dup2(out[1], 1);
      ::execlp("xapian-progsrv", "xapian-progsrv", "--timeout=3600000", folder.c_str(),
               static_cast<char*>(nullptr));
      ::_exit(127);
    }
    ::close(in[0]);
    ::close(out[1]);
    to_ = in[1];
    from_ = out[0];
    greeting_ = read_reply(0);
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  ~Program() {
    ::close(to_);
    ::close(from_);
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
  }

  const std::string& greeting() const { return greeting_; }
  /// The query whose results are waited for; it takes nothing else in between.
  const std::string& pending() const { return pending_; }

  std::string ask(const std::string& request) {
    for (std::size_t done = 0; done < request.size();) {
      const ssize_t n = ::write(to_, request.data() + done, request.size() - done);
      if (n <= 0) throw std::runtime_error("xapian-progsrv has ended");
      done += static_cast<std::size_t>(n);
    }
    const auto type = static_cast<unsigned char>(request[0]);
    pending_ = type == remote::kQuery ? request : std::string();
    return read_reply(type);
  }

 private:
  std::string read_reply(unsigned char request) const {
    std::string reply;
    for (std::size_t begin = 0;;) {
      std::size_t size = 0;
      while ((size = remote::first_message(std::string_view(reply).substr(begin))) == 0) {
        char buffer[65536];
        const ssize_t n = ::read(from_, buffer, sizeof buffer);
        if (n <= 0) throw std::runtime_error("xapian-progsrv does not answer");
        reply.append(buffer, static_cast<std::size_t>(n));
      }
      const auto type = static_cast<unsigned char>(reply[begin]);
      begin += size;
      if (!remote::is_continued(request, type)) return reply;
    }
  }

  pid_t process_ = -1;
  int to_ = -1, from_ = -1;
  std::string greeting_, pending_;
};

struct Counts {
  std::size_t connections = 0, requests = 0, bytes = 0, asked = 0, in_sequence = 0;
  Clock::time_point last_answered;
};

/// One folder and what is known of it.
struct Part {
  std::string folder;
  int listener = -1;
  std::unique_ptr<Program> program;
  std::string greeting;
  std::unordered_map<std::string, std::string> replies;  // by request
};

struct Connection {
  int fd = -1;
  Part* part = nullptr;
  std::string received;
  std::string query;  // the last; what is asked for its results means no other
};

struct Answer {
  int fd = -1;
  std::uint64_t connection = 0;
  const std::string* bytes = nullptr;
  Clock::time_point read_at;
};

class Servers {
 public:
  explicit Servers(std::chrono::microseconds delay)
      : delay_(delay), epoll_(::epoll_create1(EPOLL_CLOEXEC)) {
    if (epoll_ < 0) throw std::runtime_error("no epoll");
  }

  void add(const std::string& folder) {
    auto part = std::make_unique<Part>();
    part->folder = folder;
    part->greeting = program(*part).greeting();
    part->listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* const any = reinterpret_cast<sockaddr*>(&address);
    if (part->listener < 0 || ::bind(part->listener, any, size) != 0 ||
        ::listen(part->listener, 64) != 0 || ::getsockname(part->listener, any, &size) != 0)
      throw std::runtime_error("no port");
    watch(part->listener);
    fmt::print("remote 127.0.0.1:{}\n", ntohs(address.sin_port));
    listeners_[part->listener] = part.get();
    parts_.push_back(std::move(part));
  }

  /// Until standard input ends, or the time is up.
  void run(Clock::time_point end) {
    watch(0);
    while (Clock::now() < end) {
      epoll_event events[256];
      const int count = wait(events, std::size(events), end);
      for (int i = 0; i < count; ++i) {
        const int fd = events[i].data.fd;
        if (fd == 0) {
          if (!take_command()) return;
        } else if (const auto at = listeners_.find(fd); at != listeners_.end()) {
          accept_all(*at->second);
        } else {
          take(fd);
        }
      }
      send_due();
    }
  }

 private:
  void watch(int fd) const {
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.fd = fd;
    if (::epoll_ctl(epoll_, EPOLL_CTL_ADD, fd, &event) != 0) throw std::runtime_error("no epoll");
  }

  int wait(epoll_event* events, std::size_t most, Clock::time_point end) const {
    const auto until = due_.empty() ? end : due_.begin()->first;
    const auto left =
        std::max(std::chrono::nanoseconds(0),
                 std::chrono::duration_cast<std::chrono::nanoseconds>(until - Clock::now()));
    const timespec time{left.count() / 1'000'000'000, left.count() % 1'000'000'000};
    return ::epoll_pwait2(epoll_, events, static_cast<int>(most), &time, nullptr);
  }

  /// False at the end of standard input.
  bool take_command() {
    char buffer[256];
    const ssize_t n = ::read(0, buffer, sizeof buffer);
    if (n <= 0) return false;
    fmt::print(
        "{{\"connections\": {}, \"requests\": {}, \"in_sequence\": {}, \"bytes\": {}, "
        "\"asked\": {}}}\n",
        counts_.connections, counts_.requests, counts_.in_sequence, counts_.bytes, counts_.asked);
    std::fflush(stdout);
    counts_ = {};
    return true;
  }

  void accept_all(Part& part) {
    for (;;) {
      const int fd = ::accept4(part.listener, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
      if (fd < 0) return;
      const int on = 1;
      ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
      watch(fd);
      connections_[fd] = {fd, &part, {}, {}};
      numbers_[fd] = ++last_number_;
      ++counts_.connections;
      // The handshake of TCP takes one round trip, and the greeting comes half of one after its
      // end.
      answer(fd, part.greeting, 2 * delay_);
    }
  }

  void take(int fd) {
    const auto at = connections_.find(fd);
    if (at == connections_.end()) return;
    Connection& connection = at->second;
    char buffer[65536];
    const ssize_t n = ::read(fd, buffer, sizeof buffer);
    if (n <= 0) {
      if (n == 0 || errno != EAGAIN) close(fd);
      return;
    }
    connection.received.append(buffer, static_cast<std::size_t>(n));
    while (const std::size_t size = remote::first_message(connection.received)) {
      const std::string request = connection.received.substr(0, size);
      connection.received.erase(0, size);
      const auto type = static_cast<unsigned char>(request[0]);
      if (type == remote::kShutdown) return close(fd);
      if (type == remote::kQuery) connection.query = request;
      answer(fd, reply_to(connection, request), delay_);
    }
  }

  void close(int fd) {
    ::close(fd);
    connections_.erase(fd);
    numbers_.erase(fd);
  }

  const std::string& reply_to(const Connection& connection, const std::string& request) {
    Part& part = *connection.part;
    const bool wants_results = static_cast<unsigned char>(request[0]) == remote::kResults;
    const std::string key = wants_results ? connection.query + request : request;
    const auto [at, added] = part.replies.try_emplace(key);
    if (!added) return at->second;
    ++counts_.asked;
    if (part.program && !part.program->pending().empty() &&
        !(wants_results && part.program->pending() == connection.query))
      part.program.reset();
    Program& asked = program(part);
    if (wants_results && asked.pending().empty()) asked.ask(connection.query);
    at->second = asked.ask(request);
    return at->second;
  }

  static Program& program(Part& part) {
    if (!part.program) part.program = std::make_unique<Program>(part.folder);
    return *part.program;
  }

  void answer(int fd, const std::string& bytes, std::chrono::microseconds delay) {
    const auto now = Clock::now();
    due_.emplace(now + delay, Answer{fd, numbers_[fd], &bytes, now});
  }

  void send_due() {
    while (!due_.empty() && due_.begin()->first <= Clock::now()) {
      const Answer answer = due_.begin()->second;
      due_.erase(due_.begin());
      const auto number = numbers_.find(answer.fd);
      if (number == numbers_.end() || number->second != answer.connection) continue;
      if (answer.read_at >= counts_.last_answered) {
        ++counts_.in_sequence;
        counts_.last_answered = Clock::now();
      }
      ++counts_.requests;
      counts_.bytes += answer.bytes->size();
      for (std::size_t done = 0; done < answer.bytes->size();) {
        const ssize_t n = ::send(answer.fd, answer.bytes->data() + done,
                                 answer.bytes->size() - done, MSG_NOSIGNAL);
        if (n > 0)
          done += static_cast<std::size_t>(n);
        else if (errno != EAGAIN)
          break;
      }
    }
  }

  const std::chrono::microseconds delay_;
  const int epoll_;
  std::vector<std::unique_ptr<Part>> parts_;
  std::map<int, Part*> listeners_;
  std::unordered_map<int, Connection> connections_;
  std::unordered_map<int, std::uint64_t> numbers_;  // of connections, by descriptor
  std::uint64_t last_number_ = 0;
  std::multimap<Clock::time_point, Answer> due_;
  Counts counts_;
};

int serve(int argc, char** argv) {
  std::chrono::microseconds delay(200);
  std::chrono::seconds most(600);
  std::vector<std::string> folders;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--delay" && i + 1 < argc)
      delay = std::chrono::microseconds(std::strtol(argv[++i], nullptr, 10));
    else if (word == "--seconds" && i + 1 < argc)
      most = std::chrono::seconds(std::strtol(argv[++i], nullptr, 10));
    else
      folders.emplace_back(word);
  }
  if (folders.empty() || folders[0].starts_with("-")) {
    std::cerr << "usage: delayed_servers [--delay MICROSECONDS] [--seconds MOST] FOLDER...\n";
    return 2;
  }
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) == 0) {
    limit.rlim_cur = limit.rlim_max;
    ::setrlimit(RLIMIT_NOFILE, &limit);
  }
  ::signal(SIGPIPE, SIG_IGN);
  ::prctl(PR_SET_TIMERSLACK, 1);
  Servers servers(delay);
  for (const std::string& folder : folders) servers.add(folder);
  fmt::print("ready\n");
  std::fflush(stdout);
  servers.run(Clock::now() + most);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return serve(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << "delayed_servers: " << error.what() << '\n';
    return 1;
  }
}
