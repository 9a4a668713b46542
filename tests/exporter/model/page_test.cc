// SPDX-License-Identifier: GPL-2.0-or-later
#include "exporter/model/page.h"

#include <gmock/gmock.h>

namespace kw::exporter {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

FileRecord record_of(std::string path, std::string text) {
  FileRecord record;
  record.path = std::move(path);
  record.text = std::move(text);
  return record;
}

PageContext context_at(std::optional<std::size_t> depth) {
  PageContext context;
  context.project = "Orrery";
  context.output_depth = depth;
  return context;
}

TEST(ClassicPage, LinkClimbsFromThePageToTheRoot) {
  const struct {
    const char* why;
    const char* path;
    std::optional<std::size_t> depth;
    const char* target;
  } rows[] = {
      {"out is the root: the page lies beside its file", "a.md", 0, "a.md"},
      {"out is the root, in a folder: up and down again", "src/a.md", 0, "../src/a.md"},
      {"out is a folder of the root", "a.md", 1, "../a.md"},
      {"all the way up, though both are below docs", "docs/x/a.md", 1, "../../../docs/x/a.md"},
      {"deeper", "s/a.md", 3, "../../../../s/a.md"},
      {"outside the root: no link", "docs/x/a.md", std::nullopt, ""},
  };
  for (const auto& row : rows) {
    const Page page = build_classic_page(record_of(row.path, ""), context_at(row.depth));
    EXPECT_EQ(page.original.target, row.target) << row.why;
    EXPECT_EQ(page.original.text, row.path) << row.why;
  }
}

TEST(ClassicPage, SaysWhatTheRecordHolds) {
  const Page page =
      build_classic_page(record_of("docs/a/orbit.py_docs.md", "The Orbit"), context_at(1));
  EXPECT_EQ(page.path, "docs/a/orbit.py_docs.md");
  EXPECT_EQ(page.folder.text, "docs/a");
  EXPECT_EQ(page.project, "Orrery");
  const Link documentation{"orbit.py_docs.md_docs.md", "./orbit.py_docs.md_docs.md"};
  EXPECT_EQ(page.documentation, documentation);
  ASSERT_EQ(page.groups.size(), 1u);
  EXPECT_EQ(page.groups[0].title, "Identifiers");
  EXPECT_EQ(page.groups[0].place, documentation);
  EXPECT_THAT(page.groups[0].keywords, ElementsAre(Keyword{"Orbit", {}}, Keyword{"The", {}}));
  EXPECT_EQ(page.sections.size(), 9u);
}

TEST(ClassicPage, FileInTheRootWithoutKeywords) {
  const Page page = build_classic_page(record_of("a.md", "no capitals"), context_at(1));
  EXPECT_EQ(page.folder.text, ".");
  EXPECT_THAT(page.groups, IsEmpty());
}

TEST(ClassicPage, DocumentationHasTheSuffixOfTheIndex) {
  PageContext context = context_at(0);
  context.doc_suffix = ".notes.md";
  EXPECT_EQ(build_classic_page(record_of("x/a.c", ""), context).documentation.target,
            "./a.c.notes.md");
}

}  // namespace
}  // namespace kw::exporter
