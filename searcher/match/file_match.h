// SPDX-License-Identifier: GPL-2.0-or-later
// What of one file matches a query: lines, the bytes to mark in them, definitions, the best
// passage.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "schema/index/record.h"
#include "searcher/match/passage.h"
#include "searcher/match/prepared_query.h"

namespace kw::search {

struct LineMatch {
  std::uint32_t line = 1;    ///< from 1
  std::vector<Span> spans;   ///< in order, at least one
  int strength = 0;          ///< for choosing lines: more is better
  std::size_t focus = 0;     ///< which of the spans says most: that of the rarest word
  std::uint64_t leaves = 0;  ///< bits: the query's leaves that match here

  /// Where the line's match begins, in bytes of the line.
  std::uint32_t begin() const { return spans[focus].begin; }

  bool operator==(const LineMatch&) const = default;
};

struct FileMatch {
  bool matches = false;                  ///< the whole query holds for this file
  std::vector<LineMatch> lines;          ///< all that match, by line
  std::vector<Definition> definitions;   ///< those that match, best first
  std::vector<std::size_t> line_starts;  ///< of the text, as line_starts() finds them
  std::optional<Passage> passage;        ///< of several words in a page: the best place
};

/// Whether a filter holds for the record's file, which only its terms can tell. An empty one: all
/// do.
using HoldsFilter = std::function<bool(const QueryNode& filter)>;

FileMatch match_file(const PreparedQuery& query, const FileRecord& record,
                     const HoldsFilter& holds_filter);

/// Whether the file's path decides that a leaf holds.
bool path_holds(const PreparedQuery& query, const Leaf& leaf, const FileRecord& record);

/// The `most` lines to show: that of the best definition first, then, by line, those of `named` and
/// the strongest ones.
std::vector<LineMatch> best_lines(const FileMatch& match, std::size_t most,
                                  const std::vector<std::uint32_t>& named = {});

}  // namespace kw::search
