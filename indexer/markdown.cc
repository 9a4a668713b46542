// SPDX-License-Identifier: GPL-2.0-or-later
// cmark 0.30.2 reads the 9,773 pages of a real tree (133 MB) in 0.7 s, inline content included, so
// nothing is kept from it as a rule. Timing 55,000 random pages of repeated pieces found two things
// that make it superlinear:
//
// Depth. Each blank line and each inline node costs a walk over all open blocks: a list 5,000 deep
// and 100 KB of blank lines took 12 s. So markers open blocks only in the first bytes of a line.
//
// Images. Each link walks back over all images still open: `![[]()`, repeated to 400 KB, took 10 s.
// Where their product is too large, images lose their mark.
//
// Both change a copy of the page, byte for byte, so that lines stay where they are.
//
// And one that takes memory: 8 MB of nothing but `*a* `, or of empty headings, made a tree of
// 1.5 GB. A page with so many marks is data, not a page, and is read without its structure.
#include "indexer/markdown.h"

#include <cmark.h>
#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "schema/text.h"

namespace kw {
namespace {

// 64 nested quotes or 32 nested lists: far more than a page for people has. In pages over 1 MB
// fewer, so that no page takes longer than about two seconds: each level costs up to 25 ns a byte.
constexpr std::size_t kMaxMarkerColumn = 64, kMinMarkerColumn = 16;
constexpr std::size_t kColumnBytes = 64u << 20;
// About 0.4 s: 3.5 ns for each pair of link and open image.
constexpr std::uint64_t kMaxImageLinkPairs = 100'000'000;
// Up to 360 bytes of nodes each: 270 MB, and 2 s, at worst. Pages for people have a mark in ten
// bytes or more: this is 8 MB of them.
constexpr std::ptrdiff_t kMaxMarks = 750'000;
// Front matter is a handful of keys; a rule this far down closes none.
constexpr std::uint32_t kMaxFrontMatterLines = 500;

bool is_blank(char c) { return c == ' ' || c == '\t'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Bytes of the text that cmark gets, changed in a copy only where they must be.
class CalmText {
 public:
  explicit CalmText(std::string_view text)
      : text_(text), max_column_(kColumnBytes / std::max<std::size_t>(text.size(), 1)) {
    max_column_ = std::clamp(max_column_, kMinMarkerColumn, kMaxMarkerColumn);
    for (std::size_t at = 0; at < text_.size();) {
      const std::size_t end = std::min(text_.find('\n', at), text_.size());
      limit_depth(at, end);
      at = end + 1;
    }
    // cmark ends a line at a carriage return alone, too; our lines do not.
    for (std::size_t at = 0; (at = text_.find('\r', at)) != std::string_view::npos; ++at)
      if (at + 1 == text_.size() || text_[at + 1] != '\n') put(at, ' ');
    limit_images();
  }
  CalmText(const CalmText&) = delete;
  CalmText& operator=(const CalmText&) = delete;

  std::string_view view() const { return text_; }

 private:
  void put(std::size_t at, char c) {
    if (copy_.empty()) {
      copy_ = text_;
      text_ = copy_;
    }
    copy_[at] = c;
  }

  /// Makes a letter of each marker of a quote or list too far to the right.
  void limit_depth(std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      if (is_blank(text_[i])) continue;
      std::size_t last = i;  // of the marker: '>', '-', "12."
      while (last + 1 < end && is_digit(text_[last])) ++last;
      const bool ordered = last > i && (text_[last] == '.' || text_[last] == ')');
      const bool bullet = text_[i] == '-' || text_[i] == '+' || text_[i] == '*';
      const bool item = (ordered || bullet) && ends_marker(last + 1, end);
      if (!item && text_[i] != '>') return;
      if (i - begin >= max_column_) put(i, 'x');  // keeps brackets even, for code
      i = last;
    }
  }

  bool ends_marker(std::size_t at, std::size_t end) const {
    return at == end || is_blank(text_[at]) || text_[at] == '\r';
  }

  void limit_images() {
    const auto count = [&](std::string_view piece) {
      std::uint64_t n = 0;
      for (std::size_t at = 0; (at = text_.find(piece, at)) != std::string_view::npos; ++at) ++n;
      return n;
    };
    const std::uint64_t images = count("![");
    if (images < 1000 || images * count("]") < kMaxImageLinkPairs) return;
    for (std::size_t at = 0; (at = text_.find("![", at)) != std::string_view::npos; ++at)
      put(at, 'x');
  }

  std::string_view text_;
  std::size_t max_column_;
  std::string copy_;
};

/// Lines of front matter at the top: between `---` and `---` or `...`, a `key:` in the first. 0 if
/// there is none. Without this the last key would be a heading, underlined by the closing rule.
std::uint32_t front_matter_lines(std::string_view text, std::size_t& bytes) {
  std::size_t at = 0;
  for (std::uint32_t line = 1; line <= kMaxFrontMatterLines && at < text.size(); ++line) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string_view content = text.substr(at, end - at);
    while (!content.empty() && (is_blank(content.back()) || content.back() == '\r'))
      content.remove_suffix(1);
    at = std::min(end + 1, text.size());
    if (line == 1 && content != "---") return 0;
    if (line == 2) {
      const std::size_t colon = content.find(':');
      if (colon == 0 || colon == std::string_view::npos || is_blank(content.front())) return 0;
      if (colon + 1 < content.size() && !is_blank(content[colon + 1])) return 0;
    }
    if (line > 2 && (content == "---" || content == "...")) {
      bytes = at;
      return line;
    }
  }
  return 0;
}

/// What a reader sees of a heading. `images`: with what stands for them.
std::string plain_text(cmark_node* heading, bool images) {
  std::string out;
  const std::unique_ptr<cmark_iter, void (*)(cmark_iter*)> walk(cmark_iter_new(heading),
                                                                cmark_iter_free);
  int inside_images = 0;
  for (cmark_event_type event; (event = cmark_iter_next(walk.get())) != CMARK_EVENT_DONE;) {
    cmark_node* const node = cmark_iter_get_node(walk.get());
    const cmark_node_type type = cmark_node_get_type(node);
    if (type == CMARK_NODE_IMAGE) inside_images += event == CMARK_EVENT_ENTER ? 1 : -1;
    if (event != CMARK_EVENT_ENTER || (inside_images > 0 && !images)) continue;
    if (type == CMARK_NODE_TEXT || type == CMARK_NODE_CODE)
      out += cmark_node_get_literal(node);
    else if (type == CMARK_NODE_SOFTBREAK || type == CMARK_NODE_LINEBREAK)
      out += ' ';
  }
  return out;
}

std::string trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return std::string(text);
}

