// SPDX-License-Identifier: GPL-2.0-or-later
#include "exporter/model/full_page.h"

#include <gmock/gmock.h>

#include "exporter/markdown/markdown_links.h"
#include "exporter/markdown/markdown_writer.h"
#include "schema/index/database_dir.h"
#include "tests/support/index_builder.h"
#include "tests/support/rendered_markdown.h"
#include "tests/support/temp_dir.h"

namespace kw::exporter {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::Pair;

const test::IndexedFile kOrbit{"docs/sky/orbit.py_docs.md",
                               "# Orbit\n\nAlthough The `Orbit` turns.\n\n## Source\n\n```python\n"
                               "from sky.star import Star\nclass Orbit:\n  def period(self):\n"
                               "    return Star.year\n```\n\n## Notes\n\nSee Orbit.\n",
                               {{"Orbit", "class", 9, ""}, {"period", "member", 10, "Orbit"}}};
const test::IndexedFile kStar{"docs/sky/star.py_docs.md",
                              "# Star\n\n```python\nclass Star: pass\n```\n",
                              {{"Star", "class", 4, ""}}};
const test::IndexedFile kSource{"sky/orbit.py",
                                "from sky.star import Star\nclass Orbit:\n  def period(self):\n"
                                "    return Star.year\n",
                                {{"Orbit", "class", 2, ""}, {"period", "member", 3, "Orbit"}}};

/// The page of one file of an index, as Markdown.
std::string page_in(std::vector<test::IndexedFile> files, const std::string& path,
                    std::size_t limit = 100) {
  const test::TempDir tmp;
  auto reader = IndexReader::open(test::build_index(tmp / ".kwsearch", std::move(files)));
  if (!reader) throw std::runtime_error(reader.error().message);
  const FileTable catalogue(*reader->stored_files());
  const TreeStatistics statistics = *TreeStatistics::read(*reader);
  PageContext page;
  page.project = "Orrery";
  page.limit = limit;
  const MarkdownLinks links(1, "", {});
  const FullContext context{page, reader->info().options, catalogue, statistics, links};
  const auto record = [&](std::size_t number) {
    return *reader->record(catalogue.docid_of(number), RecordParts::All);
  };
  const FileRecord own = record(*catalogue.find(path));
  const auto source = source_of_page(path, context);
  if (!source) return build_markdown(build_full_page(own, nullptr, context).page);
  const FileRecord of_source = record(*source);
  return build_markdown(build_full_page(own, &of_source, context).page);
}

// The order by hand, of two files: `Star` stands in both and twice here, 1.375 * 1; the others in
// one and once, 1 * 2.
TEST(FullPage, WhatItSays) {
  EXPECT_EQ(page_in({kOrbit, kStar}, kOrbit.path),
            "# Keyword Index: `docs/sky/orbit.py_docs.md`\n"
            "\n"
            "## File Information\n"
            "\n"
            "- **Original File**: sky/orbit.py\n"
            "- **Documentation**: [`orbit.py_docs.md`](../../../docs/sky/orbit.py_docs.md)\n"
            "- **Folder**: `docs/sky`\n"
            "\n"
            "## Keywords Extracted\n"
            "\n"
            "This file contains the following key identifiers, symbols, and concepts:\n"
            "\n"
            "\n"
            "### Classes\n"
            "\n"
            "- **`Orbit`** (2): [line 9](../../../docs/sky/orbit.py_docs.md?plain=1#L9); in "
            "[Orbit][s1], [Source][s2]\n"
            "\n"
            "\n"
            "### Methods\n"
            "\n"
            "- **`period`** in `Orbit` (1): "
            "[line 10](../../../docs/sky/orbit.py_docs.md?plain=1#L10); in [Source][s2]\n"
            "\n"
            "\n"
            "### Imports\n"
            "\n"
            "- **`sky`** (1): [line 8](../../../docs/sky/orbit.py_docs.md?plain=1#L8); in "
            "[Source][s2]\n"
            "- **`star`** (1): [line 8](../../../docs/sky/orbit.py_docs.md?plain=1#L8); in "
            "[Source][s2]\n"
            "- **`Star`** (2): [line 8](../../../docs/sky/orbit.py_docs.md?plain=1#L8); in "
            "[Source][s2]\n"
            "\n"
            "\n"
            "### Identifiers\n"
            "\n"
            "- **`self`** (1): [line 10](../../../docs/sky/orbit.py_docs.md?plain=1#L10); in "
            "[Source][s2]\n"
            "- **`year`** (1): [line 11](../../../docs/sky/orbit.py_docs.md?plain=1#L11); in "
            "[Source][s2]\n"
            "\n"
            "\n"
            "## Keyword → Section Map\n"
            "\n"
            "The following sections in the documentation cover these topics:\n"
            "\n"
            "- **[Orbit][s1]**: `Orbit`\n"
            "- **[Source][s2]**: `Orbit`, `period`, `self`, `sky`, `star`, `year`, `Star`\n"
            "- **[Notes][s3]**: no names\n"
            "\n"
            "## Where Else\n"
            "\n"
            "These files define names that this file uses:\n"
            "\n"
            "- [`docs/sky/star.py_docs.md`](star.py_docs.md_kw.md): `Star`\n"
            "\n"
            "[s1]: ../../../docs/sky/orbit.py_docs.md#orbit\n"
            "[s2]: ../../../docs/sky/orbit.py_docs.md#source\n"
            "[s3]: ../../../docs/sky/orbit.py_docs.md#notes\n"
            "\n"
            "---\n"
            "\n"
            "*Generated by Orrery Repository Documentation System*\n");
}

TEST(FullPage, LeadsToTheSourceWhereItIsIndexed) {
  const std::string page = page_in({kOrbit, kSource}, kOrbit.path);
  EXPECT_THAT(page, AllOf(HasSubstr("- **Original File**: [sky/orbit.py](../../../sky/orbit.py)\n"),
                          HasSubstr("#L9), [source line 2](../../../sky/orbit.py#L2); in"),
                          HasSubstr("#L10), [source line 3](../../../sky/orbit.py#L3); in"),
                          Not(HasSubstr("Where Else"))));
  EXPECT_THAT(page_in({kOrbit, kSource}, kSource.path),
              HasSubstr("- **Documentation**: "
                        "[`orbit.py_docs.md`](../../docs/sky/orbit.py_docs.md)\n"));
}

TEST(FullPage, TheLimitKeepsAllDefinitions) {
  const std::string page = page_in({kOrbit, kStar}, kOrbit.path, 1);
  EXPECT_THAT(page, AllOf(HasSubstr("**`Orbit`**"), HasSubstr("**`period`**"),
                          HasSubstr("**`self`**"), Not(HasSubstr("**`year`**"))));
}

TEST(FullPage, NoTitleNameOrScopeBreaksIt) {
  for (const std::string text :
       {"plain", "a|b", "a`b``c", "[x](y)", "*a* **b**", "<script>x</script>", "\"q\" 'r'",
        "__init__", "]: z", "&lt;", "![i](j)", "~~s~~", "a\\"}) {
    // A title is what the record says, so it is set there: the page's own text does not matter.
    test::IndexedFile file{"a.md", "# T\n\nsome_name\n", {{text, "function", 3, text}}};
    const test::TempDir tmp;
    auto reader = IndexReader::open(test::build_index(tmp / ".kwsearch", {file}));
    const FileTable catalogue(*reader->stored_files());
    FileRecord record = *reader->record(catalogue.docid_of(0), RecordParts::All);
    ASSERT_EQ(record.sections.size(), 1u);
    record.sections[0].title = text;
    const TreeStatistics statistics;
    const PageContext page;
    const MarkdownLinks links(0, "", {});
    const FullContext context{page, reader->info().options, catalogue, statistics, links};
    const auto blocks =
        test::rendered(build_markdown(build_full_page(record, nullptr, context).page));
    EXPECT_THAT(blocks, Not(::testing::Contains(HasSubstr("(BROKEN)")))) << text;
    EXPECT_THAT(blocks, ::testing::Contains(text + " in " + text + ": [line 3](a.md?plain=1#L3)"));
    EXPECT_THAT(blocks, ::testing::Contains("[" + text + "](a.md#t): some_name")) << text;
  }
}

}  // namespace
}  // namespace kw::exporter
