// SPDX-License-Identifier: GPL-2.0-or-later
// The site's page of a folder; that of the root is the home of the site, with the results of a
// search, what the tree holds, and some searches to begin with.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "exporter/model/file_table.h"
#include "exporter/model/folder_page.h"
#include "exporter/site/site_page.h"

namespace kw::exporter::site {

/// Up to `count` queries that show what a search can do: names that many files of the tree count
/// among their most telling, and the words inside the first.
std::vector<std::string> example_queries(const std::vector<FileSummary>& summaries,
                                         std::size_t count);

/// `model`: of build_folder_page with SiteLinks.
std::string build_folder_html(const FolderPage& model, const SitePage& page,
                              const SiteFrame& frame);

/// The page of the root. `summaries`: of all files, by the numbers of the file table.
std::string build_home_html(const FolderPage& model, const SitePage& page, const SiteFrame& frame,
                            const FileTable& files, const std::vector<FileSummary>& summaries);

}  // namespace kw::exporter::site
