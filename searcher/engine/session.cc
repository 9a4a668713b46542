// SPDX-License-Identifier: GPL-2.0-or-later
#include "searcher/engine/session.h"

#include <fmt/format.h>

#include "schema/text/text.h"

namespace kw::search {

Result<Session> Session::open(std::vector<DatabaseLocation> places, const OpenOptions& options) {
  Session session;
  session.places_ = std::move(places);
  session.options_ = options;
  if (auto opened = session.reopen(); !opened) return opened.error();
  return session;
}

Result<void> Session::reopen() {
  vocabulary_.reset();
  all_ = Xapian::Database();
  opened_ = {};
  auto opened = open_databases(places_, options_, lost_);
  if (!opened) return opened.error();
  opened_ = *std::move(opened);
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

const Vocabulary& Session::vocabulary() {
  if (!vocabulary_) {
    vocabulary_.emplace();
    for (OpenDatabase& shard : opened_.shards) vocabulary_->load(shard.reader.database());
  }
  return *vocabulary_;
}

}  // namespace kw::search
