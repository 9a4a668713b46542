// SPDX-License-Identifier: GPL-2.0-or-later
// What every page of the site has around its content: head, header with the search, the way down
// from the top, foot. Tags that HTML does not need are left out. Names that tests, the script and
// other pages rely on: the ids kw-search and kw-query, and Main. The pages of the search and of a
// URL that leads nowhere have little else, and are made here as well.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "exporter/model/links.h"
#include "exporter/site/site_names.h"

namespace kw::exporter::site {

struct SitePage {
  std::string page;              ///< where it lies, from the top of the site
  std::string title;             ///< of the window, without the project
  std::string folder;            ///< of the tree; its folders are the way down from the top
  std::string name;              ///< what stands below that folder; empty for the folder's own page
  bool has_path = true;          ///< whether the way is shown
  std::string description = {};  ///< of what the page holds, for search engines and previews
};

/// What is the same for all pages.
struct SiteFrame {
  std::string project;
  const SiteNames& names;
  std::vector<std::string> doc_suffixes = {};  ///< of pages about files
  std::string base_url = {};  ///< where the site will lie, with a slash at its end; or empty
  bool is_hidden = false;     ///< search engines are asked to leave it out
};

/// All up to the content of <main>.
std::string open_page(const SitePage& page, const SiteFrame& frame);

/// The rest, from </main> on.
std::string close_page(const SitePage& page, const SiteFrame& frame);

/// The page with the results of a search.
std::string build_search_html(const SiteFrame& frame);

/// The page that a server shows for a URL that leads nowhere, below any folder: its own links are
/// absolute, so the frame needs its `base_url`.
std::string build_missing_html(const SiteFrame& frame);

/// The link as HTML around `shown`, which is HTML; `shown` alone where it leads nowhere.
std::string html_link(const Link& link, std::string_view page, std::string_view shown);

}  // namespace kw::exporter::site
