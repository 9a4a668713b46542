// SPDX-License-Identifier: GPL-2.0-or-later
// How long the tests of chance may take: $KW_EFFORT times what every run of them does. And what
// chance it is.
#pragma once

#include <algorithm>
#include <cstdlib>

namespace kw::test {

inline int effort() {
  const char* const text = std::getenv("KW_EFFORT");
  return text ? std::max(1, std::atoi(text)) : 1;
}

/// $KW_SEED, so that one history of chance can be lived again; else `otherwise`.
inline int seed_or(int otherwise) {
  const char* const text = std::getenv("KW_SEED");
  return text ? std::atoi(text) : otherwise;
}

}  // namespace kw::test
