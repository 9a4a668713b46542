// SPDX-License-Identifier: GPL-2.0-or-later
#include "indexer/extract/ctags_child.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>

#include "schema/base/bounds.h"

namespace kw::indexer {
namespace {

constexpr std::size_t kFirstBufferBytes = 256u << 10;
// How often the time for an answer is given again to a child that the machine does not let run.
constexpr int kMostDeadlines = 12;

/// Where memory runs out, this process ends before others: a file loses its definitions then, and
/// not the run its work.
void end_first() {
  const int file = ::open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  [[maybe_unused]] const ssize_t n = ::write(file, "1000", 4);  // without it, it ends as others do
  ::close(file);
}

/// In the child, between fork and exec: only what is safe in a process that had threads.
[[noreturn]] void become(char* const* arguments, int socket, int status, pid_t parent) {
  ::setpgid(0, 0);  // so that what it starts can be killed with it
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(127);  // it died before the line above
  const rlimit memory{kMaxCtagsMemory, kMaxCtagsMemory}, no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  end_first();
  // Out of the way of 0 to 2, which may be what socketpair gave us.
  socket = ::fcntl(socket, F_DUPFD_CLOEXEC, 3);
  status = ::fcntl(status, F_DUPFD_CLOEXEC, 3);
  const int null = ::fcntl(::open("/dev/null", O_WRONLY | O_CLOEXEC), F_DUPFD_CLOEXEC, 3);
  const bool is_ready = ::dup2(socket, 0) == 0 && ::dup2(socket, 1) == 1 && ::dup2(null, 2) == 2;
  ::setrlimit(RLIMIT_AS, &memory);  // a thread sanitizer has more than that until exec
  if (is_ready) ::execvp(arguments[0], arguments);
  const int reason = errno;
  [[maybe_unused]] const ssize_t sent = ::write(status, &reason, sizeof reason);
  ::_exit(127);
}

/// Waits for exec: 0 if it went well, else its errno.
int exec_error(int status) {
  int reason = 0;
  ssize_t n;
  do n = ::read(status, &reason, sizeof reason);
  while (n < 0 && errno == EINTR);
  return n == static_cast<ssize_t>(sizeof reason) ? reason : 0;
}

/// Processor time that a process has had since it began.
std::chrono::nanoseconds processor_time(pid_t process) {
  clockid_t clock;
  timespec used{};
  if (::clock_getcpuclockid(process, &clock) != 0 || ::clock_gettime(clock, &used) != 0) return {};
  return std::chrono::seconds(used.tv_sec) + std::chrono::nanoseconds(used.tv_nsec);
}

/// True if a process runs, or would if the machine let it.
bool wants_processor(pid_t process) {
  const int stat = ::open(fmt::format("/proc/{}/stat", process).c_str(), O_RDONLY | O_CLOEXEC);
  if (stat < 0) return false;
  char line[512];
  const ssize_t n = ::read(stat, line, sizeof line);
  ::close(stat);
  // "PID (name) S": the name may hold anything but ends with the last bracket.
  const std::string_view text(line, n > 0 ? static_cast<std::size_t>(n) : 0);
  const std::size_t state = text.rfind(')');
  return state != std::string_view::npos && state + 2 < text.size() &&
         (text[state + 2] == 'R' || text[state + 2] == 'D');
}

}  // namespace

Result<CtagsChild> CtagsChild::spawn(const std::vector<std::string>& command) {
  const auto failed = [&](ErrorCode code, int reason) {
    return Error{
        code, fmt::format("cannot run '{}': {}", command.front(), std::strerror(reason)), {}};
  };
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);

  int sockets[2], status[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0)
    return failed(ErrorCode::Failed, errno);
  if (::pipe2(status, O_CLOEXEC) != 0) {
    const int reason = errno;
    ::close(sockets[0]);
    ::close(sockets[1]);
    return failed(ErrorCode::Failed, reason);
  }
  const pid_t parent = ::getpid();
  const pid_t process = ::fork();
  if (process == 0) become(arguments.data(), sockets[1], status[1], parent);
  const int fork_error = errno;
  ::close(sockets[1]);
  ::close(status[1]);
  const int reason = process < 0 ? fork_error : exec_error(status[0]);
  ::close(status[0]);
  CtagsChild child(process, sockets[0]);
  if (reason != 0) return failed(process < 0 ? ErrorCode::Failed : ErrorCode::NotFound, reason);
  return child;
}

