// SPDX-License-Identifier: GPL-2.0-or-later
#include "exporter/markdown/markdown_links.h"

#include <gmock/gmock.h>

#include "exporter/markdown/markdown_writer.h"

namespace kw::exporter {
namespace {

TEST(MarkdownLinks, ToFilesAsTheForgeWantsThem) {
  const MarkdownLinks inside(1, "", {});
  EXPECT_EQ(markdown_destination(inside.to_line("", "src", "src/a.c", 12)), "../../src/a.c#L12");
  EXPECT_EQ(markdown_destination(inside.to_line("", "src", "src/A.MD", 12)),
            "../../src/A.MD?plain=1#L12");
  EXPECT_EQ(markdown_destination(inside.to_section("", "", "a.md", "große-idee")),
            "../a.md#große-idee");
  const MarkdownLinks beside(0, "", {});
  EXPECT_EQ(markdown_destination(beside.to_line("", "src", "src/a.c", 1)), "a.c#L1");
  const MarkdownLinks outside(std::nullopt, "", {});
  EXPECT_EQ(outside.to_line("", "src", "src/a.c", 1).target, "");
  const MarkdownLinks site(std::nullopt, "https://h.example/o/r/blob/main", {});
  EXPECT_EQ(markdown_destination(site.to_line("", "src", "src/a b.c", 1)),
            "https://h.example/o/r/blob/main/src/a%20b.c#L1");
}

TEST(MarkdownLinks, ToThePagesOfTheExport) {
  const MarkdownLinks links(0, "", {"_kw.md", "index.md", "sub.md"});
  EXPECT_EQ(links.to_page("", "a/b", "a/c/x.py").target, "../c/x.py_kw.md");
  EXPECT_EQ(links.to_page("", "", "../x").target, "") << "leads out of the tree";
  EXPECT_EQ(links.to_folder("", "a/b", "a/b").target, "index.md");
  EXPECT_EQ(links.to_folder("", "a/b", "").target, "../../index.md");
  EXPECT_EQ(links.to_list("", "a", "a/b", "").target, "b/sub.md");
  EXPECT_EQ(links.to_list("", "a", "a", "x.2").target, "sub-x.2.md");
  const MarkdownLinks none(0, "", {"_kw.md", "", ""});
  EXPECT_EQ(none.to_folder("", "a", "a").target, "");
  EXPECT_EQ(none.to_list("", "a", "a", "").target, "");
}

}  // namespace
}  // namespace kw::exporter
