// SPDX-License-Identifier: GPL-2.0-or-later
#include "exporter/site/markdown_html.h"

#include <cmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "exporter/site/html.h"
#include "exporter/site/markdown_table.h"
#include "schema/text/front_matter.h"
#include "schema/text/markdown_text.h"
#include "schema/text/text.h"

namespace kw::exporter::site {
namespace {

// What definitions of links are worth to cells: a page with more is not made for people.
constexpr std::size_t kMaxDefinitionBytes = 64 << 10;
// Cells begin with it, so that none of them is a list, a heading or a definition.
constexpr std::string_view kCellMark = "| ";

using Document = std::unique_ptr<cmark_node, void (*)(cmark_node*)>;
using Walk = std::unique_ptr<cmark_iter, void (*)(cmark_iter*)>;

Document parse(std::string_view text) {
  return {cmark_parse_document(text.data(), text.size(), CMARK_OPT_DEFAULT), cmark_node_free};
}

std::string_view literal_of(cmark_node* node) {
  const char* const text = cmark_node_get_literal(node);
  return text ? std::string_view(text) : std::string_view();
}

std::uint32_t first_line_of(cmark_node* node) {
  return static_cast<std::uint32_t>(std::max(cmark_node_get_start_line(node), 1));
}

std::string_view first_word(std::string_view info) {
  while (!info.empty() && (info.front() == '{' || info.front() == '.')) info.remove_prefix(1);
  return info.substr(0, info.find_first_of(" \t,{}"));
}

bool is_line_break(std::string_view tag) {
  return tag == "<br>" || tag == "<br/>" || tag == "<br />" || tag == "<BR>";
}

bool is_definition(std::string_view line) {
  const std::size_t begin = line.find_first_not_of(' ');
  return begin <= 3 && line[begin] == '[' && line.find("]:") != std::string_view::npos;
}

std::string_view class_of(MarkdownTable::Align align) {
  switch (align) {
    case MarkdownTable::Align::None:
    case MarkdownTable::Align::Left:
      return "";
    case MarkdownTable::Align::Center:
      return " class=center";
    case MarkdownTable::Align::Right:
      return " class=right";
  }
  return "";
}

class MarkdownHtml {
 public:
  MarkdownHtml(std::string& out, const FileRecord& record, LineIds& ids, CodeHtml& code,
               const LinkTarget& link)
      : out_(out), record_(record), ids_(ids), code_(code), link_(link) {}

  void run() {
    if (has_too_many_marks(record_.text))
      code_.append_block(out_, record_.text, 1, nullptr);
    else
      append_page();
    ids_.append_rest(out_);
    code_.append_rest(out_);
  }

 private:
  void append_page() {
    const FrontMatter front = front_matter_of(record_.text);
    if (front.lines > 0)
      code_.append_block(out_, std::string_view(record_.text).substr(0, front.bytes), 1,
                         code_style("yaml"));
    lines_before_ = front.lines;
    const BoundedMarkdown calm(std::string_view(record_.text).substr(front.bytes));
    text_ = calm.view();
    starts_ = line_starts(text_);
    const Document document = parse(text_);
    append_blocks(document.get());
  }

  std::uint32_t line_of(cmark_node* node) const { return lines_before_ + first_line_of(node); }

  void append_blocks(cmark_node* document) {
    const Walk walk(cmark_iter_new(document), cmark_iter_free);
    for (cmark_event_type event; (event = cmark_iter_next(walk.get())) != CMARK_EVENT_DONE;) {
      cmark_node* const node = cmark_iter_get_node(walk.get());
      const bool enter = event == CMARK_EVENT_ENTER;
      const cmark_node_type type = cmark_node_get_type(node);
      if (type == CMARK_NODE_PARAGRAPH || type == CMARK_NODE_HEADING) {
        if (!enter) continue;
        type == CMARK_NODE_HEADING ? append_heading(node) : append_paragraph(node);
        cmark_iter_reset(walk.get(), node, CMARK_EVENT_EXIT);  // past its inline content
      } else {
        append_block(node, type, enter);
      }
    }
  }

