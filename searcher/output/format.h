// SPDX-License-Identifier: GPL-2.0-or-later
// Hits -> bytes for a terminal, for scripts (JSON Lines), for editors. Text for people never
// carries control characters.
#pragma once

#include <cstddef>
#include <string>

#include "searcher/engine/search.h"

namespace kw::search {

struct FormatOptions {
  bool color = false;
  std::size_t lines_per_file = 3;  ///< 0: all
  std::size_t context = 0;
  std::string tree;       ///< the root of the hit's tree, where several are searched
  std::size_t width = 0;  ///< columns of the terminal; 0: lines are not cut for it
};

/// `shown_path` is the path as it is to be printed; with a `url` it is a link to it (OSC 8, which
/// terminals know).
std::string format_text(const Hit& hit, const std::string& shown_path, bool changed_on_disk,
                        const FormatOptions& options, const std::string& url = {});

/// file://HOST/PATH of an absolute path, all but letters, digits and a few marks as %XX.
std::string file_url(const std::string& path);

std::string format_json(const Hit& hit, bool changed_on_disk, const FormatOptions& options);
std::string format_vimgrep(const Hit& hit, const std::string& shown_path,
                           const FormatOptions& options);

/// For --explain: "tier 7 definition, spelling as asked, original, type, bm25 12.3".
std::string explain_score(double score);

/// The part of a line of at most `limit` bytes that shows bytes from `focus` on, cut between
/// characters; `begin` is where it starts.
struct Excerpt {
  std::size_t begin = 0;
  std::size_t end = 0;
};
Excerpt cut_line(std::string_view line, std::size_t focus, std::size_t limit);

}  // namespace kw::search
