// SPDX-License-Identifier: GPL-2.0-or-later
#include "searcher/engine/record_cache.h"

#include <algorithm>
#include <utility>

namespace kw::search {

void RecordCache::put(Xapian::docid id, Kept kept) {
  if (most_ == 0) return;
  const FileRecord& record = kept.record;
  const std::uint64_t bytes =
      sizeof(Entry) + record.text.size() + head_bytes(record) + rendering_bytes(record);
  if (bytes > most_) return;
  entries_.push_back({id, bytes, std::move(kept)});
  for (bytes_ += bytes; bytes_ > most_; entries_.pop_front()) bytes_ -= entries_.front().bytes;
}

std::optional<RecordCache::Kept> RecordCache::take(Xapian::docid id) {
  const auto entry = std::find_if(entries_.begin(), entries_.end(),
                                  [id](const Entry& known) { return known.id == id; });
  if (entry == entries_.end()) return std::nullopt;
  Kept kept = std::move(entry->kept);
  bytes_ -= entry->bytes;
  entries_.erase(entry);
  return kept;
}

}  // namespace kw::search
