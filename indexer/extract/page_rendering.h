// SPDX-License-Identifier: GPL-2.0-or-later
// What a reader sees of a page of Markdown, as edits of its text. cmark says what is seen, but not
// where it stands: each block's text is laid along its lines, and what cmark left out of them is
// removed. The text that comes out is cmark's whatever the lines hold; only where in its line an
// odd piece stands may be guessed.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "schema/text/edited_text.h"
#include "schema/text/markdown_tree.h"
#include "schema/text/source_lexer.h"

namespace kw::indexer {

struct PageRendering {
  std::vector<TextEdit> edits;        ///< of the page's text, in order; they touch no line end
  std::vector<ByteRange> code_spans;  ///< of the rendered text, in order
};

/// Blocks are added in the order of the page, each with the bytes of its lines. What lies between
/// two (rules, definitions of links, marks of empty items) is not seen.
class PageRenderer {
 public:
  /// `text` is what cmark read: the page from byte `base` on. It must outlive this.
  PageRenderer(std::string_view text, std::size_t base) : text_(text), base_(base) {}

  /// A paragraph or heading that begins at byte `begin` of the text and ends before `end`, inside
  /// of `quotes` block quotes.
  void add_inlines(cmark_node* block, std::size_t begin, std::size_t end, int quotes);
  /// A block of raw HTML: its tags and comments are not seen.
  void add_html(std::size_t begin, std::size_t end);
  /// A block of code, which stays as it is.
  void add_code(std::size_t begin, std::size_t end);

  /// To be called once, at the end.
  PageRendering take();

 private:
  void begin_block(std::size_t begin, std::size_t end, int quotes);
  void take_event(cmark_node* node, bool enter);
  void add_text(std::string_view shown);
  bool add_special(std::string_view shown, std::size_t& i);
  void find_again(std::string_view shown, std::size_t& i);
  void add_code_span(std::string_view shown);
  void add_html_inline(std::string_view html);
  void end_link();
  void end_line();
  void drop_marks(std::size_t most);

  char here() const { return at_ < end_ ? text_[at_] : '\0'; }
  bool at_line_end() const;
  std::size_t line_end(std::size_t at) const;
  void pass_line_end();
  void drop(std::size_t bytes);
  void drop_to(std::size_t end);
  void drop_unless_blank(std::size_t end);
  void insert(std::string_view seen);
  void separate_words(std::size_t next);
  void edit(std::size_t removed, std::string_view inserted);
  std::size_t rendered_at() const;

  std::string_view text_;
  std::size_t base_;
  std::size_t at_ = 0;   // up to here all is laid out
  std::size_t end_ = 0;  // of the block under way
  int quotes_ = 0;       // around it
  int searches_left_ = 0;
  std::ptrdiff_t grown_ = 0;  // bytes inserted less bytes removed, so far
  PageRendering out_;
};

}  // namespace kw::indexer
