// SPDX-License-Identifier: GPL-2.0-or-later
// One thread's walk of a tree. Threads that walk the same tree share its folders at depth two; the
// folders above are read by each, and recorded by the first.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <unordered_set>

#include "indexer/walk/ignore.h"
#include "indexer/walk/walk_result.h"
#include "schema/base/result.h"
#include "schema/index/index_options.h"

namespace kw::indexer {

/// Which shared folders are taken by a thread, and how many files all threads have found.
class WalkShares {
 public:
  /// True if the folder was free; it is the caller's now.
  bool take(std::string folder) {
    const std::lock_guard lock(mutex_);
    return taken_.insert(std::move(folder)).second;
  }

  std::atomic<std::uint64_t> files{0};

 private:
  std::mutex mutex_;
  std::unordered_set<std::string> taken_;
};

/// What is walked, and how: the same for all threads.
struct WalkOrder {
  const std::string& root;
  const std::string& database_folder;
  const IndexOptions& options;
  RuleList include;  ///< each thread matches a copy, as a glob is matched by one thread at a time
  RuleList exclude;
  const WalkProgress& progress;  ///< called by the first thread
};

/// The first thread's walk: all that no other thread takes. `start_others` is called once, when
/// there is work for more threads. Errors are those of walk() in walker.h.
Result<WalkResult> walk_first(const WalkOrder& order, WalkShares& shares,
                              const std::function<void()>& start_others);

/// Another thread's walk: what it takes of the shared folders.
Result<WalkResult> walk_along(const WalkOrder& order, WalkShares& shares);

}  // namespace kw::indexer
