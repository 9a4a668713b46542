// SPDX-License-Identifier: GPL-2.0-or-later
// Queries of Xapian's put together. An empty query matches nothing.
#pragma once

#include <string>
#include <vector>

#include "schema/base/xapian_api.h"

namespace kw::search {

using Queries = std::vector<Xapian::Query>;

inline Xapian::Query any_of(const Queries& queries) {
  if (queries.empty()) return {};
  if (queries.size() == 1) return queries[0];
  return Xapian::Query(Xapian::Query::OP_OR, queries.begin(), queries.end());
}

inline Xapian::Query all_of(const Queries& queries) {
  if (queries.empty()) return {};
  if (queries.size() == 1) return queries[0];
  return Xapian::Query(Xapian::Query::OP_AND, queries.begin(), queries.end());
}

/// Gives each document of `where` the same weight.
inline Xapian::Query constant_weight(double weight, const Xapian::Query& where) {
  auto* const source = new Xapian::FixedWeightPostingSource(weight);
  return Xapian::Query(Xapian::Query::OP_FILTER, Xapian::Query(source->release()), where);
}

/// Every document. Not Xapian::Query::MatchAll, which threads may not share.
inline Xapian::Query everything() { return Xapian::Query(std::string()); }

}  // namespace kw::search
