// SPDX-License-Identifier: GPL-2.0-or-later
#include "schema/text/markdown_tree.h"

namespace kw {

MarkdownTree parse_markdown_tree(std::string_view text) {
  return {cmark_parse_document(text.data(), text.size(), CMARK_OPT_DEFAULT), cmark_node_free};
}

MarkdownWalk walk_of(cmark_node* node) { return {cmark_iter_new(node), cmark_iter_free}; }

std::string_view literal_of(cmark_node* node) {
  const char* const text = cmark_node_get_literal(node);
  return text ? std::string_view(text) : std::string_view();
}

std::string plain_text(cmark_node* node, ImageText images) {
  std::string out;
  const MarkdownWalk walk = walk_of(node);
  int inside_images = 0;
  for (cmark_event_type event; (event = cmark_iter_next(walk.get())) != CMARK_EVENT_DONE;) {
    cmark_node* const inner = cmark_iter_get_node(walk.get());
    const cmark_node_type type = cmark_node_get_type(inner);
    if (type == CMARK_NODE_IMAGE) inside_images += event == CMARK_EVENT_ENTER ? 1 : -1;
    if (inside_images > 0 && images == ImageText::LeftOut) continue;
    if (type == CMARK_NODE_TEXT || type == CMARK_NODE_CODE) out += literal_of(inner);
    if (type == CMARK_NODE_SOFTBREAK || type == CMARK_NODE_LINEBREAK) out += ' ';
  }
  return out;
}

}  // namespace kw
