// SPDX-License-Identifier: GPL-2.0-or-later
// How long the tests of chance may take: $KW_EFFORT times what every run of them does.
#pragma once

#include <algorithm>
#include <cstdlib>

namespace kw::test {

inline int effort() {
  const char* const text = std::getenv("KW_EFFORT");
  return text ? std::max(1, std::atoi(text)) : 1;
}

}  // namespace kw::test
