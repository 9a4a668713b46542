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

/// Which characters a text has, ASCII case aside: a bit for each, some share one. What does not
/// have all bits of a piece does not hold it.
std::uint64_t characters_of(std::string_view text);

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

/// Whether the needle, which may be empty, stands in an ASCII text of few bytes.
bool holds_folded(std::string_view text, const Needle& needle);

/// Finds where one of some probes begins, or a byte that is not ASCII. Blocks of the text are
/// looked at for the first three bytes of all probes at once: each byte's two halves look up in
/// which buckets of probes it may stand, by vector instructions where the processor has them (the
/// method "Teddy" of Intel's Hyperscan). The rest of a probe is compared only where these stand.
class NeedleFinder {
 public:
  /// Neither the text nor those of the probes are copied.
  NeedleFinder(std::string_view text, std::vector<Needle> probes);

  /// From `at` on; `end`, at most the text's size, if there is none before it. Each call asks from
  /// the same place or further.
  std::size_t next(std::size_t at, std::size_t end);
  std::size_t next(std::size_t at) { return next(at, text_.size()); }

  static constexpr std::size_t kBlock = 64, kLooked = 3;

  /// The buckets of probes, a bit each, that may have a byte with this half at one of their first
  /// three places.
  struct Halves {
    alignas(16) std::array<std::uint8_t, 16> low = {}, high = {};
  };
  using Buckets = std::array<Halves, kLooked>;

 private:
  void look_at_block(std::size_t begin);
  bool begins_here(std::size_t at) const;

  std::string_view text_;
  std::vector<Needle> probes_;
  Buckets buckets_;
  std::size_t block_ = kNone;  ///< the block that marks_ is of
  std::uint64_t marks_ = 0;    ///< a bit for each byte of the block where one may begin
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
};

/// The marks of a block: bytes that are not ASCII, and those where all of the first three places of
/// a bucket's probes may stand. `bytes`: kBlock of them, and the next two.
std::uint64_t marks_of_block(const unsigned char* bytes, const NeedleFinder::Buckets& buckets);
/// The same, byte by byte.
std::uint64_t marks_of_block_slowly(const unsigned char* bytes,
                                    const NeedleFinder::Buckets& buckets);

}  // namespace kw::search
