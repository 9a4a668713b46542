// SPDX-License-Identifier: GPL-2.0-or-later
#include "schema/cli/program.h"

#include <fmt/format.h>
#include <malloc.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>

#include "schema/base/fault_guard.h"
#include "schema/text/text.h"

namespace kw::cli {
namespace {

constexpr const char* kRed = "\x1b[1;31m";
constexpr const char* kYellow = "\x1b[1;33m";
constexpr const char* kBold = "\x1b[1m";
constexpr const char* kPlain = "\x1b[0m";

/// While it lives, writing to a closed pipe fails and sends no signal. The disposition of SIGPIPE
/// stays: child processes inherit it.
class PipeSignalBlock {
 public:
  PipeSignalBlock() {
    ::sigemptyset(&pipe_);
    ::sigaddset(&pipe_, SIGPIPE);
    ::pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  ~PipeSignalBlock() {
    if (::sigismember(&before_, SIGPIPE) == 1) return;
    const timespec at_once{};
    while (::sigtimedwait(&pipe_, nullptr, &at_once) < 0 && errno == EINTR) {
    }
    ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  PipeSignalBlock(const PipeSignalBlock&) = delete;
  PipeSignalBlock& operator=(const PipeSignalBlock&) = delete;

 private:
  sigset_t pipe_, before_;
};

/// Waits until a descriptor that does not block is ready.
bool wait_for(int fd, short events) {
  pollfd one{fd, events, 0};
  return ::poll(&one, 1, -1) > 0 || errno == EINTR;
}

void write_stderr(std::string_view bytes) { std::fwrite(bytes.data(), 1, bytes.size(), stderr); }

void print_line(std::string_view program, std::string_view label, const char* paint,
                std::string_view message, std::string_view hint, ColorMode mode) {
  const bool color = use_color(mode, STDERR_FILENO);
  std::string out = fmt::format("{}: {}{}{}{}\n", program, color ? paint : "", label,
                                color && *paint ? kPlain : "", printable(message));
  if (!hint.empty())
    out += fmt::format("{}hint:{} {}\n", color ? kBold : "", color ? kPlain : "", printable(hint));
  write_stderr(out);
}

}  // namespace

void keep_memory() {
  constexpr int kKept = 64 << 20, kTakenAtOnce = 4 << 20;
  ::mallopt(M_TRIM_THRESHOLD, kKept);
  ::mallopt(M_MMAP_THRESHOLD, kKept);
  ::mallopt(M_TOP_PAD, kTakenAtOnce);
  constexpr std::size_t kSmallSearch = 384 << 10;
  populate_heap(kSmallSearch);
}

void populate_heap(std::size_t bytes) {
  void* const touched = std::malloc(bytes);
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const auto begin = (reinterpret_cast<std::uintptr_t>(touched) + page - 1) / page * page;
  // Before Linux 5.14 madvise() fails, which is harmless.
  if (touched) ::madvise(reinterpret_cast<void*>(begin), bytes - page, MADV_POPULATE_WRITE);
  std::free(touched);
}

std::string_view program_version() { return KW_VERSION; }

std::string folder_fault(const std::string& name) { return name.empty() ? "name a folder" : ""; }

std::optional<std::uint64_t> parse_size(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  std::string unit;
  for (const char* at = end; at != text.data() + text.size(); ++at)
    if (*at != ' ') unit.push_back(*at >= 'A' && *at <= 'Z' ? static_cast<char>(*at + 32) : *at);
  int shift = 0;
  if (unit.empty() || unit == "b")
    shift = 0;
  else if (unit == "k" || unit == "kb" || unit == "kib")
    shift = 10;
  else if (unit == "m" || unit == "mb" || unit == "mib")
    shift = 20;
  else if (unit == "g" || unit == "gb" || unit == "gib")
    shift = 30;
  else
    return std::nullopt;
  if (number > (~0ULL >> shift)) return std::nullopt;
  return number << shift;
}

bool use_color(ColorMode mode, int fd) {
  if (mode != ColorMode::Auto) return mode == ColorMode::Always;
  const char* const no_color = std::getenv("NO_COLOR");
  const char* const term = std::getenv("TERM");
  return ::isatty(fd) && !(no_color && *no_color) && !(term && std::string_view(term) == "dumb");
}

void print_error(std::string_view program, const Error& error, ColorMode color) {
  print_line(program, "error: ", kRed, error.message, error.hint, color);
}

void print_warning(std::string_view program, std::string_view message, std::string_view hint,
                   ColorMode color) {
  print_line(program, "warning: ", kYellow, message, hint, color);
}

void print_note(std::string_view program, std::string_view message, std::string_view hint,
                ColorMode color) {
  print_line(program, "note: ", "", message, hint, color);
}

ExitCode exit_code_of(const Error& error) {
  return error.code == ErrorCode::Locked ? ExitCode::Locked : ExitCode::Fatal;
}

int run_program(std::string_view program, const std::function<ExitCode()>& work) {
  const auto fail = [program](const Error& error) {
    print_error(program, error);
    return static_cast<int>(ExitCode::Fatal);
  };
  report_faults(program);
  try {
    return static_cast<int>(work());
  } catch (const std::bad_alloc&) {
    return fail(out_of_memory());
  } catch (const std::exception& e) {
    return fail({ErrorCode::Failed, std::string("internal error: ") + e.what(), ""});
  }
}

bool write_stdout(std::string_view bytes) {
  const PipeSignalBlock no_signal;
  while (!bytes.empty()) {
    const ssize_t n = ::write(STDOUT_FILENO, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == EAGAIN && wait_for(STDOUT_FILENO, POLLOUT)) continue;
    if (n < 0) {
      if (errno != EPIPE)
        print_error(program_invocation_short_name,
                    {ErrorCode::Failed,
                     fmt::format("cannot write to standard output ({})", std::strerror(errno)),
                     "what was printed is incomplete; write it elsewhere"});
      return false;
    }
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

ExitCode print_and_exit(std::string_view bytes) {
  return write_stdout(bytes) ? ExitCode::Done : ExitCode::Fatal;
}

std::string read_stdin(std::size_t most) {
  std::string bytes(most, '\0');
  ssize_t n;
  do n = ::read(STDIN_FILENO, bytes.data(), bytes.size());
  while (n < 0 && (errno == EINTR || (errno == EAGAIN && wait_for(STDIN_FILENO, POLLIN))));
  bytes.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
  return bytes;
}

ProgressBar::ProgressBar(std::string_view label, bool enabled) : label_(label), enabled_(enabled) {}

ProgressBar::~ProgressBar() { clear(); }

void ProgressBar::set_label(std::string_view label) {
  label_ = label;
  next_ = {};
}

void ProgressBar::update(std::uint64_t done, std::uint64_t total, std::string_view unit) {
  if (!enabled_) return;
  const auto now = std::chrono::steady_clock::now();
  if (now < next_) return;
  next_ = now + std::chrono::milliseconds(100);
  std::string line = label_;
  if (!unit.empty()) line += "  " + with_thousands(done);
  if (total > 0) {
    const double share = std::min(1.0, static_cast<double>(done) / static_cast<double>(total));
    line += fmt::format(" / {} {}  {:3.0f} %", with_thousands(total), unit, share * 100);
    winsize size{};
    const std::size_t columns =
        ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col ? size.ws_col : 80;
    if (columns > line.size() + 14) {
      const std::size_t room = std::min<std::size_t>(40, columns - line.size() - 6);
      const auto filled = static_cast<std::size_t>(share * static_cast<double>(room));
      line += fmt::format("  [{}{}]", std::string(filled, '#'), std::string(room - filled, ' '));
    }
  } else {
    line += fmt::format(" {}", unit);
  }
  write_stderr("\r" + line + "\x1b[K");
  drawn_ = true;
}

void ProgressBar::clear() {
  if (drawn_) write_stderr("\r\x1b[K");
  drawn_ = false;
}

bool wants_progress(const CommonOptions& options) {
  return !options.quiet && ::isatty(STDERR_FILENO);
}

}  // namespace kw::cli
