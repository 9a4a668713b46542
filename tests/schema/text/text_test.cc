// SPDX-License-Identifier: GPL-2.0-or-later
#include "schema/text/text.h"

#include <gtest/gtest.h>

#include <random>

namespace kw {
namespace {

std::vector<std::size_t> line_starts_slowly(std::string_view text) {
  std::vector<std::size_t> starts;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (i == 0 || text[i - 1] == '\n') starts.push_back(i);
  return starts;
}

TEST(TextLines, EmptyAndUnendedLines) {
  EXPECT_EQ(line_starts(""), std::vector<std::size_t>());
  EXPECT_EQ(line_starts("\n"), (std::vector<std::size_t>{0}));
  EXPECT_EQ(line_starts("a\n\nb"), (std::vector<std::size_t>{0, 2, 3}));
  EXPECT_EQ(line_starts("a\n\nb\n"), (std::vector<std::size_t>{0, 2, 3}));
}

TEST(TextLines, AsByteByByte) {
  std::mt19937 random(7);
  for (std::size_t size = 0; size < 400; ++size)
    for (const unsigned rarity : {1u, 5u, 100u}) {
      std::string text;
      while (text.size() < size)  // 0x8a and 0x0a differ in one bit
        text += random() % rarity == 0 ? '\n' : random() % 2 ? '\x8a' : 'x';
      ASSERT_EQ(line_starts(text), line_starts_slowly(text)) << size << " " << rarity;
    }
}

}  // namespace
}  // namespace kw
