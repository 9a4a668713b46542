// SPDX-License-Identifier: GPL-2.0-or-later
// Takes numbers and strings off bytes as Xapian's glass packs them, and never reads beyond the end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace kw {

/// `ok` is false from the first fault on; what is taken then is 0 or empty.
class GlassUnpacker {
 public:
  explicit GlassUnpacker(std::string_view bytes) : rest_(bytes) {}

  std::uint64_t number(unsigned bits) {
    std::uint64_t value = 0;
    for (unsigned shift = 0; ok && !rest_.empty(); shift += 7) {
      const auto byte = static_cast<unsigned char>(rest_.front());
      rest_.remove_prefix(1);
      const std::uint64_t part = byte & 0x7f;
      if (shift >= bits || (shift > 0 && (part >> (bits - shift)) != 0)) break;
      value |= part << shift;
      if (byte < 0x80) return value;
    }
    ok = false;
    return 0;
  }
  std::string_view string() { return bytes(number(32)); }
  std::string_view bytes(std::uint64_t size) {
    if (size > rest_.size()) ok = false;
    if (!ok) return {};
    const std::string_view text = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return text;
  }
  std::uint8_t byte() {
    const std::string_view one = bytes(1);
    return one.empty() ? std::uint8_t{0} : static_cast<std::uint8_t>(one.front());
  }
  bool at_end() const { return rest_.empty(); }
  std::string_view rest() const { return rest_; }

  bool ok = true;

 private:
  std::string_view rest_;
};

}  // namespace kw
