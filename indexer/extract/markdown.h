// SPDX-License-Identifier: GPL-2.0-or-later
// A Markdown page as cmark reads it: its sections, its code, and what a reader sees of its text.
// Which words stand there is not seen here: extract.h.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "indexer/extract/page_metadata.h"
#include "indexer/extract/page_rendering.h"
#include "schema/index/record.h"

namespace kw::indexer {

struct CodeBlock {
  std::string info;  ///< first word of the fence's info string, as written; empty for none
  std::uint32_t first_line = 1;  ///< of the content, counted from 1 in the page
  std::uint32_t last_line = 0;   ///< before first_line if the block is empty
  LineRange with_fences;         ///< the lines of the content and of its fences
  std::string content;  ///< without the fence and what stands before it in its list or quote; lines
                        ///< end in \n
};

struct MarkdownPage {
  PageMetadata metadata;          ///< of its front matter
  std::vector<Section> sections;  ///< by line; lines before the first heading belong to none
  std::vector<CodeBlock> code;    ///< fenced and indented blocks, by line
  PageRendering rendering;
  bool is_truncated = false;  ///< it has too many marks, and comes back empty
};

/// Any bytes are legal. A page with more than 750,000 marks (line ends, `*`, `[` ...) is not for
/// people, and comes back empty: it has no structure, and is seen as it is typed. An unclosed fence
/// runs to the end of what holds it, as CommonMark says. Front matter belongs to no section. `<h1>`
/// to `<h6>` in raw HTML are headings, too. `{#id}` or `{: #id}` behind a heading, or in the line
/// after it, is its anchor, and no part of its title. Time is linear in the size of the text;
/// memory is up to 360 bytes for each mark (cmark's nodes).
MarkdownPage parse_markdown(std::string_view text);

/// The anchor that GitHub gives a heading: small letters, blanks as `-`, other punctuation left
/// out. Without the `-1`, `-2` that make it unique: parse_markdown adds those.
std::string heading_anchor(std::string_view title);

}  // namespace kw::indexer
