// SPDX-License-Identifier: GPL-2.0-or-later
#include "searcher/match/passage.h"

#include <gmock/gmock.h>

#include "searcher/match/match.h"
#include "tests/support/index_builder.h"

namespace kw::search {
namespace {

using testing::HasSubstr;
using testing::Not;

std::optional<Passage> passage(const std::string& query, const std::string& text,
                               const std::string& path = "p.md") {
  const FileRecord record = test::make_entry({path, text}).record;
  const auto parsed = parse_query(query);
  const auto matcher = Matcher::create(parsed->root, false, true);
  EXPECT_TRUE(matcher);
  return matcher->match(record).passage;
}

TEST(Passage, RunsOnOverHardWrapsWithoutMarks) {
  const auto p = passage("cache directory",
                         "# Guide\n\nNothing here.\n\n## Storage\n\nThe **cache** lies in a\n"
                         "[directory](https://example.org/x) of `its` own\\.\n\nA cache.\n");
  ASSERT_TRUE(p);
  EXPECT_EQ(p->text, "The cache lies in a directory of its own.");
  EXPECT_EQ(p->first_line, 7u);
  EXPECT_EQ(p->last_line, 8u);
  ASSERT_EQ(p->spans.size(), 2u);
  EXPECT_EQ(p->text.substr(p->spans[0].begin, p->spans[0].end - p->spans[0].begin), "cache");
  EXPECT_EQ(p->text.substr(p->spans[1].begin, p->spans[1].end - p->spans[1].begin), "directory");
}

TEST(Passage, OfTheSectionThatHoldsMost) {
  const std::string page =
      "# A\n\nalpha alpha alpha\n\n# B\n\nbeta\n\n# C\n\nalpha\n\nbeta gamma\n\n# D\n\nbeta\n";
  EXPECT_EQ(passage("alpha beta gamma", page)->text, "beta gamma");
}

TEST(Passage, WhatAHeadingSaysIsShownByTheTextBelowIt) {
  EXPECT_EQ(passage("quick start", "# Quick start\n\nRun this first.\n\n# Other\n\nno\n")->text,
            "Run this first.");
  EXPECT_EQ(passage("quick start", "# Quick start\n")->text, "Quick start") << "there is no more";
}

TEST(Passage, Lists) {
  const auto p = passage("second item", "- the first item\n- the *second*\n  item\n- a third\n");
  EXPECT_EQ(p->text, "the second item · a third");
}

TEST(Passage, LongParagraphsAreCutAtBlanks) {
  std::string text;
  for (int i = 0; i < 300; ++i) text += "word" + std::to_string(i) + " ";
  text += "needle thread ";
  for (int i = 0; i < 300; ++i) text += "wort" + std::to_string(i) + " ";
  const auto p = passage("needle thread", text + "\n");
  EXPECT_THAT(p->text, HasSubstr("needle thread"));
  EXPECT_LE(p->text.size(), kMaxPassageBytes + 6);
  EXPECT_TRUE(p->text.starts_with("…word") && p->text.ends_with("…")) << p->text;
  for (const Span& s : p->spans) EXPECT_LE(s.end, p->text.size());
}

TEST(Passage, NotWhereALineOfCodeSaysMore) {
  EXPECT_FALSE(passage("alpha beta", "only alpha\n\n```\nalpha_beta()\n```\n"));
}

TEST(Passage, OnlyOfSeveralWordsAndOfPages) {
  EXPECT_FALSE(passage("alpha", "alpha\n"));
  EXPECT_FALSE(passage("\"alpha beta\"", "alpha beta\n"));
  EXPECT_FALSE(passage("alpha beta", "alpha beta\n", "p.py"));
  EXPECT_FALSE(passage("alpha beta", "text\n\n```\nalpha beta\n```\n")) << "code is shown by lines";
  EXPECT_FALSE(passage("alpha beta", "---\ntitle: alpha beta\n---\n")) << "front matter";
}

TEST(Passage, EveryPageEndsInTime) {
  for (const char* piece : {"[", "*a_", "> ", "`", "![", "<a", "|a"}) {
    std::string text;
    while (text.size() < 50'000) text += piece;
    passage("a b", text + "\n\na b\n");
  }
}

}  // namespace
}  // namespace kw::search
