// SPDX-License-Identifier: GPL-2.0-or-later
#include "exporter/site/key_terms.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <set>

#include "schema/text/splitter.h"
#include "tests/support/index_builder.h"

namespace kw::exporter::site {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

std::vector<std::string> terms_of(const std::string& path, const std::string& text) {
  std::vector<std::string> terms;
  for (const KeyTerm& term : key_terms(test::make_entry({path, text}).record))
    terms.push_back(term.is_code ? "`" + term.text + "`" : term.text);
  return terms;
}

TEST(KeyTerms, PhrasesAndCodeInTheOrderOfTheDocument) {
  EXPECT_THAT(
      terms_of("x.md",
               "# Orbit lines\n\nAn orbit line is drawn by `draw_orbit()`. With "
               "`draw_orbit()` a line can be wide.\n\n## Unicode support\n\nOf letters.\n"),
      ElementsAre("Orbit lines", "drawn", "`draw_orbit()`", "wide", "Unicode support", "letters"));
}

TEST(KeyTerms, WhatIsNoTerm) {
  const std::vector<std::string> terms = terms_of(
      "x.md",
      "---\nweight: 4\nlayout: wide\n---\n# Planets\n\nSee https://host.example/a%20b, "
      "www.site.example, @somebody, mail@host.example and {{ .Shortcode }}: a **bold** x, 42 and "
      "%2F of [the moon](https://moon.example/path).\n\n![an image](pic.png)\n\n<div "
      "class=\"box\">\n\n```c\nint code_block;\n```\n");
  EXPECT_THAT(terms, AllOf(Contains("Planets"), Contains("bold"), Contains("moon")));
  for (const char* no : {"http", "host", "www", "site", "somebody", "mail", "Shortcode", "weight",
                         "layout", "42", "2F", "pic", "image", "div", "box", "code_block", "*"})
    for (const std::string& term : terms) EXPECT_THAT(term, Not(HasSubstr(no)));
}

TEST(KeyTerms, AWordLongerThanAHundredBytesIsData) {
  const std::string name(100, 'q'), data(101, 'r');
  EXPECT_THAT(terms_of("x.md", "# " + name + " and " + data + "\n\n`" + data + "`\n"),
              ElementsAre(name));
}

TEST(KeyTerms, NamesWithADotAreWholeAndPhrasesDoNotRepeat) {
  EXPECT_THAT(
      terms_of("x.md",
               "# Mac App Store Submission Guide\n\nNode.js was already there, as Node.js is.\n"),
      ElementsAre("Mac App Store", "Submission Guide", "Node.js"));
}

TEST(KeyTerms, TheNameOfTheFileWhereTheTextDoesNotSayIt) {
  EXPECT_THAT(terms_of("guides/host-on-render.md", "Meadows.\n"),
              ElementsAre("host", "render", "guides", "Meadows"));
  EXPECT_THAT(terms_of("guides/deploy/index.md", "Meadows.\n"),
              ElementsAre("deploy", "guides", "Meadows"));
}

TEST(KeyTerms, WhatItemsExplain) {
  std::string text = "# Probe\n\n";
  for (const char* const words :
       {"engine and fuel", "antenna and dish", "camera and lens", "panel and cell"})
    text += fmt::format("The {0} of a probe. An {0} is checked.\n\n", words);
  text +=
      "* `launchDate` string - When it left.\n* `orbitIndex` number - Which it is on; `lastOne` it "
      "was.\n";
  const std::vector<std::string> terms = terms_of("x.md", text);
  EXPECT_THAT(
      terms, AllOf(Contains("`launchDate`"), Contains("`orbitIndex`"), Not(Contains("`lastOne`"))));
}

TEST(KeyTerms, TheirPlaces) {
  const auto terms = key_terms(
      test::make_entry({"a/b.md", "---\ntitle: Front\n---\n# Moon\n\nThe front.\n"}).record);
  std::vector<std::string> places;
  for (const KeyTerm& term : terms) places.push_back(fmt::format("{} {}", term.text, term.line));
  EXPECT_THAT(places, ElementsAre("Moon 4", "front 6"));
}

TEST(KeyTerms, AtMostFortyOfSixtyWords) {
  std::string text = "# Words\n";
  for (int i = 0; i < 90; ++i) {
    const std::string name{static_cast<char>('a' + i / 10), static_cast<char>('k' + i % 10), 'q'};
    text += fmt::format("\n## {0} {0}b\n\nThe {0} {0}b is {0} {0}b.\n", name);
  }
  const auto terms = key_terms(test::make_entry({"x.md", text}).record);
  EXPECT_LE(terms.size(), kMaxKeyTerms);
  std::set<std::string> words;
  for (const KeyTerm& term : terms) {
    Tokenizer tokenizer(term.text);
    for (Token token; tokenizer.next(token);) words.insert(fold(token.text));
  }
  EXPECT_LE(words.size(), kMaxKeyWords);
  EXPECT_GT(words.size(), kMaxKeyWords - 3);
}

// Forms of one word are as many words.
TEST(KeyTerms, SixtyWordsAreCountedByTheirForms) {
  std::string text = "# Words\n\n";
  for (int i = 0; i < 40; ++i) {
    const std::string name{static_cast<char>('a' + i / 10), static_cast<char>('k' + i % 10), 'q'};
    text += fmt::format("* `{0}ing {0}ed`\n", name);
  }
  std::set<std::string> words;
  for (const KeyTerm& term : key_terms(test::make_entry({"x.md", text}).record)) {
    Tokenizer tokenizer(term.text);
    for (Token token; tokenizer.next(token);) words.insert(fold(token.text));
  }
  EXPECT_LE(words.size(), kMaxKeyWords);
  EXPECT_GT(words.size(), kMaxKeyWords - 3);
}

TEST(KeyTerms, NothingOfNothing) {
  EXPECT_THAT(terms_of("x.md", ""), ElementsAre());
  EXPECT_THAT(terms_of("1.md", "# 1\n\n---\n\n`*`\n"), IsEmpty());
}

}  // namespace
}  // namespace kw::exporter::site
