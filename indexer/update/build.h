// SPDX-License-Identifier: GPL-2.0-or-later
// Many files: a new generation from scratch, in parallel. For few: update.h.
//
// The sorted list of files is cut into batches, each is prepared by one thread, and the database is
// made of them in order: documents are numbered by path whatever the number of threads.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "indexer/update/change_set.h"
#include "indexer/update/outcome.h"
#include "schema/base/result.h"

namespace kw::indexer {

/// Half-open ranges of `sizes`, in order, that are a batch each: cut by bytes and by number; a huge
/// file is a batch of its own.
std::vector<std::pair<std::size_t, std::size_t>> cut_batches(
    const std::vector<std::uint64_t>& sizes, std::uint64_t max_bytes, std::size_t max_files);

/// The numbers from 0 on, those that are marked evenly spread among the rest; both in order.
std::vector<std::size_t> spread_evenly(const std::vector<bool>& marked);

/// Builds of all planned files that are in the tree and not skipped, whatever their kind, and makes
/// the result the live generation. `known`: for each planned file what the index had of it, or
/// empty: a file with that content counts as SameContent. The live generation is not touched
/// before the end.
Result<WorkDone> build_index(const IndexWork& work, const ChangeSet& plan,
                             const std::vector<std::optional<ContentHash>>& known);

}  // namespace kw::indexer
