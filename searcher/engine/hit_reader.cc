// SPDX-License-Identifier: GPL-2.0-or-later
#include "searcher/engine/hit_reader.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "schema/base/fault_guard.h"
#include "schema/base/parallel.h"
#include "schema/index/terms.h"

namespace kw::search {
namespace {

// Decoded bytes of the records that are at hand at once, where it is more than one. A result takes
// several times that while it is looked through.
constexpr std::uint64_t kMostAtOnce = 8 << 20;
constexpr std::size_t kMostHitsAtOnce = 32;
// Decoded bytes for which a thread is started. Starting one and populating its heap took 0.8 ms on
// a virtual machine: one thread presented ten records of 430 kB sooner than two.
constexpr std::uint64_t kWorthAThread = 512 << 10;
constexpr std::uint64_t kMostThreads = 8;

}  // namespace

/// A document as the database has it, and what decodes it: one thread at a time may ask for these.
/// Or a record that was kept.
struct HitReader::Stored {
  std::string data;
  RecordCodec codec;
  FileStat stamp;
  std::uint64_t decoded_size = 0;
  std::optional<FileRecord> kept;
};

/// What threads do not share: its matchers, by plan.
struct HitReader::Worker {
  std::map<std::size_t, Matcher> matchers;
};

HitReader::HitReader(Session& session, ResultList& results, const Presenter& present)
    : session_(session), results_(results), present_(present) {}
HitReader::~HitReader() = default;

Result<HitReader::Stored> HitReader::fetch(const WantedHit& wanted,
                                           const Xapian::Document* fetched) const {
  Stored stored;
  if (auto kept = session_.records().take(wanted.id)) {
    stored.stamp = kept->stamp;
    stored.decoded_size = kept->record.text.size();
    stored.kept = std::move(kept->record);
    return stored;
  }
  const Xapian::Document document =
      fetched ? *fetched : session_.database().get_document(wanted.id);
  stored.data = document.get_data();
  stored.codec = session_.shards()[wanted.group->shard].reader.codec();
  stored.stamp = KW_TRY(decode_stat(document.get_value(slot_of(Field::Stamp))));
  stored.decoded_size = RecordCodec::decoded_size(stored.data);
  return stored;
}

Result<void> HitReader::look_through(Worker& worker, const WantedHit& wanted,
                                     Stored& stored) const {
  const Group& group = *wanted.group;
  Hit& hit = *wanted.hit;
  hit.stamp = stored.stamp;
  hit.record = stored.kept ? *std::move(stored.kept) : KW_TRY(stored.codec.decode(stored.data));
  allow_time_for(hit.record.text.size());
  stored.data = {};
  auto matcher = worker.matchers.find(group.plan);
  if (matcher == worker.matchers.end()) {
    auto made = KW_TRY(results_.make_matcher(group.plan));
    matcher = worker.matchers.emplace(group.plan, std::move(made)).first;
  }
  hit.match = matcher->second.match(hit.record);
  if (const auto& second = results_.plan(group.plan).second)
    hit.named_lines = second->named_lines(hit.record, group.key);
  if (!present_) return {};
  // Presented here, so that the record is freed and the next one is decoded into the same pages.
  hit.shown = present_(hit);
  hit.match = {};
  if (!session_.records().keeps_any()) hit.record = {};
  return {};
}

Result<std::size_t> HitReader::read(std::span<const WantedHit> wanted) {
  // Servers are asked at once, for what they send is compressed; folders are read as it is needed.
  const std::size_t most = std::min(wanted.size(), kMostHitsAtOnce);
  std::map<Xapian::docid, Xapian::Document> fetched;
  if (session_.asks_servers()) {
    std::vector<Xapian::docid> ids;
    for (const WantedHit& one : wanted.first(most))
      if (!session_.records().has(one.id)) ids.push_back(one.id);
    const std::vector<Xapian::Document> documents = session_.documents(ids);
    for (std::size_t i = 0; i < ids.size(); ++i) fetched.emplace(ids[i], documents[i]);
  }
  std::vector<Stored> stored;
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < most; ++i) {
    const auto at = fetched.find(wanted[i].id);
    Stored next = KW_TRY(fetch(wanted[i], at == fetched.end() ? nullptr : &at->second));
    if (i > 0 && bytes + next.decoded_size > kMostAtOnce) break;
    bytes += next.decoded_size;
    stored.push_back(std::move(next));
  }
  const std::uint64_t worth = std::min<std::uint64_t>(kMostThreads, bytes / kWorthAThread);
  const auto threads = static_cast<unsigned>(std::min<std::uint64_t>(core_count(), worth));
  while (workers_.size() < std::max(1u, threads)) workers_.push_back(std::make_unique<Worker>());
  if (threads < 2) {
    for (std::size_t i = 0; i < stored.size(); ++i)
      KW_TRY(look_through(*workers_[0], wanted[i], stored[i]));
  } else {
    KW_TRY(run_parallel(stored.size(), threads, [&](unsigned worker, std::size_t i) {
      return look_through(*workers_[worker], wanted[i], stored[i]);
    }));
  }
  if (present_ && session_.records().keeps_any())
    for (const WantedHit& read : wanted.first(stored.size())) put_back(read);
  return stored.size();
}

void HitReader::put_back(const WantedHit& wanted) {
  session_.records().put(wanted.id, {std::move(wanted.hit->record), wanted.hit->stamp});
  wanted.hit->record = {};
}

}  // namespace kw::search
