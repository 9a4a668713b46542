// SPDX-License-Identifier: GPL-2.0-or-later
// Numbers of few bytes where they are small: LEB128, seven bits a byte, the least first, the top
// bit set where another byte follows (DWARF 5, section 7.6).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace kw {

inline void put_leb128(std::string& out, std::uint64_t number) {
  for (; number >= 0x80; number >>= 7) out.push_back(static_cast<char>(0x80 | (number & 0x7f)));
  out.push_back(static_cast<char>(number));
}

/// Takes the number at the front of `bytes`. Nothing where they end within it, or where it has more
/// than ten bytes; what was looked at is taken then, too.
inline std::optional<std::uint64_t> take_leb128(std::string_view& bytes) {
  std::uint64_t number = 0;
  for (int shift = 0; shift < 64 && !bytes.empty(); shift += 7) {
    const auto byte = static_cast<unsigned char>(bytes.front());
    bytes.remove_prefix(1);
    number |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
    if (byte < 0x80) return number;
  }
  return std::nullopt;
}

}  // namespace kw
