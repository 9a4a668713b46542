// SPDX-License-Identifier: GPL-2.0-or-later
#include "exporter/model/term_weights.h"

#include <algorithm>
#include <bit>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace kw::exporter {
namespace {

// A name's spelling as terms have it, hashed: of a million names two collide once in half a million
// trees, for 58 digits of the hash are kept.
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
      statistics.bits_.push_back((hash_of(spelling) & ~kBits) | static_cast<unsigned>(bits));
  }));
  std::sort(statistics.bits_.begin(), statistics.bits_.end());
  statistics.bits_.shrink_to_fit();
  std::uint64_t name = 0;  // the one under way: its terms, one a rank, follow one another
  std::vector<std::uint32_t> all;
  bool is_crowded = false;
  const auto end_name = [&] {
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    if (!is_crowded && !all.empty() && all.size() <= kMaxDefiners) {
      Definers definers{name, {}};
      definers.files.fill(kNoFile);
      std::copy(all.begin(), all.end(), definers.files.begin());
      statistics.definers_.push_back(definers);
    }
    all.clear();
    is_crowded = false;
  };
  KW_TRY(
      reader.for_each_definition(kMaxDefiners, [&](std::string_view defined, DefinitionClass rank,
                                                   const std::vector<std::uint32_t>& docids) {
        if (rank != DefinitionClass::Type && rank != DefinitionClass::Function) return;
        const std::uint64_t hash = hash_of(defined);
        if (hash != name) end_name();
        name = hash;
        if (docids.empty()) is_crowded = true;  // too many files for a list
        for (const std::uint32_t docid : docids)
          if (const auto number = files.number_of(docid))
            all.push_back(static_cast<std::uint32_t>(*number));
      }));
  end_name();
  std::sort(statistics.definers_.begin(), statistics.definers_.end(),
            [](const Definers& a, const Definers& b) { return a.name < b.name; });
  statistics.definers_.shrink_to_fit();
  return statistics;
}

double TreeStatistics::weight(std::string_view name, std::uint32_t count) const {
  constexpr double kSaturation = 1.2;
  const std::uint64_t hash = hash_of(term_spelling(name)) & ~kBits;
  const auto found = std::lower_bound(bits_.begin(), bits_.end(), hash);
  const int bits =
      found == bits_.end() || (*found & ~kBits) != hash ? 0 : static_cast<int>(*found & kBits);
  const double tf = count * (kSaturation + 1) / (count + kSaturation);
  return tf * (1 + file_bits_ - bits);
}

std::span<const std::uint32_t> TreeStatistics::definers(std::string_view name) const {
  const std::uint64_t hash = hash_of(definition_name(name));
  const auto found = std::lower_bound(definers_.begin(), definers_.end(), hash);
  if (found == definers_.end() || found->name != hash) return {};
  const auto end = std::find(found->files.begin(), found->files.end(), kNoFile);
  return {found->files.begin(), end};
}

}  // namespace kw::exporter
