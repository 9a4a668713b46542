// SPDX-License-Identifier: GPL-2.0-or-later
#include "indexer/extract/entry_maker.h"

#include <utility>

namespace kw::indexer {

EntryMaker::EntryMaker(const EntrySettings& settings, FileReader reader)
    : settings_(&settings), reader_(std::move(reader)) {}

Result<EntryMaker> EntryMaker::create(const EntrySettings& settings) {
  auto reader = KW_TRY(
      FileReader::open(settings.root, settings.options.follow, settings.options.max_file_size));
  return EntryMaker(settings, std::move(reader));
}

Extractor& EntryMaker::extractor() {
  if (!extractor_) {
    if (has_ctags())
      if (auto started = SymbolExtractor::start())
        symbols_ = std::make_unique<SymbolExtractor>(*std::move(started));
    extractor_ = std::make_unique<Extractor>(settings_->options, symbols_.get());
  }
  return *extractor_;
}

Made EntryMaker::make(const std::string& path, const std::optional<ContentHash>& known,
                      SymbolLoss before) {
  auto read = reader_.read(path);
  if (const auto* reason = std::get_if<SkipReason>(&read)) return LeftOut{*reason, {}};
  if (std::holds_alternative<Vanished>(read)) return Vanished{};
  auto& [bytes, stamp] = std::get<FileBytes>(read);
  stamp.seen_ns = settings_->seen_ns;
  const bool same = known && hash_content(bytes) == *known;
  if (same && (before != SymbolLoss::Once || !has_ctags())) {
    stamp.loss = before;
    return SameContent{stamp};
  }
  const std::uint64_t lost = extractor().symbols_lost(), truncated = extractor().truncated();
  auto extracted = extractor().extract(path, bytes);
  if (const auto* reason = std::get_if<SkipReason>(&extracted)) return LeftOut{*reason, stamp};
  IndexEntry& entry = std::get<IndexEntry>(extracted);
  if (has_ctags() && !symbols_) {
    ++symbols_missing_;
    stamp.loss = SymbolLoss::Once;
  } else if (extractor().symbols_lost() > lost) {
    stamp.loss = same ? SymbolLoss::Twice : SymbolLoss::Once;
  } else if (extractor().truncated() > truncated) {
    stamp.loss = SymbolLoss::Limit;
  }
  if (same && is_ctags_failure(stamp.loss)) return SameContent{stamp};
  entry.stamp = stamp;
  return std::move(entry);
}

}  // namespace kw::indexer
