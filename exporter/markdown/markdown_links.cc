// SPDX-License-Identifier: GPL-2.0-or-later
#include "exporter/markdown/markdown_links.h"

#include <utility>

namespace kw::exporter {

MarkdownLinks::MarkdownLinks(std::optional<std::size_t> output_depth, std::string source_url,
                             PageNames names)
    : output_depth_(output_depth), source_url_(std::move(source_url)), names_(std::move(names)) {
  if (!source_url_.empty() && !source_url_.ends_with('/')) source_url_ += '/';
}

Link MarkdownLinks::to_file(std::string text, std::string_view folder,
                            const std::string& path) const {
  if (!source_url_.empty()) return {std::move(text), path, source_url_};
  if (!output_depth_) return {std::move(text), {}};
  if (*output_depth_ == 0) return {std::move(text), relative_path(folder, path)};
  // The names of the output folders are not known here, only how many they are.
  std::string target;
  for (std::size_t i = *output_depth_ + count_folders(folder); i > 0; --i) target += "../";
  return {std::move(text), target + path};
}

Link MarkdownLinks::to_line(std::string text, std::string_view folder, const std::string& path,
                            std::uint32_t line) const {
  Link link = to_file(std::move(text), folder, path);
  if (is_rendered(path)) link.query = "?plain=1";
  link.fragment = "L" + std::to_string(line);
  return link;
}

Link MarkdownLinks::to_section(std::string text, std::string_view folder, const std::string& path,
                               const std::string& anchor) const {
  Link link = to_file(std::move(text), folder, path);
  link.fragment = anchor;
  return link;
}

Link MarkdownLinks::to_page(std::string text, std::string_view folder,
                            const std::string& path) const {
  const auto page = page_name(path, names_.page_suffix);
  return {std::move(text), page ? relative_path(folder, *page) : std::string()};
}

Link MarkdownLinks::to_folder(std::string text, std::string_view folder,
                              std::string_view to) const {
  if (names_.folder_page.empty()) return {std::move(text), {}};
  return {std::move(text), relative_path(folder, path_in(to, names_.folder_page))};
}

Link MarkdownLinks::to_list(std::string text, std::string_view folder, std::string_view to,
                            std::string_view slug) const {
  if (names_.list_page.empty()) return {std::move(text), {}};
  return {std::move(text),
          relative_path(folder, path_in(to, list_page_name(names_.list_page, slug)))};
}

}  // namespace kw::exporter
