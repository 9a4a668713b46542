// SPDX-License-Identifier: GPL-2.0-or-later
#include "searcher/output/request.h"

#include <fmt/format.h>

#include "schema/base/fault_guard.h"
#include "schema/cli/config.h"
#include "schema/index/database_dir.h"
#include "schema/text/text.h"

namespace kw::search {
namespace {

// The slowest search of 92 MB that is meant takes some 2 s of processor time and 250 MB.
constexpr std::uint64_t kBytesSearchedASecond = 16 << 20;
constexpr std::uint64_t kMemoryToSearch = 400u << 20;
constexpr std::uint64_t kMemoryPerByte = 8;

/// What a collection's name stands for; another name is itself.
Result<std::vector<std::string>> expanded(const std::string& name,
                                          const std::optional<std::string>& config) {
  if (!name.starts_with('@')) return std::vector<std::string>{name};
  auto collections = KW_TRY(cli::read_collections(config));
  const auto found = collections.named.find(name.substr(1));
  if (found != collections.named.end()) return found->second;
  std::vector<std::string> known;
  for (const auto& [one, places] : collections.named) known.push_back("@" + printable(one));
  return Error{
      ErrorCode::Usage,
      fmt::format("no collection '{}' in '{}'", printable(name), printable(collections.file)),
      known.empty() ? "name one there, below [collections]: work = [\"/srv/docs\"]"
                    : fmt::format("it has {}", fmt::join(known, ", "))};
}

}  // namespace

Result<std::vector<DatabaseLocation>> locations_to_search(const SearchRequest& request) {
  std::vector<std::string> named = request.databases;
  if (named.empty()) {
    named.push_back(KW_TRY(database_to_read({})));
  }
  std::vector<DatabaseLocation> places;
  for (const std::string& name : named) {
    const auto members = KW_TRY(expanded(name, request.config));
    for (const std::string& member : members) {
      const auto some = KW_TRY(places_of(member));
      places.insert(places.end(), some.begin(), some.end());
    }
  }
  return places;
}

void limit_search(const std::vector<DatabaseLocation>& places) {
  std::uint64_t bytes = 0;
  for (const DatabaseLocation& place : places)
    if (!place.is_remote()) bytes += DatabaseFolder(place.folder).live_bytes();
  limit_work(seconds_to_read(0) + static_cast<unsigned>(bytes / kBytesSearchedASecond),
             kMemoryToSearch + kMemoryPerByte * bytes);
}

OpenOptions open_options(const SearchRequest& request) {
  return {request.timeout_seconds, request.partial};
}

Result<ParsedQuery> query_of(const SearchRequest& request) {
  auto query = parse_query(request.query);
  if (!query && request.regex.empty())
    return Error{ErrorCode::Usage, "no query", "kwsearch WORD, or kwsearch --help"};
  ParsedQuery parsed = query ? *std::move(query) : ParsedQuery{};
  if (!request.regex.empty()) {
    QueryNode leaf;
    leaf.kind = QueryNode::Kind::Regex;
    leaf.text = request.regex;
    parsed.root.children.push_back(std::move(leaf));
    parsed.plain.clear();  // its words must all match beside the expression
  }
  return parsed;
}

}  // namespace kw::search