CtagsChild::CtagsChild(CtagsChild&& other) noexcept
    : process_(std::exchange(other.process_, -1)),
      socket_(std::exchange(other.socket_, -1)),
      buffer_(std::move(other.buffer_)),
      used_(std::exchange(other.used_, 0)) {}

CtagsChild& CtagsChild::operator=(CtagsChild&& other) noexcept {
  if (this != &other) {
    stop();
    process_ = std::exchange(other.process_, -1);
    socket_ = std::exchange(other.socket_, -1);
    buffer_ = std::move(other.buffer_);
    used_ = std::exchange(other.used_, 0);
  }
  return *this;
}

CtagsChild::~CtagsChild() { stop(); }

void CtagsChild::stop() {
  if (socket_ >= 0) ::close(std::exchange(socket_, -1));
  if (process_ <= 0) return;
  ::kill(-process_, SIGKILL);
  while (::waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
  }
  process_ = -1;
}

bool CtagsChild::ends_with(std::string_view last_line) const {
  const std::string_view all = reply();
  if (all.empty() || all.back() != '\n') return false;
  const std::size_t before = all.substr(0, all.size() - 1).rfind('\n');
  return all.substr(before == std::string_view::npos ? 0 : before + 1).starts_with(last_line);
}

CtagsChild::Outcome CtagsChild::receive() {
  if (buffer_.size() < used_ + kPadding + 1)
    buffer_.resize(std::max(kFirstBufferBytes, 2 * buffer_.size()));
  const ssize_t n =
      ::recv(socket_, buffer_.data() + used_, buffer_.size() - kPadding - used_, MSG_DONTWAIT);
  if (n < 0 && (errno == EAGAIN || errno == EINTR)) return Outcome::Complete;
  if (n <= 0) return Outcome::Died;
  used_ += static_cast<std::size_t>(n);
  return used_ > kMaxCtagsReplyBytes ? Outcome::TooLarge : Outcome::Complete;
}

CtagsChild::Outcome CtagsChild::exchange(std::string_view header, std::string_view body,
                                         std::string_view last_line,
                                         std::chrono::milliseconds deadline) {
  using std::chrono::steady_clock;
  const steady_clock::time_point begin = steady_clock::now();
  steady_clock::time_point end = begin + deadline;
  const auto used_before = processor_time(process_);
  used_ = 0;
  while (!ends_with(last_line)) {
    auto left = std::chrono::ceil<std::chrono::milliseconds>(end - steady_clock::now()).count();
    if (left <= 0) {
      // Too little of the processor, and it wants more: the machine is busy.
      const bool starved =
          processor_time(process_) - used_before < deadline && wants_processor(process_);
      if (!starved || end - begin >= kMostDeadlines * deadline) return Outcome::TimedOut;
      end += deadline;
      left = deadline.count();
    }
    // Both ways at once: while we send a large text, the answer may already fill its side.
    const bool sending = !header.empty() || !body.empty();
    pollfd ready{socket_, static_cast<short>(POLLIN | (sending ? POLLOUT : 0)), 0};
    if (::poll(&ready, 1, static_cast<int>(left)) < 0 && errno != EINTR) return Outcome::Died;
    if (ready.revents & POLLOUT) {
      iovec parts[] = {{const_cast<char*>(header.data()), header.size()},
                       {const_cast<char*>(body.data()), body.size()}};
      msghdr message{};
      message.msg_iov = parts;
      message.msg_iovlen = 2;
      const ssize_t n = ::sendmsg(socket_, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
      if (n < 0 && errno != EAGAIN && errno != EINTR) return Outcome::Died;
      const std::size_t sent = n > 0 ? static_cast<std::size_t>(n) : 0;
      body.remove_prefix(sent - std::min(sent, header.size()));
      header.remove_prefix(std::min(sent, header.size()));
    }
    if (ready.revents & (POLLIN | POLLHUP | POLLERR))
      if (const Outcome outcome = receive(); outcome != Outcome::Complete) return outcome;
  }
  return Outcome::Complete;
}

}  // namespace kw::indexer
