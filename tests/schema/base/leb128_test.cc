// SPDX-License-Identifier: GPL-2.0-or-later
#include "schema/base/leb128.h"

#include <gtest/gtest.h>

#include <vector>

namespace kw {
namespace {

TEST(Leb128, NumbersOfAllSizes) {
  std::string bytes;
  const std::vector<std::uint64_t> numbers{0, 1, 127, 128, 16383, 16384, 1ull << 32, ~0ull};
  for (const std::uint64_t number : numbers) put_leb128(bytes, number);
  std::string_view rest = bytes;
  for (const std::uint64_t number : numbers) EXPECT_EQ(take_leb128(rest), number);
  EXPECT_TRUE(rest.empty());
}

// The examples of DWARF 5, table 7.8.
TEST(Leb128, BytesAsTheStandardHasThem) {
  const std::vector<std::pair<std::uint64_t, std::string>> examples{{2, "\x02"},
                                                                    {127, "\x7f"},
                                                                    {128, std::string("\x80\x01")},
                                                                    {129, "\x81\x01"},
                                                                    {12857, "\xb9\x64"}};
  for (const auto& [number, bytes] : examples) {
    std::string out;
    put_leb128(out, number);
    EXPECT_EQ(out, bytes) << number;
  }
}

TEST(Leb128, BytesThatHoldNone) {
  for (const std::string& bytes : {std::string(), std::string("\x80"), std::string(11, '\xff')}) {
    std::string_view rest = bytes;
    EXPECT_EQ(take_leb128(rest), std::nullopt) << bytes.size();
  }
}

}  // namespace
}  // namespace kw
