// SPDX-License-Identifier: GPL-2.0-or-later
// The records of an index for threads that make pages. A Xapian database is used by one thread at a
// time: reading takes turns, and each thread decodes for itself, which takes most of the time. A
// page takes several times its text: of large ones, one is made at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>

#include "schema/base/fault_guard.h"
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
  /// allows time for the text: once for each page, where read() is called for each link to another.
  Result<FileRecord> read_in_turn(std::uint32_t docid, const std::function<void()>& wait) {
    const auto data = KW_TRY(stored(docid));
    if (RecordCodec::decoded_size(data) > kLargeRecord) wait();
    auto record = KW_TRY(reader_.codec().decode(data, RecordParts::All));
    allow_time_for(record.text.size());
    return record;
  }

 private:
  static constexpr std::uint64_t kLargeRecord = 4 << 20;

  Result<std::string> stored(std::uint32_t docid) {
    const std::lock_guard lock(mutex_);
    return reader_.record_data(docid);
  }

  IndexReader& reader_;
  std::mutex mutex_;
};

}  // namespace kw::exporter
