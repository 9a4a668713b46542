// SPDX-License-Identifier: GPL-2.0-or-later
#include "indexer/extract/page_metadata.h"

#include <gmock/gmock.h>

#include <string>

namespace kw::indexer {
namespace {

using ::testing::ElementsAreArray;

TEST(PageMetadata, IsReadFromAllThreeKinds) {
  struct Row {
    std::string page, title, description;
    std::vector<std::string> keywords;
    std::string why;
  };
  const Row rows[] = {
      {"---\ntitle: Plain words\n---\n", "Plain words", "", {}, "YAML"},
      {"---\ntitle: \"Quoted: \\u00e4\"\ndescription: >\n  Folded\n  lines.\n---\n",
       "Quoted: ä",
       "Folded lines.",
       {},
       "quotes and a folded block"},
      {"---\ntags: [one, two words]\naliases:\n  - /old/\nslug: new\n---\n",
       "",
       "",
       {"one", "two words", "/old/", "new"},
       "lists of both forms"},
      {"---\nmenu:\n  title: not this\ntitle: This\n---\n", "This", "", {}, "the top level only"},
      {"---\ntags: [[in], {a: b}]\ntitle: T\n---\n", "T", "", {}, "lists in lists"},
      {"---\na: &x [1]\nb: *x\ntitle: T\n---\n", "T", "", {}, "an alias is a value"},
      {"---\nn: 1\n? [complex]\n: v\ntitle: T\n---\n", "T", "", {}, "a key that is a list"},
      {"---\ntitle: ~\ntags: null\n---\n", "", "", {}, "null is nothing"},
      {"---\ntitle: '~'\n---\n", "~", "", {}, "in quotes it is something"},
      {"---\ntitle: {{ page.title }}\nslug: s\n---\n", "", "", {"s"}, "a template"},
      {"---\nslug: kept\ntitle: a: b\n---\n",
       "a",
       "",
       {"kept"},
       "a syntax error, and what is before"},
      {"---\nTitle: x\ntitle:\n---\n", "", "", {}, "another key; an empty value"},
      {"---\r\ntitle: x\r\n---\r\n", "x", "", {}, "CRLF"},
      {"+++\ntitle = \"A \\\"b\\\"\"\ntags = ['x', 'y', 3]\n[params]\ntitle = 'no'\n+++\n",
       "A \"b\"",
       "",
       {"x", "y"},
       "TOML"},
      {"+++\ntitle = 'x'\ntitle = 'y'\n+++\n", "", "", {}, "TOML with an error says nothing"},
      {"{\n \"title\": \"J\",\n \"keywords\": [\"k\"],\n \"n\": {\n  \"title\": 1\n }\n}\n\nText\n",
       "J",
       "",
       {"k"},
       "JSON"},
      {"{\n \"title\": \"J\"\n", "", "", {}, "JSON without an end"},
      {"# title: x\n", "", "", {}, "no front matter"},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.page + row.why);
    const PageMetadata read = read_page_metadata(front_matter_of(row.page));
    EXPECT_EQ(read.title, row.title);
    EXPECT_EQ(read.description, row.description);
    EXPECT_THAT(read.keywords, ElementsAreArray(row.keywords));
  }
}

TEST(PageMetadata, DeepNestingIsNoHarm) {
  for (const char* const open : {"---\na: ", "+++\na = "}) {
    std::string page = open + std::string(60'000, '[');
    page += page.starts_with('-') ? "\n---\n" : "\n+++\n";
    EXPECT_EQ(read_page_metadata(front_matter_of(page)).title, "");
  }
  std::string dots;
  for (int i = 0; i < 30'000; ++i) dots += "a.";
  EXPECT_EQ(read_page_metadata(front_matter_of("+++\n" + dots + "a = 1\n+++\n")).title, "");
}

TEST(PageMetadata, WhatIsTooLongIsNoFrontMatter) {
  EXPECT_EQ(front_matter_of("---\na: " + std::string(70'000, 'x') + "\n---\n").lines, 0u);
  std::string many = "---\na: b\n";
  for (int i = 0; i < 600; ++i) many += "#\n";
  EXPECT_EQ(front_matter_of(many + "---\n").lines, 0u);
}

}  // namespace
}  // namespace kw::indexer
