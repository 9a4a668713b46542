// SPDX-License-Identifier: GPL-2.0-or-later
// Reads a pasted place of a file: a path as programs print it, with or without a line. Pure text:
// which file of the index is meant is decided by path_match.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kw::search {

struct PathReference {
  std::vector<std::string> parts;  ///< names from the first folder to the file; never empty
  std::uint32_t line = 0;          ///< from 1; 0: none was named
  /// The text says of itself that it is a path: it has a line, a scheme, or is a line that
  /// programs print for one (a frame, the header of a diff). Otherwise the index decides.
  bool is_certain = false;
  std::string rest;  ///< what stands behind it: "error: no member named ..."; may be empty
};

/// The place that a line names. Takes `a/b.py`, `/usr/lib/x/a/b.py`, `a\b.py`, `file://`, pages of
/// forges, `+++ b/x.py`, each with `:12`, `:12:5:`, `(12,5)`, `#L12-L20`, `", line 12, in f`; the
/// frames of Python, JavaScript, Java, Go, Rust, C#, Ruby, PHP, gdb and sanitizers. Nothing for
/// words, numbers (2.6.0), abbreviations (e.g., I/O) and addresses.
std::optional<PathReference> parse_path_reference(std::string_view line);

/// Cuts a path at `/` and `\`; leaves out empty names, `.` and `..`.
std::vector<std::string> path_parts(std::string_view path);

}  // namespace kw::search
