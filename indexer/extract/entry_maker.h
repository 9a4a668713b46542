// SPDX-License-Identifier: GPL-2.0-or-later
// A file of the tree -> its index entry: reads, hashes, extracts, with a ctags child of its own.
// What each worker thread of a build or an update has one of.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "indexer/extract/extract.h"
#include "indexer/extract/symbols.h"
#include "indexer/walk/file_reader.h"
#include "schema/base/result.h"
#include "schema/index/index_options.h"
#include "schema/index/record.h"

namespace kw::indexer {

/// What all workers of a run share.
struct EntrySettings {
  std::string root;  ///< absolute
  IndexOptions options;
  std::int64_t seen_ns = 0;   ///< start of the run, for the stamps
  std::string ctags_version;  ///< empty: there is none, or none is wanted
};

/// The file holds what the index has of it; its stat data may differ.
struct SameContent {
  FileStat stamp;
};

/// Left out for what the file is or holds; with the stat data where it was read.
struct LeftOut {
  SkipReason reason;
  std::optional<FileStat> stamp;
};

using Made = std::variant<IndexEntry, SameContent, LeftOut, Vanished>;

/// One thread: it starts its ctags when it first makes an entry, and the ctags ends with the
/// thread.
class EntryMaker {
 public:
  /// `settings` must outlive it.
  static Result<EntryMaker> create(const EntrySettings& settings);

  /// `known`: the content that the index has; a file of that content is not extracted, unless ctags
  /// failed on it `before`, once. The stamp says whether it failed now.
  Made make(const std::string& path, const std::optional<ContentHash>& known,
            SymbolLoss before = SymbolLoss::None);

  /// Files whose definitions were lost because ctags failed on them.
  std::uint64_t symbols_lost() const { return extractor_ ? extractor_->symbols_lost() : 0; }
  /// Files that were made without definitions because ctags, which was there, did not start again.
  std::uint64_t symbols_missing() const { return symbols_missing_; }

 private:
  EntryMaker(const EntrySettings& settings, FileReader reader);
  Extractor& extractor();
  bool has_ctags() const { return !settings_->ctags_version.empty(); }

  const EntrySettings* settings_;
  FileReader reader_;
  std::unique_ptr<SymbolExtractor> symbols_;
  std::unique_ptr<Extractor> extractor_;
  std::uint64_t symbols_missing_ = 0;
};

}  // namespace kw::indexer
