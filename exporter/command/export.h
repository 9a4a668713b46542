// SPDX-License-Identifier: GPL-2.0-or-later
// An export as a whole: every record of the index becomes a page in the output folder. What a page
// says: page.h; how files come and go: output_dir.h.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "exporter/command/options.h"
#include "exporter/output/export_events.h"
#include "schema/base/result.h"
#include "schema/index/index_reader.h"

namespace kw::exporter {

/// As run_export, in the format that `options` name; nothing is made where all is there already.
/// `root` is the indexed folder, absolute; it need not exist any more.
Result<ExportCounts> export_pages(IndexReader& reader, const std::string& root,
                                  const KwexportOptions& options, const ExportEvents& events);

/// How many folders `out` lies below `root`, symbolic links resolved; nothing if it lies outside.
std::optional<std::size_t> depth_below(const std::string& root, const std::string& out);

}  // namespace kw::exporter
