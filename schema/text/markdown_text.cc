// SPDX-License-Identifier: GPL-2.0-or-later
//
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
// 1.5 GB.
#include "schema/text/markdown_text.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "schema/text/text.h"

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

}  // namespace

bool has_too_many_marks(std::string_view text) {
  // What cmark may make a node of: lines, and characters that mean something inside them.
  const auto marks = [] {
    std::array<bool, 256> is_mark{};
    for (const char c : std::string_view("\n*_`[]!<&\\"))
      is_mark[static_cast<unsigned char>(c)] = true;
    return is_mark;
  }();
  return std::count_if(text.begin(), text.end(),
                       [&](char c) { return marks[static_cast<unsigned char>(c)]; }) > kMaxMarks;
}

BoundedMarkdown::BoundedMarkdown(std::string_view text)
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

void BoundedMarkdown::put(std::size_t at, char c) {
  if (copy_.empty()) {
    copy_ = text_;
    text_ = copy_;
  }
  copy_[at] = c;
}

/// Makes a letter of each marker of a quote or list too far to the right.
void BoundedMarkdown::limit_depth(std::size_t begin, std::size_t end) {
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

bool BoundedMarkdown::ends_marker(std::size_t at, std::size_t end) const {
  return at == end || is_blank(text_[at]) || text_[at] == '\r';
}

void BoundedMarkdown::limit_images() {
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

// An indented block may hold a line that looks like a fence, but begins with that line then; a
// fence followed by a line like itself is closed.
bool is_fenced_code(std::string_view opening, std::string_view content) {
  if (!opening.starts_with("```") && !opening.starts_with("~~~")) return false;
  opening = opening.substr(0, opening.find('\0'));  // cmark puts another character there
  return !content.starts_with(opening);
}

}  // namespace kw
