// SPDX-License-Identifier: GPL-2.0-or-later
#include "schema/index/glass_check.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>
#include <vector>

#include "schema/base/descriptor.h"
#include "schema/index/glass_block.h"
#include "schema/index/glass_terms.h"
#include "schema/index/glass_unpacker.h"
#include "schema/text/text.h"

namespace kw {
namespace {

// Names and values of Xapian's backends/glass: glass_version.cc, glass_table.h, glass_freelist.cc.
constexpr std::string_view kMagic("\x0f\x0dXapian Glass", 14);
constexpr std::array<const char*, 6> kTables{"postlist", "docdata",  "termlist",
                                             "position", "spelling", "synonym"};
constexpr std::size_t kTermLists = 2;
constexpr std::size_t kMaxVersionFile = 256;  // Xapian reads no more
constexpr std::size_t kUuidBytes = 16;
constexpr unsigned kMaxLevel = 9;  // Xapian has an array of ten
constexpr std::uint32_t kMinBlock = 2048, kMaxBlock = 65536;
constexpr unsigned kFreeListLevel = 254, kFreeListStart = 8;
constexpr std::uint32_t kUnusedBlock = 0xffffffff;
// Blocks that were taken and given back before they were written lie behind the end of the file.
constexpr std::uint64_t kUnwritten = 4096;

using Fault = std::optional<std::string>;

struct FreeListEnd {
  std::uint32_t block = 0;
  std::uint32_t offset = 0;
  bool operator==(const FreeListEnd&) const = default;
};

struct TableRoot {
  std::uint32_t root = 0;
  std::uint32_t level = 0;
  bool fake = false;  // the table is empty
  bool sequential = false;
  std::uint64_t entries = 0;
  std::uint32_t block_size = 0;
  bool has_free_list = false;
  std::uint32_t first_unused = 0;
  FreeListEnd free, free_end;
};

struct Version {
  std::uint32_t revision = 0;
  std::array<TableRoot, kTables.size()> tables;
  std::uint64_t documents = 0;
};

Fault read_free_list(std::string_view bytes, TableRoot& table) {
  if (bytes.empty()) return {};
  GlassUnpacker in(bytes);
  table.has_free_list = true;
  in.number(32);  // its revision
  table.first_unused = static_cast<std::uint32_t>(in.number(32));
  for (FreeListEnd* const end : {&table.free, &table.free_end}) {
    end->block = static_cast<std::uint32_t>(in.number(32));
    const std::uint64_t quarter = in.number(32);
    if (quarter > kMaxBlock / 4) return "its free list has an offset outside of a block";
    end->offset = static_cast<std::uint32_t>(quarter * 4);
  }
  if (!in.ok || !in.at_end()) return "its free list does not decode";
  for (const FreeListEnd& end : {table.free, table.free_end})
    if (end.offset != 0 && (end.offset < kFreeListStart || end.offset > table.block_size - 4 ||
                            end.block >= table.first_unused))
      return "its free list points outside of it";
  if ((table.free.offset == 0) != (table.free_end.offset == 0)) return "its free list has one end";
  return {};
}

Fault read_root(GlassUnpacker& in, TableRoot& table) {
  table.root = static_cast<std::uint32_t>(in.number(32));
  const std::uint64_t level_and_flags = in.number(32);
  table.level = static_cast<std::uint32_t>(level_and_flags >> 2);
  table.sequential = (level_and_flags & 2) != 0;
  table.fake = (level_and_flags & 1) != 0;
  table.entries = in.number(64);
  const std::uint64_t blocks_of_2k = in.number(32);
  in.number(32);  // from which size on tags are compressed
  const std::string_view free_list = in.string();
  if (!in.ok) return "the version file does not decode";
  if (table.level > kMaxLevel || (table.fake && table.level > 0))
    return fmt::format("it has {} levels", table.level + 1ull);
  if (blocks_of_2k < 1 || blocks_of_2k > kMaxBlock / kMinBlock ||
      !std::has_single_bit(blocks_of_2k))
    return "its blocks have an impossible size";
  table.block_size = static_cast<std::uint32_t>(blocks_of_2k) * kMinBlock;
  return read_free_list(free_list, table);
}

/// The version file; `other_format`: of another Xapian, which Xapian itself says best.
Fault parse_version(std::string_view bytes, Version& version, bool& other_format) {
  if (!bytes.starts_with(kMagic)) return "the version file is none";
  constexpr std::string_view kFormat("\x04\x6e", 2);  // 2016-03-14
  other_format = bytes.substr(kMagic.size(), kFormat.size()) != kFormat;
  if (other_format) return {};
  const std::size_t head = kMagic.size() + kFormat.size() + kUuidBytes;
  if (bytes.size() < head) return "the version file is too short";
  GlassUnpacker in(bytes.substr(head));
  version.revision = static_cast<std::uint32_t>(in.number(32));
  for (std::size_t i = 0; i < kTables.size(); ++i)
    if (const Fault fault = read_root(in, version.tables[i]))
      return fmt::format("{}: {}", kTables[i], *fault);
  if (in.at_end()) return {};  // a database that was never written to
  version.documents = in.number(32);
  const std::uint64_t gaps = in.number(32);
  in.number(32);  // the shortest document
  const std::uint64_t max_wdf = in.number(32);
  const std::uint64_t above_wdf = in.number(32);  // of the longest document
  in.number(32);
  in.number(64);
  in.number(32);
  constexpr std::uint64_t kMost = 0xffffffff;
  if (!in.ok || !in.at_end() || version.documents + gaps > kMost || max_wdf + above_wdf > kMost)
    return "the version file has impossible statistics";
  std::uint64_t entries = 0;
  for (const TableRoot& table : version.tables) entries += std::min(table.entries, kMost);
  if (version.documents > entries) return "the version file claims more documents than entries";
  return {};
}

std::uint32_t big_endian(const unsigned char* at, unsigned bytes) {
  std::uint32_t value = 0;
  for (unsigned i = 0; i < bytes; ++i) value = value << 8 | at[i];
  return value;
}

/// One block of a table, as it lies on disk.
class Block {
 public:
  void resize(std::uint32_t size) { bytes_.resize(size); }
  bool read(int fd, std::uint32_t number) {
    const auto at = static_cast<off_t>(number) * static_cast<off_t>(bytes_.size());
    return ::pread(fd, bytes_.data(), bytes_.size(), at) == static_cast<ssize_t>(bytes_.size());
  }

