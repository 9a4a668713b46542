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

class McpWorker {
 public:
  /// Makes, in the child, what answers messages there.
  using MakeAnswerer = std::function<std::function<std::string(std::string_view)>()>;

  explicit McpWorker(MakeAnswerer make) : make_(std::move(make)) {}
  McpWorker(const McpWorker&) = delete;
  McpWorker& operator=(const McpWorker&) = delete;
  ~McpWorker() { end(); }

  /// The answer to a message. Nothing: the child died of it, or could not be made; the next message
  /// gets another one. Call it where this process has one thread.
  std::optional<std::string> ask(std::string_view message);

 private:
  bool begin();
  void end();

  MakeAnswerer make_;
  Descriptor channel_;
  pid_t child_ = -1;
};

}  // namespace kw::search
