// SPDX-License-Identifier: GPL-2.0-or-later
#include "schema/text/markdown_tree.h"

#include <optional>

#include "schema/text/text.h"

namespace kw {
namespace {

/// The next attribute of a list, which loses it and the blanks before it: up to a blank outside of
/// quotes. Empty at the end.
std::string_view take_attribute(std::string_view& list) {
  while (!list.empty() && is_blank(list.front())) list.remove_prefix(1);
  std::size_t end = 0;
  for (char quote = 0; end < list.size() && (quote || !is_blank(list[end])); ++end)
    if (list[end] == '"' || list[end] == '\'')
      quote = quote == list[end] ? 0 : quote ? quote : list[end];
  const std::string_view attribute = list.substr(0, end);
  list.remove_prefix(end);
  return attribute;
}

/// The id in `{#id .class key=value}` or, with a colon, `{: .class #id}`; nothing if `text` is no
/// such list as a whole.
std::optional<std::string> id_of_attributes(std::string_view text) {
  if (text.size() < 2 || text.front() != '{' || text.back() != '}') return std::nullopt;
  text = text.substr(1, text.size() - 2);
  if (text.starts_with(':')) text.remove_prefix(1);
  std::string id;
  bool has_any = false;
  for (std::string_view one; !(one = take_attribute(text)).empty(); has_any = true) {
    const bool is_named = one.size() > 1 && (one.front() == '#' || one.front() == '.');
    const std::size_t equals = one.find('=');
    if (!is_named && (equals == 0 || equals == one.npos)) return std::nullopt;
    if (is_named && one.front() == '#') id = one.substr(1);
  }
  return has_any ? std::optional(std::move(id)) : std::nullopt;
}

/// Those at the end of the heading's own text, which may be in several nodes: `_` and the like end
/// one.
std::optional<std::string> take_from_end(cmark_node* heading) {
  std::string text;
  cmark_node* node = cmark_node_last_child(heading);
  for (; node && cmark_node_get_type(node) == CMARK_NODE_TEXT; node = cmark_node_previous(node)) {
    text.insert(0, literal_of(node));
    const std::size_t open = text.rfind('{');
    if (open == text.npos) continue;
    const std::size_t end = text.find_last_not_of(" \t") + 1;
    auto id = id_of_attributes(std::string_view(text).substr(open, end - open));
    if (!id) continue;
    while (cmark_node_next(node)) cmark_node_free(cmark_node_next(node));
    text.resize(open);
    text.resize(text.find_last_not_of(" \t") + 1);
    cmark_node_set_literal(node, text.c_str());
    return id;
  }
  return std::nullopt;
}

/// Those in the line after the heading, where cmark sees a paragraph begin.
std::optional<std::string> take_from_next_line(cmark_node* heading) {
  cmark_node* const paragraph = cmark_node_next(heading);
  if (!paragraph || cmark_node_get_type(paragraph) != CMARK_NODE_PARAGRAPH) return std::nullopt;
  // cmark ends a heading that is underlined in the line after the underline.
  const int last = cmark_node_get_end_line(heading);
  const bool is_underlined = last != cmark_node_get_start_line(heading);
  if (cmark_node_get_start_line(paragraph) != last + (is_underlined ? 0 : 1)) return std::nullopt;
  std::string text;
  cmark_node* node = cmark_node_first_child(paragraph);
  for (; node && cmark_node_get_type(node) == CMARK_NODE_TEXT; node = cmark_node_next(node))
    text += literal_of(node);
  if (node && cmark_node_get_type(node) != CMARK_NODE_SOFTBREAK) return std::nullopt;
  if (!text.starts_with("{:")) return std::nullopt;
  auto id = id_of_attributes(std::string_view(text).substr(0, text.find_last_not_of(" \t") + 1));
  if (!id) return std::nullopt;
  if (!node) {
    cmark_node_free(paragraph);
    return id;
  }
  while (cmark_node_first_child(paragraph) != node)
    cmark_node_free(cmark_node_first_child(paragraph));
  cmark_node_free(node);
  return id;
}

}  // namespace

MarkdownTree parse_markdown_tree(std::string_view text) {
  return {cmark_parse_document(text.data(), text.size(), CMARK_OPT_DEFAULT), cmark_node_free};
}

MarkdownWalk walk_of(cmark_node* node) { return {cmark_iter_new(node), cmark_iter_free}; }

std::string_view literal_of(cmark_node* node) {
  const char* const text = cmark_node_get_literal(node);
  return text ? std::string_view(text) : std::string_view();
}

HeadingAttributes take_heading_attributes(cmark_node* heading) {
  if (auto id = take_from_end(heading)) return {*std::move(id), 0};
  cmark_node* const next = cmark_node_next(heading);
  const int line = next ? cmark_node_get_start_line(next) : 0;
  if (auto id = take_from_next_line(heading)) return {*std::move(id), line};
  return {};
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
