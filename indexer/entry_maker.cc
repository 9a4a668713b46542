// SPDX-License-Identifier: GPL-2.0-or-later
#include "indexer/entry_maker.h"

#include <utility>

namespace kw {

EntryMaker::EntryMaker(const EntrySettings& settings, FileReader reader)
    : settings_(&settings), reader_(std::move(reader)) {}

Result<EntryMaker> EntryMaker::create(const EntrySettings& settings) {
  auto reader =
      FileReader::open(settings.root, settings.options.follow, settings.options.max_file_size);
  if (!reader) return reader.error();
  return EntryMaker(settings, *std::move(reader));
}

Extractor& EntryMaker::extractor() {
  if (!extractor_) {
    if (!settings_->ctags_version.empty())
      if (auto started = SymbolExtractor::start())
        symbols_ = std::make_unique<SymbolExtractor>(*std::move(started));
    extractor_ = std::make_unique<Extractor>(settings_->options, symbols_.get());
  }
  return *extractor_;
}

Made EntryMaker::make(const std::string& path, const std::optional<ContentHash>& known) {
  auto read = reader_.read(path);
  if (const auto* reason = std::get_if<SkipReason>(&read)) return LeftOut{*reason, {}};
  if (std::holds_alternative<Vanished>(read)) return Vanished{};
  auto& [bytes, stamp] = std::get<FileBytes>(read);
  stamp.seen_ns = settings_->seen_ns;
  if (known && hash_content(bytes) == *known) return SameContent{stamp};
  auto extracted = extractor().extract(path, bytes);
  if (const auto* reason = std::get_if<SkipReason>(&extracted)) return LeftOut{*reason, stamp};
  IndexEntry& entry = std::get<IndexEntry>(extracted);
  entry.stamp = stamp;
  if (!settings_->ctags_version.empty() && !symbols_) ++symbols_missing_;
  return std::move(entry);
}

}  // namespace kw
