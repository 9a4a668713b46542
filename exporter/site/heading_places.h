// SPDX-License-Identifier: GPL-2.0-or-later
// In which of a file's headings a word stands: what tells a search in a site whether some heading
// has all of its words, without a look at the headings themselves.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "schema/index/record.h"
#include "schema/text/splitter.h"

namespace kw::exporter::site {

class HeadingPlaces {
 public:
  /// A bit for each of so many headings; those behind begin with the first bit again.
  static constexpr unsigned kBits = 16;
  /// Any heading may have the word.
  static constexpr std::uint16_t kAny = 0xFFFF;

  /// Notes a file's headings. Files come in the order of their numbers, from 0 on, none left out.
  void add(const FileRecord& record);

  /// Of a word's stem, as the index has it.
  std::uint16_t of(std::uint32_t file, std::string_view stem) const;

 private:
  struct Place {
    std::uint32_t word;  ///< a hash of the stem
    std::uint16_t headings;
  };

  Stemmer stemmer_;
  std::vector<std::size_t> ends_;  ///< of each file's places
  std::vector<Place> places_;      ///< of each file by word
};

}  // namespace kw::exporter::site
