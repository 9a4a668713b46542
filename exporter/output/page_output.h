// SPDX-License-Identifier: GPL-2.0-or-later
// The pages of one export on their way to the output folder: what failed, came and went is counted
// and told here, for every format.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "exporter/output/export_events.h"
#include "exporter/output/output_dir.h"

namespace kw::exporter {

class PageOutput {
 public:
  /// `adopt`: take over files in the way that begin as keyword pages. The others must outlive it.
  PageOutput(OutputDir& dir, bool adopt, const ExportEvents& events)
      : dir_(dir), adopt_(adopt), events_(events) {}

  ExportCounts& counts() { return counts_; }

  /// One page that is not written, or not removed; the export goes on.
  void fail(const Error& error);

  /// Removes the pages of earlier exports that are not wanted now, where `in_scope` has them.
  void remove_stale(const std::set<std::string_view>& wanted,
                    const std::function<bool(const std::string& page)>& in_scope);

  /// False, and told, if the page cannot be ours.
  bool claim(const std::string& page);

  void write(const std::string& page, std::string_view bytes);

 private:
  OutputDir& dir_;
  const bool adopt_;
  const ExportEvents& events_;
  ExportCounts counts_;
};

}  // namespace kw::exporter
