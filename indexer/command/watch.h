// SPDX-License-Identifier: GPL-2.0-or-later
// --watch: keeps an index up to date while its tree changes. inotify says only that something
// changed; what changed is found by a run like any other, so that no event can mislead the index.
#pragma once

#include <functional>
#include <optional>

#include "indexer/command/run.h"

namespace kw::indexer {

/// Is told of each run, and of what a watch has to say (a run that failed is an error, not the
/// end).
using AfterRun = std::function<void(const Result<RunReport>&)>;

/// The options as the command line and configuration files give them now; nothing if they are at
/// fault, which was then said.
using Reread = std::function<std::optional<KwindexOptions>()>;

/// Runs once, then again whenever the tree has changed and is quiet, until SIGTERM, SIGINT or
/// SIGHUP asks for the end; the run that is under way is finished, unless the signal comes twice.
/// Fails only if the first run does. Where the system gives no watch for a folder, or loses events,
/// that is said once, and the tree is also scanned from time to time.
/// Folders above the root are watched for their ignore files, and for another root in its place.
/// `reread` is asked before each run but the first: configuration files may have changed.
Result<void> watch_tree(const KwindexOptions& options, const Reread& reread,
                        const AfterRun& after_run);

}  // namespace kw::indexer
