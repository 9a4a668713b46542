// SPDX-License-Identifier: GPL-2.0-or-later
#include "indexer/extract/markdown.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <ostream>
#include <random>
#include <string>
#include <vector>

namespace kw::indexer {

void PrintTo(const Section& s, std::ostream* out) {
  *out << s.first_line << "-" << s.last_line << ": " << int{s.level} << " '" << s.title << "' #"
       << s.anchor;
}

namespace {

using ::testing::ElementsAreArray;
using ::testing::IsEmpty;

std::string repeated(const std::string& piece, std::size_t times) {
  std::string out;
  for (std::size_t i = 0; i < times; ++i) out += piece;
  return out;
}

TEST(Markdown, Sections) {
  struct Row {
    std::string text;
    std::vector<Section> expected;
    std::string why;
  };
  const Row rows[] = {
      {"", {}, "nothing"},
      {"text\n", {}, "no heading"},
      {"# A", {{"A", 1, 1, 1, "a"}}, "no newline at the end"},
      {"# A\n", {{"A", 1, 1, 1, "a"}}, "a last newline begins no line"},
      {"x\n# A\ny\n### B\nz\n\n",
       {{"A", 1, 2, 3, "a"}, {"B", 3, 4, 6, "b"}},
       "up to the next heading"},
      {"A\n=\nB\n---\n", {{"A", 1, 1, 2, "a"}, {"B", 2, 3, 4, "b"}}, "underlined"},
      {"x\n\nA\nlong one\n====\ny\n",
       {{"A long one", 1, 3, 6, "a-long-one"}},
       "two lines, underlined"},
      {"[r]: /x\nA\n===\n", {{"A", 1, 2, 3, "a"}}, "a link definition above is no part of it"},
      {"# `f()` *is* [here](u) &amp; <b>now</b> #\n",
       {{"f() is here & now", 1, 1, 1, "f-is-here--now"}},
       "plain text of inline content"},
      {"# Kw ![logo](x.png)\n",
       {{"Kw logo", 1, 1, 1, "kw-"}},
       "an image has no part in the anchor"},
      {"#A\n", {}, "no blank, no heading"},
      {"#\n", {{"", 1, 1, 1, ""}}, "an empty one"},
      {"#\n#\n", {{"", 1, 1, 1, ""}, {"", 1, 2, 2, "-1"}}, "two empty ones"},
      {"# A\n# A\n# A-1\n# A\n",
       {{"A", 1, 1, 1, "a"},
        {"A", 1, 2, 2, "a-1"},
        {"A-1", 1, 3, 3, "a-1-1"},
        {"A", 1, 4, 4, "a-2"}},
       "anchors stay unique"},
      {"> # Q\n\n- # L\n", {{"Q", 1, 1, 2, "q"}, {"L", 1, 3, 3, "l"}}, "in a quote, in a list"},
      {"# Set up {#install}\n", {{"Set up", 1, 1, 1, "install"}}, "an anchor of its own"},
      {"A `{}` {#B_c .cls}\n===\n", {{"A {}", 1, 1, 2, "B_c"}}, "with a class, underlined"},
      {"# Set up {: #a-b .wide }\n", {{"Set up", 1, 1, 1, "a-b"}}, "as kramdown writes it"},
      {"# Set up {: .wide #a_b }\n", {{"Set up", 1, 1, 1, "a_b"}}, "in any order"},
      {"# Set up {: .no_toc}\n", {{"Set up", 1, 1, 1, "set-up"}}, "a class alone is no anchor"},
      {"# Set up {#a title=\"b c\"}\n", {{"Set up", 1, 1, 1, "a"}}, "a value in quotes"},
      {"# A\n{: #b .c}\n\nx\n", {{"A", 1, 1, 4, "b"}}, "in the line after it"},
      {"A\n===\n{: #b}\nx\n", {{"A", 1, 1, 4, "b"}}, "after an underline, and before a text"},
      {"# A\n\n{: #b}\n", {{"A", 1, 1, 3, "a"}}, "not behind an empty line"},
      {"A\n=\n\n{: #b}\n", {{"A", 1, 1, 4, "a"}}, "nor behind one after an underline"},
      {"# A\n{#b}\n", {{"A", 1, 1, 2, "a"}}, "nor without a colon"},
      {"# A\n{: #b} c\n", {{"A", 1, 1, 2, "a"}}, "nor before other words"},
      {"# A\n{: #x}\n\n# A\n",
       {{"A", 1, 1, 3, "x"}, {"A", 1, 4, 4, "a"}},
       "its own anchor leaves that of its title to another"},
      {"# Use `{#x}`\n", {{"Use {#x}", 1, 1, 1, "use-x"}}, "code is no attribute"},
      {"# A {: b }\n", {{"A {: b }", 1, 1, 1, "a--b-"}}, "a word is none"},
      {"# {#} and {x}\n", {{"{#} and {x}", 1, 1, 1, "-and-x"}}, "braces that name nothing"},
      {"# A {#x}\n# B {#x}\n", {{"A", 1, 1, 1, "x"}, {"B", 1, 2, 2, "x-1"}}, "unique, too"},
      {"<h1 align=\"center\">\n<b>The</b>\nName &amp; Co</h1>\n\n<H2 id='get'>Get</H2>\nx\n",
       {{"The Name & Co", 1, 1, 4, "the-name--co"}, {"Get", 2, 5, 6, "get"}},
       "headings in HTML"},
      {"<div>\n  <h1><img src=x alt=\"Logo >\"></h1></div>\n",
       {{"Logo >", 1, 2, 2, "logo-"}},
       "an image stands for the title"},
      {"<h1>A</h1><h2>B</h2>\n", {{"A", 1, 1, 1, "a"}, {"B", 2, 1, 1, "b"}}, "two on one line"},
      {"<div><h1></h1><hr><h3>x</div>\n", {}, "nothing said, no heading, not closed"},
      {"```\n# no\n```\n    # no\n", {}, "code is no heading"},
      {"<!--\n# no\n<h1>no</h1>\n-->\n", {}, "nor is a comment"},
      {"# A\r\nx\r\n# B\r\n", {{"A", 1, 1, 2, "a"}, {"B", 1, 3, 3, "b"}}, "CRLF"},
      {"x\ry\n# A\n", {{"A", 1, 2, 2, "a"}}, "a carriage return alone ends no line"},
      {"---\ntitle: x\n---\n# A\n", {{"A", 1, 4, 4, "a"}}, "front matter is no heading"},
      {"---\r\ntitle: x\r\n---\r\n# A\n", {{"A", 1, 4, 4, "a"}}, "nor with CRLF"},
      {"---\ntitle: x\nlist:\n- a\n...\nB\n---\n", {{"B", 2, 6, 7, "b"}}, "closed by dots"},
      {"---\n# note\ntitle: x\n---\n# A\n",
       {{"A", 1, 5, 5, "a"}},
       "a comment before the first key"},
      {"+++\ntitle = 'x'\n+++\n# A\n", {{"A", 1, 4, 4, "a"}}, "front matter in TOML"},
      {"+++\nx\n+++\n# A\n", {{"A", 1, 4, 4, "a"}}, "pluses around text"},
      {"{\n  \"title\": \"x\"\n}\n# A\n", {{"A", 1, 4, 4, "a"}}, "front matter in JSON"},
      {"---\ntitle: x\n", {}, "never closed: a rule and text"},
      {"---\n\ntext\n\n---\n# A\n", {{"A", 1, 6, 6, "a"}}, "two rules"},
      {"---\nNo key\n---\n", {{"No key", 2, 2, 3, "no-key"}}, "an underlined heading after a rule"},
      {"---\nsee http://x\n---\n", {{"see http://x", 2, 2, 3, "see-httpx"}}, "no key either"},
      {std::string("# a\0b\n", 6),
       {{"a\xEF\xBF\xBD"
         "b",
         1, 1, 1, "ab"}},
       "a zero byte is replaced"},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.text + ": " + row.why);
    const MarkdownPage page = parse_markdown(row.text);
    EXPECT_THAT(page.sections, ElementsAreArray(row.expected));
  }
}

TEST(Markdown, Code) {
  struct Block {
    std::string info;
    std::uint32_t first, last;
    std::string content;
  };
  struct Row {
    std::string text;
    std::vector<Block> expected;
    std::string why;
  };
  const Row rows[] = {
      {"```cpp\na\nb\n```\n", {{"cpp", 2, 3, "a\nb\n"}}, "fenced"},
      {"~~~  py extra\na\n~~~", {{"py", 2, 2, "a\n"}}, "tildes; the first word of the info"},
      {"x\n\n```\n```\n", {{"", 4, 3, ""}}, "empty"},
      {"````\n```\n````\n", {{"", 2, 2, "```\n"}}, "a shorter fence inside"},
      {"```c\na", {{"c", 2, 2, "a\n"}}, "unclosed, no newline at the end"},
      {"```c\na\n\nb\n", {{"c", 2, 4, "a\n\nb\n"}}, "unclosed: to the end"},
      {"> ```c\n> a\n> b\nc\n", {{"c", 2, 3, "a\nb\n"}}, "unclosed in a quote: to its end"},
      {"- x\n\n  ```c\n  a\n    b\n  ```\n", {{"c", 4, 5, "a\n  b\n"}}, "in a list"},
      {"1. x\n   > ~~~c\n   > a\n", {{"c", 3, 3, "a\n"}}, "in a quote in a list"},
      {"  ```\n  a\n ```\n", {{"", 2, 2, "a\n"}}, "an indented fence takes its indent off"},
      {"    a\n\n      b\n\nc\n",
       {{"", 1, 3, "a\n\n  b\n"}},
       "indented; blank lines at its end left out"},
      {"\ta\n", {{"", 1, 1, "a\n"}}, "indented by a tab"},
      {"    ```\n    a\n    ```\n",
       {{"", 1, 3, "```\na\n```\n"}},
       "what looks like a fence, indented"},
      {"    ```\n", {{"", 1, 1, "```\n"}}, "and alone"},
      {"-     ```\n", {{"", 1, 1, "```\n"}}, "and in a list"},
      {"- a\n\n      b\n", {{"", 3, 3, "b\n"}}, "indented in a list"},
      {"```c\r\na\r\n```\r\n", {{"c", 2, 2, "a\n"}}, "CRLF"},
      {"```c\na\rb\n```\nx\n```d\ny\n```\n",
       {{"c", 2, 2, "a b\n"}, {"d", 6, 6, "y\n"}},
       "a carriage return alone ends no line"},
      {"---\na: b\n---\n```c\nx\n```\n", {{"c", 5, 5, "x\n"}}, "after front matter"},
      {"`a` and <pre>b</pre>\n", {}, "code spans are no blocks"},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.text + ": " + row.why);
    const MarkdownPage page = parse_markdown(row.text);
    ASSERT_EQ(page.code.size(), row.expected.size());
    for (std::size_t i = 0; i < page.code.size(); ++i) {
      EXPECT_EQ(page.code[i].info, row.expected[i].info);
      EXPECT_EQ(page.code[i].first_line, row.expected[i].first);
      EXPECT_EQ(page.code[i].last_line, row.expected[i].last);
      EXPECT_EQ(page.code[i].content, row.expected[i].content);
    }
  }
}

