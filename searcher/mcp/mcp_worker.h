// SPDX-License-Identifier: GPL-2.0-or-later
// The child in which the server's searches are done. A message that takes too much, or an index
// that makes Xapian crash, costs that message an error, and the server goes on with a new child.
#pragma once

#include <sys/types.h>

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "schema/base/descriptor.h"

namespace kw::search {

/// Whether the message under way is to be given up. `read` is called when `descriptor` can be read,
/// until it says that there is nothing more to wait for.
struct Interrupt {
  int descriptor = -1;
  enum class Then { GoOn, GiveUp, WatchNoMore };
  std::function<Then()> read = {};
};

class McpWorker {
 public:
  /// Makes, in the child, what answers messages there.
  using MakeAnswerer = std::function<std::function<std::string(std::string_view)>()>;

  explicit McpWorker(MakeAnswerer make) : make_(std::move(make)) {}
  McpWorker(const McpWorker&) = delete;
  McpWorker& operator=(const McpWorker&) = delete;
  ~McpWorker() { end(); }

  /// The answer to a message. Nothing: the child died of it, was given up, or could not be made;
  /// the next message gets another one. Call it where this process has one thread.
  std::optional<std::string> ask(std::string_view message, const Interrupt& interrupt = {});

 private:
  bool begin();
  bool wait_for_answer(const Interrupt& interrupt);
  void end();

  MakeAnswerer make_;
  Descriptor channel_;
  pid_t child_ = -1;
};

}  // namespace kw::search
