// SPDX-License-Identifier: GPL-2.0-or-later
#include "schema/base/parallel.h"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <new>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "schema/base/fault_guard.h"

namespace kw {
namespace {

constexpr std::chrono::milliseconds kDrawInterval{100};

/// What the workers share.
struct Progress {
  std::atomic<std::size_t> next{0};
  std::atomic<bool> stop{false};
  std::mutex mutex;  // guards the rest
  std::condition_variable ended;
  std::size_t running = 0;
  std::optional<Error> error;
};

Result<void> call(const std::function<Result<void>(unsigned, std::size_t)>& work, unsigned worker,
                  std::size_t item) {
  try {
    return work(worker, item);
  } catch (const std::bad_alloc&) {
    return out_of_memory();
  } catch (const std::exception& e) {  // it would end the process
    return Error{ErrorCode::Failed, std::string("internal error: ") + e.what(), ""};
  }
}

void run_worker(Progress& progress, unsigned worker, std::size_t items,
                const std::function<Result<void>(unsigned, std::size_t)>& work) {
  while (!progress.stop) {
    const std::size_t item = progress.next.fetch_add(1);
    if (item >= items) break;
    if (auto done = call(work, worker, item); !done) {
      const std::lock_guard lock(progress.mutex);
      if (!progress.error) progress.error = done.error();
      progress.stop = true;
    }
  }
  const std::lock_guard lock(progress.mutex);
  --progress.running;
  progress.ended.notify_one();
}

}  // namespace

unsigned core_count() {
  cpu_set_t cores;  // fails where the machine has more than fit in it
  if (::sched_getaffinity(0, sizeof cores, &cores) == 0 && CPU_COUNT(&cores) > 0)
    return static_cast<unsigned>(CPU_COUNT(&cores));
  return std::max(1u, std::thread::hardware_concurrency());
}

Result<void> run_parallel(std::size_t items, unsigned threads,
                          const std::function<Result<void>(unsigned, std::size_t)>& work,
                          const std::function<void()>& draw) {
  Progress progress;
  progress.running = static_cast<unsigned>(std::min<std::size_t>(std::max(1u, threads), items));
  std::vector<std::jthread> workers;  // joined when it goes, before `progress`
  const unsigned first = draw ? 0 : 1;
  for (unsigned i = first, n = static_cast<unsigned>(progress.running); i < n; ++i) {
    try {
      workers.emplace_back([&, i] { run_worker(progress, i, items, work); });
    } catch (const std::system_error&) {  // no more are allowed: those that run do all
      const std::lock_guard lock(progress.mutex);
      progress.running -= n - std::max(1u, i);
      break;
    }
  }
  if ((!draw || workers.empty()) && items > 0) run_worker(progress, 0, items, work);
  if (draw) {
    std::unique_lock lock(progress.mutex);
    while (!progress.ended.wait_for(lock, kDrawInterval, [&] { return progress.running == 0; })) {
      lock.unlock();
      draw();
      lock.lock();
    }
  }
  workers.clear();
  if (progress.error) return *progress.error;
  return {};
}

}  // namespace kw
