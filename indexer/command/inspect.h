// SPDX-License-Identifier: GPL-2.0-or-later
// What an index says of itself: --status and --skipped. Reads the frozen keys and status.json, of
// an index of any schema; needs no lock and changes nothing. Whether it is whole: check.h.
#pragma once

#include <string>

#include "indexer/command/options.h"
#include "schema/base/result.h"

namespace kw::indexer {

/// What --status prints, for people or with --json as one object:
///
///   root, database    absolute paths
///   generation        the number of the live one
///   schema            its version; current: whether this program reads it
///   shard, options    as stored
///   files             in the index
///   bytes             their text, null if the last run is not known
///   disk_bytes        of the whole database folder
///   last_run          null, or {started, finished (UTC), seconds, indexed, removed}
///   skipped           {reason: count}
///   without_definitions  how many files of the index ctags failed on
///   cut_ignore_files  how many ignore files have more rules than are taken
///   ctags_failed      [{path}] of the files on which ctags failed
///   truncated         [{path}] of those of which a limit left out definitions, headings or the
///                     rendering; with path_bytes where a path is not UTF-8
///   locked_by         id of the process that writes just now, or null
Result<std::string> describe_index(const KwindexOptions& options);

/// What --skipped prints: "reason  path" a line, or with --json {"skipped": [{"path", "reason"}],
/// "without_definitions": [{"path"}], "cut_ignore_files": [{"path"}], "truncated": [{"path"}]},
/// with `path_bytes` (base64) where the path is not UTF-8. Files on which ctags failed ("no
/// symbols") and files that a limit cut ("truncated") are in the index; of an ignore file ("cut
/// rules") the first rules are obeyed. NotFound if the last run is not known.
Result<std::string> list_skipped(const KwindexOptions& options);

}  // namespace kw::indexer