  std::uint32_t revision() const { return big_endian(bytes_.data(), 4); }
  unsigned level() const { return bytes_[4]; }
  std::uint32_t max_free() const { return big_endian(bytes_.data() + 5, 2); }
  std::uint32_t total_free() const { return big_endian(bytes_.data() + 7, 2); }
  std::uint32_t dir_end() const { return big_endian(bytes_.data() + 9, 2); }
  std::uint32_t size() const { return static_cast<std::uint32_t>(bytes_.size()); }
  std::uint32_t word(std::uint32_t offset) const { return big_endian(bytes_.data() + offset, 4); }
  std::uint32_t items() const { return (dir_end() - glass::kDirStart) / glass::kDirEntry; }

  struct Item {
    std::uint32_t offset = 0, bytes = 0;
    std::string_view key;
    std::uint32_t component = 1;  // of a tag that takes several items
    std::uint32_t child = 0;      // of a branch
    std::string_view tag;         // of a leaf
    bool is_last = true;
    bool is_compressed = false;
  };
  /// Nothing: it does not lie in the block, behind the directory.
  std::optional<Item> item(std::uint32_t i) const {
    const std::uint32_t from = big_endian(
        bytes_.data() + glass::kDirStart + std::size_t{glass::kDirEntry} * i, glass::kDirEntry);
    const unsigned head = level() == 0 ? 2 : 4;  // before the key
    if (from < dir_end() || from + head + 1 > size()) return std::nullopt;
    const unsigned char* const at = bytes_.data() + from;
    const std::uint32_t key = at[head];
    const bool is_first = level() == 0 && (at[0] & glass::kFirst) != 0;
    const std::uint32_t least = head + 1 + key + (is_first ? 0 : 2);
    const std::uint32_t bytes = level() == 0 ? (big_endian(at, 2) & 0x1fff) + 3 : least;
    if (bytes < least || from + bytes > size()) return std::nullopt;
    const char* const text = reinterpret_cast<const char*>(at);
    Item item;
    item.offset = from;
    item.bytes = bytes;
    item.key = {text + head + 1, key};
    if (!is_first) item.component = big_endian(at + head + 1 + key, 2);
    if (level() > 0) {
      item.child = big_endian(at, 4);
    } else {
      item.tag = {text + least, bytes - least};
      item.is_last = (at[0] & glass::kLast) != 0;
      item.is_compressed = (at[0] & glass::kCompressed) != 0;
    }
    return item;
  }

