// SPDX-License-Identifier: GPL-2.0-or-later
// The exit codes of all three programs.
#pragma once

namespace kw {

enum class ExitCode : int {
  Done = 0,
  NothingFound = 1,  ///< kwsearch only
  Fatal = 2,         ///< usage or fatal error, no index among them
  Incomplete = 3,    ///< done, but a file could not be read, a page not written, or --then failed
  Locked = 75        ///< another writer holds the index (EX_TEMPFAIL of sysexits.h)
};

}  // namespace kw
