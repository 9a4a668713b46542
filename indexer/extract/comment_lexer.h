// SPDX-License-Identifier: GPL-2.0-or-later
// Where the comments of a source text are. A small lexer of comment marks and strings, by the table
// of language_table.h: good enough to tell prose from code for stemming, not a parser.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "indexer/extract/language_table.h"

namespace kw::indexer {

struct ByteRange {
  std::size_t begin = 0;
  std::size_t end = 0;  ///< one past the last byte

  bool operator==(const ByteRange&) const = default;
};

/// Comments (and documentation strings, where the table calls them comments), in order, not
/// overlapping, marks included. A string or comment that never ends runs to the end of its line or
/// of the text.
std::vector<ByteRange> find_comments(std::string_view text, const CommentStyle& style);

}  // namespace kw::indexer
