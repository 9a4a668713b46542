// SPDX-License-Identifier: GPL-2.0-or-later
// An export as a whole: every record of the index becomes a page in the output folder. What a page
// says: page.h; how files come and go: output_dir.h.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "exporter/command/options.h"
#include "schema/base/error.h"
#include "schema/base/result.h"
#include "schema/index/index_reader.h"

namespace kw::exporter {

struct ExportCounts {
  std::uint64_t pages = 0;    ///< asked for: one a file of the index that --path lets in
  std::uint64_t written = 0;  ///< in a dry run, as below: would be
  std::uint64_t unchanged = 0;
  std::uint64_t removed = 0;
  std::uint64_t failed = 0;  ///< pages that could not be written or removed; each was told
  std::uint64_t bytes = 0;   ///< of all pages written and unchanged
};

/// What is told while the export runs. Each may be empty.
struct ExportEvents {
  std::function<void(const std::string& page)> written;
  std::function<void(const std::string& page)> removed;
  std::function<void(const Error&)> failed;  ///< one page; the export goes on
  std::function<void(const std::string& note)> noted;
  std::function<void(std::uint64_t done, std::uint64_t total)> progress;
};

/// Pages are made in order of path, one record in memory at a time. `root` is the indexed folder,
/// absolute; it need not exist any more. An index that changes under the reader is an error
/// (Modified); what was written then is listed in the manifest, and the next run goes on from
/// there.
Result<ExportCounts> export_pages(IndexReader& reader, const std::string& root,
                                  const KwexportOptions& options, const ExportEvents& events);

/// How many folders `out` lies below `root`, symbolic links resolved; nothing if it lies outside.
std::optional<std::size_t> depth_below(const std::string& root, const std::string& out);

}  // namespace kw::exporter
