// SPDX-License-Identifier: GPL-2.0-or-later
// The plans of a query, in the order of its readings: which comes first, and what follows where one
// has nothing. How each reading is looked up: name_plan.h, path_plan.h, sentence_plan.h.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "searcher/engine/plan.h"
#include "searcher/engine/plan_context.h"

namespace kw::search {

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