 private:
  std::vector<unsigned char> bytes_;
};

bool is_before(const Block::Item& a, const Block::Item& b) {
  const int order = a.key.compare(b.key);
  return order != 0 ? order < 0 : a.component < b.component;
}

/// Head and items of a block by itself.
Fault check_block(const Block& block, unsigned level, std::uint32_t newest) {
  if (block.level() != level) return fmt::format("level {} for {}", block.level(), level);
  if (block.revision() > newest) return "newer than what names it";
  const std::uint32_t end = block.dir_end();
  if (end <= glass::kDirStart || end > block.size() || (end & 1) == 0)
    return "its directory's end is wrong";
  std::uint32_t used = 0;
  std::optional<Block::Item> before;
  for (std::uint32_t i = 0; i < block.items(); ++i) {
    const auto item = block.item(i);
    if (!item) return fmt::format("entry {} lies outside", i);
    if (item->offset < end + block.max_free()) return fmt::format("entry {} is in free space", i);
    used += item->bytes;
    const bool has_key = level == 0 || i > 0;  // the first of a branch stands for all before
    if (before && !is_before(*before, *item)) return fmt::format("entry {} is out of order", i);
    if (has_key) before = item;
  }
  if (used + end + block.total_free() != block.size()) return "its free space is wrong";
  return {};
}

class TableCheck {
 public:
  TableCheck(int fd, std::uint64_t bytes, const TableRoot& table, std::uint32_t revision)
      : fd_(fd), table_(table), revision_(revision), blocks_(bytes / table.block_size) {}

  Fault check_root() {
    if (table_.has_free_list && table_.first_unused > blocks_ + kUnwritten)
      return "it is shorter than it claims";
    if (table_.fake) return {};
    if (table_.has_free_list && table_.root >= table_.first_unused)
      return fmt::format("its root is block {}, which is unused", table_.root);
    return load(table_.root, table_.level, revision_);
  }

  Fault check_all(TableScope scope, bool has_term_lists) {
    term_lists_ = has_term_lists && scope == TableScope::TermLists;
    if (auto fault = check_root(); fault || table_.fake) return fault;
    used_.assign(blocks_, false);
    last_leaf_.reset();
    if (auto fault = walk(table_.root, table_.level)) return fault;
    return walk_free_list();
  }

 private:
  /// Reads a block into the place of its level.
  Fault load(std::uint32_t number, unsigned level, std::uint32_t newest) {
    Block& block = levels_[level];
    block.resize(table_.block_size);
    if (number >= blocks_ || !block.read(fd_, number))
      return fmt::format("block {} is not there", number);
    if (auto fault = check_block(block, level, newest))
      return fmt::format("block {}: {}", number, *fault);
    for (std::uint32_t i = 0; level > 0 && i < block.items(); ++i)
      if (const std::uint32_t child = block.item(i)->child; child >= blocks_)
        return fmt::format("block {}: entry {} names block {}, which is not there", number, i,
                           child);
    return {};
  }

  bool use(std::uint32_t number) {
    if (number >= blocks_ || used_[number]) return false;
    used_[number] = true;
    return true;
  }

  /// The loaded block's children, depth first: at most ten deep.
  Fault walk(std::uint32_t number, unsigned level) {
    if (!use(number)) return fmt::format("block {} is used twice", number);
    if (level == 0) {
      // Xapian then finds the next leaf by counting block numbers up.
      if (table_.sequential && last_leaf_ && *last_leaf_ >= number)
        return fmt::format("block {} is out of sequence", number);
      last_leaf_ = number;
      return term_lists_ ? check_term_lists(number) : Fault();
    }
    const Block& block = levels_[level];
    for (std::uint32_t i = 0; i < block.items(); ++i) {
      const auto item = *block.item(i);
      if (auto fault = load(item.child, level - 1, block.revision())) return fault;
      const bool ordered = lies_between(level - 1, i > 0 ? std::optional(item) : std::nullopt,
                                        i + 1 < block.items() ? block.item(i + 1) : std::nullopt);
      if (!ordered) return fmt::format("block {} is out of order", item.child);
      if (auto fault = walk(item.child, level - 1)) return fault;
    }
    return {};
  }

  /// What the loaded leaf says of documents. A list may go on in the next one.
  Fault check_term_lists(std::uint32_t number) {
    const Block& leaf = levels_[0];
    for (std::uint32_t i = 0; i < leaf.items(); ++i) {
      const auto item = *leaf.item(i);
      if (item.component == 1) tag_.clear();
      tag_ += item.tag;
      if (!item.is_last) continue;
      // Behind the terms of a document: which values it has, by the same key and a zero.
      const bool is_values = item.key.size() == document_.size() + 1 && item.key.back() == '\0' &&
                             item.key.starts_with(document_);
      if (is_values) continue;
      document_ = item.key;
      const auto list = item.is_compressed ? inflate_glass_tag(tag_) : std::move(tag_);
      tag_.clear();
      if (!list || !is_glass_term_list(*list))
        return fmt::format("block {}: entry {} is no list of terms", number, i);
    }
    return {};
  }

