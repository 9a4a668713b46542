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
#include "schema/index/index_reader.h"
#include "schema/index/record.h"
#include "schema/index/vocabulary.h"
#include "searcher/engine/compile.h"
#include "searcher/engine/open_databases.h"
#include "searcher/match/match.h"
#include "searcher/query/query.h"

namespace kw::search {

struct SearchOptions {
  std::size_t results = 10;  ///< 0: all
  std::size_t offset = 0;
  bool case_sensitive = false;
  bool demote_copies = true;
  bool with_lines = true;  ///< false: paths only, no record is read where terms alone can tell
};

struct Hit {
  std::size_t rank = 1;  ///< from 1, counting on from the offset
  double score = 0;
  std::size_t shard = 0;  ///< which of Searcher::opened()
  std::string path;
  std::vector<std::string> also;  ///< other files of the same source that match, by path
  // With lines only:
  FileRecord record;
  FileMatch match;
  FileStat stamp;
  std::string reading;  ///< how the query was read, as --explain and JSON name it; empty: unknown
  std::vector<std::uint32_t> named_lines;  ///< lines that the query named (x.py:12, a frame), best
                                           ///< first; they are shown first
  std::string shown;  ///< what a Presenter made of it; record and match are then gone
};

/// Turns a hit into what will be printed while its record is at hand. Records are dropped one by
/// one, so that memory is bounded by the largest file, however many match.
using Presenter = std::function<std::string(const Hit&)>;

struct SearchResult {
  std::vector<Hit> hits;
  bool any = false;      ///< no file held all words; these hold some
  bool partial = false;  ///< a bound was reached: more may match
};

/// What results can be counted by.
enum class Facet {
  Folder,    ///< the folder of the file; "." at the root
  Language,  ///< the language of the file; "unknown"
  Kind       ///< the kind of the first definition that matches; "none"
};

struct FacetCount {
  std::string name;
  std::size_t results = 0;
};

/// Results whose text is checked for one question, at most, and bytes of their texts, once for each
/// word or text looked for in them: what can be read in some 50 milliseconds.
inline constexpr std::size_t kMaxChecked = 1000;
inline constexpr std::size_t kMaxCheckedBytes = 8 << 20;

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
  const OpenDatabases& opened() const { return opened_; }
  std::vector<OpenDatabase>& shards() { return opened_.shards; }
  Xapian::Database& database() { return all_; }

 private:
  struct Budget;
  struct Run;
  std::vector<DatabaseLocation> places_;
  OpenOptions options_;
  std::vector<std::pair<DatabaseLocation, Error>> lost_;  // places that opened, but do not answer
  OpenDatabases opened_;
  Xapian::Database all_;
  std::optional<Vocabulary> vocabulary_;  // of all; read when it is first needed

  Result<void> reopen();
  bool asks_servers() const;
  std::string about_search() const;
  const Vocabulary& vocabulary();
  QueryCompiler compiler(const ParsedQuery& query, const SearchOptions& options);
  template <class F>
  auto retried(F&& f) -> decltype(f(*this));
  template <class F>
  Result<void> find_lost(const F& f);
};

}  // namespace kw::search
