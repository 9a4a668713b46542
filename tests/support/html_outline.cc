// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/support/html_outline.h"

#include <fmt/format.h>
#include <gumbo.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

#include "exporter/site/html_elements.h"
#include "schema/text/url.h"

namespace kw::test {
namespace {

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_block(std::string_view name) {
  return name[0] == 'h' ||
         is_one_of(name, {"p", "ul", "ol", "li", "blockquote", "div", "pre", "table", "thead",
                          "tbody", "tr", "th", "td", "dl", "dt", "dd", "details", "summary"});
}

std::string_view attribute(const GumboElement& element, const char* name) {
  const GumboAttribute* const found = gumbo_get_attribute(&element.attributes, name);
  return found ? std::string_view(found->value) : std::string_view();
}

bool has(const GumboElement& element, const char* name) {
  return gumbo_get_attribute(&element.attributes, name) != nullptr;
}

int level_of(std::string_view name) {
  return name.size() == 2 && name[0] == 'h' && name[1] >= '1' && name[1] <= '6' ? name[1] - '0' : 0;
}

class Outline {
 public:
  explicit Outline(const GumboNode* body) {
    find_highest(body);
    children(body->v.element);
    end_line();
  }
  std::string take() { return std::move(out_); }

 private:
  static constexpr int kLowest = 6;

  void find_highest(const GumboNode* node) {
    if (node->type != GUMBO_NODE_ELEMENT) return;
    if (const int level = level_of(gumbo_normalized_tagname(node->v.element.tag)))
      highest_ = std::min(highest_, level);
    for_each_child(node->v.element, [this](const GumboNode* child) { find_highest(child); });
  }

  template <class Use>
  static void for_each_child(const GumboElement& element, const Use& use) {
    for (unsigned i = 0; i < element.children.length; ++i)
      use(static_cast<const GumboNode*>(element.children.data[i]));
  }

  void children(const GumboElement& element) {
    for_each_child(element, [this](const GumboNode* child) { node(child); });
  }

  void node(const GumboNode* node) {
    if (node->type == GUMBO_NODE_TEXT || node->type == GUMBO_NODE_WHITESPACE)
      return text(node->v.text.text);
    if (node->type != GUMBO_NODE_ELEMENT || node->v.element.tag_namespace != GUMBO_NAMESPACE_HTML)
      return;
    element(node->v.element);
  }

  void element(const GumboElement& element) {
    const std::string name = gumbo_normalized_tagname(element.tag);
    const std::string_view style = attribute(element, "class");
    if (is_one_of(name, {"script", "style", "textarea", "title", "xmp", "svg", "iframe"})) return;
    const bool is_anchor =
        (name == "i" && element.children.length == 0) || (name == "a" && !has(element, "href"));
    if (is_anchor) return children(element);
    if (name == "pre" || style == "code") return code(element);
    if (name == "input") return text(has(element, "checked") ? "[x]" : "[ ]");
    const bool is_of_page = exporter::site::is_element_of_page(name);
    if (!is_of_page || style == "wide") return children(element);
    is_block(name) ? block(name, element) : inline_element(name, element);
  }

  /// Its lines as they are; code without any is not there.
  void code(const GumboElement& element) {
    std::string lines;
    append_text(element, lines);
    if (element.tag != GUMBO_TAG_PRE) lines.erase(0, 1);  // before the list's first item
    if (lines.empty()) return;
    end_line();
    for (std::size_t at = 0; at < lines.size();) {
      const std::size_t end = std::min(lines.find('\n', at), lines.size());
      out_ += fmt::format("{}code|{}\n", std::string(depth_, ' '), lines.substr(at, end - at));
      at = end + 1;
    }
  }

  static void append_text(const GumboElement& element, std::string& to) {
    for_each_child(element, [&to](const GumboNode* child) {
      if (child->type == GUMBO_NODE_TEXT || child->type == GUMBO_NODE_WHITESPACE)
        to += child->v.text.text;
      else if (child->type == GUMBO_NODE_ELEMENT)
        append_text(child->v.element, to);
    });
  }

  void block(const std::string& name, const GumboElement& element) {
    end_line();
    const std::size_t before = out_.size();
    std::string shown = name;
    if (const int level = level_of(name))
      shown = fmt::format("h{}", std::min(level + 2 - highest_, kLowest));
    if (name == "th" || name == "td") shown = "cell";
    out_ += std::string(depth_, ' ') + shown + attributes(element) + "\n";
    const std::size_t begun = out_.size();
    ++depth_;
    children(element);
    end_line();
    --depth_;
    if (name == "blockquote" && out_.size() == begun) out_.resize(before);
  }

  void inline_element(const std::string& name, const GumboElement& element) {
    line_ += fmt::format("<{}{}>", name, attributes(element));
    children(element);
    if (!exporter::site::is_void_element(name)) line_ += fmt::format("</{}>", name);
  }

  static std::string attributes(const GumboElement& element) {
    std::string out;
    for (const char* const name : {"href", "src"})
      if (has(element, name))
        out += fmt::format(" {}={}", name, percent_decoded(attribute(element, name)));
    for (const char* const name : {"alt", "title", "start"})
      if (!attribute(element, name).empty())
        out += fmt::format(" {}={}", name, attribute(element, name));
    for (const std::string_view side : {"center", "right"})
      if (attribute(element, "align") == side || attribute(element, "class") == side)
        out += fmt::format(" {}", side);
    return out;
  }

  void text(std::string_view text) {
    for (const char c : text) {
      const bool is_blank = c == ' ' || c == '\n' || c == '\t';
      if (!is_blank)
        line_ += c;
      else if (!line_.empty() && line_.back() != ' ')
        line_ += ' ';
    }
  }

  void end_line() {
    while (line_.ends_with(' ')) line_.pop_back();
    if (!line_.empty()) out_ += std::string(depth_, ' ') + line_ + "\n";
    line_.clear();
  }

  std::string out_, line_;
  std::size_t depth_ = 0;
  int highest_ = kLowest;
};

}  // namespace

std::string html_outline(std::string_view html) {
  const std::string document = std::string("<!DOCTYPE html><body>").append(html);
  const auto destroy = [](GumboOutput* parsed) {
    gumbo_destroy_output(&kGumboDefaultOptions, parsed);
  };
  const std::unique_ptr<GumboOutput, decltype(destroy)> parsed(
      gumbo_parse_with_options(&kGumboDefaultOptions, document.data(), document.size()), destroy);
  const GumboVector& parts = parsed->root->v.element.children;
  for (unsigned i = 0; i < parts.length; ++i) {
    const auto* const part = static_cast<const GumboNode*>(parts.data[i]);
    if (part->type == GUMBO_NODE_ELEMENT && part->v.element.tag == GUMBO_TAG_BODY)
      return Outline(part).take();
  }
  return {};
}

}  // namespace kw::test
