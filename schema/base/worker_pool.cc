// SPDX-License-Identifier: GPL-2.0-or-later
#include "schema/base/worker_pool.h"

#include <algorithm>
#include <atomic>
#include <utility>

namespace kw {

WorkerPool::~WorkerPool() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  wakes_.notify_all();
  for (const pthread_t thread : threads_) ::pthread_join(thread, nullptr);
}

void WorkerPool::run(std::size_t items, const std::function<void(std::size_t)>& work) {
  std::atomic<std::size_t> next{0};
  const std::function<void()> work_off = [&] {
    std::exception_ptr thrown;
    try {
      for (std::size_t item = next++; item < items; item = next++) work(item);
    } catch (...) {
      next = items;
      thrown = std::current_exception();
    }
    const std::lock_guard lock(mutex_);
    if (!thrown_) thrown_ = std::move(thrown);  // the caller alone has it then
    if (--running_ == 0) ends_.notify_one();
  };
  const std::size_t helpers = std::min(most_threads_, items > 0 ? items - 1 : 0);
  start_threads(helpers);
  {
    const std::lock_guard lock(mutex_);
    work_ = &work_off;
    openings_ = std::min(helpers, threads_.size());
    running_ = openings_ + 1;
  }
  wakes_.notify_all();
  work_off();
  std::unique_lock lock(mutex_);
  running_ -= std::exchange(openings_, 0);  // of threads that are not awake yet
  ends_.wait(lock, [this] { return running_ == 0; });
  if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
}

void WorkerPool::start_threads(std::size_t wanted) {
  // Stacks count as memory that a process may have; the usual ones are of 8 MiB.
  constexpr std::size_t kStack = 256 << 10;
  pthread_attr_t attributes;
  ::pthread_attr_init(&attributes);
  ::pthread_attr_setstacksize(&attributes, kStack);
  pthread_t thread{};
  while (threads_.size() < wanted && ::pthread_create(&thread, &attributes, start, this) == 0)
    threads_.push_back(thread);
  ::pthread_attr_destroy(&attributes);
}

void* WorkerPool::start(void* pool) {
  static_cast<WorkerPool*>(pool)->serve();
  return nullptr;
}

void WorkerPool::serve() {
  std::unique_lock lock(mutex_);
  for (;;) {
    wakes_.wait(lock, [this] { return ended_ || openings_ > 0; });
    if (ended_) return;
    --openings_;
    const std::function<void()>& work_off = *work_;
    lock.unlock();
    work_off();
    lock.lock();
  }
}

}  // namespace kw
