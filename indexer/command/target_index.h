// SPDX-License-Identifier: GPL-2.0-or-later
// The index that a run works on: its folder, the lock on it, what is stored there, and the user's
// record of it. What each of them is: target.h, trust.h.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "indexer/command/index_registry.h"
#include "indexer/command/options.h"
#include "indexer/command/target.h"
#include "schema/base/result.h"
#include "schema/index/database_dir.h"

namespace kw::indexer {

/// `options` and `registry` must outlive it.
class TargetIndex {
 public:
  TargetIndex(const KwindexOptions& options, IndexRegistry& registry, DatabaseFolder folder)
      : options_(options), registry_(registry), folder_(std::move(folder)) {}

  const DatabaseFolder& folder() const { return folder_; }
  /// Of the last find().
  StoredIndex& stored() { return stored_; }
  const StoredIndex& stored() const { return stored_; }
  bool holds_files() const { return stored_.frozen && stored_.frozen->files > 0; }
  /// Whether the user is known to have made it (trust.h).
  bool has_record() const { return record_.has_value(); }
  /// Of the record: ROOT, where it was a path through a link.
  std::string named_root() const { return record_ ? record_->named_root : std::string(); }
  /// Of the record; a new one where there is none.
  const std::string& id();

  /// Reads what the folder holds; changes nothing.
  Result<void> find();

  /// Makes the folder and takes the lock. Removes what a run left that was killed, and the
  /// generation that was kept for readers of before.
  Result<void> lock();

  /// Keeps the user's record of the index, of which `root` is as it is stored, and was given as
  /// `named_root` through a link. Fails where it cannot be kept and the next run needs it.
  Result<void> keep_record(const std::string& root, const std::string& named_root,
                           const Partition& partition, const IndexOptions& options);

  /// As much time as reading the index may take, and some more for each of `files` that is read.
  /// Memory goes by the tree, not by the index.
  void limit_time(std::size_t files) const;

 private:
  const KwindexOptions& options_;
  IndexRegistry& registry_;
  const DatabaseFolder folder_;
  std::optional<WriterLock> lock_;
  bool created_ = false;  ///< the folder, by this run
  StoredIndex stored_;
  std::optional<IndexRecord> record_;  ///< of the index that is there, or was just written
  std::string id_;
};

}  // namespace kw::indexer
