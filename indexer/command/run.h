// SPDX-License-Identifier: GPL-2.0-or-later
// One run of kwindex, from its options to its report: finds database and root, takes the lock,
// walks, plans, builds or updates, writes status.json. Prints nothing but progress.
#pragma once

#include <string>
#include <vector>

#include "indexer/command/index_registry.h"
#include "indexer/command/options.h"
#include "indexer/command/summary.h"
#include "schema/base/exit_code.h"
#include "schema/base/result.h"

namespace kw::indexer {

/// A line for stderr: what a person should know, though the run went on.
struct Notice {
  enum class Kind { Warning, Note };
  Kind kind = Kind::Note;
  std::string message;
  std::string hint;
};

struct RunReport {
  RunSummary summary;
  std::vector<Notice> notices;
  std::string root;                  ///< absolute
  std::string database;              ///< its folder
  std::vector<std::string> folders;  ///< of the tree (WalkResult)
  bool then_due = false;    ///< something changed since the command of --then last succeeded
  std::string explanation;  ///< with --explain: a line a file
  ExitCode code = ExitCode::Done;
};

/// Goes on with an index that `registry` knows only (trust.h), and keeps its record there.
Result<RunReport> run_kwindex(const KwindexOptions& options, IndexRegistry& registry);

}  // namespace kw::indexer