TEST(Markdown, Anchors) {
  struct Row {
    std::string title, expected, why;
  };
  const Row rows[] = {
      {"Hello, World!", "hello-world", "punctuation goes, blanks become hyphens"},
      {"a  b", "a--b", "each blank"},
      {"snake_case and-hyphen", "snake_case-and-hyphen", "_ and - stay"},
      {"Documentation: `torch/csrc/x.h`", "documentation-torchcsrcxh", "code"},
      {"C++ & C#", "c--c", "nothing but a letter left"},
      {"\xC3\x84rger \xE4\xB8\xAD\xE6\x96\x87", "\xC3\xA4rger-\xE4\xB8\xAD\xE6\x96\x87",
       "other scripts"},
      {"e\xCC\x81", "e\xCC\x81", "marks stay"},
      {"\xF0\x9F\x9A\x80 Launch", "-launch", "symbols go"},
      {"a\xE2\x80\xBF"
       "b",
       "a\xE2\x80\xBF"
       "b",
       "connectors stay"},
      {"1 \xC2\xB2", "1-", "digits stay, superscripts go"},
      {"a\xff"
       "b",
       "ab", "bytes that are not UTF-8 go"},
      {"", "", "nothing"},
  };
  for (const Row& row : rows) EXPECT_EQ(heading_anchor(row.title), row.expected) << row.why;
}

