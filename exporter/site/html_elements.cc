// SPDX-License-Identifier: GPL-2.0-or-later
#include "exporter/site/html_elements.h"

#include <algorithm>
#include <iterator>

namespace kw::exporter::site {
namespace {

// By name. What GitHub's sanitiser lets through, without its pictures' sources: one image is shown.
constexpr std::string_view kElements[] = {
    "a",       "abbr", "b",       "bdo",   "blockquote", "br",    "caption", "cite",   "code",
    "dd",      "del",  "details", "dfn",   "div",        "dl",    "dt",      "em",     "figcaption",
    "figure",  "h1",   "h2",      "h3",    "h4",         "h5",    "h6",      "hr",     "i",
    "img",     "ins",  "kbd",     "li",    "mark",       "ol",    "p",       "pre",    "q",
    "rp",      "rt",   "ruby",    "s",     "samp",       "small", "span",    "strong", "sub",
    "summary", "sup",  "table",   "tbody", "td",         "tfoot", "th",      "thead",  "time",
    "tr",      "u",    "ul",      "var",   "wbr"};
static_assert(std::is_sorted(std::begin(kElements), std::end(kElements)));

bool is_listed(std::string_view name) {
  return std::binary_search(std::begin(kElements), std::end(kElements), name);
}

template <std::size_t N>
bool is_one_of(const std::string_view (&names)[N], std::string_view name) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

}  // namespace

std::string_view element_of_author(std::string_view name) {
  // Headings are one level lower, as Markdown's are: the page has its own above.
  constexpr std::string_view kHeadings[] = {"h1", "h2", "h3", "h4", "h5", "h6"};
  for (std::size_t i = 0; i < std::size(kHeadings); ++i)
    if (name == kHeadings[i]) return kHeadings[std::min(i + 1, std::size(kHeadings) - 1)];
  if (name == "center") return "div";
  if (name == "tt") return "code";
  if (name == "strike") return "s";
  const auto* const found = std::lower_bound(std::begin(kElements), std::end(kElements), name);
  return found != std::end(kElements) && *found == name ? *found : std::string_view();
}

bool is_element_of_page(std::string_view name) { return is_listed(name) || name == "input"; }

bool is_void_element(std::string_view name) {
  static constexpr std::string_view kVoid[] = {"br", "hr", "img", "input", "wbr"};
  return is_one_of(kVoid, name);
}

bool is_formatting_element(std::string_view name) {
  static constexpr std::string_view kFormatting[] = {"a",      "b",      "big",  "code", "em",
                                                     "font",   "i",      "nobr", "s",    "small",
                                                     "strike", "strong", "tt",   "u"};
  return is_one_of(kFormatting, name);
}

}  // namespace kw::exporter::site
