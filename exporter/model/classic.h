// SPDX-License-Identifier: GPL-2.0-or-later
// Which words of a file the classic page lists: the rule of the pages that kwexport took over, with
// a choice that repeats where they picked by chance. How they are shown: page.h.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "schema/index/record.h"

namespace kw::exporter {

/// Every match of `\b[A-Z][A-Za-z0-9_]*\b`, left to right, repetitions included. A word character
/// is
/// `_` or what Python's str.isalnum takes: letters and numbers of all scripts, but no combining
/// marks. Bytes that are not UTF-8 are no word characters. The views point into `text`.
std::vector<std::string_view> classic_matches(std::string_view text);

/// The distinct matches in the record's text, sorted by bytes, at most `limit` (0: all). Where
/// there are more, the most telling stay: names that the file defines before others, then names
/// that look like code (is_code_like) before plain words, then the frequent before the rare, then
/// by bytes.
std::vector<std::string> classic_keywords(const FileRecord& record, std::size_t limit);

}  // namespace kw::exporter
