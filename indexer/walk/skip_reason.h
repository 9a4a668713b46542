// SPDX-License-Identifier: GPL-2.0-or-later
// Why a file is left out for its own sake. What ignore rules or options leave out is not counted.
#pragma once

#include <cstdint>
#include <string_view>

namespace kw::indexer {

enum class SkipReason : std::uint8_t {
  Binary,      ///< a zero byte, and no UTF-16
  TooLarge,    ///< over --max-file-size
  Unreadable,  ///< the system would not let it be read; the run ends with exit code 3
  TooDeep,     ///< a folder over kMaxTreePathBytes; what is in it is not looked at
  Special,     ///< a FIFO, socket or device
  Generated    ///< a page of kwexport's
};

constexpr std::string_view text_of(SkipReason reason) {
  switch (reason) {
    case SkipReason::Binary:
      return "binary";
    case SkipReason::TooLarge:
      return "too large";
    case SkipReason::Unreadable:
      return "unreadable";
    case SkipReason::TooDeep:
      return "too deep";
    case SkipReason::Special:
      return "special";
    case SkipReason::Generated:
      return "generated";
  }
  return {};
}

/// True if the file may hold text that a person looks for.
constexpr bool hides_text(SkipReason reason) {
  return reason == SkipReason::TooLarge || reason == SkipReason::Unreadable ||
         reason == SkipReason::TooDeep;
}

}  // namespace kw::indexer
