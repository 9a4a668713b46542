// SPDX-License-Identifier: GPL-2.0-or-later
// What a question is and how each hit of it is shown: what the command line and the server have in
// common.
#pragma once

#include <string>
#include <vector>

#include "schema/base/result.h"
#include "searcher/engine/search.h"
#include "searcher/output/options.h"
#include "searcher/query/query.h"

namespace kw::search {

/// The places to search, as the options and the environment name them.
Result<std::vector<DatabaseLocation>> locations_to_search(const KwsearchOptions& options);

/// How they are opened.
OpenOptions open_options(const KwsearchOptions& options);

/// The query and the expression of -e as one. Usage: both are empty.
Result<ParsedQuery> question_of(const KwsearchOptions& options);

/// One run's way of printing paths. The searcher must outlive it.
class Paths {
 public:
  Paths(const Searcher& searcher, const KwsearchOptions& options);

  /// The root of the hit's tree.
  const std::string& root(const Hit& hit) const;
  std::string file(const Hit& hit) const { return root(hit) + "/" + hit.path; }

  /// Whether this machine knows where the hit's tree lies, or has it at that path.
  bool are_here(const Hit& hit) const { return root(hit).starts_with('/'); }

  /// Whether each hit needs its tree beside it.
  bool has_several_trees() const;

  /// As the options want it: from the root, or absolute.
  std::string shown(const Hit& hit) const { return options_.absolute ? file(hit) : hit.path; }

  /// That an editor started here can open; of a server's tree, from its root.
  std::string from_here(const Hit& hit) const;

  /// Of a tree that lies on another machine nobody knows.
  bool changed_on_disk(const Hit& hit) const;

 private:
  const Searcher& searcher_;
  const KwsearchOptions& options_;
  std::string here_;
};

/// The identifiers nearest to words that were not found, three at most.
std::vector<std::string> names_near(Searcher& searcher, const ParsedQuery& query);

/// How each hit is printed. Both arguments must outlive it.
Presenter make_presenter(const Paths& paths, const KwsearchOptions& options);

/// What was shown of all hits. Where a bound was reached, or a database was left out, each line of
/// JSON says so.
std::string shown_text(const SearchResult& result, const Searcher& searcher,
                       const KwsearchOptions& options);

/// What a search did not ask, in words for people; empty: nothing.
std::string words_on_left_out(const OpenDatabases& opened);
std::string words_on_missing_parts(const OpenDatabases& opened);

}  // namespace kw::search
