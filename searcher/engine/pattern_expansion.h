// SPDX-License-Identifier: GPL-2.0-or-later
// What a pattern with `*` and `?` stands for: the names, words, headings and paths of the index
// that match it. Found through the vocabulary, or by the letters before the first star. An
// expansion ends at kMaxExpansions (TermExpansion::is_truncated).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "searcher/engine/term_expansion.h"
#include "searcher/engine/term_lookup.h"

namespace kw::search {

/// Of a leaf of QueryNode::Kind::Pattern.
TermExpansion expand_pattern(const TermLookup& lookup, const QueryNode& leaf);

/// The uses of names, and the words of texts, that match a pattern.
TermExpansion expand_in_texts(const TermLookup& lookup, const std::string& pattern);

/// The same for small letters that stand anywhere in a word whose case matters. Names are split
/// where case changes, so the letters lie in one word of a name, of which there are far fewer than
/// names. Nothing if the letters do not say enough to look for them.
std::optional<TermExpansion> expand_letters(const TermLookup& lookup, const std::string& letters);

/// Adds the definitions whose name begins with a text (`my-func*`).
void add_definitions_from(const TermLookup& lookup, std::string_view text, TermExpansion& m);

}  // namespace kw::search
