// SPDX-License-Identifier: GPL-2.0-or-later
// What a reader sees of Markdown, as cmark reads it: to test that no name changes a page's shape.
#pragma once

#include <cmark.h>

#include <memory>
#include <string>
#include <vector>

namespace kw::test {

/// Calls `use` with each node of a Markdown text, its type, and whether it begins or ends.
template <class Use>
void for_each_node(const std::string& markdown, const Use& use) {
  const std::unique_ptr<cmark_node, void (*)(cmark_node*)> document(
      cmark_parse_document(markdown.data(), markdown.size(), CMARK_OPT_DEFAULT), cmark_node_free);
  const std::unique_ptr<cmark_iter, void (*)(cmark_iter*)> it(cmark_iter_new(document.get()),
                                                              cmark_iter_free);
  for (cmark_event_type event; (event = cmark_iter_next(it.get())) != CMARK_EVENT_DONE;) {
    cmark_node* const node = cmark_iter_get_node(it.get());
    use(node, cmark_node_get_type(node), event == CMARK_EVENT_ENTER);
  }
}

/// The text of each heading and paragraph, after what stands before the first; links as
/// "[text](url)". "(BROKEN)" stands for what no page of ours has: HTML, a block of code, an image.
inline std::vector<std::string> rendered(const std::string& markdown) {
  std::vector<std::string> blocks{""};
  for_each_node(markdown, [&](cmark_node* node, cmark_node_type type, bool enter) {
    if (enter && (type == CMARK_NODE_HEADING || type == CMARK_NODE_PARAGRAPH)) blocks.push_back("");
    if (type == CMARK_NODE_LINK)
      blocks.back() += enter ? "[" : "](" + std::string(cmark_node_get_url(node)) + ")";
    if (type == CMARK_NODE_HTML_INLINE || type == CMARK_NODE_HTML_BLOCK ||
        type == CMARK_NODE_CODE_BLOCK || type == CMARK_NODE_IMAGE)
      blocks.back() += "(BROKEN)";
    if (enter && (type == CMARK_NODE_TEXT || type == CMARK_NODE_CODE))
      blocks.back() += cmark_node_get_literal(node);
  });
  return blocks;
}

}  // namespace kw::test
