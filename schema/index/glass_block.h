// SPDX-License-Identifier: GPL-2.0-or-later
// The layout of a block of a glass table. Values of Xapian's backends/glass: glass_table.h,
// glass_defs.h.
#pragma once

#include <cstdint>

namespace kw::glass {

inline constexpr std::uint32_t kDirStart = 11;  ///< where the directory begins, behind the head
inline constexpr std::uint32_t kDirEntry = 2;   ///< bytes of an entry: where its item lies

/// Flags in the first byte of a leaf's item.
inline constexpr unsigned kCompressed = 0x80, kLast = 0x40, kFirst = 0x20;

}  // namespace kw::glass
