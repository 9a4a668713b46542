// SPDX-License-Identifier: GPL-2.0-or-later
#include "exporter/site/html_tree.h"

#include <gumbo.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <unordered_set>
#include <utility>
#include <vector>

#include "exporter/site/html.h"
#include "exporter/site/html_elements.h"
#include "exporter/site/raw_html.h"

namespace kw::exporter::site {
namespace {

constexpr std::string_view kAttributes[] = {"alt",   "aria-label", "checked", "class", "colspan",
                                            "dir",   "disabled",   "height",  "href",  "id",
                                            "open",  "reversed",   "rowspan", "src",   "start",
                                            "title", "type",       "value",   "width"};
static_assert(std::is_sorted(std::begin(kAttributes), std::end(kAttributes)));

/// A path, an anchor, or a URL of http, https or mailto: the colon of another scheme is escaped in
/// a path.
bool is_safe_url(std::string_view url) {
  if (url.starts_with("https://") || url.starts_with("http://") || url.starts_with("mailto:"))
    return true;
  return !url.starts_with("//") && url.find(':') == std::string_view::npos;
}

class Writer {
 public:
  explicit Writer(const GumboNode* root) : root_(root) { collect_ids(); }

  std::string write() {
    // By hand and not by recursion: the parser makes trees deeper than tags were.
    std::vector<std::pair<const GumboNode*, unsigned>> open;
    enter(root_, open);
    while (!open.empty()) {
      auto& [node, next] = open.back();
      const GumboVector& children = node->v.element.children;
      if (next < children.length) {
        enter(static_cast<const GumboNode*>(children.data[next++]), open);
        continue;
      }
      if (node != root_) close(node);
      open.pop_back();
    }
    return std::move(out_);
  }

 private:
  using Open = std::vector<std::pair<const GumboNode*, unsigned>>;

  void collect_ids() {
    std::vector<const GumboNode*> rest{root_};
    while (!rest.empty()) {
      const GumboNode* const node = rest.back();
      rest.pop_back();
      if (node->type != GUMBO_NODE_ELEMENT) continue;
      if (const GumboAttribute* const id = gumbo_get_attribute(&node->v.element.attributes, "id"))
        ids_.insert(id->value);
      const GumboVector& children = node->v.element.children;
      for (unsigned i = 0; i < children.length; ++i)
        rest.push_back(static_cast<const GumboNode*>(children.data[i]));
    }
  }

  void enter(const GumboNode* node, Open& open) {
    switch (node->type) {
      case GUMBO_NODE_TEXT:
      case GUMBO_NODE_WHITESPACE:
        append_html(out_, node->v.text.text);
        return;
      case GUMBO_NODE_ELEMENT:
        if (node->v.element.tag_namespace != GUMBO_NAMESPACE_HTML) return;
        if (node != root_) begin(node->v.element);
        open.emplace_back(node, 0);
        return;
      default:  // gumbo's: comments, templates, what is no content
        return;
    }
  }

  static std::string_view name_of(const GumboElement& element) {
    return gumbo_normalized_tagname(element.tag);
  }

  void begin(const GumboElement& element) {
    const std::string_view name = name_of(element);
    if (!is_element_of_page(name)) return;
    out_ += '<';
    out_ += name;
    for (unsigned i = 0; i < element.attributes.length; ++i)
      append_attribute(*static_cast<const GumboAttribute*>(element.attributes.data[i]));
    out_ += '>';
  }

  void close(const GumboNode* node) {
    const std::string_view name = name_of(node->v.element);
    if (!is_element_of_page(name) || is_void_element(name)) return;
    out_ += "</";
    out_ += name;
    out_ += '>';
  }

  void append_attribute(const GumboAttribute& given) {
    const std::string_view name = given.name, value = given.value;
    if (!std::binary_search(std::begin(kAttributes), std::end(kAttributes), name)) return;
    if (name == "href" || name == "src") {
      if (!is_safe_url(value)) return;
      if (value.starts_with(std::string("#").append(kAuthorAnchor)) &&
          !ids_.contains(std::string(value.substr(1))))
        return;
    }
    if (name == "id" && !written_.insert(std::string(value)).second) return;
    out_ += ' ';
    out_ += name;
    if (value.empty() && name != "alt" && name != "title" && name != "href") return;
    out_ += '=';
    out_ += attribute(value);
  }

  const GumboNode* root_;
  std::unordered_set<std::string> ids_;
  std::unordered_set<std::string> written_;
  std::string out_;
};

/// The body of the document.
const GumboNode* body_of(const GumboOutput& parsed) {
  const GumboVector& children = parsed.root->v.element.children;
  for (unsigned i = 0; i < children.length; ++i) {
    const auto* const node = static_cast<const GumboNode*>(children.data[i]);
    if (node->type == GUMBO_NODE_ELEMENT && node->v.element.tag == GUMBO_TAG_BODY) return node;
  }
  return nullptr;
}

}  // namespace

std::string sanitised_html(std::string_view html) {
  // Without a type of document, tables would stand in paragraphs.
  const std::string document = std::string("<!DOCTYPE html><body>").append(html);
  GumboOptions options = kGumboDefaultOptions;
  options.max_errors = 0;
  struct Destroy {
    void operator()(GumboOutput* output) const {
      gumbo_destroy_output(&kGumboDefaultOptions, output);
    }
  };
  const std::unique_ptr<GumboOutput, Destroy> parsed(
      gumbo_parse_with_options(&options, document.data(), document.size()));
  const GumboNode* const body = parsed ? body_of(*parsed) : nullptr;
  return body ? Writer(body).write() : std::string();
}

}  // namespace kw::exporter::site
