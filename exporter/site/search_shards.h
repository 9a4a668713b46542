// SPDX-License-Identifier: GPL-2.0-or-later
// The static files that the site's script searches in: an index cut into shards, so that a search
// fetches a few of them. What is in which, and what a search needs: SEARCH.md.
#pragma once

#include <functional>
#include <string>

#include "exporter/catalogue.h"
#include "exporter/site/shard_text.h"
#include "schema/index_reader.h"
#include "schema/result.h"

namespace kw {

/// The page of a file by its number in the catalogue, from the top of the site; raw bytes.
using PageOf = std::function<std::string(std::size_t number)>;

/// All shards of an index, made. Their names are those of files in the site's folder for them, with
/// `.js`. The same index gives the same bytes.
Result<ShardSpool> build_search_shards(IndexReader& reader, const Catalogue& files,
                                       const PageOf& page_of);

}  // namespace kw
