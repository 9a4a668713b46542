// SPDX-License-Identifier: GPL-2.0-or-later
// Pipe tables, which CommonMark and so cmark do not know: found in the lines of a paragraph, and
// cut into cells as GitHub Flavored Markdown cuts them, before inline markup is read.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kw::exporter::site {

struct MarkdownTable {
  enum class Align { None, Left, Center, Right };
  std::size_t header = 0;     ///< the line of its head; those before are no table's
  std::vector<Align> aligns;  ///< one a column of the head
  std::vector<std::vector<std::string>> rows;  ///< the head first; in each the cells' Markdown
};

/// The table in a paragraph, if there is one: a head, and below it a rule of as many cells. All
/// lines after that are its rows.
std::optional<MarkdownTable> find_table(const std::vector<std::string_view>& lines);

}  // namespace kw::exporter::site
