// SPDX-License-Identifier: GPL-2.0-or-later
#include "exporter/site/markdown_html.h"

#include <cmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "exporter/site/gfm_text.h"
#include "exporter/site/html.h"
#include "exporter/site/html_tree.h"
#include "exporter/site/markdown_table.h"
#include "exporter/site/raw_html.h"
#include "schema/text/front_matter.h"
#include "schema/text/markdown_text.h"
#include "schema/text/splitter.h"
#include "schema/text/text.h"

namespace kw::exporter::site {
namespace {

// What definitions of links are worth to cells: a page with more is not made for people.
constexpr std::size_t kMaxDefinitionBytes = 64 << 10;
// Cells begin with it, so that none of them is a list, a heading or a definition.
constexpr std::string_view kCellMark = "| ";
// The tree of a larger document would take hundreds of megabytes: its raw HTML is shown as text.
constexpr std::size_t kMaxParsedBytes = 2u << 20;

// Documents whose headings are versions.
constexpr std::string_view kChangeLogs[] = {"changelog", "changes", "history", "news", "releases"};

constexpr int kMaxLevel = 6;  // of a heading

using Document = std::unique_ptr<cmark_node, void (*)(cmark_node*)>;
using Walk = std::unique_ptr<cmark_iter, void (*)(cmark_iter*)>;

Document parse(std::string_view text) {
  return {cmark_parse_document(text.data(), text.size(), CMARK_OPT_DEFAULT), cmark_node_free};
}

Walk walk_of(cmark_node* node) { return {cmark_iter_new(node), cmark_iter_free}; }

std::uint32_t first_line_of(cmark_node* node) {
  return static_cast<std::uint32_t>(std::max(cmark_node_get_start_line(node), 1));
}

std::string_view first_word(std::string_view info) {
  while (!info.empty() && (info.front() == '{' || info.front() == '.')) info.remove_prefix(1);
  return info.substr(0, info.find_first_of(" \t,{}"));
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

/// The first text of a paragraph, or of the first paragraph in a block.
std::string_view first_text(cmark_node* block) {
  cmark_node* node = cmark_node_first_child(block);
  if (node && cmark_node_get_type(node) == CMARK_NODE_PARAGRAPH)
    node = cmark_node_first_child(node);
  return node && cmark_node_get_type(node) == CMARK_NODE_TEXT ? literal_of(node)
                                                              : std::string_view();
}

bool is_change_log(std::string_view name) {
  const std::string folded = fold(name);
  return std::any_of(std::begin(kChangeLogs), std::end(kChangeLogs),
                     [&](std::string_view start) { return folded.starts_with(start); });
}

/// Letters that are written from right to left: each block then takes its direction from its text.
bool has_right_to_left(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0xd6 && byte <= 0xdf;  // the lead bytes of U+0580 to U+07FF
  });
}

/// A document, parsed as its record was.
class ParsedDocument {
 public:
  explicit ParsedDocument(const FileRecord& record)
      : front_(front_matter_of(record.text)),
        bounded_(std::string_view(record.text).substr(front_.bytes)),
        starts_(line_starts(bounded_.view())),
        root_(parse(bounded_.view())) {}

  cmark_node* root() const { return root_.get(); }
  std::string_view text() const { return bounded_.view(); }
  std::string_view line(std::uint32_t number) const { return line_at(text(), starts_, number); }
  std::size_t line_count() const { return starts_.size(); }
  std::uint32_t lines_before() const { return front_.lines; }
  /// In the record's text.
  std::uint32_t line_of(cmark_node* node) const { return front_.lines + first_line_of(node); }

