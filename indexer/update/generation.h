// SPDX-License-Identifier: GPL-2.0-or-later
// A generation of the index while it is made, beside the live one. All of it lies in `gen-N.tmp`,
// which the next run removes if this one ends before publish().
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "schema/base/result.h"
#include "schema/index/database_dir.h"

namespace kw::indexer {

class NewGeneration {
 public:
  /// Makes `gen-N.tmp`, with a number above all that lie there. Call with the writer's lock held.
  /// Locked: beside the live generation an older one is still being read after `wait_seconds`, and
  /// there would be three on disk.
  static Result<NewGeneration> begin(const DatabaseFolder& folder, double wait_seconds);

  /// Where the finished database is to be put together.
  std::string database() const { return unfinished_ + "/merged"; }
  /// Where one of its parts is to be made.
  std::string batch(std::size_t number) const;

  /// Syncs the database, names it `gen-N`, makes it the live one, and removes all generations but
  /// it and the one before, which readers may still hold. Returns its size on disk in bytes.
  Result<std::uint64_t> publish() const;

  /// Removes what was made: a run that failed should not leave a full disk behind.
  void abandon() const;

 private:
  NewGeneration(const DatabaseFolder& folder, std::uint32_t number);

  DatabaseFolder folder_;
  std::uint32_t number_;
  std::string unfinished_;
};

}  // namespace kw::indexer
