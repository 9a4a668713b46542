// SPDX-License-Identifier: GPL-2.0-or-later
// kwsearch from options to exit code.
#pragma once

#include "searcher/command/options.h"

namespace kw::search {

ExitCode run_kwsearch(const KwsearchOptions& options);

}  // namespace kw::search
