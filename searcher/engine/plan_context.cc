// SPDX-License-Identifier: GPL-2.0-or-later
#include "searcher/engine/plan_context.h"

#include <utility>

#include "searcher/engine/origin_weights.h"
#include "searcher/engine/xapian_query.h"

namespace kw::search {

QueryNode leaf_of(QueryNode::Kind kind, std::string_view text, std::optional<Field> field) {
  QueryNode leaf;
  leaf.kind = kind;
  leaf.text = text;
  leaf.field = field;
  return leaf;
}

Xapian::Query PlanContext::filtered(Xapian::Query query) const {
  if (filters.empty()) return query;
  Queries terms;
  for (const QueryNode& filter : filters) terms.emplace_back(filter_term(filter));
  return Xapian::Query(Xapian::Query::OP_FILTER, query, all_of(terms));
}

Xapian::Query PlanContext::with_origins(Xapian::Query query, double step) const {
  if (!options.demote_copies || query.empty()) return query;
  return Xapian::Query(Xapian::Query::OP_AND_MAYBE, query,
                       origin_weights(step, session.asks_servers()));
}

std::unique_ptr<QueryNode> PlanContext::tree(std::vector<QueryNode> leaves) const {
  auto root = std::make_unique<QueryNode>();
  root->children = std::move(leaves);
  root->children.insert(root->children.end(), filters.begin(), filters.end());
  return root;
}

}  // namespace kw::search
