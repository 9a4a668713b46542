// SPDX-License-Identifier: GPL-2.0-or-later
// The site's page of a file: its keywords (page.h, of profile full) and its text.
#pragma once

#include <string>

#include "exporter/model/page.h"
#include "exporter/site/site_links.h"
#include "exporter/site/site_page.h"
#include "schema/index/record.h"

namespace kw::exporter::site {

/// `keywords` has the links of SiteLinks. `source_url`: in front of the file's path, where the tree
/// is shown elsewhere; empty for no such link.
std::string build_file_html(const Page& keywords, const FileRecord& record, const SitePage& page,
                            const SiteFrame& frame, const TextLinks& links,
                            const std::string& source_url);

/// The text of a README for the page of its folder. `links`: of that page.
std::string build_readme_html(const FileRecord& record, const TextLinks& links);

}  // namespace kw::exporter::site
