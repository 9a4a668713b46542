// SPDX-License-Identifier: GPL-2.0-or-later
#include "indexer/extract/html_text.h"

#include <algorithm>
#include <array>

#include "schema/text/markdown_tree.h"
#include "schema/text/text.h"

namespace kw::indexer {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }
bool is_letter(char c) { return lower(c) >= 'a' && lower(c) <= 'z'; }

}  // namespace

bool has_at(std::string_view text, std::size_t at, std::string_view piece) {
  if (text.size() - std::min(at, text.size()) < piece.size()) return false;
  return std::equal(piece.begin(), piece.end(), text.begin() + static_cast<std::ptrdiff_t>(at),
                    [](char a, char b) { return a == lower(b); });
}

std::size_t tag_end(std::string_view html, std::size_t at) {
  if (html.substr(at).starts_with("<!--")) {
    const std::size_t close = html.find("-->", at);
    return close == html.npos ? html.size() : close + 3;
  }
  for (char quote = 0; at < html.size(); ++at) {
    const char c = html[at];
    if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '>') {
      return at + 1;
    }
  }
  return html.size();
}

std::string_view attribute_of(std::string_view tag, std::string_view name) {
  for (std::size_t at = 1; at + name.size() < tag.size(); ++at) {
    if (!is_space(tag[at - 1]) || !has_at(tag, at, name)) continue;
    std::size_t value = at + name.size();
    while (value < tag.size() && is_space(tag[value])) ++value;
    if (value >= tag.size() || tag[value] != '=') continue;
    value = tag.find_first_not_of(" \t\r\n", value + 1);
    if (value == std::string_view::npos) return {};
    const char quote = tag[value];
    const bool quoted = quote == '"' || quote == '\'';
    const std::size_t begin = value + (quoted ? 1 : 0);
    const std::size_t end = quoted ? tag.find(quote, begin) : tag.find_first_of(" \t\r\n>", begin);
    return tag.substr(begin, end == std::string_view::npos ? 0 : end - begin);
  }
  return {};
}

bool is_inside_words(std::string_view tag) {
  static constexpr std::array<std::string_view, 27> kInline{
      "a",      "abbr",   "b",   "bdi",  "bdo", "code", "del",  "em",    "font",
      "i",      "ins",    "kbd", "mark", "q",   "s",    "samp", "small", "span",
      "strike", "strong", "sub", "sup",  "tt",  "u",    "wbr"};
  if (tag.starts_with("<!--")) return true;
  std::size_t begin = tag.starts_with("</") ? 2 : 1, end = begin;
  while (end < tag.size() && is_letter(tag[end])) ++end;
  const std::string_view name = tag.substr(std::min(begin, tag.size()), end - begin);
  return std::any_of(kInline.begin(), kInline.end(), [&](std::string_view known) {
    return name.size() == known.size() && has_at(name, 0, known);
  });
}

std::string_view entity_at(std::string_view text, std::size_t at) {
  constexpr std::size_t kLongestEntity = 33;
  const std::string_view from = text.substr(at, kLongestEntity);
  const std::size_t end =
      from.find_first_not_of("#abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", 1);
  return end != from.npos && end > 1 && from[end] == ';' ? from.substr(0, end + 1)
                                                         : std::string_view();
}

std::string decode_entity(std::string_view entity) {
  if (entity == "&amp;") return "&";  // most are one of these
  if (entity == "&lt;") return "<";
  if (entity == "&gt;") return ">";
  if (entity == "&quot;") return "\"";
  // cmark knows all that HTML has.
  const MarkdownTree page = parse_markdown_tree(entity);
  cmark_node* const paragraph = cmark_node_first_child(page.get());
  const char* const literal =
      paragraph ? cmark_node_get_literal(cmark_node_first_child(paragraph)) : nullptr;
  return std::string(literal ? std::string_view(literal) : entity);
}

std::string decode_entities(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t amp = std::min(text.find('&'), text.size());
    out += text.substr(0, amp);
    text.remove_prefix(amp);
    if (text.empty()) break;
    const std::string_view entity = entity_at(text, 0);
    out += entity.empty() ? "&" : decode_entity(entity);
    text.remove_prefix(std::max<std::size_t>(entity.size(), 1));
  }
  return out;
}

}  // namespace kw::indexer
