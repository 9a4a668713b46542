// SPDX-License-Identifier: GPL-2.0-or-later
#include "exporter/site/markdown_html.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "exporter/site/gfm_text.h"
#include "exporter/site/html.h"
#include "exporter/site/html_tree.h"
#include "exporter/site/markdown_table.h"
#include "exporter/site/raw_html.h"
#include "exporter/site/table_html.h"
#include "schema/text/front_matter.h"
#include "schema/text/markdown_text.h"
#include "schema/text/markdown_tree.h"
#include "schema/text/splitter.h"
#include "schema/text/text.h"

namespace kw::exporter::site {
namespace {

// The tree of a larger document would take hundreds of megabytes: its raw HTML is shown as text.
constexpr std::size_t kMaxParsedBytes = 2u << 20;

// Documents whose headings are versions.
constexpr std::string_view kChangeLogs[] = {"changelog", "changes", "history", "news", "releases"};

constexpr int kMaxLevel = 6;  // of a heading

std::uint32_t first_line_of(cmark_node* node) {
  return static_cast<std::uint32_t>(std::max(cmark_node_get_start_line(node), 1));
}

std::string_view first_word(std::string_view info) {
  while (!info.empty() && (info.front() == '{' || info.front() == '.')) info.remove_prefix(1);
  return info.substr(0, info.find_first_of(" \t,{}"));
}

/// The first text of a paragraph, or of the first paragraph in a block.
std::string_view first_text(cmark_node* block) {
  cmark_node* node = cmark_node_first_child(block);
  if (node && cmark_node_get_type(node) == CMARK_NODE_PARAGRAPH)
    node = cmark_node_first_child(node);
  return node && cmark_node_get_type(node) == CMARK_NODE_TEXT ? literal_of(node)
                                                              : std::string_view();
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
        root_(parse_markdown_tree(bounded_.view())) {}

  cmark_node* root() const { return root_.get(); }
  std::string_view text() const { return bounded_.view(); }
  std::string_view line(std::uint32_t number) const { return line_at(text(), starts_, number); }
  std::uint32_t lines_before() const { return front_.lines; }
  /// In the record's text.
  std::uint32_t line_of(cmark_node* node) const { return front_.lines + first_line_of(node); }

 private:
  const FrontMatter front_;
  const BoundedMarkdown bounded_;
  const std::vector<std::size_t> starts_;
  const MarkdownTree root_;
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
  const MarkdownWalk walk = walk_of(document.root());
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

/// The headings of a document as its record has them: those of the same tree, in the same order,
/// and those of raw HTML between them.
class Headings {
 public:
  /// The heading that is `shown_title` is the page's own.
  Headings(const FileRecord& record, std::string_view shown_title)
      : sections_(record.sections), title_(shown_title) {
    int highest = kMaxLevel;
    for (std::size_t i = is_title(0) ? 1 : 0; i < sections_.size(); ++i)
      highest = std::min<int>(highest, sections_[i].level);
    lower_ = 2 - highest;
  }

  struct Heading {
    int level = 2;
    std::uint32_t line = 1;
    std::string id;         ///< empty: it has none
    bool is_title = false;  ///< the heading of the page says it
  };
  /// The next one, whose level and line in the text these are.
  Heading next(int level, std::uint32_t line) {
    Heading heading{std::clamp(level + lower_, 2, kMaxLevel), line, {}, false};
    if (next_ == sections_.size()) return heading;
    heading.is_title = is_title(next_);
    const Section& section = sections_[next_++];
    heading.line = section.first_line;
    heading.id = heading_id(section.anchor);
    return heading;
  }

  /// Passes those down to a line, which are raw HTML's; returns their ids.
  std::vector<std::string> ids_down_to(std::uint32_t last_line) {
    std::vector<std::string> ids;
    for (; next_ < sections_.size() && sections_[next_].first_line <= last_line; ++next_)
      if (std::string id = heading_id(sections_[next_].anchor); !id.empty())
        ids.push_back(std::move(id));
    return ids;
  }

 private:
  bool is_title(std::size_t number) const {
    return number == 0 && !title_.empty() && !sections_.empty() && sections_[0].title == title_;
  }

  const std::vector<Section>& sections_;
  const std::string_view title_;
  int lower_ = 0;  ///< levels that headings are lower than in the text
  std::size_t next_ = 0;
};

/// The blocks of a document.
class MarkdownHtml {
 public:
  /// `raw`: nullptr where raw HTML is shown as text.
  MarkdownHtml(std::string& out, const FileRecord& record, const ParsedDocument& document,
               LineIds& ids, CodeHtml& code, const PageTargets& targets, RawHtml* raw,
               std::string_view shown_title)
      : out_(out),
        document_(document),
        ids_(ids),
        code_(code),
        raw_(raw),
        inlines_(out, document.text(), ids, code, targets, raw),
        tables_(out, document.text(), ids, inlines_),
        headings_(record, shown_title),
        direction_(has_right_to_left(record.text) ? " dir=auto" : "") {}

  void run() {
    const MarkdownWalk walk = walk_of(document_.root());
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
      code_.append_block(out_, literal_of(node), line_of(node), CodeLook());
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
                         code_look(first_word(info)));
  }

  void append_heading(cmark_node* node) {
    take_heading_attributes(node);
    const Headings::Heading heading =
        headings_.next(cmark_node_get_heading_level(node), line_of(node));
    if (heading.is_title) {
      if (!heading.id.empty()) append_target(heading.id);
      ids_.append(out_, heading.line);
      return;
    }
    if (heading.id.empty()) {
      open_block(fmt::format("<h{}", heading.level), heading.line);
    } else {
      out_ += fmt::format("<h{} id={}{}>", heading.level, attribute(heading.id), direction_);
      ids_.append(out_, heading.line);
    }
    inlines_.append(node, {heading.line});
    out_ += fmt::format("</h{}>\n", heading.level);
  }

  /// Headings of raw HTML are targets for links, too.
  void append_html_headings(cmark_node* node) {
    const std::uint32_t last =
        document_.lines_before() + static_cast<std::uint32_t>(cmark_node_get_end_line(node));
    for (const std::string& id : headings_.ids_down_to(last)) append_target(id);
  }

  void append_target(const std::string& id) { out_ += fmt::format("<i id={}></i>", attribute(id)); }

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
      const MarkdownTree document = parse_markdown_tree(above);
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
  const ParsedDocument& document_;
  LineIds& ids_;
  CodeHtml& code_;
  RawHtml* raw_;
  MarkdownInline inlines_;
  TableHtml tables_;
  Headings headings_;
  const std::string_view direction_;
  std::uint32_t raw_line_ = 0;
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

bool is_change_log(std::string_view name) {
  const std::string folded = fold(name);
  return std::any_of(std::begin(kChangeLogs), std::end(kChangeLogs),
                     [&](std::string_view start) { return folded.starts_with(start); });
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
    code.append_block(out, record.text, 1, CodeLook());
  else
    append_document(out, record, ids, code, targets, shown_title);
  ids.append_rest(out);
  code.append_rest(out);
}

std::vector<std::string> author_anchors(const FileRecord& record) {
  std::vector<std::string> anchors;
  if (record.language != "markdown" || has_too_many_marks(record.text)) return anchors;
  const ParsedDocument document(record);
  const MarkdownWalk walk = walk_of(document.root());
  for (cmark_event_type event; (event = cmark_iter_next(walk.get())) != CMARK_EVENT_DONE;) {
    cmark_node* const node = cmark_iter_get_node(walk.get());
    if (event != CMARK_EVENT_ENTER || !is_raw(cmark_node_get_type(node))) continue;
    for (std::string& anchor : raw_anchors(literal_of(node))) anchors.push_back(std::move(anchor));
  }
  return anchors;
}

}  // namespace kw::exporter::site
