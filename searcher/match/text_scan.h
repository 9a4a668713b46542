// SPDX-License-Identifier: GPL-2.0-or-later
// Looking through texts, ASCII case aside, for where something may stand: quicker than reading them
// word by word.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kw::search {

/// Whether `text` begins with `start`, which is in small letters.
bool starts_with_folded(std::string_view text, std::string_view start);

/// Whether `piece`, which is in small letters, stands in a text of few bytes.
bool holds_folded(std::string_view text, std::string_view piece);

/// Whether `piece`, ASCII in small letters, may be in a text. False is certain; long s and the sign
/// of kelvin, which fold into ASCII, make it true.
bool may_contain(std::string_view text, std::string_view piece);

/// The longest run of ASCII in `text` without the characters `between`.
std::string longest_ascii_run(std::string_view text, std::string_view between);

/// What to look for: ASCII in small letters, found as capitals too, not empty.
struct Needle {
  std::string_view text;
  /// Only where a word inside a name may begin (splitter.h): not between letters or digits, but for
  /// a capital.
  bool begins_word = false;
};

/// Finds where one of some probes begins, or a byte that is not ASCII. A block of the text is
/// compared with the first two bytes of all probes at once, in a loop that compilers turn into
/// vector instructions; the rest of a probe only where these stand.
class NeedleFinder {
 public:
  /// Neither the text nor those of the probes are copied.
  NeedleFinder(std::string_view text, std::vector<Needle> probes);

  /// From `at` on; `end`, at most the text's size, if there is none before it. Each call asks from
  /// the same place or further.
  std::size_t next(std::size_t at, std::size_t end);
  std::size_t next(std::size_t at) { return next(at, text_.size()); }

 private:
  static constexpr std::size_t kBlock = 64;

  struct Start {
    unsigned char first, second, mask;  ///< `mask`: 0 where a probe has but one byte
  };

  void look_at_block(std::size_t begin);
  bool begins_here(std::size_t at) const;

  std::string_view text_;
  std::vector<Needle> probes_;
  std::vector<Start> starts_;
  std::size_t block_ = kNone;  ///< the block that marks_ is of
  std::array<std::uint8_t, kBlock> marks_ = {};
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
};

}  // namespace kw::search
