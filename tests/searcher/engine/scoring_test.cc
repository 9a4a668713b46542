// SPDX-License-Identifier: GPL-2.0-or-later
#include "searcher/engine/scoring.h"

#include <gmock/gmock.h>

namespace kw::search {
namespace {

struct Case {
  const char* name;
  std::vector<std::pair<double, const char*>> came;
  bool is_last;
  std::string order;  ///< of those whose order is known
};

class Order : public testing::TestWithParam<Case> {};

TEST_P(Order, IsKnownSoFar) {
  std::vector<Ranked> results;
  for (const auto& [score, path] : GetParam().came) results.push_back({0, score, path});
  const std::size_t n = order_by_score_and_path(results, GetParam().is_last);
  std::string order;
  for (std::size_t i = 0; i < n; ++i) order += results[i].path;
  EXPECT_EQ(order, GetParam().order);
}

constexpr double kNoise = 3e-8;  // of sums near 7e7

INSTANTIATE_TEST_SUITE_P(
    Table, Order,
    testing::Values(
        Case{"nothing", {}, false, ""}, Case{"one, and all there is", {{1.5, "a"}}, true, "a"},
        Case{"more may be as good", {{1.5, "b"}}, false, ""},
        Case{"whole numbers were not rounded", {{7e7, "a"}, {7e7, "b"}}, false, "ab"},
        Case{"scores decide", {{3.5, "c"}, {2.5, "b"}, {1.5, "a"}}, true, "cba"},
        Case{"the last is not known", {{3.5, "c"}, {2.5, "b"}, {1.5, "a"}}, false, "cb"},
        Case{"the same score", {{3.5, "a"}, {3.5, "b"}, {1.5, "c"}}, false, "ab"},
        Case{"rounded in another way",
             {{7e7 + 0.5 + kNoise, "c"}, {7e7 + 0.5, "a"}, {7e7 + 0.5 - kNoise, "b"}, {1, "d"}},
             true,
             "abcd"},
        Case{"a real difference", {{7e7 + 0.50001, "b"}, {7e7 + 0.5, "a"}}, true, "ba"},
        Case{"counted from the best, not from the next",
             {{1.0000018 + 1, "c"}, {1.0000012 + 1, "b"}, {1.0000006 + 1, "a"}},
             true,
             "bca"}),
    [](const auto& info) {
      std::string name = info.param.name;
      for (char& c : name)
        if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
      return name;
    });

}  // namespace
}  // namespace kw::search
