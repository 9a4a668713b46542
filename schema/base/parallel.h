// SPDX-License-Identifier: GPL-2.0-or-later
// Work on many items in several threads. The calling thread draws meanwhile, or is one of them.
#pragma once

#include <cstddef>
#include <functional>
#include <future>
#include <system_error>

#include "schema/base/result.h"

namespace kw {

/// Cores that this process may use: those of its affinity, which containers and units set.
unsigned core_count();

/// Calls `work(worker, item)` once for each item from 0 to `items` - 1, taken in that order by
/// `threads` workers numbered from 0; what belongs to one worker needs no lock. Where the process
/// may have no more threads, fewer do it, or the calling one. `draw` is called in the calling
/// thread about ten times a second; where there is none, that thread is worker 0. The first error
/// stops the rest and is returned, when all workers have ended; an exception of `work` is an error
/// too.
Result<void> run_parallel(std::size_t items, unsigned threads,
                          const std::function<Result<void>(unsigned, std::size_t)>& work,
                          const std::function<void()>& draw = {});

/// Calls `f` in a thread of its own, or, where the process may have no more of them, when its
/// answer is fetched.
template <class F>
auto ask_at_once(const F& f) {
  try {
    return std::async(std::launch::async, f);
  } catch (const std::system_error&) {
    return std::async(std::launch::deferred, f);
  }
}

}  // namespace kw
