// SPDX-License-Identifier: GPL-2.0-or-later
// A page of Markdown as a reader sees it: its paragraphs and headings line by line, without marks,
// and where each line stands in the stored text. Code blocks are left out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kw::search {

struct RenderedLine {
  std::uint32_t line = 1;  ///< of the stored text, from 1
  std::string text;
};

/// A paragraph (of a list or a quotation, too) or a heading.
struct RenderedBlock {
  bool is_heading = false;
  std::vector<RenderedLine> lines;  ///< by line, at least one
};

/// A larger page is data: parsing it would take longer than the search.
inline constexpr std::size_t kMaxRenderedBytes = 1 << 20;

/// By line. Empty for a text that cmark cannot take (markdown_text.h).
std::vector<RenderedBlock> render_page(std::string_view text);

}  // namespace kw::search
