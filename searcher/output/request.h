// SPDX-License-Identifier: GPL-2.0-or-later
// A search request as the command line and the MCP server make it: which databases, what is asked,
// how it is ranked. How results are shown: present.h.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "schema/base/result.h"
#include "searcher/engine/search.h"
#include "searcher/query/query.h"

namespace kw::search {

struct SearchRequest {
  /// As given, collections as @NAME; empty: $KWSEARCH_DB, else the nearest above.
  std::vector<std::string> databases;
  std::optional<std::string> config;  ///< of --config: where collections are read from
  double timeout_seconds = OpenOptions().timeout_seconds;
  bool partial = false;  ///< leave out databases that cannot be opened or do not answer
  std::string query;
  std::string regex;  ///< of -e; empty: none
  SearchOptions search;
};

/// The databases that a request names. Usage: an unknown collection.
Result<std::vector<DatabaseLocation>> locations_to_search(const SearchRequest& request);

/// Bounds what a search of these databases may take from here on, by the size of those that lie on
/// this machine: a damaged one must not take the machine with it.
void limit_search(const std::vector<DatabaseLocation>& places);

OpenOptions open_options(const SearchRequest& request);

/// The query and the expression of -e as one. Usage: both are empty.
Result<ParsedQuery> query_of(const SearchRequest& request);

}  // namespace kw::search
