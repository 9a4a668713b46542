// SPDX-License-Identifier: GPL-2.0-or-later
// English words that say nothing of what a page is about. The searcher counts them in
// titles and headings only; the exporter makes no key terms of them.
#pragma once

#include <span>
#include <string_view>

namespace kw {

/// All of them, sorted.
std::span<const std::string_view> stop_words();

/// `folded`: as fold() makes it, in one case.
bool is_stop_word(std::string_view folded);

}  // namespace kw
