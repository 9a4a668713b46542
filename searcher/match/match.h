// SPDX-License-Identifier: GPL-2.0-or-later
// Whether a file matches a query, for what terms cannot tell, and where (file_match.h). Works on
// records alone.
#pragma once

#include <cstddef>
#include <optional>

#include "schema/base/result.h"
#include "schema/index/record.h"
#include "searcher/match/file_match.h"
#include "searcher/match/prepared_query.h"
#include "searcher/query/query.h"

namespace kw::search {

/// A query made ready to be run over many records. One thread at a time.
class Matcher {
 public:
  /// Fails with ErrorCode::Usage for a regular expression that RE2 does not take. `match_any`: one
  /// word at the top is enough. `root` must outlive it.
  static Result<Matcher> create(const QueryNode& root, bool case_sensitive, bool match_any);

  /// Without `holds_filter` all filters do.
  FileMatch match(const FileRecord& record, const HoldsFilter& holds_filter = {}) const {
    return match_file(query_, record, holds_filter);
  }

  /// FileMatch::matches alone, for a record that the query's terms have found: much cheaper.
  bool is_match(const FileRecord& record, const HoldsFilter& holds_filter = {});

  /// Bytes that is_match() has looked through so far: those of a text once for each word, text or
  /// pattern that it was asked for.
  std::size_t bytes_read() const { return bytes_read_; }

 private:
  explicit Matcher(PreparedQuery query) : query_(std::move(query)) {}

  bool is_plain_sequence() const;
  bool leaf_holds(const Leaf& leaf, const FileRecord& record, std::optional<EditedText>& rendered);
  bool reads(const Leaf& leaf, std::string_view text);

  PreparedQuery query_;
  std::size_t bytes_read_ = 0;
};

/// The section that contains a line; nullptr before the first heading.
const Section* section_at(const FileRecord& record, std::uint32_t line);

/// The innermost function or type whose definition stands at or above a line, as far as indentation
/// and order tell; nullptr if there is none.
const Definition* enclosing_definition(const FileRecord& record,
                                       const std::vector<std::size_t>& line_starts,
                                       std::uint32_t line);

}  // namespace kw::search
