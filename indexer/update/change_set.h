// SPDX-License-Identifier: GPL-2.0-or-later
// What a run has to do: the index's files against the tree's files -> one line a path. Pure: no
// disk, no clock, so "what changed?" is tested without either. The plan says which files must be
// read; whether a read file has other content is seen by its hash (entry_maker.h).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "indexer/walk/skip_reason.h"
#include "indexer/walk/walker.h"
#include "schema/index/index_reader.h"
#include "schema/index/status.h"

namespace kw::indexer {

enum class ChangeKind : std::uint8_t {
  New,      ///< not in the index: read it
  Changed,  ///< other stat data: read it
  Racy,     ///< the same stat data, which may hide a change: read it
  Retry,    ///< the same, but ctags failed on it and may not this time: read it and ask again
  Same,     ///< as the index has it
  Skipped,  ///< left out for its own sake
  Gone      ///< in the index, and not among the tree's files any more
};

/// Memory holds one for each file of the tree: so it has whole stat data only where more than the
/// size is needed.
struct FileChange {
  std::string path;
  std::uint64_t size = 0;            ///< bytes, of the file in the tree, else in the index, else 0
  std::unique_ptr<FileStat> found;   ///< in the tree; of Changed, and of Skipped for its content
  std::unique_ptr<FileStat> stored;  ///< in the index; of Changed, Racy and Retry
  std::uint32_t docid = 0;           ///< 0: not in the index
  ChangeKind kind = ChangeKind::Same;
  SymbolLoss loss = SymbolLoss::None;  ///< in the index
  std::optional<SkipReason> skip;      ///< of Skipped; of Gone, where its folder could not be read

  bool must_be_read() const {
    return kind == ChangeKind::New || kind == ChangeKind::Changed || kind == ChangeKind::Racy ||
           kind == ChangeKind::Retry;
  }
};

/// Every path of the index and of the tree, in order of path.
using ChangeSet = std::vector<FileChange>;

/// How long after a change the system may still give out the same time: ticks of the kernel's clock
/// are 1 to 10 ms; 20 leave room. A time without a fraction comes from a file system that keeps
/// whole seconds, or pairs of them (FAT): 2 s.
std::int64_t time_granularity_ns(std::int64_t time_ns);

/// True if a file with this stamp may have changed after it was read without a trace in its stat
/// data: it was read (`seen_ns`) within the clock's grain of its own mtime or ctime. A time far in
/// the future says nothing: no change can have been given it yet.
bool is_racy(const FileStat& stamp, std::int64_t now_ns);

/// `stored` and the lists of `tree` are in order of path. `last` is the run before: files that it
/// verified (RunStatus::clean), and files that it skipped for their content and that are not read
/// again while their stat data stays. `now_ns`: when this run started. `other_source`: ctags or the
/// machine is another than when ctags failed on a file twice.
ChangeSet build_change_set(std::vector<StoredFile> stored, WalkResult tree, const RunStatus& last,
                           std::int64_t now_ns, bool other_source = false);

/// "size 10 -> 20", "its stat data is the same", for --explain. Empty where the kind says all.
std::string reason_text(const FileChange& file);

}  // namespace kw::indexer
