// SPDX-License-Identifier: GPL-2.0-or-later
// The opened indexes of one search as one: opens them, opens them again when they change under a
// search or a server is lost, and repeats what failed so. What is searched in them: search.h.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <future>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "schema/base/parallel.h"
#include "schema/base/result.h"
#include "schema/base/worker_pool.h"
#include "schema/index/database_location.h"
#include "schema/index/guard.h"
#include "schema/index/index_reader.h"
#include "schema/index/vocabulary.h"
#include "searcher/engine/open_databases.h"
#include "searcher/engine/record_cache.h"
#include "searcher/engine/server_watch.h"
#include "searcher/engine/term_dictionary.h"

namespace kw::search {

/// One thread at a time. Movable; what it lent out is then of no more use.
class Session {
 public:
  /// At least one place. Fails if one of them cannot be opened, or, with `partial`, none.
  static Result<Session> open(std::vector<DatabaseLocation> places, const OpenOptions& options);

  const OpenDatabases& opened() const { return opened_; }
  std::vector<OpenDatabase>& shards() { return opened_.shards; }
  Xapian::Database& database() { return all_; }
  /// Of documents of database().
  RecordCache& records() { return records_; }
  bool asks_servers() const { return terms_->asks_servers(); }
  /// Of all indexes.
  TermDictionary& terms() { return *terms_; }

  /// Of all indexes; read when it is first needed.
  const Vocabulary& vocabulary();

  /// Which of shards() has a document of database().
  std::size_t shard_of(Xapian::docid id) const { return (id - 1) % opened_.shards.size(); }

  /// These documents of database(), in the order of `ids`, and the dictionaries of their indexes
  /// (IndexReader::codec). All servers are asked at once. Throws Xapian::Error.
  std::vector<Xapian::Document> documents(std::span<const Xapian::docid> ids);

  /// Calls `ask` once for each of these shards, at once where they are servers. Each call has its
  /// shard's objects for itself; what it throws is thrown here.
  void for_shards(const std::vector<std::size_t>& shards,
                  const std::function<void(std::size_t)>& ask);

  /// Calls `f(*this)`, which may throw Xapian::Error, until it succeeds or fails for good: an index
  /// that was changed is opened anew, a server that was lost is asked once more and then left out
  /// (with `partial`), or the call fails.
  template <class F>
  auto retried(F&& f) -> decltype(f(*this)) {
    int modified = 0, unreachable = 0;
    for (;;) {
      auto result = attempt(f);
      if (result) return result;
      if (result.error().code == ErrorCode::Modified) {
        if (++modified == kRetries) return result;
      } else if (may_be_lost(result.error()) && unreachable < kTimesLost) {
        // The first time it is enough to open all anew, which leaves out who is gone.
        if (lose_flooding()) {
          if (!options_.partial) return with_partial_hint(lost_.back().second, places_.size());
        } else if (++unreachable > 1 || result.error().code == ErrorCode::Corrupt ||
                   (watch_ && watch_->time_is_up())) {
          if (auto lost = find_lost(f); !lost && !options_.partial)
            return with_partial_hint(lost.error(), places_.size());
        }
      } else {
        return result;
      }
      KW_TRY(reopen());
    }
  }

 private:
  // A writer that commits twice while a query runs makes Xapian give it up; each retry sees the new
  // state.
  static constexpr int kRetries = 5;
  // How often a search begins anew because a server was lost.
  static constexpr int kTimesLost = 3;
  // Threads that wait for servers: of more servers than that each thread asks several in turn.
  static constexpr std::size_t kMostThreads = 128;

  /// The time of a search: it runs as long as this lives.
  class Timed {
   public:
    explicit Timed(ServerWatch* watch) : watch_(watch) {
      if (watch_) watch_->begin_search();
    }
    Timed(const Timed&) = delete;
    Timed& operator=(const Timed&) = delete;
    ~Timed() {
      if (watch_) watch_->end_search();
    }

   private:
    ServerWatch* const watch_;
  };

  Result<void> reopen();
  std::string about_search() const;
  /// Whether the error may be that of a server: what it sends may also look like a damaged index.
  bool may_be_lost(const Error& error) const {
    return error.code == ErrorCode::Unreachable ||
           (error.code == ErrorCode::Corrupt && asks_servers());
  }
  /// Takes down as lost who was cut off for what it sent. False if there is none.
  bool lose_flooding();

  /// `f(*this)`; where it runs out of memory for what a server sent, that server is unreachable.
  template <class F>
  auto attempt(const F& f) -> decltype(f(*this)) {
    const Timed timed(watch_.get());
    terms_->forget();
    try {
      return guard(about_search(), [&] { return f(*this); });
    } catch (const std::bad_alloc&) {
      if (!watch_ || !watch_->blame_greatest()) throw;
      return Error{ErrorCode::Unreachable, about_search() + ": a server sends too much", ""};
    }
  }

  /// Asks each place alone, all at once: for who was lost, Xapian does not always say.
  template <class F>
  Result<void> find_lost(const F& f) {
    using Answer = std::optional<Result<void>>;  // nullopt: there was no memory for it
    std::vector<std::future<Answer>> asked;
    watch_.reset();  // each has a time of its own
    for (const OpenDatabase& shard : opened_.shards)
      asked.push_back(ask_at_once([&f, &place = shard.place, this]() -> Answer {
        try {
          return ask_alone(f, place);
        } catch (const std::bad_alloc&) {
          return std::nullopt;
        }
      }));
    std::vector<Answer> answers;
    for (std::future<Answer>& one : asked) answers.push_back(one.get());
    Result<void> first;
    for (std::size_t i = 0; i < answers.size(); ++i) {
      // What another server sent may have taken all memory, and is gone now.
      const DatabaseLocation& place = opened_.shards[i].place;
      if (const auto answer = answers[i] ? *answers[i] : ask_alone(f, place); !answer) {
        lost_.emplace_back(place, answer.error());
        if (first) first = answer;
      }
    }
    return first;
  }

  /// Why the server of a place is lost, if it is.
  template <class F>
  Result<void> ask_alone(const F& f, const DatabaseLocation& place) const {
    auto alone = KW_TRY(open({place}, {options_.timeout_seconds, false}));
    const auto answer = alone.attempt(f);
    if (answer) return {};
    if (alone.watch_)
      if (auto reason = alone.watch_->reason_of(place)) return *std::move(reason);
    return place.is_remote() ? of_server(answer.error()) : answer.error();
  }

  std::vector<DatabaseLocation> places_;
  OpenOptions options_;
  std::vector<std::pair<DatabaseLocation, Error>> lost_;  // places that opened, but do not answer
  OpenDatabases opened_;
  std::unique_ptr<ServerWatch> watch_;  // of the servers; null where there are none
  Xapian::Database all_;
  std::unique_ptr<WorkerPool> pool_;  // asks the servers; null where there are none
  std::unique_ptr<TermDictionary> terms_;
  std::optional<Vocabulary> vocabulary_;
  RecordCache records_;
};

}  // namespace kw::search
