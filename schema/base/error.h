// SPDX-License-Identifier: GPL-2.0-or-later
// What went wrong, and what to do next. Every failure that a person sees is one of these; program.h
// prints it. Not for a file that is merely left out of an index: that is a SkipReason (indexer/).
#pragma once

#include <string>

namespace kw {

/// The kinds of failure that callers treat differently; all others are `Failed`.
enum class ErrorCode {
  Usage,         ///< the command line or a configuration file is wrong
  NotFound,      ///< no index, no root, no such file
  Locked,        ///< another writer holds the index (exit 75)
  OtherVersion,  ///< the index has another schema version
  Corrupt,       ///< the index, or a record of it, does not decode
  Modified,      ///< the index changed under a reader; reopen and retry
  Unreachable,   ///< a server does not answer, or not as one of ours
  Refused,       ///< not safe, or not meant to be done (a stub that names a program)
  Failed         ///< the system said no: disk full, no permission, a dead child
};

struct Error {
  ErrorCode code = ErrorCode::Failed;
  std::string message;  ///< what happened, naming the thing: "cannot open index 'x': ..."
  std::string hint;     ///< what to do next, or empty
};

/// Said where the process may open no more.
inline constexpr const char* kTooManyFilesHint = "name fewer databases, or raise: ulimit -n";

/// Said where an index is another user's.
inline constexpr const char* kMayNotReadHint =
    "its owner may share it with: kwindex --shared, and chmod of the folder";

}  // namespace kw
