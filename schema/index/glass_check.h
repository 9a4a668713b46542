// SPDX-License-Identifier: GPL-2.0-or-later
// Checks the files of a generation before Xapian opens them. Xapian 1.4 believes the sizes and
// offsets in its version file and its blocks: one wrong byte makes it write to a wild address or
// loop for ever. This is a reader of glass, Xapian 1.4's format, of our own; it allocates by
// nothing that the files claim. Of what entries say, term lists alone are looked at, where that is
// asked for: fault_guard.h contains such faults.
#pragma once

#include <string>

#include "schema/base/result.h"

namespace kw {

/// Checks what Xapian relies on when it opens a generation: the version file and the root block of
/// each table. 10 us, so every program does it. Corrupt: the message names table and block. Files
/// that are missing are left to Xapian, which says so.
Result<void> check_roots(const std::string& generation);

enum class TableScope {
  Blocks,    ///< not what their entries say
  TermLists  ///< the lists of terms, too: they are unpacked, which takes seven times as long
};

/// The same, and every block that a table uses: heads, offsets, sizes, order of keys, block
/// numbers, free list. Reads all of it; for programs that read most of it, or write. A writer that
/// commits meanwhile is no fault.
Result<void> check_tables(const std::string& generation, TableScope scope = TableScope::Blocks);

}  // namespace kw
