// SPDX-License-Identifier: GPL-2.0-or-later
#include "indexer/extract/html_headings.h"

#include <cmark.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "schema/text/text.h"

namespace kw::indexer {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }
bool is_space(char c) { return is_blank(c) || c == '\n' || c == '\r'; }

bool has_at(std::string_view text, std::size_t at, std::string_view piece) {
  if (text.size() - std::min(at, text.size()) < piece.size()) return false;
  return std::equal(piece.begin(), piece.end(), text.begin() + static_cast<std::ptrdiff_t>(at),
                    [](char a, char b) { return a == lower(b); });
}

/// One past the tag that begins at `at`: quotes may hold `>`. The text's end if it never ends.
std::size_t tag_end(std::string_view html, std::size_t at) {
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

/// The value of an attribute of a tag, or nothing.
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

/// `&amp;` and the like, by cmark, which knows all that HTML has.
std::string decode_entities(std::string_view text) {
  constexpr std::size_t kLongestEntity = 33;
  std::string out;
  while (!text.empty()) {
    const std::size_t amp = std::min(text.find('&'), text.size());
    out += text.substr(0, amp);
    text.remove_prefix(amp);
    if (text.empty()) break;
    const std::size_t end = text.substr(0, kLongestEntity).find(';');
    const std::string_view entity = text.substr(0, end == std::string_view::npos ? 1 : end + 1);
    const std::unique_ptr<cmark_node, void (*)(cmark_node*)> page(
        cmark_parse_document(entity.data(), entity.size(), CMARK_OPT_DEFAULT), cmark_node_free);
    cmark_node* const paragraph = cmark_node_first_child(page.get());
    const char* const literal =
        paragraph ? cmark_node_get_literal(cmark_node_first_child(paragraph)) : nullptr;
    out += literal ? std::string_view(literal) : entity;
    text.remove_prefix(entity.size());
  }
  return out;
}

std::string plain_text(std::string_view html) {
  std::string text, alternatives;
  for (std::size_t at = 0; at < html.size();) {
    if (html[at] != '<') {
      const bool blank = is_space(html[at]);
      if (!blank)
        text += html[at];
      else if (!text.empty() && text.back() != ' ')
        text += ' ';
      ++at;
      continue;
    }
    const std::size_t end = tag_end(html, at);
    const std::string_view tag = html.substr(at, end - at);
    if (has_at(tag, 0, "<img")) alternatives.append(attribute_of(tag, "alt")).append(" ");
    if (has_at(tag, 0, "<br") && !text.empty() && text.back() != ' ') text += ' ';
    at = end;
  }
  if (text.find_first_not_of(' ') == std::string::npos) text = alternatives;
  while (text.ends_with(' ')) text.pop_back();
  return decode_entities(text);
}

std::optional<int> heading_level(std::string_view html, std::size_t at) {
  if (!has_at(html, at, "<h") || at + 3 >= html.size()) return std::nullopt;
  const char digit = html[at + 2], after = html[at + 3];
  if (digit < '1' || digit > '6' || (after != '>' && !is_space(after))) return std::nullopt;
  return digit - '0';
}

}  // namespace

std::vector<HtmlHeading> html_headings(std::string_view html) {
  std::vector<HtmlHeading> out;
  std::uint32_t line = 0;
  std::size_t counted = 0;  // up to here line ends are counted
  for (std::size_t at = 0; (at = html.find('<', at)) != std::string_view::npos;) {
    if (html.substr(at).starts_with("<!--")) {
      at = html.find("-->", at);
      if (at == std::string_view::npos) break;
      continue;
    }
    const std::optional<int> level = heading_level(html, at);
    if (!level) {
      ++at;
      continue;
    }
    const std::size_t begin = tag_end(html, at);
    std::size_t close = begin;
    const char closing[] = {'<', '/', 'h', static_cast<char>('0' + *level), '\0'};
    while ((close = html.find('<', close)) != std::string_view::npos &&
           !has_at(html, close, closing))
      ++close;
    if (close == std::string_view::npos) break;
    line += static_cast<std::uint32_t>(
        std::count(html.begin() + static_cast<std::ptrdiff_t>(counted),
                   html.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
    counted = at;
    HtmlHeading heading{plain_text(html.substr(begin, close - begin)),
                        std::string(attribute_of(html.substr(at, begin - at), "id")), *level, line};
    if (!heading.title.empty()) out.push_back(std::move(heading));
    at = close;
  }
  return out;
}

}  // namespace kw::indexer
