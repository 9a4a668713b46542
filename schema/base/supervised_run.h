// SPDX-License-Identifier: GPL-2.0-or-later
// Does a program's work in a child that the program itself only waits for: where a damaged index
// makes a library crash, hang or take all memory, the user reads a message. It contains faults; it
// is no security boundary, for the child may do all that its parent may. For one computation inside
// a program: child_run.h.
#pragma once

#include <cstdint>
#include <functional>

#include "schema/base/result.h"

namespace kw {

/// Returns the exit code of `work`, run in a forked copy of this process, which exits by exit(3).
/// Signals that ask this process to end are passed on; where the copy dies of one of them, or is
/// killed, so does this process, as if there were no copy; the copy dies with it. Error{Failed}: it
/// crashed, or went over limit_work(), or could not be made. Call it where this process has one
/// thread and nothing is left to flush.
Result<int> run_supervised(const std::function<int()>& work);

/// Bounds what is done from here on, of this process alone: after `seconds` more of processor time
/// it ends by SIGXCPU, and memory above `bytes` in all is refused (std::bad_alloc). Each call
/// replaces the bounds of the one before; 0 is none. Sanitizers need the memory: not under them.
void limit_work(unsigned seconds, std::uint64_t bytes);

/// What reading `index_bytes` of indexes may take: a fixed part, after which a small index must be
/// damaged, and several times what the slowest work on a large one took.
unsigned seconds_to_read(std::uint64_t index_bytes);
/// limit_work() for a program that does nothing else.
void limit_reading(std::uint64_t index_bytes);

}  // namespace kw
