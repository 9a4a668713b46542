// SPDX-License-Identifier: GPL-2.0-or-later
// status.json beside the index: what the last run did and left out. Replaced by rename, no part of
// the index: losing it costs some hashing, never an answer.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "schema/base/result.h"
#include "schema/index/database_dir.h"
#include "schema/index/record.h"

namespace kw {

struct SkippedFile {
  std::string path;
  std::string reason;  ///< in the words of indexer/walk/skip_reason.h
  /// Of a file that was left out for what it holds: it need not be read again while this stays.
  std::optional<FileStat> stamp;

  bool operator==(const SkippedFile&) const = default;
};

struct RunStatus {
  std::int64_t started_ns = 0;  ///< since 1970
  std::int64_t finished_ns = 0;
  std::uint64_t files = 0;            ///< in the index
  std::uint64_t bytes = 0;            ///< their text
  std::uint64_t indexed = 0;          ///< records written
  std::uint64_t removed = 0;          ///< paths gone
  bool then_due = false;              ///< the index changed since --then last succeeded
  std::uint64_t compacted_bytes = 0;  ///< of the live generation on disk, when it was made
  /// How many of the skipped files could have been found by their text, by reason.
  std::map<std::string, std::uint64_t> unsearched;
  std::vector<SkippedFile> skipped;
  /// Files of the index that lack definitions because ctags failed on them (FileStat::loss).
  std::vector<std::string> symbols_lost;
  /// Ignore files of which not all rules were taken: files that these exclude are indexed.
  std::vector<std::string> cut_ignore_files;
  /// Files of the index of which a limit left out definitions, headings or the rendering.
  std::vector<std::string> truncated;
  /// The ctags and the machine on which it last failed (indexer/extract/symbols.h).
  std::string symbol_source;
  /// Racy files that a later run read and found as recorded, and when that run started: they need
  /// not be read again (FileStat::seen_ns).
  std::map<std::string, std::int64_t> clean;

  bool operator==(const RunStatus&) const = default;
};

/// Paths that are not UTF-8 are kept too.
std::string to_json(const RunStatus& status);
Result<RunStatus> parse_status(std::string_view text);

/// An absent or damaged file reads as an empty status.
RunStatus read_status(const DatabaseFolder& folder);

/// RunStatus::unsearched alone, which costs a search next to nothing however long the lists are.
std::map<std::string, std::uint64_t> read_unsearched(const DatabaseFolder& folder);

/// Lists that are too long for a file of kMaxStatusBytes are cut; counts are not.
Result<void> write_status(const DatabaseFolder& folder, const RunStatus& status);

}  // namespace kw
