// SPDX-License-Identifier: GPL-2.0-or-later
#include "searcher/engine/record_cache.h"

#include <gtest/gtest.h>

namespace kw::search {
namespace {

RecordCache::Kept kept(std::string text) {
  RecordCache::Kept kept;
  kept.record.text = std::move(text);
  return kept;
}

TEST(RecordCache, LendsEachOnce) {
  RecordCache cache(1 << 20);
  cache.put(3, kept("three"));
  cache.put(4, kept("four"));
  EXPECT_FALSE(cache.take(5));
  EXPECT_EQ(cache.take(3)->record.text, "three");
  EXPECT_FALSE(cache.take(3));
  cache.put(3, kept("again"));
  EXPECT_EQ(cache.take(3)->record.text, "again");
  EXPECT_EQ(cache.take(4)->record.text, "four");
}

TEST(RecordCache, TheLongestKeptLeave) {
  RecordCache cache(250'000);
  for (Xapian::docid id = 1; id <= 3; ++id) cache.put(id, kept(std::string(100'000, 'x')));
  EXPECT_FALSE(cache.take(1));
  EXPECT_TRUE(cache.take(2));
  EXPECT_TRUE(cache.take(3));
  cache.put(2, kept(std::string(100'000, 'x')));
  cache.put(4, kept(std::string(300'000, 'x')));  // has no room, and drives nobody out
  EXPECT_FALSE(cache.take(4));
  EXPECT_TRUE(cache.take(2));
  RecordCache none;
  none.put(1, kept("x"));
  EXPECT_FALSE(none.take(1));
}

TEST(RecordCache, CountsWhatIsBesideTheText) {
  RecordCache cache(1 << 20);
  RecordCache::Kept many = kept("x");
  many.record.definitions.resize(100'000);
  cache.put(1, std::move(many));
  EXPECT_FALSE(cache.take(1));
}

}  // namespace
}  // namespace kw::search
