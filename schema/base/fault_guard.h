// SPDX-License-Identifier: GPL-2.0-or-later
// Where a damaged index makes a library crash, hang or take all memory, the user reads a message.
// This contains faults; it is no security boundary. For one computation whose failure must not end
// the program: child_run.h.
#pragma once

#include <cstdint>
#include <string_view>

#include "schema/base/error.h"

namespace kw {

/// From here on a fault of this process (a wild address, an abort, the time of limit_work() used
/// up) is a line "PROGRAM: error: ..." on stderr and exit code 2; what was not written yet is lost.
/// Programs that are started from here do not inherit it. Sanitizers report faults themselves, and
/// may abort then.
void report_faults(std::string_view program);

/// Bounds what is done from here on, of this process alone: after `seconds` more of processor time
/// it ends by SIGXCPU (report_faults), and memory above `bytes` in all is refused (std::bad_alloc).
/// Each call replaces the bounds of the one before; 0 is none. Sanitizers need the memory: not
/// under them.
void limit_work(unsigned seconds, std::uint64_t bytes);

/// Extends the time limit of the last limit_work() by what work on a text of `bytes` may take: a
/// record of a few kilobytes may decompress to megabytes. Call it a bounded number of times for
/// each record, not in a loop that a damaged index or a hostile text can prolong. Safe in any
/// thread.
void allow_time_for(std::uint64_t bytes);

/// The error for std::bad_alloc, which mostly says that such a bound was reached.
Error out_of_memory();

/// What reading `index_bytes` of indexes may take: a fixed part, after which a small index must be
/// damaged, and several times what the slowest work on a large one took.
unsigned seconds_to_read(std::uint64_t index_bytes);
/// limit_work() for a program that does nothing else.
void limit_reading(std::uint64_t index_bytes);

}  // namespace kw
