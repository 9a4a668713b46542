// SPDX-License-Identifier: GPL-2.0-or-later
#undef NDEBUG  // with it, clang is told that what toml.h says of assertions cannot be
#define TOML_IMPLEMENTATION
#include "schema/text/toml.h"

#include <algorithm>

namespace kw {
namespace {

// Each dot of a key is a table in a table.
constexpr int kMaxDots = 256;

/// The line of the first key with more dots, or 0. Text with as many counts, too, unless signs
/// divide it: a bound needs no lexer.
unsigned line_of_deep_key(std::string_view text) {
  constexpr std::string_view kEndOfKey = "=,[]{}\n";
  int dots = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '.') {
      if (++dots > kMaxDots)
        return 1 + static_cast<unsigned>(std::count(text.begin(), text.begin() + i, '\n'));
    } else if (kEndOfKey.find(text[i]) != std::string_view::npos) {
      dots = 0;
    }
  }
  return 0;
}

}  // namespace

toml::parse_result parse_toml(std::string_view text) {
  if (const unsigned line = line_of_deep_key(text))
    return toml::parse_result(
        toml::parse_error("a key is nested too deep", toml::source_position{line, 1}));
  return toml::parse(text);
}

}  // namespace kw
