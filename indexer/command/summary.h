// SPDX-License-Identifier: GPL-2.0-or-later
// What a run did, in numbers and in words. Pure: from the plan and its outcomes.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "indexer/update/change_set.h"
#include "indexer/update/outcome.h"
#include "schema/index/status.h"

namespace kw::indexer {

struct RunSummary {
  std::uint64_t added = 0;      ///< indexed, and not in the index before
  std::uint64_t rewritten = 0;  ///< indexed, and there before
  std::uint64_t removed = 0;    ///< paths that were in the index and are not any more
  std::uint64_t files = 0;      ///< in the index after the run
  std::uint64_t bytes = 0;      ///< sum of their sizes
  std::map<SkipReason, std::uint64_t> skipped;
  double seconds = 0;
  std::string root;  ///< what was indexed, where it is not the current folder
  bool dry_run = false;

  std::uint64_t indexed() const { return added + rewritten; }
  std::uint64_t skipped_files() const;
};

RunSummary summarize(const ChangeSet& plan, const std::vector<FileOutcome>& outcomes);

/// One line: the object that --json promises.
std::string to_json(const RunSummary& summary);

/// A line or two for people, each with its end.
std::string to_text(const RunSummary& summary);

/// One line a file for --explain, in order of path. `in_tree` tells what is gone from what ignore
/// rules or options leave out.
std::string explain(const ChangeSet& plan, const std::vector<FileOutcome>& outcomes,
                    const std::function<bool(const std::string&)>& in_tree);

/// What the next run must know of this one's files: `skipped`, `unsearched`, `symbols_lost`,
/// `clean`; the rest is the caller's.
RunStatus remember(const ChangeSet& plan, const std::vector<FileOutcome>& outcomes,
                   const RunStatus& last);

}  // namespace kw::indexer
