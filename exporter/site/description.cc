// SPDX-License-Identifier: GPL-2.0-or-later
#include "exporter/site/description.h"

#include <cmark.h>
#include <fmt/format.h>

#include <memory>

#include "exporter/site/markdown_inline.h"
#include "schema/text/front_matter.h"
#include "schema/text/markdown_text.h"
#include "schema/text/text.h"

namespace kw::exporter::site {
namespace {

// A shorter paragraph is a line of badges, a date or a link.
constexpr std::size_t kMinParagraph = 30;
constexpr std::size_t kMaxNames = 8;
// The beginning of a document says what it is; a book need not be parsed for it.
constexpr std::size_t kMaxRead = 16 << 10;

/// `text` without the blanks at its ends and with one for each run of them, and no longer than a
/// description: cut behind a word.
std::string shortened(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool blank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    if (!blank) out += c;
    if (blank && !out.empty() && out.back() != ' ') out += ' ';
  }
  while (out.ends_with(' ')) out.pop_back();
  if (out.size() <= kMaxDescription) return out;
  std::size_t end = kMaxDescription;
  while (end > 0 && is_continuation(out[end])) --end;
  const std::size_t word = out.rfind(' ', end);
  out.resize(word == std::string::npos || word < kMaxDescription / 2 ? end : word);
  return out + "…";
}

/// What a reader sees of a paragraph, its images aside.
std::string text_of(cmark_node* paragraph) {
  std::string out;
  const std::unique_ptr<cmark_iter, void (*)(cmark_iter*)> walk(cmark_iter_new(paragraph),
                                                                cmark_iter_free);
  int images = 0;
  for (cmark_event_type event; (event = cmark_iter_next(walk.get())) != CMARK_EVENT_DONE;) {
    cmark_node* const node = cmark_iter_get_node(walk.get());
    const cmark_node_type type = cmark_node_get_type(node);
    if (type == CMARK_NODE_IMAGE) images += event == CMARK_EVENT_ENTER ? 1 : -1;
    if (images > 0) continue;
    if (type == CMARK_NODE_TEXT || type == CMARK_NODE_CODE) out += literal_of(node);
    if (type == CMARK_NODE_SOFTBREAK || type == CMARK_NODE_LINEBREAK) out += ' ';
  }
  return out;
}

}  // namespace

std::string first_paragraph(const FileRecord& record) {
  const std::string_view text =
      std::string_view(record.text).substr(front_matter_of(record.text).bytes).substr(0, kMaxRead);
  if (has_too_many_marks(text)) return {};
  const BoundedMarkdown bounded(text);
  const std::unique_ptr<cmark_node, void (*)(cmark_node*)> root(
      cmark_parse_document(bounded.view().data(), bounded.view().size(), CMARK_OPT_DEFAULT),
      cmark_node_free);
  for (cmark_node* node = cmark_node_first_child(root.get()); node; node = cmark_node_next(node)) {
    if (cmark_node_get_type(node) != CMARK_NODE_PARAGRAPH) continue;
    const std::string found = text_of(node);
    if (found.size() >= kMinParagraph && found[0] != '|' && found[0] != '[')
      return shortened(found);
  }
  return {};
}

std::string describe(const FileRecord& record, const Page& keywords) {
  if (!record.description.empty()) return shortened(record.description);
  std::string text = record.language == "markdown" ? first_paragraph(record) : record.title;
  if (record.language == "markdown" && !text.empty()) return text;
  std::vector<std::string_view> names;
  for (const KeywordGroup& group : keywords.groups)
    for (const Keyword& keyword : group.keywords)
      if (names.size() < kMaxNames) names.push_back(keyword.name);
  std::string out = text;
  if (!out.empty() && !names.empty()) out += out.ends_with('.') ? " " : ". ";
  if (!names.empty()) out += fmt::format("Names: {}", fmt::join(names, ", "));
  return shortened(out);
}

}  // namespace kw::exporter::site
