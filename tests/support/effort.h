// SPDX-License-Identifier: GPL-2.0-or-later
// How long randomized and exhaustive tests may take: $KW_EFFORT times what every run of them does.
// And the seed of the randomized ones.
#pragma once

#include <algorithm>
#include <cstdlib>

#include "tests/support/child_usage.h"

namespace kw::test {

inline int effort() {
  const char* const text = std::getenv("KW_EFFORT");
  return text ? std::max(1, std::atoi(text)) : 1;
}

/// The step of a loop over all cases: 1, or `sanitized` under a sanitizer, where programs take ten
/// times as long to start. A build without one takes each case, and so does tools/check --full in
/// all builds.
inline int stride(int sanitized) { return kSanitized && effort() == 1 ? sanitized : 1; }

/// $KW_SEED, so that one history of chance can be lived again; else `otherwise`.
inline int seed_or(int otherwise) {
  const char* const text = std::getenv("KW_SEED");
  return text ? std::atoi(text) : otherwise;
}

}  // namespace kw::test
