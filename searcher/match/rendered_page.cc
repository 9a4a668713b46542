// SPDX-License-Identifier: GPL-2.0-or-later
#include "searcher/match/rendered_page.h"

#include <cmark.h>

#include <memory>

#include "schema/text/front_matter.h"
#include "schema/text/markdown_text.h"
#include "schema/text/text.h"

namespace kw::search {
namespace {

using Walk = std::unique_ptr<cmark_iter, void (*)(cmark_iter*)>;

/// The text of a paragraph or heading; a line break of the source begins a line.
RenderedBlock render_block(cmark_node* block, std::uint32_t lines_before) {
  RenderedBlock out;
  out.is_heading = cmark_node_get_type(block) == CMARK_NODE_HEADING;
  std::uint32_t line = lines_before + static_cast<std::uint32_t>(cmark_node_get_start_line(block));
  out.lines.push_back({line, {}});
  const Walk walk(cmark_iter_new(block), cmark_iter_free);
  for (cmark_event_type event; (event = cmark_iter_next(walk.get())) != CMARK_EVENT_DONE;) {
    if (event != CMARK_EVENT_ENTER) continue;
    cmark_node* const node = cmark_iter_get_node(walk.get());
    const cmark_node_type type = cmark_node_get_type(node);
    if (type == CMARK_NODE_TEXT || type == CMARK_NODE_CODE)
      out.lines.back().text += cmark_node_get_literal(node);
    else if (type == CMARK_NODE_SOFTBREAK || type == CMARK_NODE_LINEBREAK)
      out.lines.push_back({++line, {}});
  }
  return out;
}

}  // namespace

std::vector<RenderedBlock> render_page(std::string_view text) {
  std::vector<RenderedBlock> blocks;
  if (has_too_many_marks(text)) return blocks;
  const FrontMatter front = front_matter_of(text);
  const BoundedMarkdown page(text.substr(front.bytes));
  const std::unique_ptr<cmark_node, void (*)(cmark_node*)> document(
      cmark_parse_document(page.view().data(), page.view().size(), CMARK_OPT_DEFAULT),
      cmark_node_free);
  const Walk walk(cmark_iter_new(document.get()), cmark_iter_free);
  for (cmark_event_type event; (event = cmark_iter_next(walk.get())) != CMARK_EVENT_DONE;) {
    cmark_node* const node = cmark_iter_get_node(walk.get());
    const cmark_node_type type = cmark_node_get_type(node);
    if (event != CMARK_EVENT_ENTER || (type != CMARK_NODE_HEADING && type != CMARK_NODE_PARAGRAPH))
      continue;
    blocks.push_back(render_block(node, front.lines));
    cmark_iter_reset(walk.get(), node, CMARK_EVENT_EXIT);
  }
  return blocks;
}

}  // namespace kw::search
