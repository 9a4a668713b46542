// SPDX-License-Identifier: GPL-2.0-or-later
// English words that say nothing of what a page is about. They count in titles and headings only.
#pragma once

#include <string_view>

namespace kw::search {

/// `folded`: as fold() makes it, in one case.
bool is_stop_word(std::string_view folded);

}  // namespace kw::search
