// SPDX-License-Identifier: GPL-2.0-or-later
#include "indexer/extract/markdown.h"

#include <utf8proc.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "indexer/extract/html_headings.h"
#include "schema/text/front_matter.h"
#include "schema/text/markdown_text.h"
#include "schema/text/markdown_tree.h"
#include "schema/text/text.h"

namespace kw::indexer {
namespace {

std::string trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return std::string(text);
}

/// Makes anchors unique within a page as GitHub does: a, a-1, a-2.
class Anchors {
 public:
  std::string unique(const std::string& anchor) {
    std::uint32_t& next = next_[anchor];
    std::string out = anchor;
    while (!taken_.insert(out).second) out = anchor + "-" + std::to_string(++next);
    return out;
  }

 private:
  std::unordered_map<std::string, std::uint32_t> next_;
  std::unordered_set<std::string> taken_;
};

/// The headings and code blocks of one page, gathered from cmark's tree.
class PageReader {
 public:
  /// `text` is what cmark read: the page behind its front matter.
  PageReader(std::string_view text, const FrontMatter& front)
      : text_(text),
        starts_(line_starts(text)),
        lines_before_(front.lines),
        renderer_(text, front.bytes) {}

  MarkdownPage read() {
    const MarkdownTree document = parse_markdown_tree(text_);
    const MarkdownWalk walk = walk_of(document.get());
    for (cmark_event_type event; (event = cmark_iter_next(walk.get())) != CMARK_EVENT_DONE;) {
      cmark_node* const node = cmark_iter_get_node(walk.get());
      const cmark_node_type type = cmark_node_get_type(node);
      if (type == CMARK_NODE_BLOCK_QUOTE) quotes_ += event == CMARK_EVENT_ENTER ? 1 : -1;
      if (event != CMARK_EVENT_ENTER) continue;
      if (type == CMARK_NODE_CODE_BLOCK) add_code(node);
      if (type == CMARK_NODE_HTML_BLOCK) add_html(node);
      if (type == CMARK_NODE_HEADING) add_heading(node);
      if (type == CMARK_NODE_PARAGRAPH) add_inlines(node, line_of_text(node));
      if (type == CMARK_NODE_HEADING || type == CMARK_NODE_PARAGRAPH)
        cmark_iter_reset(walk.get(), node, CMARK_EVENT_EXIT);  // past its inline content
    }
    end_section(static_cast<std::uint32_t>(starts_.size()) + 1);
    end_inlines(text_.size());
    page_.rendering = renderer_.take();
    return std::move(page_);
  }

 private:
  std::string_view line(std::uint32_t number) const { return line_at(text_, starts_, number); }

  std::size_t offset(std::uint32_t number) const {
    return number - 1 < starts_.size() ? starts_[number - 1] : text_.size();
  }

  static std::uint32_t start_line(cmark_node* node) {
    return static_cast<std::uint32_t>(cmark_node_get_start_line(node));
  }

  /// Where a block begins, behind the marks of the lists and quotes that it is in.
  std::size_t begin_of(cmark_node* node) const {
    const auto column = static_cast<std::size_t>(std::max(cmark_node_get_start_column(node), 1));
    return offset(start_line(node)) + std::min(column - 1, line(start_line(node)).size());
  }

  /// The first line of a paragraph or heading: cmark counts definitions of links above into it, and
  /// attributes of the heading before it.
  std::uint32_t line_of_text(cmark_node* node) const {
    std::uint32_t first = start_line(node);
    const auto last = static_cast<std::uint32_t>(cmark_node_get_end_line(node));
    while (first < last && (first == attributes_line_ || is_link_definition(line(first)))) ++first;
    return first;
  }

  /// A block of text reaches to where the next block begins, which is not known yet.
  void add_inlines(cmark_node* node, std::uint32_t first_line) {
    const bool at_start = first_line == start_line(node);
    const std::size_t begin = at_start ? begin_of(node) : offset(first_line);
    end_inlines(offset(start_line(node)));
    inlines_ = {node, begin, quotes_};
  }

  void end_inlines(std::size_t end) {
    if (inlines_.node) renderer_.add_inlines(inlines_.node, inlines_.begin, end, inlines_.quotes);
    inlines_.node = nullptr;
  }

  void add_code(cmark_node* node) {
    CodeBlock block;
    const std::string_view info = cmark_node_get_fence_info(node);
    block.info = info.substr(0, info.find_first_of(" \t"));
    block.content = literal_of(node);
    const bool fenced = is_fenced(node, block);
    const std::uint32_t first = start_line(node) + (fenced ? 1 : 0),
                        last = first - 1 + count_lines(block.content);
    block.first_line = lines_before_ + first;
    block.last_line = lines_before_ + last;
    const std::uint32_t end = last + (fenced && is_fence(line(last + 1)) ? 1 : 0);
    block.with_fences = {lines_before_ + start_line(node), lines_before_ + end};
    end_inlines(offset(start_line(node)));
    renderer_.add_code(begin_of(node), offset(end + 1));
    page_.code.push_back(std::move(block));
  }

