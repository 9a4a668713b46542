// SPDX-License-Identifier: GPL-2.0-or-later
// The terms of all opened indexes, as those of one: which there are, and how many files have them.
// Xapian asks one database after the other, and waits for each. Where servers are among them, all
// are asked at once here, and what was asked before is remembered.
#pragma once

#include <map>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "schema/base/worker_pool.h"
#include "schema/base/xapian_api.h"

namespace kw::search {

/// One thread at a time. Its functions throw Xapian::Error.
class TermDictionary {
 public:
  /// Of databases of this machine.
  explicit TermDictionary(Xapian::Database all) : all_(std::move(all)) {}

  /// Of databases with servers among them: `parts` are those of `all`. The pool must outlive it.
  TermDictionary(Xapian::Database all, std::vector<Xapian::Database> parts, WorkerPool& pool)
      : all_(std::move(all)), parts_(std::move(parts)), pool_(&pool) {}

  /// Whether a question costs a round trip to the servers. What only saves work is not asked then.
  bool asks_servers() const { return pool_ != nullptr; }

  bool exists(const std::string& term);
  Xapian::doccount frequency(const std::string& term);

  /// Calls `take(term)` with the terms that begin with `range`, in order, until it returns false.
  template <class Take>
  void for_each(const std::string& range, const Take& take) {
    if (asks_servers()) {
      for (const std::string& term : listed(range))
        if (!take(term)) return;
      return;
    }
    for (auto it = all_.allterms_begin(range), end = all_.allterms_end(range); it != end; ++it)
      if (!take(*it)) return;
  }

  /// Asks the servers for what will be needed, all in one go: the terms take two round trips, each
  /// range one. Does nothing without servers.
  void prepare(std::span<const std::string> terms, std::span<const std::string> ranges = {});

  /// What is remembered goes: each search asks anew, and only what it needs is in memory.
  void forget();

 private:
  const std::vector<std::string>& listed(const std::string& range);

  Xapian::Database all_;
  std::vector<Xapian::Database> parts_;
  WorkerPool* pool_ = nullptr;
  std::unordered_map<std::string, Xapian::doccount> frequencies_;
  std::map<std::string, std::vector<std::string>> ranges_;
};

}  // namespace kw::search
