// SPDX-License-Identifier: GPL-2.0-or-later
// One file's bytes -> one index entry: text as UTF-8, language, sections, definitions, terms. No
// Xapian database, no disk.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "indexer/extract/symbols.h"
#include "indexer/walk/skip_reason.h"
#include "schema/index/index_options.h"
#include "schema/index/index_writer.h"

namespace kw::indexer {

/// Definitions are taken from texts up to this size (2 MiB); a larger one is hardly written by
/// people.
inline constexpr std::size_t kMaxSymbolBytes = 2u << 20;

/// Either an entry (all of it but `stamp`) or why there is none.
using Extracted = std::variant<IndexEntry, SkipReason>;

/// Holds caches and a stemmer: one thread at a time, and best used for many files.
class Extractor {
 public:
  /// `symbols` may be nullptr: no definitions then. Not owned; must outlive this.
  Extractor(const IndexOptions& options, SymbolExtractor* symbols);
  ~Extractor();

  /// Any bytes are legal; gives SkipReason::Binary or ::Generated for what is not to be indexed.
  /// The same path and bytes give the same entry.
  Extracted extract(const std::string& path, std::string_view bytes);

  /// The entry that extract() made, anew from what a record keeps of it: path, text, size, hash and
  /// definitions. For comparing; only on an extractor without symbols.
  IndexEntry derive(FileRecord kept);

  /// Files whose definitions were lost because ctags failed on them, since this was made.
  std::uint64_t symbols_lost() const;
  /// Files of which a limit left out definitions, headings or the rendering: kMaxSymbolBytes,
  /// kMaxHeadBytes, those of declarations.h and markdown.h.
  std::uint64_t truncated() const;

 private:
  struct Impl;
  void complete(IndexEntry& entry);
  std::unique_ptr<Impl> impl_;
};

/// Bytes of a file as UTF-8 text: a byte-order mark taken off, UTF-16 (with a mark) transcoded, and
/// Latin-1 where the bytes are not UTF-8. Nothing if they hold a zero byte and are no UTF-16:
/// binary.
std::optional<std::string> decode_text(std::string_view bytes);

}  // namespace kw::indexer
