// SPDX-License-Identifier: GPL-2.0-or-later
// Records that a program that stays has shown, for the next question: who asks about one thing asks
// again, and reading and decoding a record takes a third as long as looking through it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <list>
#include <optional>

#include "schema/base/xapian_api.h"
#include "schema/index/fields.h"
#include "schema/index/record.h"

namespace kw::search {

/// Of one opened state of an index. Records are lent out, not shared: what is taken is put back.
class RecordCache {
 public:
  struct Kept {
    FileRecord record;
    FileStat stamp;
  };

  /// `most`: bytes of all records; 0: none is kept.
  explicit RecordCache(std::uint64_t most = 0) : most_(most) {}

  bool keeps_any() const { return most_ > 0; }
  /// Those that were put longest ago leave where there is no more room.
  void put(Xapian::docid id, Kept kept);
  std::optional<Kept> take(Xapian::docid id);
  bool has(Xapian::docid id) const {
    return std::any_of(entries_.begin(), entries_.end(),
                       [id](const Entry& entry) { return entry.id == id; });
  }

 private:
  struct Entry {
    Xapian::docid id;
    std::uint64_t bytes;
    Kept kept;
  };

  std::uint64_t most_, bytes_ = 0;
  std::list<Entry> entries_;  // the longest kept first; those of a few pages of results
};

}  // namespace kw::search
