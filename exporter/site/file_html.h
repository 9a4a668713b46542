// SPDX-License-Identifier: GPL-2.0-or-later
// The site's page of a file: its keywords (page.h, of profile full) and its text.
#pragma once

#include <string>

#include "exporter/model/links.h"
#include "exporter/model/page.h"
#include "exporter/site/site_links.h"
#include "exporter/site/site_page.h"
#include "schema/index/record.h"

namespace kw::exporter::site {

/// What stands beside the text and its keywords.
struct FilePlace {
  std::string source_url;  ///< in front of the file's path, where the tree is shown elsewhere
  Link previous;           ///< the file before it in its folder; without a target for none
  Link next;
};

/// `keywords` has the links of SiteLinks.
std::string build_file_html(const Page& keywords, const FileRecord& record, const SitePage& page,
                            const SiteFrame& frame, const TextLinks& links, const FilePlace& place);

/// The text of a README for the page of its folder. `links`: of that page.
std::string build_readme_html(const FileRecord& record, const TextLinks& links);

}  // namespace kw::exporter::site
