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

namespace {

/// Leaves out the rest of the items where the work on one was not brought to its end.
class RestGuard {
 public:
  RestGuard(std::atomic<std::size_t>& next, std::size_t items) : next_(next), items_(items) {}
  RestGuard(const RestGuard&) = delete;
  RestGuard& operator=(const RestGuard&) = delete;
  ~RestGuard() {
    if (!is_done_) next_ = items_;
  }
  void done() { is_done_ = true; }

 private:
  std::atomic<std::size_t>& next_;
  const std::size_t items_;
  bool is_done_ = false;
};

}  // namespace

void WorkerPool::run(std::size_t items, const std::function<void(std::size_t)>& work) {
  std::atomic<std::size_t> next{0};
  const auto work_off = [&] {
    RestGuard rest(next, items);
    for (std::size_t item = next++; item < items; item = next++) work(item);
    rest.done();
  };
  const std::size_t helpers = std::min(most_threads_, items > 0 ? items - 1 : 0);
  start_threads(helpers);
  std::vector<std::future<void>> ended;
  {
    const std::lock_guard lock(mutex_);
    for (std::size_t i = 0; i < std::min(helpers, threads_.size()); ++i) {
      std::packaged_task<void()> task(work_off);
      ended.push_back(task.get_future());
      tasks_.push_back(std::move(task));
    }
  }
  wakes_.notify_all();
  std::packaged_task<void()> own(work_off);
  ended.push_back(own.get_future());
  own();
  // All have ended before what they use goes.
  for (const std::future<void>& one : ended) one.wait();
  for (std::future<void>& one : ended) one.get();
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
    wakes_.wait(lock, [this] { return ended_ || !tasks_.empty(); });
    if (ended_) return;
    std::packaged_task<void()> task = std::move(tasks_.front());
    tasks_.pop_front();
    lock.unlock();
    task();
    task = {};
    lock.lock();
  }
}

}  // namespace kw
