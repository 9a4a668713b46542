// SPDX-License-Identifier: GPL-2.0-or-later
#include "searcher/engine/open_databases.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <unordered_set>
#include <utility>

#include "schema/index/database_dir.h"
#include "schema/index/partition.h"
#include "schema/text/text.h"

namespace kw::search {
namespace {

std::vector<DatabaseLocation> each_once(const std::vector<DatabaseLocation>& places) {
  std::vector<DatabaseLocation> unique;
  std::unordered_set<std::string> seen;
  for (const DatabaseLocation& place : places) {
    DatabaseLocation same = place;
    std::error_code error;
    if (!place.is_remote())
      if (const auto real = std::filesystem::canonical(place.folder, error); !error)
        same.folder = real.string();
    if (seen.insert((place.is_remote() ? "server " : "folder ") + same.name()).second)
      unique.push_back(place);
  }
  return unique;
}

std::string root_of(const DatabaseLocation& place, const IndexInfo& info) {
  if (!place.is_remote()) return absolute_root(DatabaseFolder(place.folder), info);
  // Parts know by it that they are of one tree. Whole trees of two machines are two, though they
  // lie at the same path, and a relative root says nothing here.
  const bool is_part = info.shard != to_string(Partition{});
  return is_part && info.root.starts_with('/') ? info.root : place.name();
}

Result<IndexReader> open_one(const DatabaseLocation& place, ServerWatch* watch) {
  return place.is_remote() ? watch->open(place) : IndexReader::open(DatabaseFolder(place.folder));
}

/// Why a place is known not to work; nullptr: it is not.
const Error* reason_of(const DatabaseLocation& place,
                       const std::vector<std::pair<DatabaseLocation, Error>>& lost) {
  const auto known =
      std::find_if(lost.begin(), lost.end(), [&](const auto& one) { return one.first == place; });
  return known == lost.end() ? nullptr : &known->second;
}

/// A database takes some three descriptors; what a process has at first may not do.
void allow_many_open_files() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == limit.rlim_max) return;
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

/// Which parts of one tree there are.
struct Parts {
  std::size_t tree = 0;
  std::uint32_t count = 1;
  std::map<std::uint32_t, std::string> places;  // by part
};

/// Numbers the trees. Usage: two places hold the same files.
Result<void> group_to_trees(OpenDatabases& opened) {
  std::map<std::string, Parts> by_root;
  for (OpenDatabase& shard : opened.shards) {
    const auto part = parse_partition(shard.reader.info().shard);
    if (!part)
      return Error{ErrorCode::Corrupt,
                   fmt::format("cannot open index '{}': it does not say which part it is",
                               printable(shard.place.name())),
                   "rebuild it with: kwindex --rebuild"};
    const auto [at, added] = by_root.try_emplace(shard.root);
    Parts& parts = at->second;
    if (added) {
      parts.tree = opened.trees++;
      parts.count = part->count;
    }
    const std::string name = printable(shard.place.name());
    shard.tree = parts.tree;
    if (parts.count != part->count)
      return Error{
          ErrorCode::Usage,
          fmt::format("'{}' and '{}' hold parts of '{}' that was divided in two ways",
                      printable(parts.places.begin()->second), name, printable(shard.root)),
          "name the parts of one division"};
    const auto [same, first] = parts.places.try_emplace(part->index, shard.place.name());
    if (!first)
      return Error{
          ErrorCode::Usage,
          part->count == 1
              ? fmt::format("'{}' and '{}' both index '{}'", printable(same->second), name,
                            printable(shard.root))
              : fmt::format("'{}' and '{}' both hold part {} of '{}'", printable(same->second),
                            name, to_string(*part), printable(shard.root)),
          "name one of them"};
  }
  for (const auto& [root, parts] : by_root)
    for (std::uint32_t i = 1; i <= parts.count && opened.left_out.empty(); ++i)
      if (!parts.places.contains(i))
        opened.missing_parts.push_back(
            fmt::format("{} of {}", to_string(Partition{i, parts.count}), root));
  return {};
}

}  // namespace

Error with_partial_hint(Error error, std::size_t places) {
  if (places > 1)
    error.hint +=
        std::string(error.hint.empty() ? "" : "; or ") + "search the rest with: --partial";
  return error;
}

Result<OpenDatabases> open_databases(const std::vector<DatabaseLocation>& places,
                                     const OpenOptions& options, ServerWatch* watch,
                                     WorkerPool* pool,
                                     const std::vector<std::pair<DatabaseLocation, Error>>& lost) {
  const std::vector<DatabaseLocation> unique = each_once(places);
  if (unique.size() > kMaxPlaces)
    return Error{ErrorCode::Usage, fmt::format("more than {} databases", kMaxPlaces),
                 "make fewer and larger parts"};
  constexpr std::size_t kMany = 100;
  if (unique.size() > kMany) allow_many_open_files();
  // Each server may take as long as is waited for it: so they are asked at once. What is opened is
  // then this thread's alone.
  std::vector<std::size_t> servers;
  for (std::size_t i = 0; i < unique.size(); ++i)
    if (unique[i].is_remote() && !reason_of(unique[i], lost)) servers.push_back(i);
  std::vector<std::optional<Result<IndexReader>>> asked(unique.size());
  if (!servers.empty())
    pool->run(servers.size(),
              [&](std::size_t n) { asked[servers[n]] = open_one(unique[servers[n]], watch); });
  OpenDatabases opened;
  std::optional<Error> failed;
  const auto leave_out = [&](const Error& error) {
    if (!failed) failed = error;
    opened.left_out.push_back(error);
  };
  for (std::size_t i = 0; i < unique.size(); ++i) {
    if (const Error* const reason = reason_of(unique[i], lost)) {
      leave_out(*reason);
      continue;
    }
    auto reader = asked[i] ? *std::move(asked[i]) : open_one(unique[i], watch);
    if (!reader) {
      leave_out(reader.error());
      continue;
    }
    const std::string root = root_of(unique[i], reader->info());
    opened.shards.push_back({unique[i], *std::move(reader), root});
  }
  if (failed && (!options.partial || opened.shards.empty())) {
    if (!options.partial) return with_partial_hint(*std::move(failed), unique.size());
    return *std::move(failed);
  }
  KW_TRY(group_to_trees(opened));
  return opened;
}

}  // namespace kw::search
