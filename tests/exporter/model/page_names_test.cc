// SPDX-License-Identifier: GPL-2.0-or-later
#include "exporter/model/page_names.h"

#include <gmock/gmock.h>

#include "exporter/model/keyword_index.h"

namespace kw::exporter {
namespace {

TEST(PageName, AddsTheSuffixAndStaysInside) {
  EXPECT_EQ(*page_name("docs/a.md", "_kw.md"), "docs/a.md_kw.md");
  for (const char* path : {"../a", "/a", "a/../b", "a//b", "", "./a", "a/", ".."})
    EXPECT_FALSE(page_name(path, "_kw.md")) << path;
}

TEST(PageName, LongNamesBecomeHeadAndHash) {
  const std::string just(255 - 6, 'a'), over(255 - 5, 'a');
  EXPECT_EQ(*page_name("d/" + just, "_kw.md"), "d/" + just + "_kw.md");
  const std::string page = *page_name("d/" + over, "_kw.md");
  EXPECT_EQ(page.size(), 2 + 255u);
  EXPECT_TRUE(page.ends_with("_kw.md")) << page;
  EXPECT_TRUE(page.starts_with("d/aaaa")) << page;
  EXPECT_NE(page, *page_name("d/" + over + "b", "_kw.md"));
  EXPECT_EQ(page, *page_name("d/" + over, "_kw.md"));
  std::string wide;
  for (int i = 0; i < 85; ++i) wide += "漢";
  const std::string cut = *page_name(wide, "_kw.md");
  EXPECT_LE(cut.size(), 255u);
  EXPECT_TRUE(cut.starts_with(wide.substr(0, 77 * 3) + "-")) << "whole characters: " << cut;
}

TEST(ListPageName, NamesOfItsParts) {
  const struct {
    const char* list_page;
    ListPart part;
    const char* name;
  } rows[] = {
      {"sub.md", {"", 1}, "sub.md"},        {"sub.md", {"ab", 1}, "sub-ab.md"},
      {"sub.md", {"ab", 2}, "sub-ab.2.md"}, {"names", {"a", 1}, "names-a"},
      {".names", {"a", 1}, ".names-a"},     {"a.b.md", {"+", 1}, "a.b-_2b.md"},
  };
  for (const auto& row : rows)
    EXPECT_EQ(list_page_name(row.list_page, row.part.slug()), row.name) << row.list_page;
}

}  // namespace
}  // namespace kw::exporter
