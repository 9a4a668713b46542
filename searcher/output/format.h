// SPDX-License-Identifier: GPL-2.0-or-later
// Hits -> bytes for a terminal (format_text.cc), for scripts and editors (format_json.cc). Text for
// people never carries control characters.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "searcher/engine/search.h"

namespace kw::search {

struct FormatOptions {
  bool color = false;
  std::size_t lines_per_file = 3;  ///< 0: all
  std::size_t context = 0;
  std::string tree;       ///< the root of the hit's tree, where several are searched
  std::size_t width = 0;  ///< columns of the terminal; 0: lines are not cut for it
  std::string uses;       ///< only lines that use this name, without its definition; empty: all
};

/// `shown_path` is the path as it is to be printed; with a `url` it is a link to it (OSC 8, which
/// terminals know). Empty where no line uses `options.uses`; so are the other forms.
std::string format_text(const Hit& hit, const std::string& shown_path, bool changed_on_disk,
                        const FormatOptions& options, const std::string& url = {});

/// file://HOST/PATH of an absolute path, all but letters, digits and a few marks as %XX.
std::string file_url(const std::string& path);

std::string format_json(const Hit& hit, bool changed_on_disk, const FormatOptions& options);

/// The bytes of the path stand as they are if `raw_path`, which is for programs, and if it has no
/// control characters.
std::string format_vimgrep(const Hit& hit, const std::string& shown_path, bool raw_path,
                           const FormatOptions& options);

/// The lines of a hit that are shown, in their order.
std::vector<LineMatch> chosen_lines(const Hit& hit, const FormatOptions& options);

/// Whether a hit has nothing to show of what is asked: no use of a name beside its definition.
bool is_left_out(const Hit& hit, const FormatOptions& options);

/// For --explain: "tier 7 definition, spelling as asked, original, type, bm25 12.3".
std::string explain_score(double score);

/// A part of a line, cut between characters.
struct Excerpt {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// The part of at most `limit` bytes that shows the byte `focus`.
Excerpt cut_line(std::string_view line, std::size_t focus, std::size_t limit);

/// The part of at most `columns` columns of a terminal that shows the byte `focus`: wide characters
/// take two, control characters what is shown for them, a tab goes on to the next multiple of eight
/// columns of the line. Nothing before the byte `from` is shown.
Excerpt cut_to_columns(std::string_view line, std::size_t from, std::size_t focus,
                       std::size_t columns);

}  // namespace kw::search
