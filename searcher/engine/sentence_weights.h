// SPDX-License-Identifier: GPL-2.0-or-later
// What a file holds of a sentence: its words, each weighed by the fields that have it. The first
// stage of several words; docs/ranking.md has the reasons for the numbers.
#pragma once

#include <vector>

#include "schema/base/xapian_api.h"
#include "searcher/engine/xapian_query.h"

namespace kw::search {

/// A place where a word may stand.
struct WeightedField {
  Xapian::Query query;
  double weight = 1;  ///< times the query's BM25
};

struct WeightedWord {
  std::vector<WeightedField> fields;
  double held = 0;  ///< what a file gets for any of them
};

/// The weights of BM25 by which fields are weighed.
Xapian::BM25Weight sentence_bm25();

/// Files that hold a word, with the sum of what they hold; to be weighed by sentence_bm25().
/// `fillers` only add to it. Empty without words. Files that hold less than `least_held` may be
/// left out. `on_servers`: part of the index is on servers. The query then has only operators that
/// servers know, leaves nothing out, and takes longer.
Xapian::Query sentence_weights(const Xapian::Database& database,
                               const std::vector<WeightedWord>& words, const Queries& fillers,
                               double least_held, bool on_servers);

}  // namespace kw::search
