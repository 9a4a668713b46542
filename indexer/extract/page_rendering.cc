// SPDX-License-Identifier: GPL-2.0-or-later
#include "indexer/extract/page_rendering.h"

#include <algorithm>

#include "indexer/extract/html_text.h"
#include "schema/text/text.h"

namespace kw::indexer {
namespace {

// Where a block's text is lost, it is looked for so far ahead, by so much of it, and so often: a
// page made to harm costs no more than some microseconds a block.
constexpr std::size_t kSearchBytes = 1024, kNeedleBytes = 16;
constexpr int kMostSearches = 16;
// Open brackets in the target of a link: cmark takes no more.
constexpr int kMostBrackets = 32;

bool is_punctuation(char c) {
  return (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') ||
         (c >= '{' && c <= '~');
}

std::size_t run_length(std::string_view text, std::size_t at) {
  return std::min(text.find_first_not_of(text[at], at), text.size()) - at;
}

std::size_t skip_space(std::string_view text, std::size_t at) {
  while (at < text.size() && is_space(text[at])) ++at;
  return at;
}

/// One past what `close` ends, from `at` on, where a backslash may stand before it: of a title or
/// a label, which are not long.
std::size_t past(std::string_view text, std::size_t at, char close) {
  text = text.substr(0, at + kSearchBytes);
  for (; at < text.size(); ++at) {
    if (text[at] == '\\')
      ++at;
    else if (text[at] == close)
      return at + 1;
  }
  return text.npos;
}

std::size_t destination_end(std::string_view text, std::size_t at) {
  if (at < text.size() && text[at] == '<') return past(text, at + 1, '>');
  for (int depth = 0; at < text.size() && !is_space(text[at]); ++at) {
    if (text[at] == '\\' && at + 1 < text.size()) {
      ++at;
    } else if (text[at] == '(') {
      if (++depth > kMostBrackets) return text.npos;
    } else if (text[at] == ')' && depth-- == 0) {
      break;
    }
  }
  return at;
}

/// One past the target of an inline link, which begins with a bracket at 0; 0 if it is none.
std::size_t target_end(std::string_view text) {
  std::size_t at = destination_end(text, skip_space(text, 1));
  if (at == text.npos) return 0;
  const std::size_t title = skip_space(text, at);
  if (title > at && title < text.size() &&
      (text[title] == '"' || text[title] == '\'' || text[title] == '(')) {
    at = past(text, title + 1, text[title] == '(' ? ')' : text[title]);
    if (at == text.npos) return 0;
  }
  at = skip_space(text, at);
  return at < text.size() && text[at] == ')' ? at + 1 : 0;
}

}  // namespace

// --- what is done to the text -----------------------------------------------------------------

void PageRenderer::edit(std::size_t removed, std::string_view inserted) {
  grown_ += static_cast<std::ptrdiff_t>(inserted.size()) - static_cast<std::ptrdiff_t>(removed);
  const auto offset = static_cast<std::uint32_t>(base_ + at_);
  std::vector<TextEdit>& edits = out_.edits;
  if (edits.empty() || edits.back().offset + edits.back().removed != offset)
    edits.push_back({offset, 0, {}});
  edits.back().removed += static_cast<std::uint32_t>(removed);
  edits.back().inserted += inserted;
}

std::size_t PageRenderer::rendered_at() const {
  return base_ + static_cast<std::size_t>(static_cast<std::ptrdiff_t>(at_) + grown_);
}

void PageRenderer::drop(std::size_t bytes) {
  if (bytes > 0) edit(bytes, {});
  at_ += bytes;
}

/// Line ends stay.
void PageRenderer::drop_to(std::size_t end) {
  while (at_ < end) {
    drop(std::min(line_end(at_), end) - at_);
    while (at_ < end && at_line_end()) ++at_;
  }
}

void PageRenderer::drop_unless_blank(std::size_t end) {
  if (text_.substr(at_, end - at_).find_first_not_of(" \t\r\n") == text_.npos)
    at_ = end;
  else
    drop_to(end);
}

/// A reference may stand for a line end, which begins no line.
void PageRenderer::insert(std::string_view seen) {
  std::string inserted(seen);
  std::replace_if(inserted.begin(), inserted.end(), is_space, ' ');
  edit(0, inserted);
}

/// Where a tag is left out that a reader sees as a blank.
void PageRenderer::separate_words(std::size_t next) {
  const bool after_word = at_ > 0 && !is_space(text_[at_ - 1]);
  if (after_word && next < text_.size() && !is_space(text_[next])) insert(" ");
}

bool PageRenderer::at_line_end() const {
  return here() == '\n' || (here() == '\r' && at_ + 1 < end_ && text_[at_ + 1] == '\n');
}

std::size_t PageRenderer::line_end(std::size_t at) const {
  std::size_t end = std::min(text_.find('\n', at), end_);
  if (end > at && text_[end - 1] == '\r') --end;
  return end;
}

/// To the text of the next line: the marks of quotes before it are not seen.
void PageRenderer::pass_line_end() {
  at_ = std::min(std::min(text_.find('\n', at_), end_ - 1) + 1, end_);
  std::size_t marks_end = at_;
  for (int quote = 0; quote < quotes_; ++quote) {
    const std::size_t mark = text_.find_first_not_of(" \t", marks_end);
    if (mark >= end_ || text_[mark] != '>') break;
    marks_end = mark + 1;
  }
  drop(marks_end - at_);
  while (at_ < end_ && is_blank(text_[at_])) ++at_;
}

// --- blocks -----------------------------------------------------------------------------------

/// What stands before a block in its line is marks of what it is in.
void PageRenderer::begin_block(std::size_t begin, std::size_t end, int quotes) {
  end_ = std::max({at_, begin, std::min(end, text_.size())});
  drop_unless_blank(std::max(at_, std::min(begin, end_)));
  quotes_ = quotes;
  searches_left_ = kMostSearches;
}

void PageRenderer::add_code(std::size_t begin, std::size_t end) {
  begin_block(begin, end, 0);
  at_ = end_;
}

void PageRenderer::add_html(std::size_t begin, std::size_t end) {
  begin_block(begin, end, 0);
  const std::string_view html = text_.substr(0, end_);
  while (at_ < end_) {
    const std::size_t mark = std::min(html.find_first_of("<&", at_), end_);
    at_ = mark;
    if (here() == '&') {
      const std::string_view entity = entity_at(html, at_);
      const std::string decoded = entity.empty() ? "&" : decode_entity(entity);
      if (decoded == entity || entity.empty()) {
        ++at_;
      } else {
        insert(decoded);
        drop(entity.size());
      }
    } else if (here() == '<') {
      const char next = at_ + 1 < end_ ? html[at_ + 1] : ' ';
      std::size_t close = at_ + 1;
      if (is_space(next) || (next >= '0' && next <= '9')) {
        ++at_;
        continue;
      }
      close = tag_end(html, at_);
      for (const std::string_view hidden : {"script", "style"})
        if (has_at(html, at_ + 1, hidden))
          while (close < end_ && !has_at(html, close, std::string("</").append(hidden))) ++close;
      if (!is_inside_words(html.substr(at_, close - at_))) separate_words(close);
      drop_to(close);
    }
  }
}

void PageRenderer::add_inlines(cmark_node* block, std::size_t begin, std::size_t end, int quotes) {
  begin_block(begin, end, quotes);
  if (cmark_node_get_type(block) == CMARK_NODE_HEADING && here() == '#') {
    drop(run_length(text_.substr(0, end_), at_));
    while (is_blank(here())) drop(1);
  }
  const MarkdownWalk walk = walk_of(block);
  for (cmark_event_type event; (event = cmark_iter_next(walk.get())) != CMARK_EVENT_DONE;)
    take_event(cmark_iter_get_node(walk.get()), event == CMARK_EVENT_ENTER);
  drop_unless_blank(line_end(at_));
  drop_unless_blank(end_);  // an underline, definitions of links, attributes
}

PageRendering PageRenderer::take() {
  begin_block(text_.size(), text_.size(), 0);
  return std::move(out_);
}

// --- inline content ---------------------------------------------------------------------------

void PageRenderer::take_event(cmark_node* node, bool enter) {
  switch (cmark_node_get_type(node)) {
    case CMARK_NODE_TEXT:
      return add_text(literal_of(node));
    case CMARK_NODE_CODE:
      return add_code_span(literal_of(node));
    case CMARK_NODE_HTML_INLINE:
      return add_html_inline(literal_of(node));
    case CMARK_NODE_SOFTBREAK:
    case CMARK_NODE_LINEBREAK:
      return end_line();
    case CMARK_NODE_EMPH:
      return drop_marks(1);
    case CMARK_NODE_STRONG:
      return drop_marks(2);
    case CMARK_NODE_LINK:
    case CMARK_NODE_IMAGE:
      if (!enter) return end_link();
      if (here() == '!') drop(1);
      if (here() == '[' || here() == '<') drop(1);
      return;
    default:  // cmark's: blocks, which hold these
      return;
  }
}

void PageRenderer::add_text(std::string_view shown) {
  for (std::size_t i = 0; i < shown.size();) {
    if (at_ == end_) return insert(shown.substr(i));
    if (add_special(shown, i)) continue;
    if (text_[at_] == shown[i]) {
      ++at_;
      ++i;
    } else if (at_line_end()) {
      pass_line_end();
    } else if (std::string_view("*_[]!`<>").find(text_[at_]) != text_.npos) {
      drop(1);  // a mark
    } else {
      find_again(shown, i);
    }
  }
}

/// Takes an escape or a character reference, if one stands here for what is shown.
bool PageRenderer::add_special(std::string_view shown, std::size_t& i) {
  const char c = text_[at_];
  if (c == '\\' && at_ + 1 < end_ && is_punctuation(text_[at_ + 1]) && text_[at_ + 1] == shown[i]) {
    drop(1);
    ++at_;
    ++i;
    return true;
  }
  if (c != '&') return false;
  const std::string_view entity = entity_at(text_.substr(0, end_), at_);
  if (entity.empty() || shown.substr(i).starts_with(entity)) return false;
  const std::string decoded = decode_entity(entity);
  if (!shown.substr(i).starts_with(decoded)) return false;
  insert(decoded);
  drop(entity.size());
  i += decoded.size();
  return true;
}

/// What is shown does not stand here: further on, or nowhere.
void PageRenderer::find_again(std::string_view shown, std::size_t& i) {
  if (searches_left_-- > 0) {
    const std::string_view near = text_.substr(at_, std::min(end_ - at_, kSearchBytes));
    const std::size_t found = near.find(shown.substr(i, kNeedleBytes));
    if (found != near.npos) return drop_to(at_ + found);
  }
  std::size_t next = searches_left_ > 0 ? i + 1 : shown.size();
  while (next < shown.size() && is_continuation(shown[next])) ++next;
  insert(shown.substr(i, next - i));
  i = next;
}

void PageRenderer::add_code_span(std::string_view shown) {
  const std::string_view block = text_.substr(0, end_);
  const std::size_t ticks = block.find('`', at_);
  if (ticks == block.npos || searches_left_ < 0) return insert(shown);
  drop_to(ticks);
  const std::size_t length = run_length(block, at_);
  drop(length);
  std::size_t close = block.find('`', at_);
  while (close != block.npos && run_length(block, close) != length)
    close = block.find('`', close + run_length(block, close));
  if (close == block.npos) {
    close = at_;
    if (--searches_left_ < 0) return insert(shown);
  }
  const std::size_t begin = rendered_at();
  std::size_t i = 0;
  while (i < shown.size() && at_ < close) {
    if (text_[at_] == shown[i]) {
      ++at_;
      ++i;
    } else if (at_line_end()) {  // shown as a blank
      i += shown[i] == ' ' ? 1 : 0;
      pass_line_end();
    } else {
      drop(1);
    }
  }
  if (i < shown.size()) insert(shown.substr(i));
  out_.code_spans.push_back({begin, rendered_at()});
  if (at_ < close) drop_to(close);
  if (here() == '`') drop(std::min(length, run_length(block, at_)));
}

void PageRenderer::add_html_inline(std::string_view html) {
  const std::size_t tag = text_.substr(0, end_).find(html[0], at_);
  if (tag == text_.npos) return;
  drop_to(tag);
  if (!is_inside_words(html)) separate_words(std::min(at_ + html.size(), end_));
  for (std::size_t i = 0; i < html.size() && at_ < end_; ++i) {
    if (html[i] != '\n')
      drop(1);
    else
      end_line();
  }
}

/// The rest of a line is not seen: blanks, or the backslash of a hard break.
void PageRenderer::end_line() {
  const std::size_t end = line_end(at_);
  drop_unless_blank(end);
  pass_line_end();
}

void PageRenderer::drop_marks(std::size_t most) {
  for (; most > 0 && (here() == '*' || here() == '_'); --most) drop(1);
}

/// `>` of an autolink; or `]` and the target or the label behind it.
void PageRenderer::end_link() {
  if (here() == '>') return drop(1);
  if (here() != ']') return;
  drop(1);
  const std::string_view rest = text_.substr(at_, end_ - at_);
  if (here() == '(') {
    if (const std::size_t end = target_end(rest); end > 0) return drop_to(at_ + end);
  }
  if (here() != '[') return;
  if (const std::size_t end = past(rest, 1, ']'); end != rest.npos) drop_to(at_ + end);
}

}  // namespace kw::indexer