 private:
  const FrontMatter front_;
  const BoundedMarkdown bounded_;
  const std::vector<std::size_t> starts_;
  const Document root_;
};

bool is_raw(cmark_node_type type) {
  return type == CMARK_NODE_HTML_BLOCK || type == CMARK_NODE_HTML_INLINE;
}

/// Whether a document has raw HTML, and little enough of it to be parsed.
enum class Raw { None, Bounded, TooMuch };
Raw raw_html_of(const ParsedDocument& document) {
  RawHtml raw({});
  std::string scratch;
  bool has_any = false;
  const Walk walk = walk_of(document.root());
  for (cmark_event_type event; (event = cmark_iter_next(walk.get())) != CMARK_EVENT_DONE;) {
    if (event != CMARK_EVENT_ENTER) continue;
    cmark_node* const node = cmark_iter_get_node(walk.get());
    if (!is_raw(cmark_node_get_type(node))) {
      if (cmark_node_first_child(node)) raw.count_block();
      continue;
    }
    has_any = true;
    raw.append(scratch, literal_of(node));
    scratch.clear();
  }
  if (!has_any) return Raw::None;
  return raw.is_too_much() || document.text().size() > kMaxParsedBytes ? Raw::TooMuch
                                                                       : Raw::Bounded;
}

/// The tables of a document: each cell is a paragraph of a document of its own, so that no markup
/// runs out of it.
class TableHtml {
 public:
  TableHtml(std::string& out, const ParsedDocument& document, LineIds& ids, MarkdownInline& inlines)
      : out_(out), document_(document), ids_(ids), inlines_(inlines) {}

  void append(const MarkdownTable& table, std::uint32_t line) {
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
          inlines_.append(cell, {line, true, kCellMark.size()});
          cell = cmark_node_next(cell);
        }
        out_ += r == 0 ? "</th>" : "</td>";
      }
      out_ += r == 0 ? "</tr>\n</thead>\n" : "</tr>\n";
    }
    out_ += table.rows.size() > 1 ? "</tbody>\n</table></div>\n" : "</table></div>\n";
  }

 private:
  /// Definitions stand anywhere in the page, and hold for its cells as well.
  const std::string& link_definitions() {
    if (definitions_) return *definitions_;
    definitions_.emplace();
    for (std::uint32_t i = 1; i <= document_.line_count(); ++i) {
      const std::string_view line = document_.line(i);
      if (is_definition(line) && definitions_->size() + line.size() < kMaxDefinitionBytes)
        definitions_->append(line).append("\n\n");
    }
    return *definitions_;
  }

  std::string& out_;
  const ParsedDocument& document_;
  LineIds& ids_;
  MarkdownInline& inlines_;
  std::optional<std::string> definitions_;
};

/// The blocks of a document.
class MarkdownHtml {
 public:
  /// `raw`: nullptr where raw HTML is shown as text.
  MarkdownHtml(std::string& out, const FileRecord& record, const ParsedDocument& document,
               LineIds& ids, CodeHtml& code, const PageTargets& targets, RawHtml* raw,
               std::string_view shown_title)
      : out_(out),
        record_(record),
        document_(document),
        ids_(ids),
        code_(code),
        raw_(raw),
        inlines_(out, document.text(), ids, code, targets, raw),
        tables_(out, document, ids, inlines_),
        title_(shown_title),
        direction_(has_right_to_left(record.text) ? " dir=auto" : "") {
    const bool first_is_shown =
        !title_.empty() && !record.sections.empty() && record.sections[0].title == title_;
    int highest = kMaxLevel;
    for (std::size_t i = first_is_shown ? 1 : 0; i < record.sections.size(); ++i)
      highest = std::min<int>(highest, record.sections[i].level);
    lower_ = 2 - highest;
  }

