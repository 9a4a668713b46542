// SPDX-License-Identifier: GPL-2.0-or-later
// The site's page of a folder; that of the root is the home of the site: the tree's README, what
// the tree holds, and some searches to begin with.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "exporter/model/file_table.h"
#include "exporter/model/folder_page.h"
#include "exporter/site/site_page.h"

namespace kw::exporter::site {

/// Up to `count` queries that show what a search can do: `names`, and the words inside the first
/// that has several.
std::vector<std::string> example_queries(const std::vector<std::string>& names, std::size_t count);

/// `model`: of build_folder_page with SiteLinks. `readme`: HTML of the folder's own document
/// (build_readme_html), or empty.
std::string build_folder_html(const FolderPage& model, const SitePage& page, const SiteFrame& frame,
                              const std::string& readme);

/// What the home says of the tree.
struct HomeFacts {
  const FileTable& files;
  const std::vector<FileSummary>& summaries;  ///< of all files, by the numbers of the file table
  std::vector<std::string> names;             ///< most used (KeywordIndex::most_used)
  std::string date;                           ///< of the site, as given; empty: it shows none
};
inline constexpr std::size_t kHomeNames = 8;

/// The page of the root.
std::string build_home_html(const FolderPage& model, const SitePage& page, const SiteFrame& frame,
                            const HomeFacts& facts, const std::string& readme);

}  // namespace kw::exporter::site