/// Makes anchors unique within a page as GitHub does: a, a-1, a-2.
class Anchors {
 public:
  std::string unique(std::string anchor) {
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
  /// `text` is what cmark read, `lines_before` the lines of the page before it.
  PageReader(std::string_view text, std::uint32_t lines_before)
      : text_(text), starts_(line_starts(text)), lines_before_(lines_before) {}

  MarkdownPage read() {
    const std::unique_ptr<cmark_node, void (*)(cmark_node*)> document(
        cmark_parse_document(text_.data(), text_.size(), CMARK_OPT_DEFAULT), cmark_node_free);
    const std::unique_ptr<cmark_iter, void (*)(cmark_iter*)> walk(cmark_iter_new(document.get()),
                                                                  cmark_iter_free);
    for (cmark_event_type event; (event = cmark_iter_next(walk.get())) != CMARK_EVENT_DONE;) {
      cmark_node* const node = cmark_iter_get_node(walk.get());
      const cmark_node_type type = cmark_node_get_type(node);
      if (event != CMARK_EVENT_ENTER) continue;
      if (type == CMARK_NODE_CODE_BLOCK) add_code(node);
      if (type == CMARK_NODE_HEADING) add_heading(node);
      if (type == CMARK_NODE_HEADING || type == CMARK_NODE_PARAGRAPH)
        cmark_iter_reset(walk.get(), node, CMARK_EVENT_EXIT);  // past its inline content
    }
    end_section(static_cast<std::uint32_t>(starts_.size()) + 1);
    if (!page_.sections.empty()) page_.title = page_.sections.front().title;
    return std::move(page_);
  }

 private:
  std::string_view line(std::uint32_t number) const { return line_at(text_, starts_, number); }

  void add_code(cmark_node* node) {
    CodeBlock block;
    const std::string_view info = cmark_node_get_fence_info(node);
    block.info = info.substr(0, info.find_first_of(" \t"));
    block.content = cmark_node_get_literal(node);
    const auto start = static_cast<std::uint32_t>(cmark_node_get_start_line(node));
    block.first_line = lines_before_ + start + (is_fenced(node, block) ? 1 : 0);
    block.last_line =
        block.first_line - 1 +
        static_cast<std::uint32_t>(std::count(block.content.begin(), block.content.end(), '\n'));
    page_.code.push_back(std::move(block));
  }

  /// cmark does not say. An indented block may hold a line that looks like a fence, but begins with
  /// that line then; a fence followed by a line like itself is closed.
  bool is_fenced(cmark_node* node, const CodeBlock& block) const {
    if (!block.info.empty()) return true;
    std::string_view opening = line(static_cast<std::uint32_t>(cmark_node_get_start_line(node)));
    opening.remove_prefix(
        std::min(static_cast<std::size_t>(cmark_node_get_start_column(node)) - 1, opening.size()));
    if (!opening.starts_with("```") && !opening.starts_with("~~~")) return false;
    opening = opening.substr(0, opening.find('\0'));  // cmark puts another character there
    return !std::string_view(block.content).starts_with(opening);
  }

  void add_heading(cmark_node* node) {
    auto first = static_cast<std::uint32_t>(cmark_node_get_start_line(node));
    // cmark counts link definitions above a heading that is underlined into it.
    const auto last = static_cast<std::uint32_t>(cmark_node_get_end_line(node));
    while (first + 1 < last && is_link_definition(line(first))) ++first;
    end_section(first);
    Section section;
    section.title = trimmed(plain_text(node, true));
    section.level = static_cast<std::uint8_t>(cmark_node_get_heading_level(node));
    section.first_line = lines_before_ + first;
    section.anchor = anchors_.unique(heading_anchor(plain_text(node, false)));
    page_.sections.push_back(std::move(section));
  }

  static bool is_link_definition(std::string_view content) {
    content.remove_prefix(std::min(content.find_first_not_of(" \t>"), content.size()));
    return content.starts_with('[') && content.find("]:") != std::string_view::npos;
  }

  void end_section(std::uint32_t next_line) {
    if (!page_.sections.empty()) page_.sections.back().last_line = lines_before_ + next_line - 1;
  }

  std::string_view text_;
  std::vector<std::size_t> starts_;
  std::uint32_t lines_before_;
  MarkdownPage page_;
  Anchors anchors_;
};

/// What cmark may make a node of: lines, and characters that mean something inside them.
std::ptrdiff_t count_marks(std::string_view text) {
  const auto marks = [] {
    std::array<bool, 256> is_mark{};
    for (const char c : std::string_view("\n*_`[]!<&\\"))
      is_mark[static_cast<unsigned char>(c)] = true;
    return is_mark;
  }();
  return std::count_if(text.begin(), text.end(),
                       [&](char c) { return marks[static_cast<unsigned char>(c)]; });
}

}  // namespace

MarkdownPage parse_markdown(std::string_view text) {
  if (count_marks(text) > kMaxMarks) return {};
  std::size_t front_matter = 0;
  const std::uint32_t lines = front_matter_lines(text, front_matter);
  const CalmText calm(text.substr(front_matter));
  return PageReader(calm.view(), lines).read();
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

}  // namespace kw
