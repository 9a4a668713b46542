// SPDX-License-Identifier: GPL-2.0-or-later
// Reads a pasted traceback, log or list of a compiler's errors: its frames and its message.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "searcher/query/path_reference.h"

namespace kw::search {

struct Traceback {
  std::vector<PathReference> frames;  ///< deepest first, each once
  std::string message;                ///< what was said: "ValueError: ..."; may be empty
};

/// Frames that count: of a longer one the deepest.
inline constexpr std::size_t kMaxFrames = 32;

/// Nothing unless a line of several names a place with its line number.
std::optional<Traceback> parse_traceback(std::string_view text);

}  // namespace kw::search
