// SPDX-License-Identifier: GPL-2.0-or-later
// Opens the indexes of one search, each by itself, and finds out which of them are parts of one
// tree (kwindex --shard): those are shown as one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "schema/base/result.h"
#include "schema/base/worker_pool.h"
#include "schema/index/database_location.h"
#include "schema/index/index_reader.h"
#include "searcher/engine/server_watch.h"

namespace kw::search {

struct OpenOptions {
  double timeout_seconds = 5;    ///< for all that a search asks of servers
  bool partial = false;          ///< leave out what cannot be opened
  std::uint64_t kept_bytes = 0;  ///< of records that are kept from one search to the next
};

struct OpenDatabase {
  DatabaseLocation place;
  IndexReader reader;
  std::string root;      ///< of its tree; HOST:PORT where only the server knows
  std::size_t tree = 0;  ///< trees count from 0, in the order of their first parts
};

struct OpenDatabases {
  std::vector<OpenDatabase> shards;        ///< in the order of the places
  std::vector<Error> left_out;             ///< of `partial`: why, one for each place
  std::vector<std::string> missing_parts;  ///< of trees: "3/4 of /srv/tree"
  std::size_t trees = 0;
};

/// Servers are asked all at once, through `watch`, in the threads of `pool`; only places without
/// servers do without them. A place that is named twice counts once; two places that hold the same
/// part of a tree are an error, for each of their files would be found twice. `lost` are places
/// that are known not to work, and why. Fails too if nothing is left.
Result<OpenDatabases> open_databases(
    const std::vector<DatabaseLocation>& places, const OpenOptions& options, ServerWatch* watch,
    WorkerPool* pool, const std::vector<std::pair<DatabaseLocation, Error>>& lost = {});

/// The same error with the hint that the rest of several places can be searched.
Error with_partial_hint(Error error, std::size_t places);

}  // namespace kw::search
