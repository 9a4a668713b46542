// SPDX-License-Identifier: GPL-2.0-or-later
// What stands inside a paragraph, a heading or a cell of a Markdown document, as HTML: emphasis,
// code, links, images, raw HTML, and what GitHub reads in plain text (gfm_text.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "exporter/site/code_html.h"
#include "exporter/site/gfm_text.h"
#include "exporter/site/line_ids.h"
#include "exporter/site/raw_html.h"
#include "schema/text/markdown_tree.h"

namespace kw::exporter::site {

/// What a document's destinations are on the site, each for a quoted attribute; empty: nothing.
struct PageTargets {
  std::function<std::string(std::string_view url)> link;
  std::function<std::string(std::string_view url)> image;  ///< of an image that the site has
};

/// The labels of the footnotes that `text` defines, by its lines.
std::unordered_set<std::string> footnotes_of(std::string_view text);

class MarkdownInline {
 public:
  struct Place {
    std::uint32_t line = 1;  ///< where the content begins
    bool in_cell = false;    ///< of a table, whose lines have their anchors already
    std::size_t skip = 0;    ///< bytes of its first text that are left out
  };

  /// `raw`: nullptr where raw HTML is shown as text. All must outlive it, `text` is the document.
  MarkdownInline(std::string& out, std::string_view text, LineIds& ids, CodeHtml& code,
                 const PageTargets& targets, RawHtml* raw);

  /// Appends what stands in `parent`.
  void append(cmark_node* parent, const Place& place);

 private:
  void append_node(cmark_node* node, cmark_node_type type, bool enter);
  void append_text(cmark_node* node, std::string_view text);
  void append_plain(std::string_view text);
  /// What is no plain text: where it stands, and what is written for it.
  struct Special {
    std::size_t begin = 0, end = 0;  ///< equal: there is none
    std::string html;
  };
  Special special_at(std::string_view text, std::size_t from, std::size_t at);
  Special footnote_at(std::string_view text, std::size_t at);
  Special link_to(std::string_view text, std::string_view shown, std::string_view scheme) const;
  void append_image(cmark_node* node);
  void open_link(cmark_node* node);
  void close_link(cmark_node* node);
  void match_tildes(cmark_node* parent);

  struct Strike {
    std::size_t at, size;
    bool opens;
  };

  std::string& out_;
  LineIds& ids_;
  CodeHtml& code_;
  const PageTargets& targets_;
  RawHtml* raw_;
  const bool has_tildes_;
  const std::unordered_set<std::string> footnotes_;
  std::unordered_set<std::string> defined_;                       ///< footnotes that are written
  std::unordered_map<cmark_node*, std::vector<Strike>> strikes_;  ///< of texts, in order
  bool line_starts_ = true;  ///< nothing stands before the text in its line
  bool link_open_ = false;
  bool link_has_tag_ = false;
  std::size_t link_begins_ = 0;  ///< its text, in out_
};

}  // namespace kw::exporter::site
