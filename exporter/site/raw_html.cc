// SPDX-License-Identifier: GPL-2.0-or-later
#include "exporter/site/raw_html.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "exporter/site/html.h"
#include "exporter/site/html_elements.h"
#include "schema/text/text.h"

namespace kw::exporter::site {
namespace {

// A README has some hundred tags, some ten deep. The parser opens formatting elements again in
// each block that they run over: a million of those are 200 MB.
constexpr std::size_t kMaxTags = 20'000;
constexpr std::size_t kMaxDepth = 200;
constexpr std::size_t kMaxReopened = 100'000;
constexpr std::size_t kMaxAttributes = 32;
// Of a tag that does not end, all is read before it is text; and then again for the next.
constexpr std::size_t kMaxTagBytes = 64u << 10;
constexpr std::size_t kMaxBrokenTags = 1000;

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f'; }

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

/// Elements whose end tags HTML does without: they do not nest by themselves.
bool is_closed_by_others(std::string_view name) {
  for (const char* const other :
       {"p", "li", "dt", "dd", "tr", "td", "th", "thead", "tbody", "tfoot", "rt", "rp"})
    if (name == other) return true;
  return false;
}

/// What is left out with all that it holds: no text of the document, or of another language.
bool is_dropped_whole(std::string_view name) {
  for (const char* const other :
       {"script", "style", "template", "svg", "math", "iframe", "object", "noscript", "noembed",
        "noframes", "xmp", "textarea", "title", "select", "head", "audio", "video"})
    if (name == other) return true;
  return false;
}

/// Where the end tag of an element begins; at the end of `html` if it has none.
std::size_t end_tag_of(std::string_view name, std::string_view html) {
  for (std::size_t at = 0; (at = html.find("</", at)) != std::string_view::npos; ++at)
    if (lower(html.substr(at + 2, name.size())) == name) return at;
  return html.size();
}

std::string unescaped(std::string_view text) {
  static constexpr std::pair<std::string_view, char> kEntities[] = {
      {"&amp;", '&'}, {"&quot;", '"'}, {"&#39;", '\''}, {"&apos;", '\''},
      {"&lt;", '<'},  {"&gt;", '>'},   {"&#x27;", '\''}};
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const auto* const entity =
        std::find_if(std::begin(kEntities), std::end(kEntities),
                     [&](const auto& e) { return text.substr(i).starts_with(e.first); });
    const bool found = entity != std::end(kEntities);
    out += found ? entity->second : text[i];
    i += found ? entity->first.size() : 1;
  }
  return out;
}

bool is_number(std::string_view text) {
  return !text.empty() && text.size() <= 5 &&
         text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// "80%", "80" and "80px" as an attribute has them; empty for anything else.
std::string length_of(std::string_view text) {
  if (text.ends_with("px")) text.remove_suffix(2);
  return is_number(text) ? std::string(text) : std::string();
}

/// Appends text, whose entities stay the author's.
void append_text(std::string& out, std::string_view text) {
  for (const char c : text) {
    if (c == '<')
      out += "&lt;";
    else if (c != '\r')
      out += c;
  }
}

}  // namespace

struct RawHtml::Tag {
  struct Attribute {
    std::string name;   ///< in small letters
    std::string value;  ///< without entities
  };
  std::string name;  ///< in small letters
  bool is_end = false;
  std::vector<Attribute> attributes;

  std::string_view value(std::string_view wanted) const {
    for (const Attribute& a : attributes)
      if (a.name == wanted) return a.value;
    return {};
  }
  bool has(std::string_view wanted) const {
    return std::any_of(attributes.begin(), attributes.end(),
                       [&](const Attribute& a) { return a.name == wanted; });
  }

  /// Reads a tag at the start of `html`, which it takes off; nothing if none ends there.
  static std::optional<Tag> take(std::string_view& html);

