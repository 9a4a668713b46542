// SPDX-License-Identifier: GPL-2.0-or-later
// Pieces of a build; the whole is tested by tests/integration/kwindex_test.cc.
#include "indexer/update/build.h"

#include <gmock/gmock.h>

namespace kw::indexer {
namespace {

using Batches = std::vector<std::pair<std::size_t, std::size_t>>;

TEST(SpreadEvenly, EachStandsOnceAndTheMarkedApart) {
  const auto order = [](const std::string& marks) {
    std::vector<bool> marked;
    for (const char c : marks) marked.push_back(c == 'x');
    return spread_evenly(marked);
  };
  EXPECT_THAT(order(""), testing::IsEmpty());
  EXPECT_THAT(order("..."), testing::ElementsAre(0, 1, 2));
  EXPECT_THAT(order("xx"), testing::ElementsAre(0, 1));
  EXPECT_THAT(order("xx...."), testing::ElementsAre(2, 3, 0, 4, 5, 1));
  EXPECT_THAT(order("..xxx."), testing::ElementsAre(0, 2, 1, 3, 5, 4));
}

TEST(CutBatches, BySizeAndNumber) {
  struct Case {
    const char* why;
    std::vector<std::uint64_t> sizes;
    Batches expected;
  };
  const Case cases[] = {
      {"nothing", {}, {}},
      {"one", {5}, {{0, 1}}},
      {"up to the limit", {4, 6, 1}, {{0, 2}, {2, 3}}},
      {"three at most", {1, 1, 1, 1}, {{0, 3}, {3, 4}}},
      {"a huge one alone", {1, 99, 1}, {{0, 1}, {1, 2}, {2, 3}}},
      {"huge ones", {99, 99}, {{0, 1}, {1, 2}}},
      {"empty files count by number", {0, 0, 0, 0, 0, 0}, {{0, 3}, {3, 6}}},
  };
  for (const Case& c : cases) EXPECT_EQ(cut_batches(c.sizes, 10, 3), c.expected) << c.why;
}

}  // namespace
}  // namespace kw::indexer