  void run() {
    const Walk walk = walk_of(document_.root());
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

 private:
  std::uint32_t line_of(cmark_node* node) const { return document_.line_of(node); }

  void append_block(cmark_node* node, cmark_node_type type, bool enter) {
    switch (type) {
      case CMARK_NODE_BLOCK_QUOTE:
        append_quote(node, enter);
        return;
      case CMARK_NODE_LIST:
        append_list(node, enter);
        return;
      case CMARK_NODE_ITEM:
        enter ? append_item(node) : end_item();
        return;
      case CMARK_NODE_THEMATIC_BREAK:
        out_ += "<hr>\n";
        return;
      case CMARK_NODE_CODE_BLOCK:
        append_code(node);
        return;
      case CMARK_NODE_HTML_BLOCK:
        append_raw(node);
        return;
      default:  // cmark's: the document itself, and what its parser does not make
        return;
    }
  }

  void append_raw(cmark_node* node) {
    append_html_headings(node);
    if (!raw_) {
      code_.append_block(out_, literal_of(node), line_of(node), nullptr);
      return;
    }
    raw_line_ = line_of(node);
    ids_.append(out_, raw_line_);
    raw_->append(out_, literal_of(node));
  }

 public:
  /// A line of raw HTML ends.
  void begin_raw_line(std::string& out) { ids_.append(out, ++raw_line_); }

 private:
  void append_quote(cmark_node* node, bool enter) {
    if (!cmark_node_first_child(node)) return;
    quotes_ += enter ? 1 : -1;
    if (!enter) {
      out_ += "</blockquote>\n";
      return;
    }
    const std::string_view title = alert_title(first_text(node));
    if (title.empty()) {
      out_ += "<blockquote>\n";
      return;
    }
    out_ += fmt::format("<blockquote class=\"alert {}\">\n<p><strong>{}</strong></p>\n",
                        alert_class(title), title);
    skip_ = first_text(node).size();
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

  void append_item(cmark_node* node) {
    const TaskMark task = task_mark(first_text(node));
    open_block(task == TaskMark::None ? "<li" : "<li class=task", line_of(node));
    if (task == TaskMark::None) return;
    out_ += task == TaskMark::Done ? "<input type=checkbox disabled checked aria-label=done> "
                                   : "<input type=checkbox disabled aria-label=\"not done\"> ";
    skip_ = kTaskMarkBytes;
  }

  /// Where an item ends, that needs no tag.
  void end_item() {
    if (!out_.ends_with('\n')) out_ += '\n';
  }

  void append_code(cmark_node* node) {
    const std::string_view content = literal_of(node);
    const char* const fence = cmark_node_get_fence_info(node);
    const std::string_view info = fence ? std::string_view(fence) : std::string_view();
    std::string_view opening = document_.line(first_line_of(node));
    opening.remove_prefix(
        std::min(static_cast<std::size_t>(cmark_node_get_start_column(node)) - 1, opening.size()));
    const bool fenced = !info.empty() || is_fenced_code(opening, content);
    if (!content.empty())
      code_.append_block(out_, content, line_of(node) + (fenced ? 1 : 0),
                         code_style(first_word(info)));
  }

  void append_heading(cmark_node* node) {
    const int level = std::clamp(cmark_node_get_heading_level(node) + lower_, 2, kMaxLevel);
    std::uint32_t line = line_of(node);
    std::string id;
    // Those of the record are the headings of the same tree, in the same order.
    if (heading_ < record_.sections.size()) {
      const Section& section = record_.sections[heading_++];
      line = section.first_line;
      id = heading_id(section.anchor);
      if (heading_ == 1 && !title_.empty() &&
          section.title == title_) {  // the heading of the page says it
        if (!id.empty()) out_ += fmt::format("<i id={}></i>", attribute(id));
        ids_.append(out_, line);
        return;
      }
    }
    if (id.empty()) {
      open_block(fmt::format("<h{}", level), line);
    } else {
      out_ += fmt::format("<h{} id={}{}>", level, attribute(id), direction_);
      ids_.append(out_, line);
    }
    inlines_.append(node, {line});
    out_ += fmt::format("</h{}>\n", level);
  }

  /// Headings of raw HTML are targets for links, too.
  void append_html_headings(cmark_node* node) {
    const std::uint32_t last =
        document_.lines_before() + static_cast<std::uint32_t>(cmark_node_get_end_line(node));
    for (; heading_ < record_.sections.size() && record_.sections[heading_].first_line <= last;
         ++heading_)
      if (const std::string id = heading_id(record_.sections[heading_].anchor); !id.empty())
        out_ += fmt::format("<i id={}></i>", attribute(id));
  }

  void open_block(std::string_view tag, std::uint32_t line) {
    out_ += tag;
    out_ += direction_;
    ids_.close_tag(out_, line);
  }

  bool is_tight(cmark_node* paragraph) const {
    cmark_node* const item = cmark_node_parent(paragraph);
    cmark_node* const list = item ? cmark_node_parent(item) : nullptr;
    return list && cmark_node_get_type(list) == CMARK_NODE_LIST &&
           cmark_node_get_list_tight(list) != 0;
  }

  void append_paragraph(cmark_node* node) {
    const std::size_t skip = std::exchange(skip_, 0);
    if (append_table(node)) return;
    const bool tight = is_tight(node);
    if (tight)
      ids_.append(out_, line_of(node));
    else
      open_block("<p", line_of(node));
    inlines_.append(node, {line_of(node), false, skip});
    ids_.append(
        out_, document_.lines_before() + static_cast<std::uint32_t>(cmark_node_get_end_line(node)));
    out_ += tight ? "\n" : "</p>\n";
  }

  /// The lines of a paragraph without what stands before them in its lists and quotes.
  std::vector<std::string_view> lines_of(cmark_node* node) const {
    std::vector<std::string_view> lines;
    const std::uint32_t first = first_line_of(node);
    const auto last = static_cast<std::uint32_t>(cmark_node_get_end_line(node));
    for (std::uint32_t i = first; i <= last; ++i) {
      std::string_view line = document_.line(i);
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
        inlines_.append(child, {line_of(node)});
        out_ += "</p>\n";
      }
    }
    tables_.append(*table, line_of(node) + static_cast<std::uint32_t>(table->header));
    return true;
  }

  std::string& out_;
  const FileRecord& record_;
  const ParsedDocument& document_;
  LineIds& ids_;
  CodeHtml& code_;
  RawHtml* raw_;
  MarkdownInline inlines_;
  TableHtml tables_;
  const std::string_view title_;
  const std::string_view direction_;
  std::uint32_t raw_line_ = 0;
  int lower_ = 0;  ///< levels that headings are lower than in the text
  std::size_t heading_ = 0;
  std::size_t skip_ = 0;  ///< bytes of the next paragraph's first text
  int quotes_ = 0;
};

void append_document(std::string& out, const FileRecord& record, LineIds& ids, CodeHtml& code,
                     const PageTargets& targets, std::string_view shown_title) {
  const ParsedDocument document(record);
  if (raw_html_of(document) != Raw::Bounded) {
    MarkdownHtml(out, record, document, ids, code, targets, nullptr, shown_title).run();
    return;
  }
  std::string html;
  MarkdownHtml* blocks = nullptr;
  RawHtml raw({targets.link, targets.image, [&](std::string& to) { blocks->begin_raw_line(to); }});
  MarkdownHtml made(html, record, document, ids, code, targets, &raw, shown_title);
  blocks = &made;
  made.run();
  out += sanitised_html(html);
}

}  // namespace