  static std::uint32_t count_lines(std::string_view content) {
    return static_cast<std::uint32_t>(std::count(content.begin(), content.end(), '\n'));
  }

  /// Of the line behind a fenced block.
  static bool is_fence(std::string_view content) {
    content.remove_prefix(std::min(content.find_first_not_of(" \t>"), content.size()));
    return content.starts_with("```") || content.starts_with("~~~");
  }

  bool is_fenced(cmark_node* node, const CodeBlock& block) const {
    std::string_view opening = line(static_cast<std::uint32_t>(cmark_node_get_start_line(node)));
    opening.remove_prefix(
        std::min(static_cast<std::size_t>(cmark_node_get_start_column(node)) - 1, opening.size()));
    return !block.info.empty() || is_fenced_code(opening, block.content);
  }

  void add_heading(cmark_node* node) {
    HeadingAttributes attributes = take_heading_attributes(node);
    attributes_line_ = static_cast<std::uint32_t>(attributes.line);
    add_inlines(node, line_of_text(node));
    if (attributes.id.empty()) attributes.id = heading_anchor(plain_text(node, ImageText::LeftOut));
    add_section(line_of_text(node), cmark_node_get_heading_level(node),
                trimmed(plain_text(node, ImageText::Shown)), attributes.id);
  }

  void add_html(cmark_node* node) {
    const std::uint32_t first = start_line(node);
    const std::string_view html = literal_of(node);
    end_inlines(offset(first));
    renderer_.add_html(begin_of(node), offset(first + count_lines(html)));
    for (HtmlHeading& heading : html_headings(html)) {
      if (heading.id.empty()) heading.id = heading_anchor(heading.title);
      add_section(first + heading.line, heading.level, std::move(heading.title), heading.id);
    }
  }

  void add_section(std::uint32_t line, int level, std::string title, const std::string& anchor) {
    end_section(line);
    page_.sections.push_back({std::move(title), static_cast<std::uint8_t>(level),
                              lines_before_ + line, lines_before_ + line, anchors_.unique(anchor)});
  }

  static bool is_link_definition(std::string_view content) {
    content.remove_prefix(std::min(content.find_first_not_of(" \t>"), content.size()));
    return content.starts_with('[') && content.find("]:") != std::string_view::npos;
  }

  void end_section(std::uint32_t next_line) {
    if (page_.sections.empty()) return;
    Section& last = page_.sections.back();  // HTML may hold two on one line
    last.last_line = std::max(last.first_line, lines_before_ + next_line - 1);
  }

  std::string_view text_;
  std::vector<std::size_t> starts_;
  std::uint32_t lines_before_;
  MarkdownPage page_;
  PageRenderer renderer_;
  int quotes_ = 0;  ///< block quotes around the node
  /// The paragraph or heading that is to be rendered next.
  struct {
    cmark_node* node = nullptr;
    std::size_t begin = 0;
    int quotes = 0;
  } inlines_;
  std::uint32_t attributes_line_ = 0;  ///< of the last heading, if they are not at its end
  Anchors anchors_;
};

}  // namespace

MarkdownPage parse_markdown(std::string_view text) {
  if (has_too_many_marks(text)) {
    MarkdownPage nothing;
    nothing.is_truncated = true;
    return nothing;
  }
  const FrontMatter front = front_matter_of(text);
  const BoundedMarkdown calm(text.substr(front.bytes));
  MarkdownPage page = PageReader(calm.view(), front).read();
  page.metadata = read_page_metadata(front);
  return page;
}

std::string heading_anchor(std::string_view title) {
  std::string out;
  const auto* const bytes = reinterpret_cast<const utf8proc_uint8_t*>(title.data());
  for (std::size_t i = 0; i < title.size();) {
    utf8proc_int32_t c = 0;
    const auto n = utf8proc_iterate(bytes + i, static_cast<utf8proc_ssize_t>(title.size() - i), &c);
    if (n <= 0) {
      ++i;
      continue;
    }
    i += static_cast<std::size_t>(n);
    switch (utf8proc_category(c)) {
      case UTF8PROC_CATEGORY_LU:
      case UTF8PROC_CATEGORY_LL:
      case UTF8PROC_CATEGORY_LT:
      case UTF8PROC_CATEGORY_LM:
      case UTF8PROC_CATEGORY_LO:
      case UTF8PROC_CATEGORY_MN:
      case UTF8PROC_CATEGORY_MC:
      case UTF8PROC_CATEGORY_ME:
      case UTF8PROC_CATEGORY_ND:
      case UTF8PROC_CATEGORY_NL:
      case UTF8PROC_CATEGORY_PC: {
        utf8proc_uint8_t small[4];
        out.append(reinterpret_cast<const char*>(small),
                   static_cast<std::size_t>(utf8proc_encode_char(utf8proc_tolower(c), small)));
        break;
      }
      default:
        if (c == ' ') out += '-';
        if (c == '-') out += '-';
    }
  }
  return out;
}

}  // namespace kw::indexer
