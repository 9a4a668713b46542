// SPDX-License-Identifier: GPL-2.0-or-later
// The records of an index for threads that make pages. A Xapian database is used by one thread at a
// time: reading takes turns, and each thread decodes for itself, which takes most of the time.
#pragma once

#include <cstdint>
#include <mutex>

#include "schema/index/index_reader.h"

namespace kw::exporter {

class Records {
 public:
  /// While it is used, nothing else may use `reader`'s database. `reader` must outlive it.
  explicit Records(IndexReader& reader) : reader_(reader) {}

  const IndexOptions& options() const { return reader_.info().options; }

  Result<FileRecord> read(std::uint32_t docid, RecordParts parts) {
    const auto data = KW_TRY(stored(docid));
    return reader_.codec().decode(data, parts);
  }

 private:
  Result<std::string> stored(std::uint32_t docid) {
    const std::lock_guard lock(mutex_);
    return reader_.record_data(docid);
  }

  IndexReader& reader_;
  std::mutex mutex_;
};

}  // namespace kw::exporter
