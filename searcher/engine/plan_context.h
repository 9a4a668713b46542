// SPDX-License-Identifier: GPL-2.0-or-later
// What the plans of a query are made of: the index, what was asked beside the words, and pieces
// that most plans have.
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "schema/base/xapian_api.h"
#include "searcher/engine/hit.h"
#include "searcher/engine/session.h"
#include "searcher/engine/term_expander.h"
#include "searcher/query/query.h"

namespace kw::search {

/// What every plan is made of. Its members outlive the plans.
struct PlanContext {
  Session& session;
  const SearchOptions& options;
  TermExpander& terms;
  std::vector<QueryNode> filters;  ///< lang:, ext: ... of the query: they hold in every reading

  /// The query narrowed to what the filters let through.
  Xapian::Query filtered(Xapian::Query query) const;

  /// Places originals before tests, vendored and generated files, `step` apart.
  Xapian::Query with_origins(Xapian::Query query, double step) const;

  /// An And of `leaves` and the filters.
  std::unique_ptr<QueryNode> tree(std::vector<QueryNode> leaves) const;
};

/// A leaf of a query that is no syntax.
QueryNode leaf_of(QueryNode::Kind kind, std::string_view text, std::optional<Field> field = {});

}  // namespace kw::search
