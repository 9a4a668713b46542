// SPDX-License-Identifier: GPL-2.0-or-later
#include "exporter/markdown/markdown_renderer.h"

#include <utility>

#include "exporter/markdown/markdown_writer.h"

namespace kw::exporter {

MarkdownRenderer::MarkdownRenderer(MarkdownLinks links, PageNames names)
    : links_(std::move(links)), names_(std::move(names)) {}

Result<std::string> MarkdownRenderer::name_of_file(const std::string& path) const {
  return page_name(path, names_.page_suffix);
}

Result<std::string> MarkdownRenderer::name_of_folder(const std::string& folder) const {
  return page_name(path_in(folder, names_.folder_page), "");
}

Result<std::string> MarkdownRenderer::name_of_list(const std::string& folder,
                                                   std::string_view slug) const {
  return page_name(path_in(folder, list_page_name(names_.list_page, slug)), "");
}

Result<std::string> MarkdownRenderer::build_file(const FileRecord&, const Page& page,
                                                 Records&) const {
  return build_markdown(page);
}

Result<std::string> MarkdownRenderer::build_folder(const std::string&, const FolderPage& page,
                                                   const std::vector<FileSummary>&,
                                                   Records&) const {
  return build_markdown(page);
}

std::string MarkdownRenderer::build_list(const std::string&, const std::string&,
                                         const KeywordPage& page) const {
  return build_markdown(page);
}

}  // namespace kw::exporter