 private:
  static void take_attribute(std::string_view& rest, Tag& tag);
};

std::optional<RawHtml::Tag> RawHtml::Tag::take(std::string_view& html) {
  std::string_view rest = html.substr(1, kMaxTagBytes);
  Tag tag;
  if (rest.starts_with('/')) {
    tag.is_end = true;
    rest.remove_prefix(1);
  }
  if (rest.empty() || !is_letter(rest[0])) return std::nullopt;
  std::size_t end = 0;
  while (end < rest.size() && !is_space(rest[end]) && rest[end] != '>' && rest[end] != '/') ++end;
  tag.name = lower(rest.substr(0, end));
  rest.remove_prefix(end);
  while (!rest.empty() && rest[0] != '>') take_attribute(rest, tag);
  if (rest.empty()) return std::nullopt;
  html.remove_prefix(static_cast<std::size_t>(rest.data() + 1 - html.data()));
  return tag;
}

void RawHtml::Tag::take_attribute(std::string_view& rest, Tag& tag) {
  std::size_t end = 0;
  while (end < rest.size() && (is_space(rest[end]) || rest[end] == '/')) ++end;
  rest.remove_prefix(end);
  if (rest.empty() || rest[0] == '>') return;
  for (end = 1; end < rest.size() && !is_space(rest[end]) && rest[end] != '=' && rest[end] != '>' &&
                rest[end] != '/';)
    ++end;
  Attribute attribute{lower(rest.substr(0, end)), {}};
  rest.remove_prefix(end);
  while (!rest.empty() && is_space(rest[0])) rest.remove_prefix(1);
  if (rest.starts_with('=')) {
    rest.remove_prefix(1);
    while (!rest.empty() && is_space(rest[0])) rest.remove_prefix(1);
    const char quote = rest.empty() ? '\0' : rest[0];
    const bool quoted = quote == '"' || quote == '\'';
    if (quoted) rest.remove_prefix(1);
    for (end = 0; end < rest.size() &&
                  (quoted ? rest[end] != quote : !is_space(rest[end]) && rest[end] != '>');)
      ++end;
    attribute.value = unescaped(rest.substr(0, end));
    rest.remove_prefix(std::min(end + (quoted ? 1 : 0), rest.size()));
  }
  if (tag.attributes.size() < kMaxAttributes && !tag.has(attribute.name))
    tag.attributes.push_back(std::move(attribute));
}

bool RawHtml::is_too_much() const {
  return broken_ > kMaxBrokenTags || tags_ > kMaxTags || max_depth_ > kMaxDepth ||
         cost_ > kMaxReopened;
}

void RawHtml::count_block() { cost_ += formatting_; }

void RawHtml::count(const Tag& tag) {
  ++tags_;
  if (is_void_element(tag.name)) return;
  if (!tag.is_end) count_block();
  std::size_t& open = is_formatting_element(tag.name) ? formatting_ : depth_;
  if (is_closed_by_others(tag.name)) return;
  if (tag.is_end)
    open -= open > 0 ? 1 : 0;
  else
    max_depth_ = std::max(max_depth_, ++open);
  if (tag.name == "table") tables_ = tag.is_end ? tables_ - (tables_ > 0 ? 1 : 0) : tables_ + 1;
}

void RawHtml::append(std::string& out, std::string_view html) {
  while (!html.empty()) {
    const std::size_t end = std::min(html.find_first_of("<\n"), html.size());
    append_text(out, html.substr(0, end));
    html.remove_prefix(end);
    if (html.empty()) return;
    if (html[0] == '\n') {
      out += '\n';
      html.remove_prefix(1);
      if (!html.empty() && hooks_.line_begins && tables_ == 0) hooks_.line_begins(out);
      continue;
    }
    // Comments, instructions, declarations: nothing of them is shown.
    const std::string_view close = html.starts_with("<!--")        ? "-->"
                                   : html.starts_with("<?")        ? "?>"
                                   : html.starts_with("<![CDATA[") ? "]]>"
                                   : html.starts_with("<!")        ? ">"
                                                                   : "";
    if (!close.empty()) {
      const std::size_t at = html.find(close, 2);
      html.remove_prefix(at == std::string_view::npos ? html.size() : at + close.size());
      continue;
    }
    if (const auto tag = Tag::take(html)) {
      if (!tag->is_end && is_dropped_whole(tag->name)) {
        html.remove_prefix(end_tag_of(tag->name, html));
      } else if (const std::string_view name = element_of_author(tag->name); !name.empty()) {
        append_tag(out, *tag);
      }
    } else {
      out += "&lt;";
      html.remove_prefix(1);
      if (++broken_ > kMaxBrokenTags) return append_text(out, html);
    }
  }
}

void RawHtml::append_tag(std::string& out, const Tag& tag) {
  count(tag);
  const std::string_view name = element_of_author(tag.name);
  if (tag.is_end) {
    if (!is_void_element(name)) fmt::format_to(std::back_inserter(out), "</{}>", name);
    return;
  }
  if (name == "img") return append_image(out, tag);
  out += '<';
  out += name;
  append_attributes(out, tag);
  out += '>';
}

/// An image that the site lacks is a link to it, by its text.
void RawHtml::append_image(std::string& out, const Tag& tag) {
  const std::string_view src = tag.value("src");
  const std::string alt(tag.value("alt"));
  const std::string shown = hooks_.image ? hooks_.image(src) : std::string();
  if (shown.empty()) {
    const std::string target = hooks_.link ? hooks_.link(src) : std::string();
    const std::string text = html(alt.empty() ? file_name_of(src.substr(0, src.find('?'))) : alt);
    out += target.empty() ? fmt::format("<span class=image>{}</span>", text)
                          : fmt::format("<a class=image href=\"{}\">{}</a>", target, text);
    return;
  }
  out += fmt::format("<img src=\"{}\" alt={}", shown, attribute(alt));
  for (const char* const side : {"width", "height"})
    if (const std::string length = length_of(tag.value(side)); !length.empty())
      out += fmt::format(" {}={}", side, length);
  if (tag.has("title")) out += fmt::format(" title={}", attribute(tag.value("title")));
  out += '>';
}

void RawHtml::append_attributes(std::string& out, const Tag& tag) {
  const auto add = [&out](std::string_view name, std::string_view value) {
    fmt::format_to(std::back_inserter(out), " {}={}", name, attribute(value));
  };
  // Without attributes the parser knows more than three of one kind for the same, and drops them.
  if (is_formatting_element(tag.name) && tag.name != "a") return;
  const std::string_view id = tag.has("id") ? tag.value("id") : tag.value("name");
  if (!id.empty()) add("id", std::string(kAuthorAnchor).append(id));
  const std::string align = tag.name == "center" ? "center" : lower(tag.value("align"));
  if (align == "center" || align == "right") add("class", align);
  const std::string dir = lower(tag.value("dir"));
  if (dir == "ltr" || dir == "rtl" || dir == "auto") add("dir", dir);
  if (tag.has("title")) add("title", tag.value("title"));
  if (tag.name == "details" && tag.has("open")) out += " open";
  if (tag.name == "ol" && tag.has("reversed")) out += " reversed";
  if (tag.name == "ol" && is_number(tag.value("start"))) add("start", tag.value("start"));
  if (tag.name == "li" && is_number(tag.value("value"))) add("value", tag.value("value"));
  if (tag.name == "td" || tag.name == "th")
    for (const char* const span : {"colspan", "rowspan"})
      if (is_number(tag.value(span)) && tag.value(span) != "0") add(span, tag.value(span));
  if (tag.name != "a" || !tag.has("href") || !hooks_.link) return;
  const std::string target = hooks_.link(tag.value("href"));
  if (!target.empty()) fmt::format_to(std::back_inserter(out), " href=\"{}\"", target);
}

std::vector<std::string> raw_anchors(std::string_view html) {
  std::vector<std::string> anchors;
  while (!html.empty()) {
    html.remove_prefix(std::min(html.find('<'), html.size()));
    if (html.empty()) break;
    const auto tag = RawHtml::Tag::take(html);
    if (!tag) {
      html.remove_prefix(1);
      continue;
    }
    const std::string_view id = tag->has("id") ? tag->value("id") : tag->value("name");
    if (!tag->is_end && !id.empty()) anchors.emplace_back(id);
  }
  return anchors;
}

}  // namespace kw::exporter::site
