// SPDX-License-Identifier: GPL-2.0-or-later
#include "indexer/extract/comment_lexer.h"

#include <algorithm>
#include <array>

namespace kw::indexer {
namespace {

bool is_name_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         static_cast<signed char>(c) < 0;
}
bool is_blank_or_return(char c) { return c == ' ' || c == '\t' || c == '\r'; }

std::vector<std::string_view> split_at_blanks(std::string_view words) {
  std::vector<std::string_view> out;
  while (!words.empty()) {
    const std::size_t end = std::min(words.find(' '), words.size());
    if (end > 0) out.push_back(words.substr(0, end));
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return out;
}

class CommentFinder {
 public:
  CommentFinder(std::string_view text, const CommentStyle& style)
      : text_(text),
        line_(split_at_blanks(style.line)),
        block_(split_at_blanks(style.block)),
        line_start_(split_at_blanks(style.line_start)),
        quotes_(style.quotes) {
    for (const auto& marks : {line_, line_start_})
      for (const std::string_view mark : marks) note(mark.front());
    for (std::size_t i = 0; i + 1 < block_.size(); i += 2) note(block_[i].front());
    for (const char quote : quotes_) note(quote);
  }

  std::vector<ByteRange> run() {
    std::vector<ByteRange> found;
    std::size_t at = 0;
    while (at < text_.size()) {
      if (!may_begin_[static_cast<unsigned char>(text_[at])]) {
        ++at;
      } else if (const std::size_t end = comment_end(at); end > at) {
        found.push_back({at, end});
        at = end;
      } else {
        at = quotes_.find(text_[at]) == std::string_view::npos ? at + 1 : string_end(at);
      }
    }
    return found;
  }

 private:
  void note(char first) { may_begin_[static_cast<unsigned char>(first)] = true; }

  bool has(std::string_view mark, std::size_t at) const {
    return text_.compare(at, mark.size(), mark) == 0;
  }

  std::size_t line_end(std::size_t at) const {
    return std::min(text_.find('\n', at), text_.size());
  }

  /// One past the comment that begins at `at`; `at` if none does.
  std::size_t comment_end(std::size_t at) const {
    for (std::size_t i = 0; i + 1 < block_.size(); i += 2) {
      // Ruby's =begin and Perl's =pod: an assignment elsewhere.
      if (!has(block_[i], at) || (block_[i].front() == '=' && at > 0 && text_[at - 1] != '\n'))
        continue;
      const std::size_t end = text_.find(block_[i + 1], at + block_[i].size());
      return end == std::string_view::npos ? text_.size() : end + block_[i + 1].size();
    }
    for (const std::string_view mark : line_)
      if (has(mark, at) && may_follow(at)) return line_end(at);
    for (const std::string_view mark : line_start_)
      if (has(mark, at) && is_first_on_line(at) && is_whole_word(mark, at)) return line_end(at);
    return at;
  }

  /// False where a line mark is something else: `$#`, `${x#y}`, `a#b` (shell), `\%` (TeX),
  /// `http://`.
  bool may_follow(std::size_t at) const {
    if (at == 0) return true;
    const char before = text_[at - 1];
    if (before == '\\') return false;
    if (text_[at] == '#')
      return !is_name_char(before) && before != '$' && before != '{' && before != '&';
    return text_[at] != '/' || before != ':';
  }

  bool is_first_on_line(std::size_t at) const {
    while (at > 0 && is_blank_or_return(text_[at - 1])) --at;
    return at == 0 || text_[at - 1] == '\n';
  }

  bool is_whole_word(std::string_view mark, std::size_t at) const {
    const std::size_t end = at + mark.size();
    return !is_name_char(mark.back()) || end == text_.size() || !is_name_char(text_[end]);
  }

  /// One past the string that begins at `at`. It ends with its line, but a backslash may carry it
  /// over; only `` ` `` spans lines, where another follows.
  std::size_t string_end(std::size_t at) {
    const char stops[] = {text_[at], '\\', '\n'};
    const bool spans = text_[at] == '`' && may_span_;
    std::size_t first_line_end = text_.size();
    for (std::size_t i = at + 1;; ++i) {
      i = text_.find_first_of(std::string_view(stops, sizeof stops), i);
      if (i == std::string_view::npos) break;
      if (text_[i] == text_[at]) return i + 1;
      if (text_[i] == '\\')
        ++i;
      else if (!spans)
        return i;
      else
        first_line_end = std::min(first_line_end, i);
    }
    if (spans)
      may_span_ = false;  // none ends a string: the rest is not searched once more for each
    return first_line_end;
  }

  std::string_view text_;
  std::vector<std::string_view> line_, block_, line_start_;
  std::string_view quotes_;
  std::array<bool, 256> may_begin_{};
  bool may_span_ = true;
};

}  // namespace

std::vector<ByteRange> find_comments(std::string_view text, const CommentStyle& style) {
  if (style.line.empty() && style.block.empty() && style.line_start.empty()) return {};
  return CommentFinder(text, style).run();
}

}  // namespace kw::indexer
