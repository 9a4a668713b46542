// SPDX-License-Identifier: GPL-2.0-or-later
#include "indexer/extract/extract.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <optional>
#include <string>

namespace kw::indexer {
namespace {

using std::string_literals::operator""s;

TEST(Extract, BytesAsText) {
  struct Row {
    std::string bytes;
    std::optional<std::string> text;
    const char* why;
  };
  const Row rows[] = {
      {"a\xC3\xA9", "a\xC3\xA9", "UTF-8"},
      {"\xEF\xBB\xBF# A", "# A", "a byte-order mark is no text"},
      {"\xFF\xFEz\0\xE9\0"s, "z\xC3\xA9", "UTF-16"},
      {"\xFE\xFF\0z\0\xE9"s, "z\xC3\xA9", "the other way round"},
      {"\xFF\xFE\x3D\xD8\x00\xDE!\0"s, "\xF0\x9F\x98\x80!",
       "a pair of surrogates is one character"},
      {"\xFF\xFE\x3D\xD8!\0"s, "\xEF\xBF\xBD!", "half a pair is none"},
      {"\xFF\xFE\x00\xDE!\0"s, "\xEF\xBF\xBD!", "nor is the other half"},
      {"\xFF\xFE\x3D\xD8"s, "\xEF\xBF\xBD", "at the end"},
      {"caf\xE9", "caf\xC3\xA9", "Latin-1"},
      {"\xC3\xA9 \xE9", "\xC3\xA9 \xC3\xA9", "one bad byte leaves the rest"},
      {"a\0b"s, std::nullopt, "binary"},
      {"", "", "nothing"},
  };
  for (const Row& row : rows) EXPECT_EQ(decode_text(row.bytes), row.text) << row.why;
}

bool has_term(const IndexEntry& entry, std::string_view term) {
  return std::any_of(entry.postings.begin(), entry.postings.end(),
                     [&](const Posting& posting) { return posting.term == term; });
}

TEST(Extract, APage) {
  const IndexOptions options;
  Extractor extractor(options, nullptr);
  const auto extracted = extractor.extract(
      "docs/a.md",
      "# A title\n\nSome prose.\n\n```cpp\nint value_of; // a remark\n```\n\n```\n```\n");
  ASSERT_TRUE(std::holds_alternative<IndexEntry>(extracted));
  const IndexEntry& entry = std::get<IndexEntry>(extracted);
  EXPECT_EQ(entry.record.title, "A title");
  EXPECT_EQ(entry.record.language, "markdown");
  EXPECT_EQ(entry.record.code, (std::vector<LineRange>{{5, 7}, {9, 10}}));
  for (const char* term : {"XL:markdown", "XL:c++", "Pdocs", "Emd", "prose", "XP:valu", "remark"})
    EXPECT_TRUE(has_term(entry, term)) << term;
  EXPECT_FALSE(has_term(entry, "XI:remark ")) << "a comment names nothing";
  EXPECT_EQ(extractor.truncated(), 0u);
}

TEST(Extract, ObjectiveCppHasTheDefinitionsOfBothLanguages) {
  auto symbols = SymbolExtractor::start();
  ASSERT_TRUE(symbols) << symbols.error().message;
  const IndexOptions options;
  Extractor extractor(options, &*symbols);
  const auto definitions = [&](const char* path, const char* text) {
    const auto extracted = extractor.extract(path, text);
    std::vector<std::string> found;
    if (const auto* const entry = std::get_if<IndexEntry>(&extracted))
      for (const Definition& d : entry->record.definitions)
        found.push_back(std::to_string(d.line) + " " + d.kind + " " + d.name);
    return found;
  };
  EXPECT_THAT(definitions("a.h",
                          "#import <Cocoa/Cocoa.h>\n@class Menu;\n"
                          "namespace shop {\nclass TrayIcon : public Icon {\n public:\n"
                          "  TrayIcon();\n  int shown_;\n};\n}\n"),
              testing::ElementsAre("3 namespace shop", "4 class TrayIcon", "7 member shown_"));
  EXPECT_THAT(definitions("a.mm",
                          "int g_count = 0;\n"
                          "@implementation Stand\n- (void)open {\n  int local = 1;\n}\n"
                          "+ (id)shared { static id one; return one; }\n@end\n"
                          "namespace shop {\nvoid TrayIcon::Show() {}\n}\n"),
              testing::ElementsAre("1 variable g_count", "2 implementation Stand", "3 method open",
                                   "6 method shared", "8 namespace shop", "9 function Show"));
}

TEST(Extract, WhatIsNoEntry) {
  const IndexOptions options;
  Extractor extractor(options, nullptr);
  EXPECT_EQ(std::get<SkipReason>(extractor.extract("a.md", "a\0b"s)), SkipReason::Binary);
  EXPECT_EQ(std::get<SkipReason>(extractor.extract("a_kw.md", "# Keyword Index: `a`\n")),
            SkipReason::Generated);
  EXPECT_TRUE(std::holds_alternative<IndexEntry>(extractor.extract("a_kw.md", "# Mine\n")));
}

TEST(Extract, APageOfTooManyMarksIsTruncated) {
  const IndexOptions options;
  Extractor extractor(options, nullptr);
  std::string text = "# A\n";
  for (int i = 0; i < 400'000; ++i) text += "*\n";
  const auto extracted = extractor.extract("a.md", text);
  EXPECT_TRUE(std::get<IndexEntry>(extracted).record.sections.empty());
  EXPECT_EQ(extractor.truncated(), 1u);
  extractor.extract("b.md", "# B\n");
  EXPECT_EQ(extractor.truncated(), 1u);
}

}  // namespace
}  // namespace kw::indexer
