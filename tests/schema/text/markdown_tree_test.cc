// SPDX-License-Identifier: GPL-2.0-or-later
#include "schema/text/markdown_tree.h"

#include <gmock/gmock.h>

namespace kw {
namespace {

TEST(MarkdownTree, PlainTextIsWhatAReaderSees) {
  const struct {
    const char *name, *text, *shown, *without_images;
  } cases[] = {
      {"no markup", "A title", "A title", "A title"},
      {"emphasis", "An *old* **name**", "An old name", "An old name"},
      {"code, as it is", "Use `a*b*` here", "Use a*b* here", "Use a*b* here"},
      {"a link without its destination", "[name](to.md)", "name", "name"},
      {"an image", "a ![drawing](a.png) b", "a drawing b", "a  b"},
      {"an image in a link", "[![build](b.svg)](b.md) Kw", "build Kw", " Kw"},
      {"markup in an image", "![a *b* ![c](c)](d)x", "a b cx", "x"},
      {"lines", "one\ntwo\\\nthree", "one two three", "one two three"},
      {"raw HTML", "a <b>c</b>", "a c", "a c"},
      {"an entity", "a &amp; b", "a & b", "a & b"},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    const MarkdownTree tree = parse_markdown_tree(c.text);
    cmark_node* const paragraph = cmark_node_first_child(tree.get());
    EXPECT_EQ(plain_text(paragraph, ImageText::Shown), c.shown);
    EXPECT_EQ(plain_text(paragraph, ImageText::LeftOut), c.without_images);
  }
}

TEST(MarkdownTree, AnImageItselfHasText) {
  const MarkdownTree tree = parse_markdown_tree("![a *b*](c)");
  cmark_node* const image = cmark_node_first_child(cmark_node_first_child(tree.get()));
  EXPECT_EQ(plain_text(image, ImageText::Shown), "a b");
}

TEST(MarkdownTree, OnlyLeavesHaveLiterals) {
  const MarkdownTree tree = parse_markdown_tree("text");
  cmark_node* const paragraph = cmark_node_first_child(tree.get());
  EXPECT_EQ(literal_of(paragraph), "");
  EXPECT_EQ(literal_of(cmark_node_first_child(paragraph)), "text");
}

}  // namespace
}  // namespace kw
