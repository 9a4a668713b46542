// SPDX-License-Identifier: GPL-2.0-or-later
// Small facts about bytes that are text, or are not: UTF-8, what a terminal may be given, lines.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kw {

bool is_utf8(std::string_view bytes);
bool is_ascii(std::string_view bytes);

/// Whether a byte continues a character of UTF-8.
constexpr bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

/// What indents and separates within a line.
constexpr bool is_blank(char c) { return c == ' ' || c == '\t'; }

/// A blank or an end of a line.
constexpr bool is_space(char c) { return is_blank(c) || c == '\n' || c == '\r'; }

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Safe for a terminal and for one line: control characters (C0, DEL, C1), bidirectional overrides
/// and bytes that are not UTF-8 become `\n`, `\t`, `\x1b`, `\u202e`. A tab stays if `keep_tabs`.
std::string printable(std::string_view bytes, bool keep_tabs = false);

/// Valid UTF-8: each byte that is not becomes U+FFFD.
std::string to_valid_utf8(std::string_view bytes);

/// Base64 (RFC 4648, with padding): how names that are not UTF-8 travel in JSON.
std::string base64(std::string_view bytes);

/// The inverse; empty if `text` is not base64.
std::string from_base64(std::string_view text);

/// Columns that valid UTF-8 takes on a terminal: 2 for wide characters, 0 for marks.
std::size_t display_width(std::string_view text);

/// Starts of the lines of a text, ended by `\n`; a last line without one counts. Of "a\nb": 0, 2.
std::vector<std::size_t> line_starts(std::string_view text);

/// Line `line` (from 1) of `text`, without its end (`\n` or `\r\n`); empty outside.
std::string_view line_at(std::string_view text, const std::vector<std::size_t>& starts,
                         std::uint32_t line);

/// The extension of a path's file name in lower case, without the dot; empty where there is none.
std::string extension_of(std::string_view path);

/// The last name of a path, and what stands before it (empty, or without a slash at the end).
std::string_view file_name_of(std::string_view path);
std::string_view folder_of(std::string_view path);

/// "9,773": digits in groups of three.
std::string with_thousands(std::uint64_t number);

/// Size for people: "512 B", "3.7 KB", "132.7 MB" (powers of 1000).
std::string human_size(std::uint64_t bytes);

}  // namespace kw
