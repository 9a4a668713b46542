// SPDX-License-Identifier: GPL-2.0-or-later
// The plans of a query, in the order of its readings: which comes first, and what follows where one
// has nothing. How each reading is looked up: name_plan.h, path_plan.h, sentence_plan.h.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "searcher/engine/plan.h"
#include "searcher/engine/search.h"
#include "searcher/engine/session.h"
#include "searcher/engine/term_expander.h"

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

/// A posting list that gives each document of `where` the same weight.
Xapian::Query constant_weight(double weight, const Xapian::Query& where);

class Planner {
 public:
  /// All must outlive it, and it must outlive its steps.
  Planner(Session& session, const ParsedQuery& query, const SearchOptions& options);
  ~Planner();

  std::vector<PlanStep> steps();

  static std::vector<Reading> readings(const ParsedQuery& query, const SearchOptions& options);

 private:
  void add_syntax();
  void add(const Reading& reading);
  void add_tree(const QueryNode& root, ReadingKind kind, bool only_if_nothing, bool with_any);
  void add_name(const Reading& reading);
  void add_qualified(const Reading& reading);
  void add_places(const Reading& reading);
  void add_text(const std::string& text, ReadingKind kind, bool only_if_nothing);

  const ParsedQuery& query_;
  std::vector<Reading> readings_;
  TermExpander terms_;
  PlanContext context_;
  std::vector<std::unique_ptr<QueryNode>> trees_;
  std::vector<std::unique_ptr<QueryCompiler>> compilers_;
  std::vector<PlanStep> steps_;
};

}  // namespace kw::search
