// SPDX-License-Identifier: GPL-2.0-or-later
// The export of a site (`--format html`): which files it has, made one after the other.
#pragma once

#include <string>

#include "exporter/command/export.h"
#include "exporter/output/output_dir.h"
#include "schema/base/result.h"
#include "schema/index/index_reader.h"

namespace kw::exporter::site {

/// As export_pages, into a folder that is open; the caller finishes it. Refused for an index of one
/// shard: pages of the others would have to be linked and searched.
Result<ExportCounts> export_site(IndexReader& reader, const std::string& project,
                                 const KwexportOptions& options, const ExportEvents& events,
                                 OutputDir& dir);

}  // namespace kw::exporter::site
