// SPDX-License-Identifier: GPL-2.0-or-later
// Pages are made in several threads and written one after the other, in the order of a run with
// one thread: so what is told of them, and what lies there after a kill, does not depend on cores.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <map>
#include <mutex>
#include <utility>

#include "schema/base/parallel.h"
#include "schema/base/result.h"

namespace kw::exporter {

/// Things made ahead of their turn wait in it: a bounded number, and not many large ones. `Made`
/// has a size().
template <class Made>
class InOrder {
 public:
  using Take = std::function<void(std::size_t item, Made made)>;

  /// `take` is called for the items from 0 on, never by two threads at once.
  InOrder(std::size_t most_ahead, Take take) : most_ahead_(most_ahead), take_(std::move(take)) {}

  /// May wait until items before it were taken. Returns when `made` was taken, or when another
  /// thread will take it.
  void put(std::size_t item, Made made) {
    std::unique_lock lock(mutex_);
    // Whoever has the next item never waits, so somebody always goes on.
    moved_.wait(lock, [&] {
      return stopped_ || item == next_ || (item < next_ + most_ahead_ && size_ <= kMostSizeAhead);
    });
    size_ += made.size();
    waiting_.emplace(item, std::move(made));
    if (taking_) return;  // the thread that takes will take this item, too
    taking_ = true;
    while (!stopped_ && !waiting_.empty() && waiting_.begin()->first == next_) {
      auto first = waiting_.extract(waiting_.begin());
      const bool were_many = size_ > kMostSizeAhead;
      size_ -= first.mapped().size();
      lock.unlock();  // others make and put meanwhile
      take_(first.key(), std::move(first.mapped()));
      lock.lock();
      ++next_;
      // Waiting threads are woken once for several items: each wake-up is a system call.
      if (waiting_.size() == most_ahead_ / 2 || were_many) moved_.notify_all();
    }
    taking_ = false;
    moved_.notify_all();
  }

  /// Waits until all items before `item` were taken. False after stop(): that will not be.
  bool wait_for_turn(std::size_t item) {
    std::unique_lock lock(mutex_);
    moved_.wait(lock, [&] { return stopped_ || item == next_; });
    return !stopped_;
  }

  /// An item will not come: nobody waits for it.
  void stop() {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    moved_.notify_all();
  }

 private:
  static constexpr std::size_t kMostSizeAhead = 8 << 20;

  const std::size_t most_ahead_;
  const Take take_;
  std::mutex mutex_;  // guards the rest
  std::condition_variable moved_;
  std::map<std::size_t, Made> waiting_;
  std::size_t size_ = 0;  // of all that waits
  std::size_t next_ = 0;
  bool taking_ = false;  // a thread is in `take_`, which it calls without the mutex
  bool stopped_ = false;
};

/// Makes an item. Where that takes much memory it calls `wait()` first, which returns when all
/// items before it were taken, and throws where that will not be.
template <class Made>
using MakeItem = std::function<Result<Made>(std::size_t item, const std::function<void()>& wait)>;

/// Calls `make(item, wait)` for the items from 0 to `items` - 1, in as many threads as there are
/// cores, and `take(item, made)` for each in order, in any thread but in one at a time. Of the
/// items that wait, one is made at a time. The first error ends all and is returned.
template <class Made>
Result<void> make_in_order(std::size_t items, const MakeItem<Made>& make,
                           typename InOrder<Made>::Take take) {
  const unsigned threads = core_count();
  InOrder<Made> in_order(std::size_t{8} * threads, std::move(take));
  struct StopUnlessTaken {
    ~StopUnlessTaken() {
      if (!taken) in_order.stop();
    }
    InOrder<Made>& in_order;
    bool taken = false;
  };
  struct Stopped {};
  const auto work = [&](unsigned, std::size_t item) -> Result<void> {
    StopUnlessTaken guard{in_order};  // after an exception, too
    try {
      const auto wait = [&] {
        if (!in_order.wait_for_turn(item)) throw Stopped();
      };
      in_order.put(item, KW_TRY(make(item, wait)));
    } catch (const Stopped&) {
      return {};  // the thread that stopped it returns the reason
    }
    guard.taken = true;
    return {};
  };
  return run_parallel(items, threads, work);
}

}  // namespace kw::exporter
