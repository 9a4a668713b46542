// SPDX-License-Identifier: GPL-2.0-or-later
#include "indexer/extract/page_rendering.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "indexer/extract/markdown.h"
#include "tests/support/rendered_markdown.h"

namespace kw::indexer {
namespace {

std::string seen(const std::string& text) {
  const MarkdownPage page = parse_markdown(text);
  return std::string(EditedText(text, page.rendering.edits).view());
}

TEST(PageRendering, WhatAReaderSees) {
  struct Row {
    std::string text, expected, why;
  };
  const Row rows[] = {
      {"", "", "nothing"},
      {"plain text\nof two lines\n", "plain text\nof two lines\n", "no mark, no edit"},
      {"a max\\_retry\\_count b\n", "a max_retry_count b\n", "escapes"},
      {"a \\\\ b \\c \\\\* d\n", "a \\ b \\c \\* d\n", "backslashes that are shown"},
      {"AT&amp;T, vector&lt;int&gt; &copy; &#8364;\n", "AT&T, vector<int> © €\n", "references"},
      {"&nope; &amp;amp; & x\n", "&nope; &amp; & x\n", "what looks like one"},
      {"semi**auto**matic *a* __b__ ***c***\n", "semiautomatic a b c\n", "emphasis"},
      {"_Note: this_ and 2 * 3 * 4 a_b_c\n", "Note: this and 2 * 3 * 4 a_b_c\n",
       "marks that are none"},
      {"`__all__` and `` a`b `` `*x*`\n", "__all__ and a`b *x*\n", "code stays"},
      {"`a\nb` c\n", "a\nb c\n", "code over a line"},
      {"see [the *text*](http://x.org/%E6%B4 \"a title\") now\n", "see the text now\n", "a link"},
      {"[a](<b c>) [d]( e(f)g ) [h](i\n'j')\n", "a d h\n\n", "targets of all forms"},
      {"[a][r] [b][] [r] [no]\n\n[r]: /u 'x'\n[b]: /v\n", "a b r [no]\n\n\n\n", "by reference"},
      {"[r]: /u\nText [r].\n", "\nText r.\n", "definitions above a text"},
      {"![alt *x*](a.png) [![b](c)](d)\n", "alt x b\n", "images"},
      {"<http://x.org/a_b> and http://x.org/a_b\n", "http://x.org/a_b and http://x.org/a_b\n",
       "addresses"},
      {"a<br>b <b>c</b>d<!-- e -->f\n", "a b cdf\n", "tags within a text"},
      {"# A `b` #\n", "A b\n", "a heading"},
      {"# Set *up* {#install}\n", "Set up\n", "its anchor is not shown"},
      {"# Set up\n{: #in_it .b}\n\nx\n", "Set up\n\n\nx\n", "nor in the next line"},
      {"Set up\n===\n{: #install}\nThe *x*\n", "Set up\n\n\nThe x\n", "before a text"},
      {"> # Q\n> {: #q}\n\ny\n", "Q\n\n\ny\n", "in a quote"},
      {"Two\nlines\n===\nx\n", "Two\nlines\n\nx\n", "underlined"},
      {"- a\n  b\n* c\n1. d\n", "a\n  b\nc\nd\n", "lists"},
      {"> a *phrase\n> goes* on\nlazily\n>\n> > x\n", "a phrase\n goes on\nlazily\n\nx\n",
       "a phrase runs over the lines of a quote"},
      {"a  \nb\\\nc\n", "a  \nb\nc\n", "hard breaks"},
      {"a\n\n***\n\nb\n", "a\n\n\n\nb\n", "a rule"},
      {"```c\n*a* \\_ &amp;\n```\n*b*\n", "```c\n*a* \\_ &amp;\n```\nb\n", "code as it is"},
      {"- x\n\n      *a*\n\n~~~\n*b*\n", "x\n\n      *a*\n\n~~~\n*b*\n", "indented and unclosed"},
      {"<p align=\"center\">\nA &amp; <b>B</b>C<img src=x alt=\"D >\"></p>\n\nx\n",
       "\nA & BC \n\nx\n", "tags of a block"},
      {"<script>\nlet a = '<b>';\n</script>\n", "\n\n\n", "scripts"},
      {"<!-- a\n\n*b* -->\nc\n", "\n\n\nc\n", "comments"},
      {"---\ntitle: *x*\n---\n*y*\n", "---\ntitle: *x*\n---\ny\n", "front matter is no text"},
      {"*a*\r\n> b\r\n> *c*\r\n", "a\r\nb\r\n c\r\n", "CRLF"},
      {"| a | *b* |\n|---|---|\n| c\\|d | `e` |\n", "| a | b |\n|---|---|\n| c|d | e |\n",
       "a table"},
      {"*ünï*cödé&nbsp;x\n", "ünïcödé\u00a0x\n", "beyond ASCII"},
  };
  for (const Row& row : rows) EXPECT_EQ(seen(row.text), row.expected) << row.text << row.why;
}

TEST(PageRendering, CodeSpansOfTheRenderedText) {
  const std::string text = "---\na: b\n---\n*x* `one` [`two three`](u)\n\n# `f` {#g}\n";
  const MarkdownPage page = parse_markdown(text);
  const EditedText rendered(text, page.rendering.edits);
  std::vector<std::string> spans;
  for (const ByteRange& span : page.rendering.code_spans)
    spans.emplace_back(rendered.view().substr(span.begin, span.end - span.begin));
  EXPECT_THAT(spans, testing::ElementsAre("one", "two three", "f"));
}

std::string without_blanks(std::string text) {
  std::erase_if(text, [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; });
  return text;
}

/// What cmark says is seen of a page without HTML, blanks aside.
std::string seen_by_cmark(const std::string& text) {
  std::string out;
  test::for_each_node(text, [&](cmark_node* node, cmark_node_type type, bool enter) {
    if (enter && (type == CMARK_NODE_TEXT || type == CMARK_NODE_CODE))
      out += cmark_node_get_literal(node);
  });
  return without_blanks(out);
}

// The marks of a page that is put together at random overlap in all ways.
TEST(PageRendering, RandomPagesAreSeenAsCmarkSeesThem) {
  const std::vector<std::string> pieces = {
      "a",  "B9 ", " ",   "\n", "\n\n", "*",     "**",    "_",   "`",   "``",          "\\",
      "[",  "](",  ")",   "]",  "![",   "&amp;", "&#33;", "&x;", "> ",  "- ",          "1. ",
      "# ", "é",   "[a]", "-",  "\r\n", "(u)",   "\"t\"", "  ",  "\\_", "\n[a]: /u\n", "\n==\n"};
  std::mt19937 random(7);
  for (int round = 0; round < 3'000; ++round) {
    std::string text;
    for (int i = 0; i < 40; ++i) text += pieces[random() % pieces.size()];
    const MarkdownPage page = parse_markdown(text);
    const EditedText rendered(text, page.rendering.edits);
    ASSERT_EQ(std::count(text.begin(), text.end(), '\n'),
              std::count(rendered.view().begin(), rendered.view().end(), '\n'))
        << text;
    if (!page.code.empty() || page.metadata.title.size() > 0) continue;
    ASSERT_EQ(without_blanks(std::string(rendered.view())), seen_by_cmark(text)) << text;
  }
}

TEST(PageRendering, HostileTextIsBounded) {
  for (const char* piece : {"[a](b", "[a](\"", "`` `", "&amp;&", "<b ", "> *a", "![a][b", "\\",
                            "&#", "[a]: b\n", "<a '", "``a`", "[r] [r](\""}) {
    std::string text = "[r]: /u\n\n";
    while (text.size() < 300'000) text += piece;
    seen(text);
  }
}

}  // namespace
}  // namespace kw::indexer
