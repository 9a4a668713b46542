// SPDX-License-Identifier: GPL-2.0-or-later
// Writes a table of Xapian's glass from entries in order of their keys, and the file that names the
// tables: each block is written once, from the first to the last, as Xapian's compaction lays them
// out. What Xapian wrote in the same order would be the same. glass_check.cc reads these blocks.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "schema/index/spool.h"

namespace kw {

/// Where a table begins, for the version file.
struct GlassRoot {
  std::uint32_t block = 0, level = 0, blocks = 0;
  std::uint64_t entries = 0;
};

/// Throws Xapian::DatabaseError where the file cannot be written.
class GlassTableWriter {
 public:
  explicit GlassTableWriter(const std::string& path) : out_(path) { begin_leaf(); }

  /// `key` comes after all keys before, and has 1 to 255 bytes.
  void add(std::string_view key, std::string_view tag, bool is_compressed = false);
  GlassRoot finish();

 private:
  static constexpr std::size_t kBlock = 8192;

  /// A block under way: entries fill it from its end, their directory from its start.
  struct Block {
    std::array<unsigned char, kBlock> bytes;
    std::size_t directory_end = 0, items_begin = kBlock;

    void clear();
    std::size_t space() const { return items_begin - directory_end; }
    /// Room for an item of `size`, which its directory then names.
    unsigned char* take(std::size_t size);
  };
  /// What leads to a block from the level above.
  struct Divider {
    std::string key;
    std::uint32_t component = 0;
  };
  struct Branch {
    Block block;
    Divider first;
  };

  void begin_leaf();
  void put(std::string_view key, std::uint32_t component, std::string_view part, unsigned flags);
  void end_leaf();
  void add_branch(std::size_t level, const Divider& divider, std::uint32_t child);
  static void put_branch(Block& block, const Divider& divider, std::uint32_t child);
  std::uint32_t write(Block& block, std::size_t level);

  SpoolWriter out_;
  Block leaf_;
  Divider first_of_leaf_;
  std::string last_key_;
  std::vector<Branch> branches_;  // from the level above the leaves on
  std::uint32_t blocks_ = 0;
  std::uint64_t entries_ = 0;
};

/// What the version file says of all documents.
struct GlassStatistics {
  std::uint32_t documents = 0;
  std::uint32_t shortest = 0;  ///< of those with a length
  std::uint32_t longest = 0, most_occurrences = 0;
  std::uint64_t total_length = 0;
};

/// The version file of a new database in `folder`, without positions, spellings and synonyms.
void write_glass_version(const std::string& folder, const GlassRoot& postings,
                         const GlassRoot& documents, const GlassRoot& term_lists,
                         const GlassStatistics& statistics);

}  // namespace kw
