// SPDX-License-Identifier: GPL-2.0-or-later
// Runs a query over one or several indexes and returns hits in a total order that repeats: by
// score, ties by path. A source and its pages are one hit. What it is asked and what a hit holds:
// hit.h.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "schema/base/result.h"
#include "schema/index/database_location.h"
#include "searcher/engine/facets.h"
#include "searcher/engine/hit.h"
#include "searcher/engine/session.h"
#include "searcher/query/query.h"
#include "searcher/query/reading.h"

namespace kw::search {

struct SearchResult {
  std::vector<Hit> hits;
  bool any = false;      ///< no file held all words; these hold some
  bool partial = false;  ///< a bound was reached: more may match
  std::string instead;   ///< the near name that was searched, for nothing has the one asked for
};

/// Several opened indexes as one, here or on servers. One thread at a time. A server that is lost
/// on the way is asked once more; then the question fails, or is answered without it (`partial`).
class Searcher {
 public:
  /// At least one place. Fails if one of them cannot be opened, or, with `partial`, none.
  static Result<Searcher> open(std::vector<DatabaseLocation> places,
                               const OpenOptions& options = {});

  Result<SearchResult> search(const ParsedQuery& query, const SearchOptions& options,
                              const Presenter& present = {});
  /// The exact number of results, of sources with their pages as one; `partial` if a bound was
  /// reached.
  struct Count {
    std::size_t results = 0;
    bool partial = false;
  };
  Result<Count> count(const ParsedQuery& query, const SearchOptions& options);

  /// The same, by facet: most results first, then by name.
  struct Facets {
    std::vector<FacetCount> counts;
    bool partial = false;
  };
  Result<Facets> count_by(const ParsedQuery& query, const SearchOptions& options, Facet facet);

  /// Identifiers of the index nearest to a word that was not found, best first, at most `most`.
  Result<std::vector<std::string>> nearest_names(const std::string& word, std::size_t most);

  /// What is open: its parts, in the order of the places, what was left out, and what is missing.
  /// Another after a search that lost a server.
  const OpenDatabases& opened() const { return session_.opened(); }
  std::vector<OpenDatabase>& shards() { return session_.shards(); }
  TermDictionary& terms() { return session_.terms(); }

  /// How the query is read: the readings in their order, with their reasons, for --explain. Empty
  /// for what is syntax.
  static std::vector<Reading> readings(const ParsedQuery& query, const SearchOptions& options);

 private:
  explicit Searcher(Session session) : session_(std::move(session)) {}

  Session session_;
};

}  // namespace kw::search
