// SPDX-License-Identifier: GPL-2.0-or-later
#include "searcher/engine/session.h"

#include <fmt/format.h>

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
  opened_ = {};
  watch_.reset();
  if (std::any_of(places_.begin(), places_.end(), [](const auto& p) { return p.is_remote(); }))
    watch_ = std::make_unique<ServerWatch>(options_.timeout_seconds);
  opened_ = KW_TRY(open_databases(places_, options_, watch_.get(), lost_));
  if (watch_) watch_->begin_search();
  return guard(about_search(), [&] {
    for (OpenDatabase& shard : opened_.shards) all_.add_database(shard.reader.database());
  });
}

bool Session::asks_servers() const {
  return std::any_of(opened_.shards.begin(), opened_.shards.end(),
                     [](const OpenDatabase& shard) { return shard.place.is_remote(); });
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
    vocabulary_.emplace();
    for (OpenDatabase& shard : opened_.shards) vocabulary_->load(shard.reader.database());
  }
  return *vocabulary_;
}

}  // namespace kw::search
