// SPDX-License-Identifier: GPL-2.0-or-later
// Where the leaves of a query occur in a text: its tokens, exact text, regular expressions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "schema/text/edited_text.h"
#include "searcher/match/prepared_query.h"

namespace kw::search {

struct Occurrence {
  std::size_t begin, end;  ///< bytes of the text
  std::size_t leaf;
  MatchStrength strength;
};

/// Occurrences of all leaves that look at texts, in the order of the text. Bounded for each leaf.
std::vector<Occurrence> find_occurrences(const PreparedQuery& query, std::string_view text);

/// Those in the rendered form of a text.
struct RenderedOccurrences {
  std::vector<Occurrence> all;      ///< in order
  std::vector<Occurrence> changed;  ///< those of them that are perhaps not in the stored text
};

/// From those in the text as stored: words that stand apart from all that differs are the same, and
/// are not looked for again.
RenderedOccurrences find_in_rendered(const PreparedQuery& query, const EditedText& rendered,
                                     const std::vector<Occurrence>& stored);

/// Whether a leaf occurs at all, whatever its field: cheaper.
bool occurs_in(const PreparedQuery& query, const Leaf& leaf, std::string_view text);

/// Adds to the occurrences in a stored text those of its rendered form that differ, as bytes of the
/// stored one: what escapes, character references, emphasis or links keep apart there. In order;
/// each once.
std::vector<Occurrence> unite(std::vector<Occurrence> stored,
                              const std::vector<Occurrence>& changed, const EditedText& rendered);

}  // namespace kw::search
