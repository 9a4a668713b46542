// SPDX-License-Identifier: GPL-2.0-or-later
#include "indexer/extract/html_headings.h"

#include <algorithm>
#include <optional>

#include "indexer/extract/html_text.h"
#include "schema/text/text.h"

namespace kw::indexer {
namespace {

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
