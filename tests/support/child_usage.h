// SPDX-License-Identifier: GPL-2.0-or-later
// What the programs that a test ran have used, and whether that says anything: under a sanitizer
// they take a multiple of time and memory.
#pragma once

#include <sys/resource.h>

namespace kw::test {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

/// Processor time of all children so far: a busy machine does not change it.
inline double child_seconds() {
  rusage used;
  ::getrusage(RUSAGE_CHILDREN, &used);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6;
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

/// The most that any of them had.
inline long child_peak_mb() {
  rusage used;
  ::getrusage(RUSAGE_CHILDREN, &used);
  return used.ru_maxrss / 1024;
}

}  // namespace kw::test
