// SPDX-License-Identifier: GPL-2.0-or-later
// Headings that a page writes as HTML: `<h1 align="center">Name</h1>`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kw::indexer {

struct HtmlHeading {
  std::string title;  ///< plain text; where there is none, the `alt` of its images
  std::string id;     ///< its `id`, or empty
  int level = 1;
  std::uint32_t line = 0;  ///< from 0, in the text given
};

/// Returns `<h1>` to `<h6>` of a block of raw HTML, in order; not those in comments, nor one that
/// is not closed or says nothing. Time is linear in the size of the block.
std::vector<HtmlHeading> html_headings(std::string_view html);

}  // namespace kw::indexer
