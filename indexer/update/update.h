// SPDX-License-Identifier: GPL-2.0-or-later
// Few files: the live generation is changed in one transaction, so a reader sees all of a run or
// nothing. For many files, or where everything must be read: build.h.
#pragma once

#include <optional>
#include <vector>

#include "indexer/update/change_set.h"
#include "indexer/update/outcome.h"
#include "schema/base/result.h"
#include "schema/index/index_reader.h"

namespace kw::indexer {

/// Brings the index up to date with the plan, which was made of it. Where there is nothing to
/// change, the database is not opened for writing. A generation that updates have swollen past 1.5
/// times `compacted_bytes` (0: not known) is compacted into a new one.
Result<WorkDone> update_index(const IndexWork& work, const ChangeSet& plan, IndexReader& index,
                              std::uint64_t compacted_bytes);

/// What update_index would find, and with `all_files`, what a rebuild would: reads and changes
/// nothing. `index` may be nullptr with `all_files`.
Result<WorkDone> try_update(const IndexWork& work, const ChangeSet& plan, IndexReader* index,
                            bool all_files);

/// The content that the index has of each planned file; nothing for those that only the tree or
/// only the index has.
Result<std::vector<std::optional<ContentHash>>> known_contents(const ChangeSet& plan,
                                                               IndexReader& index);

}  // namespace kw::indexer
