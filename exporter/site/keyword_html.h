// SPDX-License-Identifier: GPL-2.0-or-later
// The site's page of a part of a folder's list of names; the root's are the A-Z of the tree.
#pragma once

#include <string>

#include "exporter/model/file_table.h"
#include "exporter/model/keyword_page.h"
#include "exporter/site/site_page.h"

namespace kw::exporter::site {

/// `model`: of build_keyword_page with SiteLinks. `folder`: its path in the tree.
std::string build_keyword_html(const KeywordPage& model, const std::string& folder,
                               const FileTable& files, const SitePage& page,
                               const SiteFrame& frame);

}  // namespace kw::exporter::site
