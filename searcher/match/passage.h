// SPDX-License-Identifier: GPL-2.0-or-later
// The best passage of a page for several words: two or three lines around the place where the
// salient ones are densest, as rendered text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "schema/index/record.h"
#include "searcher/match/occurrences.h"
#include "searcher/match/prepared_query.h"

namespace kw::search {

/// Bytes of one line, or of a passage, that matched.
struct Span {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  bool operator==(const Span&) const = default;
};

struct Passage {
  std::uint32_t first_line = 1;  ///< of the stored text, from 1
  std::uint32_t last_line = 1;
  std::string text;  ///< one line: lines of a paragraph are joined by blanks, no marks of Markdown
  std::vector<Span> spans;   ///< what matched in `text`, in order
  std::uint64_t leaves = 0;  ///< bits: the query's leaves in it and its heading
};

/// At most this many lines of the stored text make a passage, and this many bytes are shown of
/// them.
inline constexpr std::size_t kMaxPassageLines = 3;
inline constexpr std::size_t kMaxPassageBytes = 300;

/// The best passage for the words of a query: from the section that holds most of them, by weight.
/// Nothing where the query has fewer than two words, the file is no page of Markdown, is larger
/// than 1 MiB, or only its code matches.
/// `starts`: line_starts() of its text. `rendered` is the record's, `occurrences` are those in it.
std::optional<Passage> best_passage(const PreparedQuery& query, const FileRecord& record,
                                    const std::vector<std::size_t>& starts,
                                    const EditedText& rendered,
                                    const std::vector<Occurrence>& occurrences);

}  // namespace kw::search
