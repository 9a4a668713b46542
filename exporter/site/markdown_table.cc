// SPDX-License-Identifier: GPL-2.0-or-later
#include "exporter/site/markdown_table.h"

#include <algorithm>

namespace kw::exporter::site {
namespace {

constexpr std::string_view kBlanks = " \t\r";

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && kBlanks.find(text.front()) != std::string_view::npos)
    text.remove_prefix(1);
  while (!text.empty() && kBlanks.find(text.back()) != std::string_view::npos)
    text.remove_suffix(1);
  return text;
}

/// A pipe behind a backslash is one of the text, in code spans too, and its backslash goes.
std::vector<std::string> cells_of(std::string_view line) {
  line = trimmed(line);
  if (line.starts_with('|')) line.remove_prefix(1);
  std::vector<std::string> cells(1);
  for (std::size_t i = 0; i < line.size(); ++i) {
    const bool escape = line[i] == '\\' && i + 1 < line.size() && line[i + 1] == '|';
    if (escape)
      cells.back() += line[++i];
    else if (line[i] != '|')
      cells.back() += line[i];
    else if (i + 1 < line.size())  // the one at the end of a line closes it
      cells.emplace_back();
  }
  for (std::string& cell : cells) cell = trimmed(cell);
  return cells;
}

std::optional<MarkdownTable::Align> align_of(std::string_view cell) {
  const bool left = cell.starts_with(':');
  if (left) cell.remove_prefix(1);
  const bool right = cell.ends_with(':');
  if (right) cell.remove_suffix(1);
  if (cell.empty() || cell.find_first_not_of('-') != std::string_view::npos) return std::nullopt;
  using enum MarkdownTable::Align;
  return left && right ? Center : left ? Left : right ? Right : None;
}

/// The columns of a rule under a table's head; none if the line is no such rule.
std::vector<MarkdownTable::Align> rule_of(std::string_view line) {
  if (line.find_first_not_of("|:- \t\r") != std::string_view::npos ||
      line.find('-') == std::string_view::npos ||
      line.find_first_of("|:") == std::string_view::npos)
    return {};
  std::vector<MarkdownTable::Align> aligns;
  for (const std::string& cell : cells_of(line)) {
    const auto align = align_of(cell);
    if (!align) return {};
    aligns.push_back(*align);
  }
  return aligns;
}

}  // namespace

std::optional<MarkdownTable> find_table(const std::vector<std::string_view>& lines) {
  for (std::size_t i = 1; i < lines.size(); ++i) {
    std::vector<MarkdownTable::Align> aligns = rule_of(lines[i]);
    if (aligns.empty() || lines[i - 1].find('|') == std::string_view::npos) continue;
    std::vector<std::string> head = cells_of(lines[i - 1]);
    if (head.size() != aligns.size()) continue;
    MarkdownTable table{i - 1, std::move(aligns), {}};
    table.rows.push_back(std::move(head));
    for (std::size_t k = i + 1; k < lines.size(); ++k) table.rows.push_back(cells_of(lines[k]));
    return table;
  }
  return std::nullopt;
}

}  // namespace kw::exporter::site
