// SPDX-License-Identifier: GPL-2.0-or-later
// What a question is and how each hit of it is shown: what the command line and the server have in
// common.
#pragma once

#include <string>
#include <vector>

#include "schema/result.h"
#include "searcher/options.h"
#include "searcher/query.h"
#include "searcher/search.h"

namespace kw {

/// The databases to search, as the options and the environment name them.
Result<std::vector<std::string>> find_databases(const KwsearchOptions& options);

/// The query and the expression of -e as one. Usage: both are empty.
Result<ParsedQuery> question_of(const KwsearchOptions& options);

/// One run's way of printing paths.
class Paths {
 public:
  Paths(const Searcher& searcher, const KwsearchOptions& options);

  std::string file(const Hit& hit) const { return roots_[hit.tree] + "/" + hit.path; }
  const std::string& root(std::size_t tree) const { return roots_[tree]; }

  /// As the options want it: from the root, or absolute.
  std::string shown(const Hit& hit) const { return options_.absolute ? file(hit) : hit.path; }

  /// That an editor started here can open.
  std::string from_here(const Hit& hit) const;

  bool changed_on_disk(const Hit& hit) const;

 private:
  const KwsearchOptions& options_;
  std::vector<std::string> roots_;
  std::string here_;
};

/// The identifiers nearest to words that were not found, three at most.
std::vector<std::string> names_near(Searcher& searcher, const ParsedQuery& query);

/// How each hit is printed. Both arguments must outlive it.
Presenter make_presenter(const Paths& paths, const KwsearchOptions& options);

/// What was shown of all hits. Where a bound was reached each line of JSON says so.
std::string shown_text(const SearchResult& result, const KwsearchOptions& options);

}  // namespace kw