std::string heading_id(std::string_view anchor) {
  return std::string(anchor) + (anchor.starts_with("kw-") ? "." : "");
}

std::string document_title(const FileRecord& record) {
  // The indexer takes it from front matter, else from the first heading, whatever that is.
  const std::vector<Section>& sections = record.sections;
  if (sections.empty() || record.title != sections[0].title) return record.title;
  const bool is_only = std::none_of(sections.begin() + 1, sections.end(),
                                    [&](const Section& s) { return s.level <= sections[0].level; });
  if (is_only) return record.title;
  if (is_change_log(file_name_of(record.path))) return {};  // it begins with a version
  const std::vector<std::size_t> starts = line_starts(record.text);
  std::uint32_t line = front_matter_of(record.text).lines + 1;
  while (line < starts.size() &&
         line_at(record.text, starts, line).find_first_not_of(" \t\r") == std::string_view::npos)
    ++line;
  return sections[0].first_line == line ? record.title : std::string();
}

void append_markdown(std::string& out, const FileRecord& record, LineIds& ids, CodeHtml& code,
                     const PageTargets& targets, std::string_view shown_title) {
  if (has_too_many_marks(record.text))
    code.append_block(out, record.text, 1, nullptr);
  else
    append_document(out, record, ids, code, targets, shown_title);
  ids.append_rest(out);
  code.append_rest(out);
}

std::vector<std::string> author_anchors(const FileRecord& record) {
  std::vector<std::string> anchors;
  if (record.language != "markdown" || has_too_many_marks(record.text)) return anchors;
  const ParsedDocument document(record);
  const Walk walk = walk_of(document.root());
  for (cmark_event_type event; (event = cmark_iter_next(walk.get())) != CMARK_EVENT_DONE;) {
    cmark_node* const node = cmark_iter_get_node(walk.get());
    if (event != CMARK_EVENT_ENTER || !is_raw(cmark_node_get_type(node))) continue;
    for (std::string& anchor : raw_anchors(literal_of(node))) anchors.push_back(std::move(anchor));
  }
  return anchors;
}

}  // namespace kw::exporter::site
