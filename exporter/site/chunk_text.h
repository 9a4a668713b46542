// SPDX-License-Identifier: GPL-2.0-or-later
// What the shards of the site's search are written with: numbers and strings as the script reads
// them, the rule by which shards are cut, and a place for finished shards until they are written
// out. What is in the chunks: docs/site-search.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "exporter/model/spill_file.h"
#include "schema/base/result.h"

namespace kw::exporter::site {

inline constexpr std::uint64_t kNumberBase = 45;

/// Appends a number: digits of base kNumberBase, the least first, each one printable ASCII
/// character that needs no escape in a string of JavaScript. Characters of the upper half say that
/// more follow.
void put_number(std::string& out, std::uint64_t number);

/// The same for a number that may be below zero: 0, -1, 1, -2 ...
void put_signed(std::string& out, std::int64_t number);

/// Binary digits of a length that all searches read. Those behind are chunks of their own, which
/// only names need.
inline constexpr int kRoundDigits = 6;
inline constexpr unsigned kRoundHalf = 1U << (kRoundDigits - 1);

/// A string of JavaScript (and JSON) with its quotes, for a script that is a file of its own. What
/// is not UTF-8 becomes U+FFFD.
std::string js_string(std::string_view text);

/// The name of a chunk: a hash of its data in small letters and digits, so that a name never stands
/// for other bytes than it did, whatever has been deployed since. Kept short, for the head of the
/// search holds thousands: two that differ have one name once in 10^12.
inline constexpr std::size_t kChunkNameLength = 8;
std::string chunk_name(std::string_view data);

/// Behind each path of a chunk of paths but the last.
inline constexpr std::string_view kPathEnd = "//";

/// A shard as a script: kwShard("name", data), behind the mark that kwexport's files carry.
std::string chunk_script(std::string_view name, std::string_view data);

/// Says where shards end: not at a number of bytes, which would move every later cut when one file
/// changes, but at names that are so chosen by their hash, between two bounds.
class ChunkCutter {
 public:
  ChunkCutter(std::size_t least, std::size_t most) : least_(least), most_(most) {}

  /// Whether a new shard begins with the entry `name` of `size` bytes.
  bool begins(std::string_view name, std::size_t size);

 private:
  std::size_t least_, most_;
  std::size_t bytes_ = 0;  ///< of the shard under way
};

/// Finished shards in a file without a name, in the order they came: as many as a tree needs, in
/// little memory.
class ChunkSpool {
 public:
  static Result<ChunkSpool> create();

  Result<void> add(std::string name, std::string_view bytes);

  /// Once all are there, before the first is read.
  Result<void> end() { return file_.flush(); }

  std::size_t size() const { return shards_.size(); }
  const std::string& name(std::size_t i) const { return shards_[i].name; }
  Result<std::string> read(std::size_t i) const;

 private:
  struct Partition {
    std::string name;
    std::uint64_t begin, size;
  };
  SpillFile file_;
  std::vector<Partition> shards_;
};

}  // namespace kw::exporter::site
