// SPDX-License-Identifier: GPL-2.0-or-later
// The raw HTML of a Markdown document, cut down to what GitHub lets through: elements and
// attributes of a list, written anew, so that nothing of what the author wrote is markup unless
// this file made it so. Whether the tags nest is left to html_tree.h.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace kw::exporter::site {

/// Ids of authors begin with it: no heading's anchor has a dot, and none of the site's own ids.
inline constexpr std::string_view kAuthorAnchor = "u.";

/// What tags of a document need to know of the site. Each may be empty.
struct RawHtmlHooks {
  /// Where a destination leads, for a quoted attribute; empty: to nowhere.
  std::function<std::string(std::string_view url)> link;
  /// The URL of an image that the site has, likewise.
  std::function<std::string(std::string_view url)> image;
  /// Called where a line begins, between tags.
  std::function<void(std::string& out)> line_begins;
};

class RawHtml {
 public:
  explicit RawHtml(RawHtmlHooks hooks) : hooks_(std::move(hooks)) {}

  /// Appends a piece of HTML: a block, or one inline tag. Comments, instructions and scripts are
  /// left out with what is in them, other elements that are not let through without their tags.
  void append(std::string& out, std::string_view html);

  /// The site's own block element begins: what is open around it costs again.
  void count_block();

  /// True if any tag was written.
  bool is_used() const { return tags_ > 0; }

  /// True once the tags of the document are so many, or so deep, that building their tree could
  /// take more than some hundred megabytes or a second.
  bool is_too_much() const;

 private:
  friend std::vector<std::string> raw_anchors(std::string_view html);
  struct Tag;
  void append_tag(std::string& out, const Tag& tag);
  void append_image(std::string& out, const Tag& tag);
  void append_attributes(std::string& out, const Tag& tag);
  void count(const Tag& tag);

  const RawHtmlHooks hooks_;
  std::size_t tags_ = 0;
  std::size_t broken_ = 0;  ///< tags that do not end
  std::size_t depth_ = 0, max_depth_ = 0;
  std::size_t formatting_ = 0;  ///< elements that the parser opens again in each block
  std::size_t cost_ = 0;        ///< those openings, added up
  std::size_t tables_ = 0;      ///< open around: no line begins there
};

/// The ids and names that HTML of `document` gives its anchors, as the author wrote them.
std::vector<std::string> raw_anchors(std::string_view html);

}  // namespace kw::exporter::site
