// SPDX-License-Identifier: GPL-2.0-or-later
// What cmark is given of a page. Indexer and exporter parse the same bytes, so that the sections
// and lines of a record are those that a site shows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace kw {

/// True for a text that would take cmark too much memory: it is data, not a page, and is read
/// without its structure.
bool has_too_many_marks(std::string_view text);

/// A page as cmark can read it in time linear in its size: `text` itself, or a copy with some marks
/// made letters, byte for byte, where nesting or images would cost too much. A carriage return
/// alone becomes a blank: it ends no line of ours. `text` must outlive it.
class BoundedMarkdown {
 public:
  explicit BoundedMarkdown(std::string_view text);
  BoundedMarkdown(const BoundedMarkdown&) = delete;
  BoundedMarkdown& operator=(const BoundedMarkdown&) = delete;

  std::string_view view() const { return text_; }

 private:
  void put(std::size_t at, char c);
  void limit_depth(std::size_t begin, std::size_t end);
  bool ends_marker(std::size_t at, std::size_t end) const;
  void limit_images();

  std::string_view text_;
  std::size_t max_column_;
  std::string copy_;
};

/// True if a block of code without an info string, whose first line is `opening` from its column
/// on, has fences: cmark does not say.
bool is_fenced_code(std::string_view opening, std::string_view content);

}  // namespace kw
