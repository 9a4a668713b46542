// SPDX-License-Identifier: GPL-2.0-or-later
// What became of each planned file, and what a build and an update need and give back alike.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "indexer/extract/entry_maker.h"
#include "indexer/update/change_set.h"
#include "schema/cli/program.h"
#include "schema/index/database_dir.h"
#include "schema/index/index_writer.h"

namespace kw::indexer {

enum class OutcomeKind : std::uint8_t {
  Kept,         ///< in the index, not read
  Indexed,      ///< written: new or other content, or all is rebuilt
  SameContent,  ///< in the index; read, and found as it was
  LeftOut,      ///< not in the index, for a reason of its own
  Gone          ///< not in the index, because not in the tree
};

/// Memory holds one for each file of the tree, as of FileChange.
struct FileOutcome {
  std::uint64_t size = 0;           ///< of the file in the index, in bytes
  std::unique_ptr<FileStat> stamp;  ///< of SameContent and LeftOut, if it was read
  OutcomeKind kind = OutcomeKind::Kept;
  SymbolLoss loss = SymbolLoss::None;  ///< of the file in the index
  std::optional<SkipReason> skip;      ///< of LeftOut
};

/// The outcomes that hold if no file is read, one for each file of the plan. Reading replaces those
/// of files that must be read.
std::vector<FileOutcome> initial_outcomes(const ChangeSet& plan);

/// Without the entry itself.
FileOutcome outcome_of(const Made& made);

/// What a run works with.
struct IndexWork {
  const DatabaseFolder& folder;
  const EntrySettings& settings;
  IndexInfo info;  ///< as the index is to have it; the ctags version is set by the work
  unsigned jobs;
  double wait_seconds;                  ///< for readers of older generations
  std::function<void()> before_commit;  ///< called when all is ready to become the live index
  cli::ProgressBar& progress;
};

struct WorkDone {
  std::vector<FileOutcome> outcomes;  ///< one for each file of the plan
  std::uint64_t symbols_lost = 0;     ///< files whose definitions ctags failed to give
  std::uint64_t symbols_missing = 0;  ///< files for which it could not be started
  std::uint64_t compacted_bytes = 0;  ///< of a new generation; 0: the live one is that of before
  /// The index is right, only larger than it need be: it could not be compacted, or there is no
  /// dictionary for its records.
  std::optional<Error> compaction_failed, training_failed;
};

}  // namespace kw::indexer
