// SPDX-License-Identifier: GPL-2.0-or-later
// --then CMD: a command for when the index has changed, such as an export. It is due from the first
// run that changes something until it has succeeded: a command that failed, or a machine that went
// down in between, leaves nothing undone for ever.
#pragma once

#include "indexer/command/run.h"

namespace kw::indexer {

/// Runs the command of `options` by /bin/sh in the current folder, if there is one and it is due.
/// Its output is ours; with --json both of its streams go to stderr. Returns `report.code`, or
/// Incomplete with a warning where the command failed. The writer's lock is not held meanwhile.
ExitCode run_then(const KwindexOptions& options, const RunReport& report);

}  // namespace kw::indexer
