// SPDX-License-Identifier: GPL-2.0-or-later
// What a shell may offer for the beginning of a query's word: names of fields, values of those that
// have few, identifiers and definitions of the index.
#pragma once

#include <string>
#include <vector>

#include "schema/base/result.h"
#include "searcher/engine/search.h"

namespace kw::search {

/// More are of no use on a screen.
inline constexpr std::size_t kMaxCompletions = 200;

/// Whole words that begin with `word`, in order, at most kMaxCompletions: fields with their colon;
/// behind `folder:`, `ext:`, `lang:` and `origin:` what the index has; identifiers where two bytes
/// of one are there, behind `ident:` and `def:` too. None with a control character.
Result<std::vector<std::string>> completions_of(const std::string& word, Searcher& searcher);

}  // namespace kw::search
