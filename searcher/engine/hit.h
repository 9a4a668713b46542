// SPDX-License-Identifier: GPL-2.0-or-later
// How a query is searched, and one of the results. What a hit looks like: format.h.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "schema/index/record.h"
#include "searcher/match/match.h"
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

/// Turns a hit into what will be printed while its record is at hand; several threads call it. A
/// few records are at hand at once, so that memory is bounded by the largest file, however many
/// match.
using Presenter = std::function<std::string(const Hit&)>;

}  // namespace kw::search
