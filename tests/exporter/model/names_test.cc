// SPDX-License-Identifier: GPL-2.0-or-later
#include "exporter/model/names.h"

#include <gmock/gmock.h>

#include <fmt/format.h>

#include "tests/support/index_builder.h"

namespace kw::exporter {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

FileRecord page_of(std::string text, std::vector<Section> sections = {}) {
  FileRecord record;
  record.path = "a.py_docs.md";
  record.language = "markdown";
  record.text = std::move(text);
  record.sections = std::move(sections);
  return record;
}

/// "name count@line", with `!` for one that is imported.
std::vector<std::string> uses(const FileRecord& record, bool about_source) {
  std::vector<std::string> all;
  const EditedText rendered = rendered_text(record);
  for (const NameUse& use : find_names(record, rendered, about_source))
    all.push_back(
        fmt::format("{} {}@{}{}", use.name, use.count, use.first_line, use.imported ? "!" : ""));
  return all;
}

TEST(Names, OfAPageAboutASourceAreThoseOfItsCode) {
  const FileRecord record = page_of(
      "The Orbit of `helper` and other_name.\n"
      "```python\nfrom sky import (Star,\n  Moon)\n\"\"\"Although orbit_of\"\"\"\n"
      "def orbit_of(star): return Star(star) # the Moon\n```\n"
      "```py\nusage(Star)\n```\n");
  EXPECT_THAT(uses(record, true),
              ElementsAre("sky 1@3!", "Star 3@3!", "Moon 1@4!", "orbit_of 2@6", "star 2@6"));
}

TEST(Names, OfAGuideAreThoseThatLookLikeNames) {
  EXPECT_THAT(uses(page_of("The `helper` and other_name, NaN.\n"), false),
              ElementsAre("helper 1@1", "other_name 1@1", "NaN 1@1"));
}

TEST(Names, OfProseAreThoseThatAReaderSees) {
  const FileRecord record =
      test::make_entry({"a.md", "Set max\\_retry\\_count, `get` of _NaN or `b_c`_ [x](d_e.md).\n"})
          .record;
  EXPECT_THAT(uses(record, false),
              ElementsAre("max_retry_count 1@1", "get 1@1", "NaN 1@1", "b_c 1@1"));
}

TEST(Names, OfAnUnknownLanguageAreThoseThatLookLikeNames) {
  EXPECT_THAT(uses(page_of("```\nplain words some_name\n```\n"), true),
              ElementsAre("some_name 1@2"));
  EXPECT_THAT(uses(page_of("Nothing but words.\n"), true), IsEmpty());
}

TEST(Names, AreCountedBySection) {
  const FileRecord record = page_of("a_b\n# One\na_b a_b\n# Two\na_b\n",
                                    {{"One", 1, 2, 3, "one"}, {"Two", 1, 4, 5, "two"}});
  const EditedText rendered = rendered_text(record);
  const std::vector<NameUse> names = find_names(record, rendered, false);
  ASSERT_EQ(names.size(), 1u);
  EXPECT_EQ(names[0].count, 4u);
  EXPECT_THAT(names[0].sections,
              ElementsAre(SectionCount{kNoSection, 1}, SectionCount{0, 2}, SectionCount{1, 1}));
}

TEST(CodeLinesTest, FencesOfAPage) {
  const struct {
    const char* why;
    const char* text;
    std::uint32_t line;
    const char* language;
  } rows[] = {
      {"inside", "```py\nx\n```\n", 2, "py"},
      {"the fence itself is none", "```py\nx\n```\n", 3, ""},
      {"a longer fence holds a shorter one", "````py\n```\nx\n````\n", 3, "py"},
      {"tildes hold backticks", "~~~c\n```\nx\n~~~\n", 3, "c"},
      {"attributes", "``` {.python}\nx\n```\n", 2, "python"},
      {"a span that begins its line", "```a``` b\nx\n", 2, ""},
      {"never closed", "a\n```c\nx\ny", 4, "c"},
      {"a fence far to the right is a line of it", "```md\n    ```\nx\n```\n", 3, "md"},
      {"in a list", "- a\n  ```c\n  x\n  ```\n", 3, "c"},
  };
  for (const auto& row : rows)
    EXPECT_EQ(CodeLines(page_of(row.text)).language_at(row.line), row.language) << row.why;
}

}  // namespace
}  // namespace kw::exporter
