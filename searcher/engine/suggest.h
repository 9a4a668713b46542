// SPDX-License-Identifier: GPL-2.0-or-later
// Identifiers of an index that are spelled nearly like a word.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "searcher/engine/session.h"

namespace kw::search {

/// Edits (insert, delete, replace, swap of neighbours) from `a` to `b`, or limit + 1 if there are
/// more.
std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit);

/// The names nearest to `word`, best first, at most `most`: a third of a name's letters may be
/// wrong, three at most; names that begin with it come last. Throws Xapian::Error.
std::vector<std::string> nearest_names(Session& session, const std::string& word, std::size_t most);

/// The next spelling: the name of most files that is one edit away. Empty if there is none, or
/// `word` is too short to tell. Throws Xapian::Error.
std::string near_name(Session& session, const std::string& word);

}  // namespace kw::search