  void append_block(cmark_node* node, cmark_node_type type, bool enter) {
    switch (type) {
      case CMARK_NODE_BLOCK_QUOTE:
        if (!cmark_node_first_child(node)) return;
        quotes_ += enter ? 1 : -1;
        out_ += enter ? "<blockquote>\n" : "</blockquote>\n";
        return;
      case CMARK_NODE_LIST:
        append_list(node, enter);
        return;
      case CMARK_NODE_ITEM:
        enter ? open_block("<li", line_of(node)) : end_line();
        return;
      case CMARK_NODE_THEMATIC_BREAK:
        out_ += "<hr>\n";
        return;
      case CMARK_NODE_CODE_BLOCK:
        append_code(node);
        return;
      case CMARK_NODE_HTML_BLOCK:
        append_html_headings(node);
        code_.append_block(out_, literal_of(node), line_of(node), nullptr);
        return;
      default:  // cmark's: the document itself, and what its parser does not make
        return;
    }
  }

  void append_list(cmark_node* node, bool enter) {
    const bool ordered = cmark_node_get_list_type(node) == CMARK_ORDERED_LIST;
    const int start = cmark_node_get_list_start(node);
    if (!enter)
      out_ += ordered ? "</ol>\n" : "</ul>\n";
    else if (ordered && start != 1)
      out_ += fmt::format("<ol start={}>\n", start);
    else
      out_ += ordered ? "<ol>\n" : "<ul>\n";
  }

  void append_code(cmark_node* node) {
    const std::string_view content = literal_of(node);
    const char* const fence = cmark_node_get_fence_info(node);
    const std::string_view info = fence ? std::string_view(fence) : std::string_view();
    std::string_view opening = line_at(text_, starts_, first_line_of(node));
    opening.remove_prefix(
        std::min(static_cast<std::size_t>(cmark_node_get_start_column(node)) - 1, opening.size()));
    const bool fenced = !info.empty() || is_fenced_code(opening, content);
    if (!content.empty())
      code_.append_block(out_, content, line_of(node) + (fenced ? 1 : 0),
                         code_style(first_word(info)));
  }

  void append_heading(cmark_node* node) {
    const int level = std::min(cmark_node_get_heading_level(node) + 1, 6);
    std::uint32_t line = line_of(node);
    std::string id;
    // Those of the record are the headings of the same tree, in the same order.
    if (heading_ < record_.sections.size()) {
      const Section& section = record_.sections[heading_++];
      line = section.first_line;
      id = heading_id(section.anchor);
    }
    if (id.empty()) {
      open_block(fmt::format("<h{}", level), line);
    } else {
      out_ += fmt::format("<h{} id={}>", level, attribute(id));
      ids_.append(out_, line);
    }
    append_inlines(node, line);
    out_ += fmt::format("</h{}>\n", level);
  }

  /// Raw HTML is shown as it is typed; what is a heading there is a target for links.
  void append_html_headings(cmark_node* node) {
    const std::uint32_t last =
        lines_before_ + static_cast<std::uint32_t>(cmark_node_get_end_line(node));
    for (; heading_ < record_.sections.size() && record_.sections[heading_].first_line <= last;
         ++heading_)
      if (const std::string id = heading_id(record_.sections[heading_].anchor); !id.empty())
        out_ += fmt::format("<a id={}></a>\n", attribute(id));
  }

  void open_block(std::string_view tag, std::uint32_t line) {
    out_ += tag;
    ids_.close_tag(out_, line);
  }

  /// Where an item ends, that needs no tag.
  void end_line() {
    if (!out_.ends_with('\n')) out_ += '\n';
  }

  bool is_tight(cmark_node* paragraph) const {
    cmark_node* const item = cmark_node_parent(paragraph);
    cmark_node* const list = item ? cmark_node_parent(item) : nullptr;
    return list && cmark_node_get_type(list) == CMARK_NODE_LIST &&
           cmark_node_get_list_tight(list) != 0;
  }

