// SPDX-License-Identifier: GPL-2.0-or-later
// Which database a run writes, of which folder, and what is in it already. Only looks; changes
// nothing.
#pragma once

#include <optional>
#include <string>

#include "indexer/command/options.h"
#include "schema/base/result.h"
#include "schema/index/database_dir.h"
#include "schema/index/index_reader.h"

namespace kw::indexer {

/// The database folder: --db, or `.kwsearch` in ROOT, or the nearest above `current`. It need not
/// exist yet. Refused: it is a folder with other content, or its stub names something outside.
Result<DatabaseFolder> find_database(const KwindexOptions& options, const std::string& current);

/// What a database folder holds.
struct StoredIndex {
  /// Of this schema: it can be updated. Nothing: it must be built, `rebuild_reason` says why.
  std::optional<IndexReader> reader;
  /// Of any schema: nothing if there is none, or a damaged one that is to be rebuilt.
  std::optional<FrozenInfo> frozen;
  std::string rebuild_reason;
  std::string rebuild_hint = {};  ///< what the user can do about it, or empty
};

/// An older schema is a reason to rebuild; a newer one and a damaged index are errors unless
/// `rebuild`: then a damaged one counts as none, whatever it does to its reader.
Result<StoredIndex> open_stored(const DatabaseFolder& folder, bool rebuild);

/// ROOT as it is spelled, absolute; empty where it is not given, or leads through no link.
std::string named_root(const KwindexOptions& options, const std::string& current);

/// The folder to index, absolute and without links: ROOT or the one stored. Refused: the index is
/// of another, and ROOT is not `named_before`, a link that leads elsewhere now. Whether it is there
/// is not checked.
Result<std::string> find_root(const KwindexOptions& options, const DatabaseFolder& folder,
                              const StoredIndex& stored, const std::string& named_before,
                              const std::string& current);

/// Meta::Root for a root: relative where it holds the database, so that both may move.
std::string root_to_store(const std::string& root, const DatabaseFolder& folder);

/// The part to index: --shard or the one stored. Refused: the index is of another.
Result<Partition> find_partition(const KwindexOptions& options, const DatabaseFolder& folder,
                                 const StoredIndex& stored);

}  // namespace kw::indexer
