// SPDX-License-Identifier: GPL-2.0-or-later
// The links of Markdown pages: files of the tree as a forge shows them, relative to the page or at
// a URL, and the pages beside them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "exporter/model/links.h"
#include "exporter/model/page_names.h"

namespace kw::exporter {

class MarkdownLinks : public PageLinks {
 public:
  /// `output_depth`: folders from the root down to the output folder; nothing where it lies outside
  /// of the root: then only a source URL reaches the files.
  MarkdownLinks(std::optional<std::size_t> output_depth, std::string source_url, PageNames names);

  Link to_file(std::string text, std::string_view folder, const std::string& path) const override;
  Link to_line(std::string text, std::string_view folder, const std::string& path,
               std::uint32_t line) const override;
  Link to_section(std::string text, std::string_view folder, const std::string& path,
                  const std::string& anchor) const override;
  Link to_page(std::string text, std::string_view folder, const std::string& path) const override;
  Link to_folder(std::string text, std::string_view folder, std::string_view to) const override;
  Link to_list(std::string text, std::string_view folder, std::string_view to,
               std::string_view slug) const override;

 private:
  std::optional<std::size_t> output_depth_;
  std::string source_url_;  ///< ends in a slash, or is empty
  PageNames names_;
};

}  // namespace kw::exporter