  /// The loaded block's keys against the dividing keys above it.
  bool lies_between(unsigned level, const std::optional<Block::Item>& from,
                    const std::optional<Block::Item>& to) const {
    const Block& block = levels_[level];
    const std::uint32_t first = level == 0 ? 0 : 1;
    if (first >= block.items()) return true;
    if (from && is_before(*block.item(first), *from)) return false;
    return !to || is_before(*block.item(block.items() - 1), *to);
  }

  Fault walk_free_list() {
    if (!table_.has_free_list || table_.free.offset == 0) return {};
    FreeListEnd at = table_.free;
    Block& block = levels_[0];
    block.resize(table_.block_size);
    bool loaded = false;
    while (!(at == table_.free_end)) {
      if (!loaded) {
        if (!use(at.block) || !block.read(fd_, at.block) || block.level() != kFreeListLevel)
          return fmt::format("block {} is none of its free list", at.block);
        loaded = true;
      }
      const std::uint32_t entry = block.word(at.offset);
      if (at.offset == table_.block_size - 4) {
        at = {entry, kFreeListStart};
        loaded = false;
        continue;
      }
      // What was never written lies behind the end of the file.
      if (entry == kUnusedBlock || entry >= table_.first_unused || (entry < blocks_ && !use(entry)))
        return fmt::format("free block {} is in use", entry);
      at.offset += 4;
    }
    return {};
  }

  int fd_;
  const TableRoot& table_;
  std::uint32_t revision_;
  std::uint64_t blocks_;
  std::array<Block, kMaxLevel + 1> levels_;
  std::vector<bool> used_;
  std::optional<std::uint32_t> last_leaf_;
  bool term_lists_ = false;
  std::string tag_;       // the parts so far
  std::string document_;  // the key of the last list
};

Descriptor open_file(const std::string& path) {
  return Descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
}

/// Nothing: it cannot be read, as Xapian will say.
std::optional<std::string> read_version_file(const std::string& generation) {
  const Descriptor fd = open_file(generation + "/iamglass");
  if (!fd) return std::nullopt;
  std::string bytes(kMaxVersionFile, '\0');
  const ssize_t n = ::pread(fd.get(), bytes.data(), bytes.size(), 0);
  if (n < 0) return std::nullopt;
  bytes.resize(static_cast<std::size_t>(n));
  return bytes;
}

Fault check_against(const std::string& version_file, const std::string& generation,
                    std::optional<TableScope> whole) {
  Version version;
  bool other_format = false;
  auto fault = parse_version(version_file, version, other_format);
  if (fault || other_format) return fault;
  for (std::size_t i = 0; i < kTables.size(); ++i) {
    const Descriptor fd = open_file(fmt::format("{}/{}.glass", generation, kTables[i]));
    struct stat st;
    if (!fd || ::fstat(fd.get(), &st) != 0) continue;
    const auto bytes = static_cast<std::uint64_t>(std::max<off_t>(st.st_size, 0));
    TableCheck check(fd.get(), bytes, version.tables[i], version.revision);
    if (fault = whole ? check.check_all(*whole, i == kTermLists) : check.check_root(); fault)
      return fmt::format("{}: {}", kTables[i], *fault);
  }
  return {};
}

Result<void> check_generation(const std::string& generation, std::optional<TableScope> whole) {
  constexpr int kTries = 20;
  for (int i = 1;; ++i) {
    const auto version_file = read_version_file(generation);
    if (!version_file) return {};
    const Fault fault = check_against(*version_file, generation, whole);
    if (!fault) return {};
    // Blocks of a revision may be written over once there are two newer ones.
    if (i < kTries && read_version_file(generation) != version_file) continue;
    return Error{
        ErrorCode::Corrupt,
        fmt::format("cannot open index '{}': it is damaged ({})", printable(generation), *fault),
        "rebuild it with: kwindex --rebuild"};
  }
}

}  // namespace

Result<void> check_roots(const std::string& generation) {
  return check_generation(generation, std::nullopt);
}

Result<void> check_tables(const std::string& generation, TableScope scope) {
  return check_generation(generation, scope);
}

}  // namespace kw
