// SPDX-License-Identifier: GPL-2.0-or-later
// The format md: pages of Markdown beside the files that they are about.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "exporter/markdown/markdown_links.h"
#include "exporter/model/page_names.h"
#include "exporter/output/renderer.h"

namespace kw::exporter {

class MarkdownRenderer : public Renderer {
 public:
  MarkdownRenderer(MarkdownLinks links, PageNames names);

  bool has_folder_pages() const override { return !names_.folder_page.empty(); }
  bool has_list_pages() const override { return !names_.list_page.empty(); }
  Result<std::string> name_of_file(const std::string& path) const override;
  Result<std::string> name_of_folder(const std::string& folder) const override;
  Result<std::string> name_of_list(const std::string& folder, std::string_view slug) const override;
  const PageLinks& links() const override { return links_; }
  Result<std::string> build_file(const FileRecord& record, const Page& page,
                                 Records& records) const override;
  Result<std::string> build_folder(const std::string& folder, const FolderPage& page,
                                   const std::vector<FileSummary>& summaries,
                                   Records& records) const override;
  std::string build_list(const std::string& name, const std::string& folder,
                         const KeywordPage& page) const override;

 private:
  MarkdownLinks links_;
  PageNames names_;
};

}  // namespace kw::exporter
