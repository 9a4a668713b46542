// SPDX-License-Identifier: GPL-2.0-or-later
// Where each file and folder of the tree has its page in the site. Two names differ even where the
// file system folds case or the normal form of Unicode, and none is of those that some system
// cannot hold, so that a site can be copied anywhere. No folder lies more than 64 deep: what does
// in the tree is beside those that lie so deep in the site. The same tree gives the same names; a
// name that had to change keeps its look and gets a hash of its path behind it. So no URL leads to
// another file when files come and go, unless their paths differ in case or normal form alone.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "exporter/model/file_table.h"

namespace kw::exporter::site {

/// Names at the top of the site that are no page's.
inline constexpr std::string_view kChunkFolder = "search";
inline constexpr std::string_view kSitemapName = "sitemap.xml";
inline constexpr std::string_view kRobotsName = "robots.txt";
/// In kChunkFolder.
inline constexpr std::string_view kHeadChunkName = "head.js";
/// Pages at the top: of the search, and for a URL that leads nowhere.
inline constexpr std::string_view kSearchPageName = "search.html";
inline constexpr std::string_view kMissingPageName = "404.html";

/// In each folder of the site.
inline constexpr std::string_view kFolderPageName = "index.html";
/// The name of each folder's list of names, or its first part's.
inline constexpr std::string_view kListPageName = "sub.html";

class SiteNames {
 public:
  SiteNames() = default;
  explicit SiteNames(const FileTable& files);

  /// The page of file `number` of the catalogue, from the top of the site: "src/a.c.html". Empty
  /// for a path that leads out of the tree, which only a damaged or hostile index holds.
  const std::string& page(std::size_t number) const { return pages_[number]; }

  /// The page of a folder of the tree: "src/index.html"; "index.html" for "", the root. Empty for
  /// what is no folder of the tree.
  std::string folder_page(std::string_view folder) const {
    return in_folder(folder, kFolderPageName);
  }

  /// Likewise one page of a folder's list of names; `slug` as in list_page_name.
  std::string list_page(std::string_view folder, std::string_view slug) const;

 private:
  std::string in_folder(std::string_view folder, std::string_view name) const;
  enum class Where { InItsFolder, Elsewhere };
  std::string place(const std::string& site_folder, Where where, std::string_view path,
                    std::string_view suffix);

  std::vector<std::string> pages_;                           ///< by the catalogue's numbers
  std::map<std::string, std::string, std::less<>> folders_;  ///< of the tree, to those of the site
  std::unordered_set<std::string> taken_;                    ///< folded, while names are given
};

}  // namespace kw::exporter::site
