// SPDX-License-Identifier: GPL-2.0-or-later
// Strings numbered in order of arrival: open addressing over XXH3, the bytes in one block after
// another.
#pragma once

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kw {

/// A string's bytes are not moved but by intern() and clear().
class Interner {
 public:
  Interner() { clear(); }

  /// The number of `text`, and whether it is new.
  std::pair<std::uint32_t, bool> intern(std::string_view text) {
    const auto hash = static_cast<std::uint32_t>(XXH3_64bits(text.data(), text.size()));
    std::size_t at = hash & mask_;
    while (slots_[at] != kFree) {
      const Entry& e = entries_[slots_[at]];
      if (e.hash == hash && text_of(e) == text) return {slots_[at], false};
      at = (at + 1) & mask_;
    }
    const auto number = static_cast<std::uint32_t>(entries_.size());
    entries_.push_back(
        {static_cast<std::uint32_t>(bytes_.size()), static_cast<std::uint32_t>(text.size()), hash});
    bytes_ += text;
    slots_[at] = number;
    if (entries_.size() * 2 > slots_.size()) grow();
    return {number, true};
  }

  std::string_view text(std::uint32_t number) const { return text_of(entries_[number]); }
  std::size_t size() const { return entries_.size(); }
  std::size_t bytes() const { return bytes_.size(); }

  void clear() {
    bytes_.clear();
    entries_.clear();
    slots_.assign(1024, kFree);
    mask_ = slots_.size() - 1;
  }

 private:
  static constexpr std::uint32_t kFree = std::numeric_limits<std::uint32_t>::max();

  struct Entry {
    std::uint32_t begin, size, hash;
  };
  std::string_view text_of(const Entry& e) const {
    return std::string_view(bytes_).substr(e.begin, e.size);
  }

  void grow() {
    slots_.assign(slots_.size() * 2, kFree);
    mask_ = slots_.size() - 1;
    for (std::uint32_t i = 0; i < entries_.size(); ++i) {
      std::size_t at = entries_[i].hash & mask_;
      while (slots_[at] != kFree) at = (at + 1) & mask_;
      slots_[at] = i;
    }
  }

  std::string bytes_;
  std::vector<Entry> entries_;
  std::vector<std::uint32_t> slots_;
  std::size_t mask_ = 0;
};

}  // namespace kw
