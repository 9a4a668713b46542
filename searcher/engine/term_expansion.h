// SPDX-License-Identifier: GPL-2.0-or-later
// The terms of the index that a leaf of the query tree stands for, by tier. Who looks them up:
// term_expander.h. How leaves and tiers make a query: compile.h.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "schema/base/xapian_api.h"
#include "schema/index/terms.h"
#include "searcher/engine/scoring.h"
#include "searcher/engine/xapian_query.h"
#include "searcher/query/query.h"

namespace kw::search {

/// Names and words that a pattern stands for, at most: each costs some fifty microseconds.
inline constexpr std::size_t kMaxExpansions = 300;
/// Of several words, a pattern or an open end of a text that stands for more does not say in which
/// tier a file is: it only narrows.
inline constexpr std::size_t kMaxRankedExpansions = 100;

/// What one leaf means, by tier: a document that holds one of a tier's queries has the leaf in that
/// tier.
struct TermExpansion {
  std::array<Queries, kTierCount + 1> tiers;
  Queries exact_spelling;
  std::array<Queries, 4> ranks;  ///< by rank_index
  std::size_t expansions = 0;    ///< names and words, of a pattern or an open end

  /// Whether it stands for more than it holds.
  bool is_truncated() const { return expansions >= kMaxExpansions; }

  Queries& at(Tier tier) { return tiers[static_cast<std::size_t>(tier)]; }
  const Queries& at(Tier tier) const { return tiers[static_cast<std::size_t>(tier)]; }

  Queries at_least(int tier) const {
    Queries result;
    for (int t = kTierCount; t >= tier; --t)
      result.insert(result.end(), tiers[static_cast<std::size_t>(t)].begin(),
                    tiers[static_cast<std::size_t>(t)].end());
    return result;
  }
};

constexpr std::size_t rank_index(DefinitionClass rank) {
  return static_cast<std::size_t>(static_cast<char>(rank) - '1');
}

}  // namespace kw::search
