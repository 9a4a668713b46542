// SPDX-License-Identifier: GPL-2.0-or-later
#include "searcher/mcp/open_index.h"

#include <utility>

#include "schema/index/database_dir.h"
#include "schema/index/fields.h"
#include "schema/index/guard.h"
#include "schema/index/terms.h"
#include "schema/text/text.h"
#include "searcher/output/request.h"

namespace kw::search {
namespace {

constexpr std::uint64_t kKeptBytes = 16 << 20;  // of records: several pages of results
// To open a server takes seven round trips, a search three or more.
constexpr std::chrono::seconds kServersKept{10};

}  // namespace

Result<Searcher*> OpenIndex::searcher() {
  const auto places = KW_TRY(locations_to_search(request_));
  limit_search(places);  // each message anew
  if (searcher_ && places == places_ && !has_changed()) return &*searcher_;
  searcher_.reset();
  places_ = places;
  OpenOptions options = open_options(request_);
  options.kept_bytes = kKeptBytes;
  searcher_ = KW_TRY(Searcher::open(places, options));
  opened_at_ = std::chrono::steady_clock::now();
  return &*searcher_;
}

/// A new generation stands in the stub; an update in place is seen by Xapian.
bool OpenIndex::has_changed() {
  // What is left out, or was lost in a search, may be there again.
  if (searcher_->shards().empty() || !searcher_->opened().left_out.empty()) return true;
  for (OpenDatabase& shard : searcher_->shards()) {
    if (shard.place.is_remote()) {  // servers do not tell
      if (std::chrono::steady_clock::now() - opened_at_ > kServersKept) return true;
      continue;
    }
    const auto live = DatabaseFolder(shard.place.folder).live_generation();
    const auto opened = parse_generation_name(file_name_of(shard.reader.path()));
    if (!live || !opened || *live != *opened) return true;
    const auto updated =
        guard("cannot read the index", [&] { return shard.reader.database().reopen(); });
    if (!updated || *updated) return true;
  }
  return false;
}

Result<std::optional<OpenIndex::File>> OpenIndex::file(const std::string& path,
                                                       const std::string& tree, RecordParts parts) {
  for (OpenDatabase& shard : searcher_->shards()) {
    if (!tree.empty() && tree != shard.root) continue;
    IndexReader& reader = shard.reader;
    const auto docid = KW_TRY(guard("cannot read the index", [&]() -> std::uint32_t {
      const std::string term = make_term(Field::Path, path);
      const auto it = reader.database().postlist_begin(term);
      return it == reader.database().postlist_end(term) ? 0 : *it;
    }));
    if (docid == 0) continue;
    auto record = KW_TRY(reader.record(docid, parts));
    if (record.path == path) return std::optional<File>({std::move(record), shard.root});
  }
  return std::optional<File>();
}

}  // namespace kw::search
