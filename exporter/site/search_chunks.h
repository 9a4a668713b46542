// SPDX-License-Identifier: GPL-2.0-or-later
// The static files that the site's script searches in: an index cut into shards, so that a search
// fetches a few of them. What is in which, and what a search needs: docs/site-search.md.
#pragma once

#include <functional>
#include <string>

#include "exporter/model/file_table.h"
#include "exporter/site/chunk_text.h"
#include "schema/base/result.h"
#include "schema/index/index_reader.h"

namespace kw::exporter::site {

/// The page of a file by its number in the catalogue, from the top of the site; raw bytes.
using PageOf = std::function<std::string(std::size_t number)>;

/// All shards of an index, made. Their names are those of files in the site's folder for them, with
/// `.js`. The same index gives the same bytes.
Result<ChunkSpool> build_search_chunks(IndexReader& reader, const FileTable& files,
                                       const PageOf& page_of);

}  // namespace kw::exporter::site
