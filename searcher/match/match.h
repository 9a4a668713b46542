// SPDX-License-Identifier: GPL-2.0-or-later
// Where in a stored text a query matches: lines, columns, sections, definitions; and whether it
// matches at all, for what terms cannot tell. Works on records alone.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "schema/base/result.h"
#include "schema/index/record.h"
#include "searcher/query/query.h"

namespace kw::search {

/// Bytes of one line that matched.
struct Span {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  bool operator==(const Span&) const = default;
};

struct LineMatch {
  std::uint32_t line = 1;   ///< from 1
  std::vector<Span> spans;  ///< in order; the first begins at column spans[0].begin + 1
  int strength = 0;         ///< for choosing lines: more is better

  bool operator==(const LineMatch&) const = default;
};

struct FileMatch {
  bool matches = false;                  ///< the whole query holds for this file
  std::vector<LineMatch> lines;          ///< all that match, by line
  std::vector<Definition> definitions;   ///< those that match, best first
  std::vector<std::size_t> line_starts;  ///< of the text, as line_starts() finds them
};

/// A query made ready to be run over many records. One thread at a time.
class Matcher {
 public:
  /// Fails with ErrorCode::Usage for a regular expression that RE2 does not take. `any`: one word
  /// at the top is enough.
  static Result<Matcher> create(const QueryNode& root, bool case_sensitive, bool any);
  Matcher(Matcher&&) noexcept;
  Matcher& operator=(Matcher&&) noexcept;
  ~Matcher();

  /// Whether a filter holds for the record's file, which only its terms can tell.
  using HoldsFilter = std::function<bool(const QueryNode& filter)>;

  /// Without `holds_filter` all filters do.
  FileMatch match(const FileRecord& record, const HoldsFilter& holds_filter = {});

  /// FileMatch::matches alone, for a record that the query's terms have found: much cheaper.
  bool is_match(const FileRecord& record, const HoldsFilter& holds_filter = {});

  /// Bytes that is_match() has looked through so far: those of a text once for each word, text or
  /// pattern that it was asked for.
  std::size_t bytes_read() const;

 private:
  struct Impl;
  explicit Matcher(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// The `most` strongest lines, by line.
std::vector<LineMatch> best_lines(const std::vector<LineMatch>& lines, std::size_t most);

/// The section that holds a line; nullptr before the first heading.
const Section* section_at(const FileRecord& record, std::uint32_t line);

}  // namespace kw::search
