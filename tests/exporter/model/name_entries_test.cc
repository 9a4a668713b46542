// SPDX-License-Identifier: GPL-2.0-or-later
#include "exporter/model/name_entries.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "exporter/model/name_texts.h"

namespace kw::exporter {
namespace {

using Entries = std::map<std::size_t, std::vector<std::pair<std::uint32_t, std::uint32_t>>>;

/// Entries of `files` files, whose names are called by `numbers` afterwards; those of each file.
Entries sorted(std::size_t files, const std::vector<std::uint32_t>& numbers, std::size_t memory) {
  EntrySorter sorter = *EntrySorter::create(files, memory);
  for (std::uint32_t name = 0; name < numbers.size(); ++name)
    for (std::size_t file = name % 3; file < files; file += 3)
      EXPECT_TRUE(sorter.add(file, {name, name + static_cast<std::uint32_t>(file) * 1000}));
  const FileEntries entries = *sorter.finish(numbers);
  EntryReader reader(entries);
  Entries all;
  for (std::size_t file = 0; file < files; ++file)
    for (const NameEntry entry : **reader.of(file)) all[file].emplace_back(entry.name, entry.what);
  return all;
}

TEST(EntrySorter, RunsThatAreSpilledChangeNothing) {
  std::vector<std::uint32_t> numbers(500);
  std::iota(numbers.rbegin(), numbers.rend(), 0);  // the last name becomes the first
  const Entries whole = sorted(40, numbers, std::size_t{1} << 20);
  EXPECT_EQ(sorted(40, numbers, 100), whole) << "a run each hundred bytes";
  ASSERT_EQ(whole.size(), 40u);
  for (const auto& [file, entries] : whole) {
    EXPECT_TRUE(std::is_sorted(entries.begin(), entries.end()));
    for (const auto& [name, what] : entries) EXPECT_EQ(what, 499 - name + file * 1000);
  }
}

TEST(NameTexts, AreFoundByTheirNumbers) {
  NameTexts names = *NameTexts::create();
  const auto name_of = [](std::uint32_t i) {
    return std::string(i % 300, 'x') + std::to_string(i);
  };
  for (std::uint32_t i = 0; i < 2000; ++i) ASSERT_TRUE(names.add(name_of(i)));
  ASSERT_TRUE(names.end());
  EXPECT_EQ(names.size(), 2000u);
  NameReader reader(names);
  for (std::uint32_t i = 0; i < 2000; ++i) EXPECT_EQ(*reader.at(i), name_of(i));
  for (const std::uint32_t i : {1999u, 0u, 64u, 63u, 1000u}) EXPECT_EQ(*reader.at(i), name_of(i));
}

}  // namespace
}  // namespace kw::exporter
