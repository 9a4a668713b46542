// SPDX-License-Identifier: GPL-2.0-or-later
// The records of an index for threads that make pages. A Xapian database is used by one thread at a
// time: reading takes turns, and each thread decodes for itself, which takes most of the time. What
// is made of a text takes several times its size: of large texts, one is worked on at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>

#include "schema/base/fault_guard.h"
#include "schema/base/parallel.h"
#include "schema/index/index_reader.h"

namespace kw::exporter {

class Records {
 public:
  /// While it is used, nothing else may use `reader`'s database. `reader` must outlive it.
  explicit Records(IndexReader& reader) : reader_(reader) {}

  const IndexOptions& options() const { return reader_.info().options; }

  Result<FileRecord> read(std::uint32_t docid, RecordParts parts) {
    return reader_.codec().decode(KW_TRY(stored(docid)), parts);
  }

  /// All parts of a record, for its own page. Calls `wait` before it decodes a large one, and
  /// allows time for the text: call it once for each record.
  Result<FileRecord> read_in_turn(std::uint32_t docid, const std::function<void()>& wait) {
    const auto data = KW_TRY(stored(docid));
    if (is_large(data)) wait();
    auto record = KW_TRY(reader_.codec().decode(data, RecordParts::All));
    allow_time_for(record.text.size());
    return record;
  }

  /// Calls `use` with a record, which is gone afterwards; with a large one, in one thread at a
  /// time.
  Result<void> look_at(std::uint32_t docid, const std::function<void(const FileRecord&)>& use) {
    const auto data = KW_TRY(stored(docid));
    std::unique_lock turn(large_, std::defer_lock);
    if (is_large(data)) turn.lock();
    use(KW_TRY(reader_.codec().decode(data, RecordParts::All)));
    return {};
  }

 private:
  // All threads together have at most so much text of records that are not large.
  static constexpr std::uint64_t kMostText = 32 << 20;

  static bool is_large(const std::string& data) {
    static const std::uint64_t most = kMostText / core_count();
    return RecordCodec::decoded_size(data) > most;
  }

  Result<std::string> stored(std::uint32_t docid) {
    const std::lock_guard lock(mutex_);
    return reader_.record_data(docid);
  }

  IndexReader& reader_;
  std::mutex mutex_;  // guards the database
  std::mutex large_;  // is held while look_at() has a large record
};

}  // namespace kw::exporter
