// SPDX-License-Identifier: GPL-2.0-or-later
#include "schema/index/glass_table_writer.h"

#include <algorithm>
#include <cstring>
#include <random>

#include "schema/base/xapian_api.h"
#include "schema/index/glass_block.h"
#include "schema/index/glass_packer.h"

namespace kw {
namespace {

// Names and values of Xapian's backends/glass: glass_table.h, glass_table.cc, glass_version.cc.
constexpr std::size_t kItemHead = 3;       // of a leaf's item: size and flags, bytes of the key
constexpr std::size_t kComponent = 2;      // which part of its tag an item is
constexpr std::size_t kBranchHead = 5;     // of a branch's item: block, bytes of the key
constexpr std::size_t kItemsPerBlock = 4;  // at least
constexpr std::uint32_t kRevision = 1;
constexpr std::size_t kMaxKey = 255, kMaxParts = 65535, kMaxLevels = 10;
constexpr std::uint32_t kBlocksOf2k = 4;
constexpr std::uint32_t kCompressFrom = 18;  // bytes of a tag, where Xapian compresses it
// A part that fills a block is worth a divider longer by its key where it has that many bytes more.
constexpr std::size_t kWorthAPart = 34;

void put_big_endian(unsigned char* at, std::size_t bytes, std::uint64_t value) {
  for (std::size_t i = bytes; i-- > 0; value >>= 8) at[i] = static_cast<unsigned char>(value);
}

}  // namespace

void GlassTableWriter::Block::clear() {
  directory_end = glass::kDirStart;
  items_begin = kBlock;
}

unsigned char* GlassTableWriter::Block::take(std::size_t size) {
  items_begin -= size;
  put_big_endian(bytes.data() + directory_end, glass::kDirEntry, items_begin);
  directory_end += glass::kDirEntry;
  return bytes.data() + items_begin;
}

// The first item of a table has an empty key: what comes before all others.
void GlassTableWriter::begin_leaf() {
  leaf_.clear();
  if (blocks_ == 0) put({}, 1, {}, glass::kFirst | glass::kLast);
}

void GlassTableWriter::add(std::string_view key, std::string_view tag, bool is_compressed) {
  if (key.empty() || key.size() > kMaxKey || key <= std::string_view(last_key_))
    throw Xapian::DatabaseError("a key is too long or out of order");
  constexpr std::size_t kMaxItem =
      (kBlock - glass::kDirStart - kItemsPerBlock * glass::kDirEntry) / kItemsPerBlock;
  const std::size_t head = kItemHead + key.size() + kComponent, part = kMaxItem - head;
  std::size_t first = part + kComponent;
  if (tag.size() <= first) {
    first = tag.size();
  } else if (std::size_t rest = leaf_.space() % (kMaxItem + glass::kDirEntry);
             rest > glass::kDirEntry + head) {
    rest -= glass::kDirEntry + head;
    if (rest >= (tag.size() - kComponent) % part || rest >= key.size() + kWorthAPart)
      first = rest + kComponent;
  }
  const unsigned flags = is_compressed ? glass::kCompressed : 0;
  if ((tag.size() - first) / part >= kMaxParts)
    throw Xapian::DatabaseError("an entry is too large");
  std::size_t done = first;
  put(key, 1, tag.substr(0, first),
      flags | glass::kFirst | (done == tag.size() ? glass::kLast : 0));
  for (std::uint32_t component = 2; done < tag.size(); ++component) {
    const std::size_t size = std::min(part, tag.size() - done);
    put(key, component, tag.substr(done, size),
        flags | (done + size == tag.size() ? glass::kLast : 0));
    done += size;
  }
  ++entries_;
}

void GlassTableWriter::put(std::string_view key, std::uint32_t component, std::string_view part,
                           unsigned flags) {
  const bool is_first = component == 1;
  const std::size_t head = kItemHead + key.size() + (is_first ? 0 : kComponent),
                    size = head + part.size();
  if (leaf_.space() < size + glass::kDirEntry) {
    end_leaf();
    begin_leaf();
    // Dividers end where they differ from the key before.
    const auto [a, b] = std::mismatch(key.begin(), key.end(), last_key_.begin(), last_key_.end());
    const auto same = static_cast<std::size_t>(a - key.begin());
    first_of_leaf_ = {std::string(key.substr(0, same + 1)), component};
  }
  unsigned char* at = leaf_.take(size);
  put_big_endian(at, 2, (size - kItemHead) | flags << 8);
  at[2] = static_cast<unsigned char>(key.size());
  std::copy(key.begin(), key.end(), at + kItemHead);
  if (!is_first) put_big_endian(at + kItemHead + key.size(), kComponent, component);
  std::copy(part.begin(), part.end(), at + head);
  last_key_ = key;
}

void GlassTableWriter::end_leaf() {
  const std::uint32_t number = write(leaf_, 0);
  add_branch(1, first_of_leaf_, number);
}

void GlassTableWriter::add_branch(std::size_t level, const Divider& divider, std::uint32_t child) {
  if (level == kMaxLevels) throw Xapian::DatabaseError("a table has too many levels");
  if (branches_.size() < level) {
    branches_.reserve(kMaxLevels);
    branches_.emplace_back().block.clear();
  }
  Branch& branch = branches_[level - 1];
  Block& block = branch.block;
  if (block.space() < kBranchHead + divider.key.size() + kComponent + glass::kDirEntry) {
    const std::uint32_t number = write(block, level);
    add_branch(level + 1, branch.first, number);
    block.clear();
  }
  if (block.directory_end > glass::kDirStart) return put_branch(block, divider, child);
  branch.first = divider;
  put_branch(block, {}, child);  // the first of a block needs no key
}

void GlassTableWriter::put_branch(Block& block, const Divider& divider, std::uint32_t child) {
  const std::string& key = divider.key;
  unsigned char* at = block.take(kBranchHead + key.size() + kComponent);
  put_big_endian(at, 4, child);
  at[4] = static_cast<unsigned char>(key.size());
  std::copy(key.begin(), key.end(), at + kBranchHead);
  put_big_endian(at + kBranchHead + key.size(), kComponent, divider.component);
}

std::uint32_t GlassTableWriter::write(Block& block, std::size_t level) {
  unsigned char* const at = block.bytes.data();
  put_big_endian(at, 4, kRevision);
  at[4] = static_cast<unsigned char>(level);
  put_big_endian(at + 5, 2, block.space());
  put_big_endian(at + 7, 2, block.space());
  put_big_endian(at + 9, 2, block.directory_end);
  std::fill(at + block.directory_end, at + block.items_begin, static_cast<unsigned char>(0));
  out_.write({reinterpret_cast<const char*>(at), kBlock});
  return blocks_++;
}

GlassRoot GlassTableWriter::finish() {
  GlassRoot root{0, 0, 0, entries_};
  if (entries_ > 0 && branches_.empty()) {
    root.block = write(leaf_, 0);
  } else if (entries_ > 0) {
    end_leaf();
    for (std::size_t level = 1; level <= branches_.size(); ++level) {
      const std::uint32_t number = write(branches_[level - 1].block, level);
      if (level < branches_.size())
        add_branch(level + 1, branches_[level - 1].first, number);
      else
        root.block = number;
      root.level = static_cast<std::uint32_t>(level);
    }
  }
  root.blocks = blocks_;
  out_.finish();
  return root;
}

void write_glass_version(const std::string& folder, const GlassRoot& postings,
                         const GlassRoot& documents, const GlassRoot& term_lists,
                         const GlassStatistics& statistics) {
  std::string bytes("\x0f\x0dXapian Glass\x04\x6e", 16);
  std::random_device random;
  for (int i = 0; i < 16; ++i) bytes.push_back(static_cast<char>(random()));  // its UUID
  pack_number(bytes, kRevision);
  const auto add_table = [&](const GlassRoot& root, std::uint32_t compress_from) {
    const bool is_empty = root.entries == 0;
    pack_number(bytes, root.block);
    pack_number(bytes, root.level << 2 | 2u | (is_empty ? 1u : 0u));  // 2: in sequence
    pack_number(bytes, root.entries);
    pack_number(bytes, kBlocksOf2k);
    pack_number(bytes, compress_from);
    std::string free_list;
    if (!is_empty)
      for (const std::uint32_t n : {kRevision, root.blocks, 0u, 0u, 0u, 0u})
        pack_number(free_list, n);
    pack_string(bytes, free_list);
  };
  add_table(postings, 0);
  add_table(documents, kCompressFrom);
  add_table(term_lists, kCompressFrom);
  for (const std::uint32_t compress_from : {0u, kCompressFrom, kCompressFrom})
    add_table({}, compress_from);
  const GlassStatistics& s = statistics;
  for (const std::uint64_t n :
       {std::uint64_t{s.documents}, std::uint64_t{0}, std::uint64_t{s.shortest},
        std::uint64_t{s.most_occurrences}, std::uint64_t{s.longest - s.most_occurrences},
        std::uint64_t{0}, s.total_length, std::uint64_t{0}})
    pack_number(bytes, n);
  SpoolWriter out(folder + "/iamglass");
  out.write(bytes);
  out.finish();
}

}  // namespace kw
