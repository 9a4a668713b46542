// SPDX-License-Identifier: GPL-2.0-or-later
// English words that say nothing of what a page is about. The searcher counts them in
// titles and headings only; the exporter makes no key terms of them.
#pragma once

#include <string_view>

namespace kw {

/// `folded`: as fold() makes it, in one case.
bool is_stop_word(std::string_view folded);

}  // namespace kw
