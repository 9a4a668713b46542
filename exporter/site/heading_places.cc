// SPDX-License-Identifier: GPL-2.0-or-later
#include "exporter/site/heading_places.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>

namespace kw::exporter::site {
namespace {

std::uint32_t hash_of(std::string_view word) {
  return static_cast<std::uint32_t>(XXH3_64bits(word.data(), word.size()));
}

}  // namespace

void HeadingPlaces::add(const FileRecord& record) {
  std::vector<Place> found;
  unsigned number = 0;
  for (const Section& section : record.sections) {
    const auto bit = static_cast<std::uint16_t>(1u << (number++ % kBits));
    Tokenizer tokenizer(section.title);
    for (Token token; tokenizer.next_word(token);) {
      found.push_back({hash_of(stemmer_.stem(fold(token.text))), bit});
      for (const std::string& word : split_name(token.text))
        found.push_back({hash_of(stemmer_.stem(word)), bit});
    }
  }
  std::sort(found.begin(), found.end(),
            [](const Place& a, const Place& b) { return a.word < b.word; });
  const std::size_t begin = ends_.empty() ? 0 : ends_.back();
  for (const Place& place : found)
    if (places_.size() > begin && places_.back().word == place.word)
      places_.back().headings |= place.headings;
    else
      places_.push_back(place);
  ends_.push_back(places_.size());
}

std::uint16_t HeadingPlaces::of(std::uint32_t file, std::string_view stem) const {
  if (file >= ends_.size()) return kAny;
  const auto begin = places_.begin() + static_cast<std::ptrdiff_t>(file == 0 ? 0 : ends_[file - 1]);
  const auto end = places_.begin() + static_cast<std::ptrdiff_t>(ends_[file]);
  const std::uint32_t word = hash_of(stem);
  const auto at = std::lower_bound(
      begin, end, word, [](const Place& place, std::uint32_t asked) { return place.word < asked; });
  return at != end && at->word == word ? at->headings : kAny;
}

}  // namespace kw::exporter::site
