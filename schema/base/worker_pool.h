// SPDX-License-Identifier: GPL-2.0-or-later
// Threads that stay, for work that mostly waits: starting one for each piece would take longer than
// the piece. Work that keeps cores busy: parallel.h.
#pragma once

#include <pthread.h>

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <vector>

namespace kw {

/// One thread at a time calls it.
class WorkerPool {
 public:
  /// Starts no thread yet; `most_threads` is how many it may have beside the calling one.
  explicit WorkerPool(std::size_t most_threads) : most_threads_(most_threads) {}
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;
  ~WorkerPool();

  /// Calls `work(item)` once for each item from 0 to `items` - 1, in the threads of the pool and in
  /// the calling one, and returns when all have ended. Where the process may have no more threads,
  /// fewer do it. What `work` throws is thrown here; items that nobody began are then left out.
  void run(std::size_t items, const std::function<void(std::size_t)>& work);

 private:
  void start_threads(std::size_t wanted);
  static void* start(void* pool);
  void serve();

  const std::size_t most_threads_;
  std::mutex mutex_;  // guards what follows, but threads_
  std::condition_variable wakes_, ends_;
  const std::function<void()>* work_ = nullptr;  // of the call of run() under way
  std::size_t openings_ = 0;                     // for threads to begin with it
  std::size_t running_ = 0;    // threads that have not ended it, the calling one too
  std::exception_ptr thrown_;  // by the first that failed
  bool ended_ = false;
  std::vector<pthread_t> threads_;
};

}  // namespace kw