// Without bounds these take minutes or more: the test's timeout is the check.
TEST(Markdown, HostileTextIsBounded) {
  const std::string blanks = repeated("\n", 500'000);
  EXPECT_EQ(parse_markdown(repeated("# a\n", 10'000)).sections.back().anchor, "a-9999");
  EXPECT_THAT(parse_markdown(repeated(">", 5'000) + "a").sections, IsEmpty());
  EXPECT_EQ(parse_markdown(repeated("- ", 5'000) + "a" + blanks + "# B\n").sections.size(), 1u);
  EXPECT_EQ(parse_markdown(repeated("1. ", 5'000) + "a" + blanks + "# B\n").sections.size(), 1u);
  for (const std::string step : {"- a\n", "-\n", "-\r\n", "1.\n"}) {
    std::string stairs;
    for (std::size_t i = 0; i < 1'000; ++i) stairs += std::string(3 * i, ' ') + step;
    EXPECT_EQ(parse_markdown(stairs + blanks + "# B\n").sections.size(), 1u);
  }
  EXPECT_EQ(parse_markdown(repeated("![[]()", 150'000) + "\n\n# B\n").sections.size(), 1u);
  EXPECT_EQ(parse_markdown(repeated("[", 700'000) + "\n\n# B\n").sections.size(), 1u);
  EXPECT_EQ(parse_markdown("# A\n" + repeated("*a* ", 350'000)).sections.size(), 1u);
  EXPECT_THAT(parse_markdown("# A\n" + repeated("*a* ", 400'000)).sections, IsEmpty())
      << "data, which would take memory without end";
  EXPECT_EQ(parse_markdown(repeated("a", 1'000'000) + "\n\n# B\n").sections.front().first_line, 3u);
  EXPECT_EQ(parse_markdown("```\n" + blanks).code.front().last_line, 500'001u);
  EXPECT_THAT(parse_markdown(std::string(1'000'000, '\0')).sections, IsEmpty());
  EXPECT_EQ(parse_markdown(repeated("a\r", 500'000) + "\n\n# B\n").sections.front().first_line, 3u);
}

TEST(Markdown, WideRulesAndTablesAreNotMarkers) {
  const std::string rule = std::string(80, ' ') + "----------  ----------  -- x -\n";
  const MarkdownPage page = parse_markdown("```\n" + rule + "```\n");
  EXPECT_EQ(page.code.front().content, rule);
  const std::string end = std::string(80, ' ') + "12)\n";
  EXPECT_THAT(parse_markdown("```\nf(\n" + end + "```\n").code.front().content,
              ::testing::EndsWith("2)\n"));
  EXPECT_EQ(parse_markdown("A\n" + std::string(200, '-') + "\n").sections.size(), 1u);
}

TEST(Markdown, RandomTextIsSafeAndInOrder) {
  const std::vector<std::string> pieces = {"#",   " ",    "\n",  "a",    "```",
                                           "- ",  "> ",   "\t",  "    ", "==",
                                           "---", "\r\n", "\r",  "[a]:", "\xff",
                                           "1. ", "<a",   "~~~", "*",    "_",
                                           "`",   "![",   "](",  "\\",   std::string(1, '\0')};
  std::mt19937 random(1);
  for (int round = 0; round < 3'000; ++round) {
    std::string text;
    for (int i = 0; i < 60; ++i) text += pieces[random() % pieces.size()];
    const auto lines = static_cast<std::uint32_t>(std::count(text.begin(), text.end(), '\n')) + 1;
    const MarkdownPage page = parse_markdown(text);
    std::uint32_t last = 0;
    for (const Section& section : page.sections) {
      ASSERT_LT(last, section.first_line) << text;
      ASSERT_LE(section.first_line, section.last_line) << text;
      last = section.last_line;
    }
    ASSERT_LE(last, lines) << text;
    last = 0;
    for (const CodeBlock& block : page.code) {
      ASSERT_LT(last, block.first_line + 1) << text;
      ASSERT_LE(block.first_line, block.last_line + 1) << text;
      ASSERT_LE(block.last_line, lines) << text;
      last = block.last_line;
    }
  }
}

}  // namespace
}  // namespace kw::indexer
