// SPDX-License-Identifier: GPL-2.0-or-later
#include "exporter/model/term_weights.h"

#include <algorithm>
#include <bit>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace kw::exporter {
namespace {

// A name's spelling as terms have it, hashed: of a million names two collide once in 37 million
// trees.
std::uint64_t hash_of(std::string_view spelling) {
  return XXH3_64bits(spelling.data(), spelling.size());
}

/// floor(log2 count).
int bits_of(std::uint32_t count) {
  return count < 2 ? 0 : static_cast<int>(std::bit_width(count)) - 1;
}

}  // namespace

Result<TreeStatistics> TreeStatistics::read(IndexReader& reader, const FileTable& files) {
  TreeStatistics statistics;
  statistics.file_bits_ = bits_of(reader.document_count());
  KW_TRY(reader.for_each_identifier([&](const std::string& spelling, std::uint32_t files) {
    if (const int bits = bits_of(files); bits > 0)
      statistics.bits_.emplace(hash_of(spelling), static_cast<std::uint8_t>(bits));
  }));
  std::uint64_t crowded = 0;  // the last name that too many files define with one of its ranks
  KW_TRY(reader.for_each_definition(kMaxDefiners, [&](std::string_view name, DefinitionClass rank,
                                                      const std::vector<std::uint32_t>& docids) {
    if (rank != DefinitionClass::Type && rank != DefinitionClass::Function) return;
    const std::uint64_t hash = hash_of(name);
    std::vector<std::uint32_t>& all = statistics.definers_[hash];
    for (const std::uint32_t docid : docids)
      if (const auto number = files.number_of(docid))
        all.push_back(static_cast<std::uint32_t>(*number));
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    if (docids.empty() || all.size() > kMaxDefiners) crowded = hash;
    if (crowded == hash) statistics.definers_.erase(hash);
  }));
  return statistics;
}

double TreeStatistics::weight(std::string_view name, std::uint32_t count) const {
  constexpr double kSaturation = 1.2;
  const auto found = bits_.find(hash_of(term_spelling(name)));
  const int bits = found == bits_.end() ? 0 : found->second;
  const double tf = count * (kSaturation + 1) / (count + kSaturation);
  return tf * (1 + file_bits_ - bits);
}

const std::vector<std::uint32_t>& TreeStatistics::definers(std::string_view name) const {
  static const std::vector<std::uint32_t> kNone;
  const auto found = definers_.find(hash_of(definition_name(name)));
  return found == definers_.end() ? kNone : found->second;
}

}  // namespace kw::exporter
