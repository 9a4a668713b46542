// SPDX-License-Identifier: GPL-2.0-or-later
// Looking through texts, ASCII case aside, for where something may stand: quicker than reading them
// word by word.
#pragma once

#include <bitset>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace kw {

/// Whether `text` begins with `start`, which is in small letters.
bool starts_with_folded(std::string_view text, std::string_view start);

/// Whether `piece`, ASCII in small letters, may be in a text. False is certain; long s and the sign
/// of kelvin, which fold into ASCII, make it true.
bool may_hold(std::string_view text, std::string_view piece);

/// The longest run of ASCII in `text` without the characters `between`.
std::string longest_ascii_run(std::string_view text, std::string_view between);

/// Finds the next of several bytes, or of those that are not ASCII, at the speed of memchr.
class ByteFinder {
 public:
  /// `bytes`: small letters, found as capitals too, and other ASCII.
  ByteFinder(std::string_view text, std::bitset<128> bytes);

  /// From `at` on; the text's size if there is none. Each call asks from the same place or further.
  std::size_t next(std::size_t at);

 private:
  struct Next {
    char byte;
    std::size_t at;
  };

  std::size_t find(char byte, std::size_t from) const;
  std::size_t find_high(std::size_t at) const;

  std::string_view text_;
  std::vector<Next> next_;
  std::size_t high_ = 0;
};

}  // namespace kw
