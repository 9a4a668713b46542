// SPDX-License-Identifier: GPL-2.0-or-later
// What the results of a search are filtered by in the browser: the files of each language and
// extension, and the largest folders. How they look: docs/site-search.md.
#pragma once

#include <string>
#include <vector>

#include "exporter/model/file_table.h"
#include "schema/base/result.h"
#include "schema/index/index_reader.h"

namespace kw::exporter::site {

/// Arrays of JavaScript, one a filter: the field of kwsearch that asks it, its value and its files.
/// Languages and extensions in order, then folders by name.
Result<std::vector<std::string>> build_search_filters(IndexReader& reader, const FileTable& files);

}  // namespace kw::exporter::site
