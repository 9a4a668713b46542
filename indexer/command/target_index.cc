// SPDX-License-Identifier: GPL-2.0-or-later
#include "indexer/command/target_index.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "indexer/command/trust.h"
#include "schema/base/fault_guard.h"
#include "schema/index/glass_check.h"

namespace kw::indexer {

const std::string& TargetIndex::id() {
  if (id_.empty()) id_ = record_ ? record_->id : make_index_id();
  return id_;
}

Result<void> TargetIndex::find() {
  limit_time(0);
  stored_ = KW_TRY(open_stored(folder_, options_.rebuild));
  record_ = KW_TRY(recognize_index(options_, folder_, created_, registry_, stored_));
  return {};
}

Result<void> TargetIndex::lock() {
  auto created = folder_.create(options_.shared);
  if (!created) {
    Error error = created.error();
    if (error.hint.empty()) error.hint = "name another place with: --db FOLDER";
    return error;
  }
  lock_ = KW_TRY(WriterLock::acquire(folder_, options_.wait_seconds));
  created_ = *created;
  std::vector<std::uint32_t> keep;
  auto live = folder_.live_generation();
  if (live) keep.push_back(*live);
  if (live || live.error().code == ErrorCode::NotFound) folder_.remove_leftovers(keep);
  return {};
}

Result<void> TargetIndex::keep_record(const std::string& root, const std::string& named_root,
                                      const Partition& partition, const IndexOptions& options) {
  const auto directory = directory_identity(folder_.path());
  if (!directory) return {};
  IndexRecord record{id(),    folder_.path(), *directory, root, to_string(partition),
                     options, named_root};
  if (record_ == record) return {};
  auto kept = registry_.keep(record);
  record_ = std::move(record);
  if (kept || options_.trust) return {};
  return kept.error();
}

void TargetIndex::limit_time(std::size_t files) const {
  constexpr std::size_t kSecondsAFile = 2;
  limit_work(seconds_to_read(folder_.live_bytes()) + static_cast<unsigned>(kSecondsAFile * files),
             0);
}

}  // namespace kw::indexer
