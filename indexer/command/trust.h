// SPDX-License-Identifier: GPL-2.0-or-later
// Whether kwindex may go on with an index that it found: docs/trust.md. Decides; changes nothing.
#pragma once

#include <optional>
#include <string>

#include "indexer/command/index_registry.h"
#include "indexer/command/options.h"
#include "indexer/command/target.h"
#include "schema/base/result.h"
#include "schema/index/database_dir.h"

namespace kw::indexer {

/// Compares what lies in a database folder with the user's record, and puts into `stored` what
/// counts of it: root, part and options of the record; with --trust those that the index stores;
/// else none of them, and no reader, so that the index is rebuilt, with the reason and what to do
/// about it. Returns the record; nothing for an index that is new or to be rebuilt.
///
/// `created`: this run made the folder, so that it is the user's whoever owns it by what the file
/// system says. Refused: the folder is another user's, or the index has no record and no ROOT was
/// named.
Result<std::optional<IndexRecord>> recognize_index(const KwindexOptions& options,
                                                   const DatabaseFolder& folder, bool created,
                                                   const IndexRegistry& registry,
                                                   StoredIndex& stored);

/// The options of `stored` that are neither the usual ones nor those of `used`, as words of a
/// command line: `--hidden --exclude 'old/**'`. Safe to print and to paste into a shell.
std::string words_of_options(const IndexOptions& stored, const IndexOptions& used);

}  // namespace kw::indexer
