// SPDX-License-Identifier: GPL-2.0-or-later
// The one way of every export, whatever its format: which pages there are, in which order they are
// named, claimed, made and written. How they look: renderer.h. How files come and go: output_dir.h.
#pragma once

#include <string>

#include "exporter/model/indexed_tree.h"
#include "exporter/model/page.h"
#include "exporter/output/export_events.h"
#include "exporter/output/output_dir.h"
#include "exporter/output/renderer.h"
#include "schema/base/result.h"
#include "schema/index/index_reader.h"

namespace kw::exporter {

struct RunSettings {
  PageContext page;
  Profile profile = Profile::Full;
  Forge forge = Forge::GitHub;
  std::string path_prefix;  ///< a file or folder, from the root; empty: all
  bool adopt = false;       ///< take over files in the way that begin as keyword pages
};

/// Pages are made in order of path, one record a thread in memory at a time. An index that changes
/// under the reader is an error (Modified); what was written then is listed in the manifest, and
/// the next run goes on from there. `dir` is open, and not finished.
Result<ExportCounts> run_export(IndexReader& reader, const IndexedTree& tree, Renderer& renderer,
                                const RunSettings& settings, const ExportEvents& events,
                                OutputDir& dir);

}  // namespace kw::exporter
