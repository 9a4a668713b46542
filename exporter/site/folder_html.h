// SPDX-License-Identifier: GPL-2.0-or-later
// The site's page of a folder; that of the root is the home of the site, with the results of a
// search, what the tree holds, and some searches to begin with.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "exporter/model/file_table.h"
#include "exporter/model/folder_page.h"
#include "exporter/site/site_page.h"

namespace kw::exporter::site {

/// What the home tells of the tree.
struct SiteFacts {
  std::uint64_t files = 0;
  std::uint64_t folders = 0;
  std::uint64_t text_bytes = 0;
  std::vector<std::string> examples;  ///< queries
};

/// Up to `count` queries that show what a search can do: names that many files of the tree count
/// among their most telling, and the words inside the first.
std::vector<std::string> example_queries(const std::vector<FileSummary>& summaries,
                                         std::size_t count);

/// `model`: of build_folder_page; its links are not used. `folder`: its path in the tree.
std::string build_folder_html(const FolderPage& model, const std::string& folder,
                              const FileTable& files, const SitePage& page, const SiteFrame& frame,
                              const SiteFacts& facts);

}  // namespace kw::exporter::site
