// SPDX-License-Identifier: GPL-2.0-or-later
#include "exporter/site/table_html.h"

#include <algorithm>
#include <vector>

#include "schema/text/markdown_tree.h"
#include "schema/text/text.h"

namespace kw::exporter::site {
namespace {

// What definitions of links are worth to cells: a page with more is not made for people.
constexpr std::size_t kMaxDefinitionBytes = 64 << 10;
// Cells begin with it, so that none of them is a list, a heading or a definition.
constexpr std::string_view kCellMark = "| ";

bool is_definition(std::string_view line) {
  const std::size_t begin = line.find_first_not_of(' ');
  return begin <= 3 && line[begin] == '[' && line.find("]:") != std::string_view::npos;
}

std::string_view class_of(MarkdownTable::Align align) {
  switch (align) {
    case MarkdownTable::Align::None:
    case MarkdownTable::Align::Left:
      return "";
    case MarkdownTable::Align::Center:
      return " class=center";
    case MarkdownTable::Align::Right:
      return " class=right";
  }
  return "";
}

}  // namespace

void TableHtml::append(const MarkdownTable& table, std::uint32_t line) {
  std::string cells;
  for (const auto& row : table.rows)
    for (const std::string& cell : row) cells.append(kCellMark).append(cell).append("\n\n");
  cells += link_definitions();
  const MarkdownTree document = parse_markdown_tree(cells);
  cmark_node* cell = cmark_node_first_child(document.get());
  out_ += "<div class=wide><table>\n";
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    out_ += r == 0 ? "<thead>\n<tr>" : r == 1 ? "<tbody>\n<tr>" : "<tr>";
    const std::size_t columns = std::max(table.rows[r].size(), table.aligns.size());
    for (std::size_t c = 0; c < columns; ++c) {
      // A heading without words would be announced as one.
      const bool is_heading = r == 0 && c < table.rows[r].size() &&
                              table.rows[r][c].find_first_not_of(" \t") != std::string::npos;
      out_ += is_heading ? "<th" : "<td";
      if (c < table.aligns.size()) out_ += class_of(table.aligns[c]);
      // The rule below the head has a line, too.
      if (c == 0)
        ids_.close_tag(out_, line + static_cast<std::uint32_t>(r == 0 ? 0 : r + 1));
      else
        out_ += '>';
      if (c < table.rows[r].size() && cell) {
        inlines_.append(cell, {line, true, kCellMark.size()});
        cell = cmark_node_next(cell);
      }
      out_ += is_heading ? "</th>" : "</td>";
    }
    out_ += r == 0 ? "</tr>\n</thead>\n" : "</tr>\n";
  }
  out_ += table.rows.size() > 1 ? "</tbody>\n</table></div>\n" : "</table></div>\n";
}

/// Definitions stand anywhere in the page, and hold for its cells as well.
const std::string& TableHtml::link_definitions() {
  if (definitions_) return *definitions_;
  definitions_.emplace();
  const std::vector<std::size_t> starts = line_starts(text_);
  for (std::uint32_t i = 1; i <= starts.size(); ++i) {
    const std::string_view line = line_at(text_, starts, i);
    if (is_definition(line) && definitions_->size() + line.size() < kMaxDefinitionBytes)
      definitions_->append(line).append("\n\n");
  }
  return *definitions_;
}

}  // namespace kw::exporter::site
