// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/support/html_safety.h"

#include <gumbo.h>

#include <algorithm>

namespace kw::test {
namespace {

class Inspector {
 public:
  std::vector<std::string> faults;

  void look(const GumboNode* node) {
    if (node->type == GUMBO_NODE_TEMPLATE) faults.emplace_back("template");
    if (node->type != GUMBO_NODE_ELEMENT) return;
    const GumboElement& element = node->v.element;
    const std::string name = gumbo_normalized_tagname(element.tag);
    if (element.tag_namespace != GUMBO_NAMESPACE_HTML) faults.push_back("foreign " + name);
    for (const char* const acts :
         {"script", "style", "iframe", "object", "embed", "link", "meta", "base", "form", "button",
          "textarea", "title", "xmp", "plaintext", "noscript", "frameset", "video", "audio"})
      if (name == acts) faults.push_back("<" + name + ">");
    for (unsigned i = 0; i < element.attributes.length; ++i)
      look_at(*static_cast<const GumboAttribute*>(element.attributes.data[i]));
    for (unsigned i = 0; i < element.children.length; ++i)
      look(static_cast<const GumboNode*>(element.children.data[i]));
  }

 private:
  void look_at(const GumboAttribute& attribute) {
    const std::string name = attribute.name, value = attribute.value;
    const auto fail = [&] { faults.push_back(name + "=" + value); };
    if (name.starts_with("on") || name == "style" || name == "srcdoc" || name == "action" ||
        name == "formaction" || name == "background" || name == "srcset")
      fail();
    if (name == "id" && value.starts_with("kw-")) fail();
    if (name == "class" && value.starts_with("kw-")) fail();
    if (name != "href" && name != "src") return;
    if (value.starts_with("http://") || value.starts_with("https://") ||
        (name == "href" && value.starts_with("mailto:")))
      return;
    if (value.find(':') != std::string::npos || value.starts_with("//") ||
        value.starts_with("\\") ||
        std::any_of(value.begin(), value.end(), [](char c) { return c >= 0 && c <= ' '; }))
      fail();
  }
};

}  // namespace

std::vector<std::string> executable_parts(std::string_view html) {
  const std::string document = "<!DOCTYPE html><body>" + std::string(html);
  GumboOutput* const parsed =
      gumbo_parse_with_options(&kGumboDefaultOptions, document.data(), document.size());
  // The head of the document is the parser's own: what stands in it came from `html`, too.
  Inspector inspector;
  const GumboVector& parts = parsed->root->v.element.children;
  for (unsigned i = 0; i < parts.length; ++i)
    inspector.look(static_cast<const GumboNode*>(parts.data[i]));
  gumbo_destroy_output(&kGumboDefaultOptions, parsed);
  return std::move(inspector.faults);
}

}  // namespace kw::test