  void append_paragraph(cmark_node* node) {
    if (append_table(node)) return;
    const bool tight = is_tight(node);
    if (tight)
      ids_.append(out_, line_of(node));
    else
      open_block("<p", line_of(node));
    append_inlines(node, line_of(node));
    ids_.append(out_, lines_before_ + static_cast<std::uint32_t>(cmark_node_get_end_line(node)));
    out_ += tight ? "\n" : "</p>\n";
  }

  /// The lines of a paragraph without what stands before them in its lists and quotes.
  std::vector<std::string_view> lines_of(cmark_node* node) const {
    std::vector<std::string_view> lines;
    const std::uint32_t first = first_line_of(node);
    const auto last = static_cast<std::uint32_t>(cmark_node_get_end_line(node));
    for (std::uint32_t i = first; i <= last; ++i) {
      std::string_view line = line_at(text_, starts_, i);
      if (i == first)
        line.remove_prefix(std::min<std::size_t>(
            static_cast<std::size_t>(cmark_node_get_start_column(node)) - 1, line.size()));
      else
        line.remove_prefix(
            std::min(line.find_first_not_of(quotes_ > 0 ? " \t>" : " \t"), line.size()));
      lines.push_back(line);
    }
    return lines;
  }

  bool append_table(cmark_node* node) {
    if (cmark_node_get_start_line(node) == cmark_node_get_end_line(node)) return false;
    const std::vector<std::string_view> lines = lines_of(node);
    const auto table = find_table(lines);
    if (!table) return false;
    std::string above;
    for (std::size_t i = 0; i < table->header; ++i) above.append(lines[i]).append("\n");
    if (!above.empty()) {
      const Document document = parse(above);
      for (cmark_node* child = cmark_node_first_child(document.get()); child;
           child = cmark_node_next(child)) {
        open_block("<p", line_of(node));
        append_inlines(child, line_of(node));
        out_ += "</p>\n";
      }
    }
    append_rows(*table, line_of(node) + static_cast<std::uint32_t>(table->header));
    return true;
  }

  /// Each cell is a paragraph of a document of its own, so that no markup runs out of it.
  void append_rows(const MarkdownTable& table, std::uint32_t line) {
    std::string cells;
    for (const auto& row : table.rows)
      for (const std::string& cell : row) cells.append(kCellMark).append(cell).append("\n\n");
    cells += link_definitions();
    const Document document = parse(cells);
    cmark_node* cell = cmark_node_first_child(document.get());
    out_ += "<div class=wide><table>\n";
    for (std::size_t r = 0; r < table.rows.size(); ++r) {
      out_ += r == 0 ? "<thead>\n<tr>" : r == 1 ? "<tbody>\n<tr>" : "<tr>";
      const std::size_t columns = std::max(table.rows[r].size(), table.aligns.size());
      for (std::size_t c = 0; c < columns; ++c) {
        out_ += r == 0 ? "<th" : "<td";
        if (c < table.aligns.size()) out_ += class_of(table.aligns[c]);
        // The rule below the head has a line, too.
        if (c == 0)
          ids_.close_tag(out_, line + static_cast<std::uint32_t>(r == 0 ? 0 : r + 1));
        else
          out_ += '>';
        if (c < table.rows[r].size() && cell) {
          append_inlines(cell, line, true);
          cell = cmark_node_next(cell);
        }
        out_ += r == 0 ? "</th>" : "</td>";
      }
      out_ += r == 0 ? "</tr>\n</thead>\n" : "</tr>\n";
    }
    out_ += table.rows.size() > 1 ? "</tbody>\n</table></div>\n" : "</table></div>\n";
  }

  /// Definitions stand anywhere in the page, and hold for its cells as well.
  const std::string& link_definitions() {
    if (definitions_known_) return definitions_;
    definitions_known_ = true;
    for (std::uint32_t i = 1; i <= starts_.size(); ++i) {
      const std::string_view line = line_at(text_, starts_, i);
      if (is_definition(line) && definitions_.size() + line.size() < kMaxDefinitionBytes)
        definitions_.append(line).append("\n\n");
    }
    return definitions_;
  }

