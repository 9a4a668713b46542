// SPDX-License-Identifier: GPL-2.0-or-later
// Runs a computation in a child process, so that a fault of a library costs its result and no more.
// It contains faults; it is no security boundary: the child may do all that its parent may. Not for
// programs: a ctags is started by ctags_child.h.
#pragma once

#include <functional>
#include <string>

#include "schema/base/result.h"

namespace kw {

/// Returns what `work` returns in a forked copy of this process, which ends with it: nothing else
/// that `work` changes is seen. Error{Failed}, naming the signal or the system's reason: the copy
/// died, used more than `cpu_seconds` of processor time, or could not be made. Waits for it. Call
/// it only where this process has one thread.
Result<std::string> run_in_child(const std::function<std::string()>& work, unsigned cpu_seconds);

}  // namespace kw
