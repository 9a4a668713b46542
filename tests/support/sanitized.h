// SPDX-License-Identifier: GPL-2.0-or-later
// Whether this build has a sanitizer: it takes a multiple of time and memory.
#pragma once

namespace kw::test {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

}  // namespace kw::test
