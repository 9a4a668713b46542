// SPDX-License-Identifier: GPL-2.0-or-later
// The index's terms as the script in the browser looks them up: an entry a word, with all that
// terms of the index say of it. Entries come in the order of their keys, one in memory at a time.
// How they look: docs/site-search.md. What the terms mean: schema/index/SCHEMA.md.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "exporter/model/file_table.h"
#include "exporter/site/heading_places.h"
#include "exporter/site/mentions.h"
#include "schema/base/result.h"
#include "schema/index/index_reader.h"

namespace kw::exporter::site {

/// Files of one term that are kept, at most: the best by origin and use. A word in more of them is
/// answered as far as these go, and the page says so.
inline constexpr std::size_t kMaxChunkPostings = 12'288;

/// Facts about files that every search needs, by the numbers of the catalogue.
struct FileNumbers {
  std::vector<std::uint32_t> lengths;  ///< occurrences of terms in it: Xapian's document length
  std::vector<std::uint8_t> origins;   ///< places in kOriginsBestFirst
  std::uint64_t total_length = 0;
};
Result<FileNumbers> read_file_numbers(IndexReader& reader, const FileTable& files);

/// What the terms of the index do not say, but records do.
struct TextFacts {
  Mentions::Files mentions;  ///< which have entries of their own
  HeadingPlaces headings;
};

/// The lists of files of one word.
struct SearchEntry {
  std::string key;
  std::string body;  ///< numbers and shapes; a long list is a number in it
  std::vector<std::string> long_lists;
};

/// Calls `take` with each entry until it fails. Lists of `long_list` characters or more are kept
/// apart, so that words beside common ones are not read with them.
Result<void> for_each_search_entry(IndexReader& reader, const FileTable& files,
                                   const FileNumbers& numbers, const TextFacts& facts,
                                   std::size_t long_list,
                                   const std::function<Result<void>(SearchEntry)>& take);

}  // namespace kw::exporter::site
