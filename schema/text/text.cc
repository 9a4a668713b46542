// SPDX-License-Identifier: GPL-2.0-or-later
#include "schema/text/text.h"

#include <fmt/format.h>
#include <utf8proc.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace kw {
namespace {

/// The character at `at`, and its bytes; length 0 where they are not UTF-8.
std::size_t decode_at(std::string_view bytes, std::size_t at, utf8proc_int32_t& value) {
  const auto n = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(bytes.data()) + at,
                                  static_cast<utf8proc_ssize_t>(bytes.size() - at), &value);
  return n > 0 ? static_cast<std::size_t>(n) : 0;
}

// U+061C, U+200E/F, U+202A-E, U+2066-9 turn the order of what follows; U+2028/9 break lines.
bool is_unsafe(utf8proc_int32_t c) {
  return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x61c || c == 0x200e || c == 0x200f ||
         (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

constexpr std::size_t kBlock = 64;

/// A bit for each byte of a block that ends a line.
std::uint64_t line_ends_of_block(const char* bytes) {
  std::uint64_t ends = 0;
#ifdef __SSE2__
  const __m128i end = _mm_set1_epi8('\n');
  for (std::size_t i = 0; i < kBlock; i += 16) {
    const __m128i here = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes + i));
    const auto found = static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(here, end)));
    ends |= std::uint64_t{found} << i;
  }
#else
  for (std::size_t i = 0; i < kBlock; ++i) ends |= std::uint64_t{bytes[i] == '\n'} << i;
#endif
  return ends;
}

constexpr std::string_view kBase64 =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

}  // namespace

bool is_ascii(std::string_view bytes) {
  std::size_t i = 0;
  for (std::uint64_t eight; i + sizeof eight <= bytes.size(); i += sizeof eight) {
    std::memcpy(&eight, bytes.data() + i, sizeof eight);
    if (eight & 0x8080808080808080) return false;
  }
  for (; i < bytes.size(); ++i)
    if (static_cast<signed char>(bytes[i]) < 0) return false;
  return true;
}

bool is_utf8(std::string_view bytes) {
  for (std::size_t i = 0; i < bytes.size();) {
    if (i + 8 <= bytes.size()) {  // eight ASCII bytes at a time
      std::uint64_t word;
      std::memcpy(&word, bytes.data() + i, 8);
      if ((word & 0x8080808080808080ULL) == 0) {
        i += 8;
        continue;
      }
    }
    if (static_cast<signed char>(bytes[i]) >= 0) {
      ++i;
      continue;
    }
    utf8proc_int32_t value;
    const std::size_t n = decode_at(bytes, i, value);
    if (n == 0) return false;
    i += n;
  }
  return true;
}

std::string printable(std::string_view bytes, bool keep_tabs) {
  std::string out;
  out.reserve(bytes.size());
  for (std::size_t i = 0; i < bytes.size();) {
    const std::size_t plain = i;
    while (i < bytes.size() && bytes[i] >= 0x20 && bytes[i] < 0x7f) ++i;
    out += bytes.substr(plain, i - plain);
    if (i == bytes.size()) break;
    const char c = bytes[i];
    if (c == '\t' && keep_tabs) {
      out.push_back(c);
      ++i;
      continue;
    }
    utf8proc_int32_t value = 0;
    const std::size_t n = decode_at(bytes, i, value);
    if (n == 0)
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    else if (c == '\n')
      out += "\\n";
    else if (c == '\r')
      out += "\\r";
    else if (c == '\t')
      out += "\\t";
    else if (!is_unsafe(value))
      out += bytes.substr(i, n);
    else
      out += value < 0x100 ? fmt::format("\\x{:02x}", value) : fmt::format("\\u{:04x}", value);
    i += n ? n : 1;
  }
  return out;
}

std::string to_valid_utf8(std::string_view bytes) {
  if (is_utf8(bytes)) return std::string(bytes);
  std::string out;
  for (std::size_t i = 0; i < bytes.size();) {
    utf8proc_int32_t value;
    const std::size_t n = decode_at(bytes, i, value);
    if (n == 0)
      out += "\xEF\xBF\xBD";
    else
      out += bytes.substr(i, n);
    i += n ? n : 1;
  }
  return out;
}

std::string base64(std::string_view bytes) {
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t n = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k)
      group = group << 8 | (k < n ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k)
      out.push_back(k <= n ? kBase64[group >> (18 - 6 * k) & 63] : '=');
  }
  return out;
}

std::string from_base64(std::string_view text) {
  if (text.size() % 4 != 0) return {};
  while (!text.empty() && text.back() == '=') text.remove_suffix(1);
  std::string out;
  std::uint32_t group = 0;
  int bits = 0;
  for (const char c : text) {
    const std::size_t digit = kBase64.find(c);
    if (digit == std::string_view::npos) return {};
    group = group << 6 | static_cast<std::uint32_t>(digit);
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      out.push_back(static_cast<char>(group >> bits & 0xff));
    }
  }
  return out;
}

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  for (std::size_t i = 0; i < text.size();) {
    utf8proc_int32_t value;
    const std::size_t n = decode_at(text, i, value);
    width += n ? static_cast<std::size_t>(std::max(0, utf8proc_charwidth(value))) : 1;
    i += n ? n : 1;
  }
  return width;
}

std::vector<std::size_t> line_starts(std::string_view text) {
  std::vector<std::size_t> starts;
  if (text.empty()) return starts;
  starts.reserve(text.size() / 32 + 1);  // more than most texts have
  starts.push_back(0);
  std::size_t at = 0;
  // Lines are short: a search from each end of a line to the next took five times as long.
  for (; at + kBlock <= text.size(); at += kBlock)
    for (std::uint64_t ends = line_ends_of_block(text.data() + at); ends != 0; ends &= ends - 1)
      starts.push_back(at + static_cast<std::size_t>(std::countr_zero(ends)) + 1);
  for (; at < text.size(); ++at)
    if (text[at] == '\n') starts.push_back(at + 1);
  if (starts.back() == text.size()) starts.pop_back();
  return starts;
}

std::string_view line_at(std::string_view text, const std::vector<std::size_t>& starts,
                         std::uint32_t line) {
  if (line == 0 || line > starts.size()) return {};
  const std::size_t begin = starts[line - 1];
  std::size_t end = line < starts.size() ? starts[line] : text.size();
  if (end > begin && text[end - 1] == '\n') --end;
  if (end > begin && text[end - 1] == '\r') --end;
  return text.substr(begin, end - begin);
}

std::string_view file_name_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

std::string_view folder_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
}

std::string extension_of(std::string_view path) {
  const std::string_view name = file_name_of(path);
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos || dot == 0 || dot + 1 == name.size()) return {};
  std::string extension(name.substr(dot + 1));
  for (char& c : extension)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
  return extension;
}

std::string with_thousands(std::uint64_t number) {
  const std::string digits = fmt::format("{}", number);
  std::string out;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) out += ',';
    out += digits[i];
  }
  return out;
}

std::string human_size(std::uint64_t bytes) {
  if (bytes < 1000) return fmt::format("{} B", bytes);
  double value = static_cast<double>(bytes);
  const char* unit = "B";
  for (const char* next : {"KB", "MB", "GB", "TB"}) {
    if (value < 999.95) break;
    value /= 1000;
    unit = next;
  }
  return fmt::format("{:.1f} {}", value, unit);
}

}  // namespace kw
