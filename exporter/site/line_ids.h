// SPDX-License-Identifier: GPL-2.0-or-later
// Gives each line of a text that is not blank its anchor, `L12`, once: search results and links to
// lines then lead somewhere, whatever the line has become on the page. Lines must come in order;
// those passed over (a fence, the rule of a table) get theirs beside the next.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kw::exporter::site {

class LineIds {
 public:
  /// `text` must outlive it.
  explicit LineIds(std::string_view text);

  std::uint32_t line_count() const { return static_cast<std::uint32_t>(starts_.size()); }

  /// Ends a tag that is open in `out`: with the anchor of `line` as its attribute, if that has none
  /// yet, and behind it empty elements for the lines skipped.
  void close_tag(std::string& out, std::uint32_t line);

  /// Appends an empty element for `line`, if it has no anchor yet, and for those skipped.
  void append(std::string& out, std::uint32_t line);

  /// For all lines that are left.
  void append_rest(std::string& out) { append(out, line_count()); }

 private:
  bool is_blank(std::uint32_t line) const;
  bool take(std::uint32_t line);
  void append_skipped(std::string& out);

  std::string_view text_;
  std::vector<std::size_t> starts_;
  std::uint32_t skipped_ = 1;  ///< from here to next_ no line has an anchor
  std::uint32_t next_ = 1;     ///< all below have theirs, or are skipped
};

}  // namespace kw::exporter::site
