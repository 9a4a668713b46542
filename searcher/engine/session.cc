// SPDX-License-Identifier: GPL-2.0-or-later
#include "searcher/engine/session.h"

#include <fmt/format.h>

#include <map>
#include <numeric>

#include "schema/text/text.h"

namespace kw::search {

Result<Session> Session::open(std::vector<DatabaseLocation> places, const OpenOptions& options) {
  Session session;
  session.places_ = std::move(places);
  session.options_ = options;
  KW_TRY(session.reopen());
  return session;
}

Result<void> Session::reopen() {
  vocabulary_.reset();
  records_ = RecordCache(options_.kept_bytes);
  all_ = Xapian::Database();
  terms_ = std::make_unique<TermDictionary>(all_);  // of nothing, until all is open
  opened_ = {};
  watch_.reset();
  if (std::any_of(places_.begin(), places_.end(), [](const auto& p) { return p.is_remote(); })) {
    watch_ = std::make_unique<ServerWatch>(options_.timeout_seconds);
    if (!pool_) pool_ = std::make_unique<WorkerPool>(kMostThreads);
  }
  opened_ = KW_TRY(open_databases(places_, options_, watch_.get(), pool_.get(), lost_));
  const bool has_servers =
      std::any_of(opened_.shards.begin(), opened_.shards.end(),
                  [](const OpenDatabase& shard) { return shard.place.is_remote(); });
  if (watch_) watch_->begin_search();  // also of what is asked without attempt()
  return guard(about_search(), [&] {
    std::vector<Xapian::Database> parts;
    for (OpenDatabase& shard : opened_.shards) {
      all_.add_database(shard.reader.database());
      parts.push_back(shard.reader.database());
    }
    terms_ = has_servers ? std::make_unique<TermDictionary>(all_, std::move(parts), *pool_)
                         : std::make_unique<TermDictionary>(all_);
  });
}

void Session::for_shards(const std::vector<std::size_t>& shards,
                         const std::function<void(std::size_t)>& ask) {
  if (asks_servers())
    pool_->run(shards.size(), [&](std::size_t i) { ask(shards[i]); });
  else
    for (const std::size_t shard : shards) ask(shard);
}

std::vector<Xapian::Document> Session::documents(std::span<const Xapian::docid> ids) {
  std::vector<Xapian::Document> documents(ids.size());
  std::map<std::size_t, std::vector<std::size_t>> of_shard;  // places in `ids`
  for (std::size_t i = 0; i < ids.size(); ++i) of_shard[shard_of(ids[i])].push_back(i);
  std::vector<std::size_t> shards;
  for (const auto& [shard, places] : of_shard) shards.push_back(shard);
  const auto count = static_cast<Xapian::docid>(opened_.shards.size());
  for_shards(shards, [&](std::size_t shard) {
    IndexReader& reader = opened_.shards[shard].reader;
    reader.codec();
    // Xapian deals the ids of one database out to its parts in turn.
    for (const std::size_t i : of_shard.at(shard))
      documents[i] = reader.database().get_document((ids[i] - 1) / count + 1);
  });
  return documents;
}

std::string Session::about_search() const {
  return places_.size() == 1 ? fmt::format("cannot search '{}'", printable(places_[0].name()))
                             : "cannot search the indexes";
}

bool Session::lose_flooding() {
  if (!watch_) return false;
  const std::size_t before = lost_.size();
  for (const OpenDatabase& shard : opened_.shards)
    if (auto fault = watch_->fault_of(shard.place))
      lost_.emplace_back(shard.place, *std::move(fault));
  return lost_.size() > before;
}

const Vocabulary& Session::vocabulary() {
  if (!vocabulary_) {
    std::vector<Vocabulary::Stored> stored(opened_.shards.size());
    std::vector<std::size_t> all(stored.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    for_shards(all, [&](std::size_t shard) {
      stored[shard] = Vocabulary::read(opened_.shards[shard].reader.database());
    });
    vocabulary_.emplace();
    for (Vocabulary::Stored& one : stored) vocabulary_->load(std::exchange(one, {}));
  }
  return *vocabulary_;
}

}  // namespace kw::search
