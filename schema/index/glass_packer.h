// SPDX-License-Identifier: GPL-2.0-or-later
// Appends numbers and strings to bytes as Xapian's glass packs them: the counterpart of
// glass_unpacker.h.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

#include "schema/base/leb128.h"

namespace kw {

inline void pack_number(std::string& out, std::uint64_t n) { put_leb128(out, n); }

inline void pack_string(std::string& out, std::string_view text) {
  pack_number(out, text.size());
  out += text;
}

/// A number that ends its key: the lowest byte first, nothing for 0.
inline void pack_last_number(std::string& out, std::uint32_t n) {
  for (; n != 0; n >>= 8) out.push_back(static_cast<char>(n & 0xff));
}

/// A number whose bytes sort as the numbers do: two bytes below 0x8000, else as many leading ones
/// as there are bytes beyond the second.
inline void pack_sorted_number(std::string& out, std::uint32_t n) {
  unsigned length = 2;
  if (n >= 0x8000) length = (32 + 5 - static_cast<unsigned>(std::countl_zero(n))) / 7;
  const std::uint64_t bits =
      n | (length > 2 ? std::uint64_t{0xffu << (10 - length) & 0xff} << (8 * (length - 1)) : 0);
  for (unsigned i = length; i-- > 0;) out.push_back(static_cast<char>(bits >> (8 * i) & 0xff));
}

/// A string whose bytes sort as the strings do; `is_last`: nothing follows it in its key.
inline void pack_sorted_string(std::string& out, std::string_view text, bool is_last) {
  for (const char c : text) {
    out.push_back(c);
    if (c == '\0') out.push_back('\xff');
  }
  if (!is_last) out.push_back('\0');
}

}  // namespace kw
