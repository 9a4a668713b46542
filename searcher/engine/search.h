// SPDX-License-Identifier: GPL-2.0-or-later
// Runs a query over one or several indexes and returns hits in a total order that repeats: by
// score, ties by path. A source and its pages are one hit. What a hit looks like: format.h.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "schema/base/result.h"
#include "schema/index/database_location.h"
#include "schema/index/record.h"
#include "searcher/engine/facets.h"
#include "searcher/engine/session.h"
#include "searcher/match/match.h"
#include "searcher/query/query.h"
#include "searcher/query/reading.h"

namespace kw::search {

struct SearchOptions {
  std::size_t results = 10;  ///< 0: all
  std::size_t offset = 0;
  bool case_sensitive = false;
  bool demote_copies = true;
  bool with_lines = true;  ///< false: paths only, no record is read where terms alone can tell
  std::optional<ReadAs> read_as;  ///< the reading that the user chose
  /// Where no file has a name, search the nearest one that the index has; SearchResult::instead.
  bool near_names = false;
  /// How many of a sentence's words a file must hold.
  enum class Words { Enough, All, Any } words = Words::Enough;
};

struct Hit {
  std::size_t rank = 1;  ///< from 1, counting on from the offset
  double score = 0;
  std::size_t shard = 0;  ///< which of Searcher::opened()
  std::string path;
  std::vector<std::string> also;  ///< other files of the same source that match, by path
  std::string reading;  ///< how the query was read, as --explain and JSON name it: name, compound,
                        ///< qualified, path, traceback, message, text, words; empty: unknown
  // With lines only:
  FileRecord record;
  FileMatch match;
  FileStat stamp;
  std::vector<std::uint32_t> named_lines;  ///< lines that the query named (x.py:12, a frame), best
                                           ///< first; they are shown first
  std::string shown;  ///< what a Presenter made of it; record and match are then gone
};

/// Turns a hit into what will be printed while its record is at hand. A few records are at
/// hand at once, so that memory is bounded by the largest file, however many match.
using Presenter = std::function<std::string(const Hit&)>;

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
  Xapian::Database& database() { return session_.database(); }

  /// How the query is read: the readings in their order, with their reasons, for --explain. Empty
  /// for what is syntax.
  static std::vector<Reading> readings(const ParsedQuery& query, const SearchOptions& options);

 private:
  explicit Searcher(Session session) : session_(std::move(session)) {}

  Session session_;
};

}  // namespace kw::search
