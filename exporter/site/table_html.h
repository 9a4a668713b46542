// SPDX-License-Identifier: GPL-2.0-or-later
// The tables of a Markdown document, as HTML. What a table is: markdown_table.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "exporter/site/line_ids.h"
#include "exporter/site/markdown_inline.h"
#include "exporter/site/markdown_table.h"

namespace kw::exporter::site {

/// Each cell is a paragraph of a document of its own, so that no markup runs out of it.
class TableHtml {
 public:
  /// `text` is the document. All must outlive it.
  TableHtml(std::string& out, std::string_view text, LineIds& ids, MarkdownInline& inlines)
      : out_(out), text_(text), ids_(ids), inlines_(inlines) {}

  /// Appends a table that begins at a line of the record.
  void append(const MarkdownTable& table, std::uint32_t line);

 private:
  const std::string& link_definitions();

  std::string& out_;
  const std::string_view text_;
  LineIds& ids_;
  MarkdownInline& inlines_;
  std::optional<std::string> definitions_;
};

}  // namespace kw::exporter::site
