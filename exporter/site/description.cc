// SPDX-License-Identifier: GPL-2.0-or-later
#include "exporter/site/description.h"

#include <fmt/format.h>

#include "schema/text/front_matter.h"
#include "schema/text/markdown_text.h"
#include "schema/text/markdown_tree.h"
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

}  // namespace

std::string first_paragraph(const FileRecord& record) {
  const std::string_view text =
      std::string_view(record.text).substr(front_matter_of(record.text).bytes).substr(0, kMaxRead);
  if (has_too_many_marks(text)) return {};
  const BoundedMarkdown bounded(text);
  const MarkdownTree root = parse_markdown_tree(bounded.view());
  for (cmark_node* node = cmark_node_first_child(root.get()); node; node = cmark_node_next(node)) {
    if (cmark_node_get_type(node) != CMARK_NODE_PARAGRAPH) continue;
    const std::string found = plain_text(node, ImageText::LeftOut);
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