  /// `line`: where the content begins. `in_cell`: it begins with kCellMark.
  void append_inlines(cmark_node* parent, std::uint32_t line, bool in_cell = false) {
    const Walk walk(cmark_iter_new(parent), cmark_iter_free);
    bool marked = in_cell;
    for (cmark_event_type event; (event = cmark_iter_next(walk.get())) != CMARK_EVENT_DONE;) {
      cmark_node* const node = cmark_iter_get_node(walk.get());
      if (node == parent) continue;
      const bool enter = event == CMARK_EVENT_ENTER;
      const cmark_node_type type = cmark_node_get_type(node);
      if (type == CMARK_NODE_TEXT) {
        std::string_view text = literal_of(node);
        if (marked) text.remove_prefix(std::min(kCellMark.size(), text.size()));
        marked = false;
        append_html(out_, text);
      } else if (type == CMARK_NODE_SOFTBREAK || type == CMARK_NODE_LINEBREAK) {
        out_ += type == CMARK_NODE_LINEBREAK ? "<br>\n" : "\n";
        if (!in_cell) ids_.append(out_, ++line);
      } else {
        append_inline(node, type, enter);
      }
    }
  }

  void append_inline(cmark_node* node, cmark_node_type type, bool enter) {
    switch (type) {
      case CMARK_NODE_CODE:
        code_.append_span(out_, literal_of(node), links_open_ == 0);
        return;
      case CMARK_NODE_HTML_INLINE:
        if (is_line_break(literal_of(node)))
          out_ += "<br>";
        else
          append_html(out_, literal_of(node));
        return;
      case CMARK_NODE_EMPH:
        out_ += enter ? "<em>" : "</em>";
        return;
      case CMARK_NODE_STRONG:
        out_ += enter ? "<strong>" : "</strong>";
        return;
      case CMARK_NODE_LINK:
      case CMARK_NODE_IMAGE:
        enter ? open_link(node) : close_link(node);
        return;
      default:  // cmark's: blocks, and what its parser does not make
        return;
    }
  }

  /// A link in an image's text, or the other way round, is one link: the outer.
  void open_link(cmark_node* node) {
    const char* const url = cmark_node_get_url(node);
    const std::string target = links_open_ == 0 && url ? link_(url) : std::string();
    if (!target.empty()) out_ += fmt::format("<a href=\"{}\">", target);
    if (links_open_++ == 0) link_has_tag_ = !target.empty();
    if (cmark_node_get_type(node) == CMARK_NODE_IMAGE) out_ += "[image: ";
    link_begins_.push_back(out_.size());
  }

  void close_link(cmark_node* node) {
    if (out_.size() == link_begins_.back())  // no text of its own
      append_html(out_, cmark_node_get_url(node));
    link_begins_.pop_back();
    if (cmark_node_get_type(node) == CMARK_NODE_IMAGE) out_ += ']';
    if (--links_open_ == 0 && link_has_tag_) out_ += "</a>";
  }

  std::string& out_;
  const FileRecord& record_;
  LineIds& ids_;
  CodeHtml& code_;
  const LinkTarget& link_;
  std::string_view text_;  ///< without front matter, as cmark got it
  std::vector<std::size_t> starts_;
  std::uint32_t lines_before_ = 0;
  std::size_t heading_ = 0;
  int quotes_ = 0;
  int links_open_ = 0;
  bool link_has_tag_ = false;
  std::vector<std::size_t> link_begins_;  ///< of the texts of those open
  bool definitions_known_ = false;
  std::string definitions_;
};

}  // namespace

std::string heading_id(std::string_view anchor) {
  return std::string(anchor) + (anchor.starts_with("kw-") ? "." : "");
}

void append_markdown(std::string& out, const FileRecord& record, LineIds& ids, CodeHtml& code,
                     const LinkTarget& link) {
  MarkdownHtml(out, record, ids, code, link).run();
}

}  // namespace kw::exporter::site
