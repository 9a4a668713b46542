// SPDX-License-Identifier: GPL-2.0-or-later
// The indexes of a program that stays: opened once, and anew when kwindex has changed them. Those
// of servers are opened anew every ten seconds at most, for nobody says when they change, and a
// server drops who is silent for a minute.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "schema/index/index_reader.h"
#include "searcher/engine/search.h"
#include "searcher/output/request.h"

namespace kw::search {

class OpenIndex {
 public:
  /// `request` must outlive it.
  explicit OpenIndex(const SearchRequest& request) : request_(request) {}

  /// As the indexes are now. Call it at the begin of each request; NotFound and the like are no
  /// reason to give up: the next call tries again.
  Result<Searcher*> searcher();

  /// A file's record and the root of its tree.
  struct File {
    FileRecord record;
    std::string root;
  };
  /// Nothing: no index has the path. With `tree` only the index of that root is asked. After
  /// searcher().
  Result<std::optional<File>> file(const std::string& path, const std::string& tree,
                                   RecordParts parts);

 private:
  bool has_changed();

  const SearchRequest& request_;
  std::optional<Searcher> searcher_;
  std::vector<DatabaseLocation> places_;  // that it has opened
  std::chrono::steady_clock::time_point opened_at_;
};

}  // namespace kw::search
