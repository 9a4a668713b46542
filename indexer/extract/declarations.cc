// SPDX-License-Identifier: GPL-2.0-or-later
#include "indexer/extract/declarations.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "indexer/extract/language_scanners.h"

namespace kw::indexer {
namespace {

struct ScannerRow {
  std::string_view language;
  MakeScanner* make;
};
constexpr ScannerRow kScanners[] = {{"c#", csharp_scanner},     {"javascript", script_scanner},
                                    {"kotlin", kotlin_scanner}, {"php", php_scanner},
                                    {"rust", rust_scanner},     {"typescript", script_scanner}};

/// Blanks for what stands outside `<?php` and `?>`. A text without either is a block of code.
std::string php_code(std::string_view text) {
  std::string out(text);
  if (text.find("<?") == std::string_view::npos) return out;
  for (std::size_t at = 0; at < out.size();) {
    const std::size_t open = std::min(text.find("<?", at), out.size());
    std::replace_if(
        out.begin() + static_cast<std::ptrdiff_t>(at),
        out.begin() + static_cast<std::ptrdiff_t>(open), [](char c) { return c != '\n'; }, ' ');
    const std::size_t close = std::min(text.find("?>", open), out.size());
    for (std::size_t i = open; i < std::min(open + 5, close); ++i)
      if (out[i] != '\n') out[i] = i == open ? ';' : ' ';
    if (close < out.size()) out[close] = out[close + 1] = ' ';
    at = close;
  }
  return out;
}

/// Blanks for lines of the preprocessor: both branches of an `#if` are read.
std::string csharp_code(std::string_view text) {
  std::string out(text);
  for (std::size_t at = 0; at < out.size();) {
    const std::size_t end = std::min(out.find('\n', at), out.size());
    const std::size_t first = out.find_first_not_of(" \t", at);
    if (first < end && out[first] == '#')
      std::fill(out.begin() + static_cast<std::ptrdiff_t>(first),
                out.begin() + static_cast<std::ptrdiff_t>(end), ' ');
    at = end + 1;
  }
  return out;
}

}  // namespace

bool has_definitions(const Language& language) {
  return !language.ctags_extension.empty() ||
         std::any_of(std::begin(kScanners), std::end(kScanners),
                     [&](const ScannerRow& row) { return row.language == language.name; });
}

std::optional<std::vector<Definition>> scan_declarations(std::string_view text,
                                                         const Language& language) {
  for (const ScannerRow& row : kScanners) {
    if (row.language != language.name) continue;
    if (row.language == "c#") return row.make(csharp_code(text), language.lexis)->run();
    if (row.language == "php") return row.make(php_code(text), language.lexis)->run();
    return row.make(text, language.lexis)->run();
  }
  return std::nullopt;
}

}  // namespace kw::indexer
