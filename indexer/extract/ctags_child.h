// SPDX-License-Identifier: GPL-2.0-or-later
// A child process that answers requests over one socket, and cannot harm us: it dies with us, has
// limited memory, and each answer has a deadline and a bound. What is said to it: symbols.cc.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "schema/base/result.h"

namespace kw::indexer {

/// Owns the process: it is killed and waited for at the latest when this is destroyed. The thread
/// that spawned it must live as long (the kernel ties the child's life to it).
class CtagsChild {
 public:
  /// Runs `command` (its first word looked up in PATH). NotFound if it cannot be executed.
  static Result<CtagsChild> spawn(const std::vector<std::string>& command);

  CtagsChild(CtagsChild&& other) noexcept;
  CtagsChild& operator=(CtagsChild&& other) noexcept;
  ~CtagsChild();

  enum class Outcome { Complete, TooLarge, TimedOut, Died };

  /// Sends `header` and `body`, and receives whole lines until one begins with `last_line`: all of
  /// them are then in reply(). A child that waits for the processor and has had little of it is
  /// given more time, up to twelve times `deadline`. After any outcome but Complete the child is of
  /// no more use.
  Outcome exchange(std::string_view header, std::string_view body, std::string_view last_line,
                   std::chrono::milliseconds deadline);

  /// The last answer. kPadding more bytes after it may be read.
  std::string_view reply() const { return {buffer_.data(), used_}; }
  static constexpr std::size_t kPadding = 64;

 private:
  CtagsChild(pid_t process, int socket) : process_(process), socket_(socket) {}
  void stop();
  Outcome receive();
  bool ends_with(std::string_view last_line) const;

  pid_t process_ = -1;
  int socket_ = -1;
  std::string buffer_;
  std::size_t used_ = 0;
};

}  // namespace kw::indexer
