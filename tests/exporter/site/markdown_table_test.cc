// SPDX-License-Identifier: GPL-2.0-or-later
#include "exporter/site/markdown_table.h"

#include <gmock/gmock.h>

namespace kw::exporter::site {
namespace {

using Rows = std::vector<std::vector<std::string>>;
using enum MarkdownTable::Align;

TEST(MarkdownTable, CellsAreCutAsGitHubCutsThem) {
  const struct {
    const char* why;
    std::vector<std::string_view> lines;
    Rows rows;
  } rows[] = {
      {"pipes all round", {"| a | b |", "|---|---|", "| 1 | 2 |"}, {{"a", "b"}, {"1", "2"}}},
      {"none at the ends", {"a | b", "- | -", "1 | 2"}, {{"a", "b"}, {"1", "2"}}},
      {"an escaped pipe",
       {"| a | b |", "|-|-|", R"(| `x\|y` | \| |)"},
       {{"a", "b"}, {"`x|y`", "|"}}},
      {"a pipe in code cuts, too", {"| a |", "|---|", "| `x|y` |"}, {{"a"}, {"`x", "y`"}}},
      {"other escapes stay", {"|a|", "|-|", R"(|\*x\\|)"}, {{"a"}, {R"(\*x\|)"}}},
      {"empty cells", {"| | b |", "|-|-|", "|||"}, {{"", "b"}, {"", ""}}},
      {"rows longer and shorter",
       {"|a|b|", "|-|-|", "|1|2|3|", "|1|"},
       {{"a", "b"}, {"1", "2", "3"}, {"1"}}},
      {"a line without a pipe is a row", {"|a|", "|-|", "text"}, {{"a"}, {"text"}}},
      {"a head alone", {"|a|", "|:-:|"}, {{"a"}}},
      {"carriage returns", {"|a|\r", "|-|\r"}, {{"a"}}},
  };
  for (const auto& row : rows) {
    const auto table = find_table(row.lines);
    ASSERT_TRUE(table) << row.why;
    EXPECT_EQ(table->rows, row.rows) << row.why;
  }
}

TEST(MarkdownTable, Alignment) {
  const auto table = find_table({"a|b|c|d", ":-|-:|:-:|-"});
  ASSERT_TRUE(table);
  EXPECT_THAT(table->aligns, testing::ElementsAre(Left, Right, Center, None));
}

TEST(MarkdownTable, LinesBeforeTheHeadAreNone) {
  const auto table = find_table({"Some text:", "| a |", "|---|", "| 1 |"});
  ASSERT_TRUE(table);
  EXPECT_EQ(table->header, 1u);
  EXPECT_EQ(table->rows, (Rows{{"a"}, {"1"}}));
}

TEST(MarkdownTable, WhatIsNone) {
  const std::vector<std::vector<std::string_view>> rows = {
      {},
      {"| a |"},
      {"|---|"},
      {"a", "b"},
      {"|---|", "| a |"},
      {"| a | b |", "|---|"},  // as many cells as the head
      {"| a |", "|---|---|"},
      {"a", "---|"},  // no pipe in the head
      {"| a |", "| -x- |"},
      {"| a |", "|:|"},
      {"| a |", "| |"},
  };
  for (const auto& lines : rows) EXPECT_FALSE(find_table(lines)) << testing::PrintToString(lines);
}

}  // namespace
}  // namespace kw::exporter::site
