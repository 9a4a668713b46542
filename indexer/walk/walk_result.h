// SPDX-License-Identifier: GPL-2.0-or-later
// What a walk of a tree finds.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "indexer/walk/skip_reason.h"
#include "schema/index/record.h"

namespace kw::indexer {

struct FoundFile {
  std::string path;  ///< from the root, with `/`
  FileStat stamp;    ///< all but seen_ns
};

struct SkippedPath {
  std::string path;
  SkipReason reason;
};

struct WalkResult {
  std::vector<FoundFile> files;        ///< sorted by the bytes of their paths
  std::vector<SkippedPath> skipped;    ///< sorted likewise; unreadable folders are among them
  std::vector<std::string> folders{};  ///< those that were read, each with a slash; "" is the root
  /// Ignore files with more rules than are taken (ignore.h): from the root, those elsewhere
  /// absolute.
  std::vector<std::string> cut_ignore_files{};
};

/// Called now and then with the number of files found so far.
using WalkProgress = std::function<void(std::uint64_t)>;

}  // namespace kw::indexer
