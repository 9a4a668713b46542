// SPDX-License-Identifier: GPL-2.0-or-later
// cmark's tree of a page: who owns it, and what its nodes say. Indexer and exporter read the same
// trees, of what markdown_text.h makes of a page.
#pragma once

#include <cmark.h>

#include <memory>
#include <string>
#include <string_view>

namespace kw {

using MarkdownTree = std::unique_ptr<cmark_node, void (*)(cmark_node*)>;
using MarkdownWalk = std::unique_ptr<cmark_iter, void (*)(cmark_iter*)>;

MarkdownTree parse_markdown_tree(std::string_view text);

/// Enters `node` first, and leaves it last. The tree must outlive the walk.
MarkdownWalk walk_of(cmark_node* node);

/// The text of a leaf; empty for a node that has none. Points into the tree.
std::string_view literal_of(cmark_node* node);

/// What take_heading_attributes() found.
struct HeadingAttributes {
  std::string id;  ///< the anchor that the page gives the heading; empty for none
  int line = 0;    ///< of the text that the tree is of, if they are in the line after the heading
};

/// Takes the attributes of a heading out of the tree, as kramdown, pandoc, Docusaurus and mdBook
/// read them: `{#id .class}` or `{: #id}` at its end, `{: #id}` alone in the line after it. A
/// paragraph that was nothing else is freed. Does nothing to a heading that has none.
HeadingAttributes take_heading_attributes(cmark_node* heading);

/// Whether what stands for an image counts as text.
enum class ImageText { Shown, LeftOut };

/// What a reader sees of a node and all in it, in one line, without markup.
std::string plain_text(cmark_node* node, ImageText images);

}  // namespace kw
