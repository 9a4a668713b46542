// SPDX-License-Identifier: GPL-2.0-or-later
#include "searcher/engine/result_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>

#include "schema/index/group_key.h"
#include "schema/index/terms.h"
#include "searcher/engine/sentence_weights.h"

namespace kw::search {
namespace {

// Candidates that tie with the last of a pool are judged too, up to so many pools in all.
constexpr std::size_t kMaxPools = 4;

// Documents that servers are asked for at once: what is fetched may not be needed.
constexpr std::size_t kFetchedAtOnce = 32;

/// Results bear their path as their sort key.
Xapian::Enquire enquire(const Xapian::Database& all, const Plan& plan, const Xapian::Query& query) {
  Xapian::Enquire e(all);
  e.set_query(query);
  if (plan.second) e.set_weighting_scheme(sentence_bm25());
  e.set_sort_by_relevance_then_value(slot_of(Field::Path), false);
  return e;
}

/// Results of a query. All are weighed. If Xapian 1.4.22 may leave out what cannot reach the page
/// or a cutoff, it also loses documents that can: it replaces an OR by an AND or an AND_MAYBE
/// during the match, which then assumes positions that the lists do not have (docs/adr/0019).
Xapian::MSet results_of(Session& session, const Xapian::Enquire& e, Xapian::doccount first,
                        Xapian::doccount most) {
  return e.get_mset(first, most, session.database().get_doccount());
}

Xapian::docid id_of(const Ranked& result) { return result.id; }
Xapian::docid id_of(const std::pair<std::string, Xapian::docid>& file) { return file.second; }

}  // namespace

struct ResultList::Running {
  Plan plan;
  std::optional<Matcher> matcher;
};

/// A plan's results in the first stage's order, fetched as they are needed.
struct ResultList::Ordered {
  Ordered(Session& opened, const Plan& plan, std::size_t expected)
      : session(opened),
        e(enquire(opened.database(), plan, plan.compiled.query)),
        least_score(plan.least_score),
        total(opened.database().get_doccount()),
        batch(expected == 0 ? total
                            : static_cast<Xapian::doccount>(
                                  std::min<std::size_t>(total, expected * 2 + 10))) {}

  /// The next result, or none.
  std::optional<Ranked> next() {
    while (at == in_order) {
      if (is_last) return std::nullopt;
      fetch();
    }
    return std::move(ranked[at++]);
  }

  void fetch() {
    ranked.erase(ranked.begin(), ranked.begin() + static_cast<std::ptrdiff_t>(in_order));
    at = in_order = 0;
    if (first >= total) {
      is_last = true;
    } else {
      const Xapian::MSet results = results_of(session, e, first, batch);
      // The sort key is the path: no document is fetched for it.
      auto it = results.begin();
      for (; it != results.end() && it.get_weight() >= least_score; ++it)
        ranked.push_back({*it, it.get_weight(), it.get_sort_key()});
      is_last = it != results.end() || results.size() < batch || first + batch >= total;
      first += batch;
      batch *= 4;
    }
    in_order = order_by_score_and_path(ranked, is_last);
  }

  Session& session;
  Xapian::Enquire e;
  const double least_score;
  const Xapian::doccount total;
  Xapian::doccount batch, first = 0;
  std::vector<Ranked> ranked;  // from `at`; those from `in_order` on are not in their order yet
  std::size_t at = 0, in_order = 0;
  bool is_last = false;
};

ResultList::ResultList(Session& session, std::vector<PlanStep> steps, bool case_sensitive)
    : session_(session), steps_(std::move(steps)), case_sensitive_(case_sensitive) {}
ResultList::~ResultList() = default;

const Plan& ResultList::plan(std::size_t number) const { return running_[number]->plan; }

bool ResultList::is_partial() const {
  return partial_ || std::any_of(running_.begin(), running_.end(), [](const auto& running) {
           return running->plan.compiled.partial;
         });
}

bool ResultList::has_some_words_only() const {
  return !groups_.empty() && running_[groups_[0].plan]->plan.is_relaxed;
}

Result<Matcher> ResultList::make_matcher(std::size_t number) const {
  const Plan& plan = running_[number]->plan;
  return Matcher::create(*plan.root, case_sensitive_, plan.match_any);
}

Result<Matcher*> ResultList::matcher(std::size_t number) {
  Running& running = *running_[number];
  if (!running.matcher) running.matcher = KW_TRY(make_matcher(number));
  return &*running.matcher;
}

std::string ResultList::key_of(const std::string& path, std::size_t shard) {
  const IndexOptions& made = session_.shards()[shard].reader.info().options;
  return group_key(path, made.doc_suffixes, made.doc_root);
}

std::string ResultList::unique(std::size_t shard, const std::string& key) {
  return fmt::format("{}:{}", shard, key);
}

Result<std::vector<Group>> ResultList::groups(std::size_t wanted) {
  for (std::size_t i = running_.size(); i < steps_.size(); ++i) {
    running_.push_back(std::make_unique<Running>());
    if (steps_[i].only_if_nothing && !groups_.empty()) continue;
    running_[i]->plan = steps_[i].make();
    if (running_[i]->plan.compiled.query.empty()) continue;
    auto is_full = KW_TRY(collect(i, wanted));
    if (!groups_.empty() && groups_[0].plan == i) instead_ = running_[i]->plan.instead;
    if (is_full) break;
  }
  return groups_;
}

/// A document, which is fetched already where servers have it.
Xapian::Document ResultList::document(Xapian::docid id) {
  if (const auto at = fetched_.find(id); at != fetched_.end()) {
    Xapian::Document document = at->second;
    fetched_.erase(at);
    return document;
  }
  return session_.database().get_document(id);
}

void ResultList::fetch(std::span<const Xapian::docid> ids) {
  const std::vector<Xapian::Document> documents = session_.documents(ids);
  fetched_.clear();
  for (std::size_t i = 0; i < ids.size(); ++i) fetched_[ids[i]] = documents[i];
}

/// Asks the servers at once for the next candidates that the second stage reads.
void ResultList::fetch_judged(const Plan& plan, std::span<const Pooled> pool) {
  if (!session_.asks_servers() || pool.empty() || fetched_.contains(pool[0].result.id)) return;
  std::vector<Xapian::docid> ids;
  for (const Pooled& one : pool) {
    if (ids.size() == kFetchedAtOnce) break;
    if (plan.second->needs({one.result.score, one.result.path, one.key}) !=
        SecondStage::Needs::Path)
      ids.push_back(one.result.id);
  }
  fetch(ids);
}

/// The same for `next` and those of `rest` behind it, where a plan's texts are checked.
template <class Results>
void ResultList::fetch_checked(std::size_t number, Xapian::docid next, const Results& rest) {
  if (!session_.asks_servers() || !running_[number]->plan.compiled.needs_check) return;
  if (fetched_.contains(next)) return;
  std::vector<Xapian::docid> ids{next};
  for (const auto& one : rest)
    if (ids.size() < kFetchedAtOnce) ids.push_back(id_of(one));
  fetch(ids);
}

/// Whether there are as many groups as wanted.
Result<bool> ResultList::collect(std::size_t number, std::size_t wanted) {
  const Plan& plan = running_[number]->plan;
  const std::size_t missing = wanted ? wanted - groups_.size() : 0;
  Ordered results(session_, plan, plan.second ? std::max(plan.pool, missing) : missing);
  if (plan.second) {
    auto is_full = collect_pool(number, results, wanted);
    if (!is_full || *is_full || !plan.keeps_rest) return is_full;
  }
  while (auto result = results.next()) {
    fetch_checked(number, result->id, std::span(results.ranked).subspan(results.at));
    const double score = result->score;
    std::string key = key_of(result->path, session_.shard_of(result->id));
    auto goes_on = KW_TRY(add(number, *std::move(result), score, std::move(key)));
    if (!goes_on) return false;  // the next plan may need no checks
    if (wanted && groups_.size() == wanted) return true;
  }
  return false;
}

/// Takes the plan's candidates off the results, one of each group.
std::vector<ResultList::Pooled> ResultList::take_pool(const Plan& plan, Ordered& results) {
  std::vector<Pooled> pool;
  std::unordered_set<std::string> pooled;
  double last_score = 0;
  while (pool.size() < plan.pool * kMaxPools) {
    auto result = results.next();
    if (!result) break;
    // Those that tie with the last are judged, too; the first that does not begins the rest.
    if (pool.size() >= plan.pool && last_score - result->score > kSameScore) {
      --results.at;
      results.ranked[results.at] = *std::move(result);
      break;
    }
    std::string key = key_of(result->path, session_.shard_of(result->id));
    std::string name = unique(session_.shard_of(result->id), key);
    if (seen_.contains(name) || !pooled.insert(std::move(name)).second) continue;
    last_score = result->score;
    pool.push_back({*std::move(result), std::move(key)});
  }
  return pool;
}

/// Puts what the second stage judges in its order; behind it stands what it did not have to judge.
Result<void> ResultList::judge(const Plan& plan, std::vector<Pooled>& pool) {
  std::vector<Ranked> judged;
  std::map<Xapian::docid, std::string> keys;
  std::size_t at = 0;
  for (bool is_certain = false; at < pool.size() && !(is_certain && at >= plan.least_pool); ++at) {
    Pooled& one = pool[at];
    const Candidate candidate{one.result.score, one.result.path, one.key};
    const SecondStage::Needs needs = plan.second->needs(candidate);
    FileRecord record;
    if (needs != SecondStage::Needs::Path) {
      fetch_judged(plan, std::span(pool).subspan(at));
      const auto parts =
          needs == SecondStage::Needs::Text ? RecordParts::All : RecordParts::WithoutText;
      record = KW_TRY(session_.shards()[session_.shard_of(one.result.id)].reader.codec().decode(
          document(one.result.id).get_data(), parts));
    }
    const Judgement j = plan.second->judge(candidate, record);
    is_certain |= j.is_certain;
    if (!j.is_result) continue;
    keys.emplace(one.result.id, std::move(one.key));
    judged.push_back({one.result.id, j.score, std::move(one.result.path)});
  }
  std::stable_sort(judged.begin(), judged.end(),
                   [](const Ranked& a, const Ranked& b) { return a.score > b.score; });
  order_by_score_and_path(judged, true);
  std::vector<Pooled> ordered;
  for (Ranked& result : judged) {
    if (plan.only_best && std::floor(result.score) < std::floor(judged[0].score)) break;
    std::string& key = keys[result.id];
    ordered.push_back({std::move(result), std::move(key)});
  }
  std::move(pool.begin() + static_cast<std::ptrdiff_t>(at), pool.end(),
            std::back_inserter(ordered));
  pool = std::move(ordered);
  return {};
}

/// Takes the pool off the results, judges it and adds its groups in their new order.
Result<bool> ResultList::collect_pool(std::size_t number, Ordered& results, std::size_t wanted) {
  const Plan& plan = running_[number]->plan;
  std::vector<Pooled> pool = take_pool(plan, results);
  KW_TRY(judge(plan, pool));
  for (auto& [result, key] : pool) {
    const double score = result.score;
    auto goes_on = KW_TRY(add(number, std::move(result), score, std::move(key)));
    if (!goes_on) return false;  // the next plan may need no checks
    if (wanted && groups_.size() == wanted) return true;
  }
  return false;
}

/// Adds a result's group, if it is new and matches. False once no more can be checked.
Result<bool> ResultList::add(std::size_t number, Ranked result, double score, std::string key) {
  const std::size_t shard = session_.shard_of(result.id);
  std::string name = unique(shard, key);
  if (seen_.contains(name)) return true;
  auto matches = KW_TRY(check(number, result.id));
  if (!matches) return false;
  if (!*matches) return true;
  seen_.insert(std::move(name));
  groups_.push_back({score, shard, std::move(key), result.id, std::move(result.path), number});
  return true;
}

/// Whether a candidate really matches; nothing once the bound is reached.
Result<std::optional<bool>> ResultList::check(std::size_t number, Xapian::docid id) {
  if (!running_[number]->plan.compiled.needs_check) return std::optional<bool>(true);
  if (files_left_ == 0 || bytes_left_ == 0) {
    partial_ = true;
    return std::optional<bool>();
  }
  auto of_plan = KW_TRY(matcher(number));
  const Xapian::Document stored = document(id);
  auto r =
      KW_TRY(session_.shards()[session_.shard_of(id)].reader.codec().decode(stored.get_data()));
  --files_left_;
  const auto holds_filter = [&](const QueryNode& filter) {
    const std::string term = filter_term(filter);
    auto it = stored.termlist_begin();
    it.skip_to(term);
    return it != stored.termlist_end() && *it == term;
  };
  const std::size_t before = of_plan->bytes_read();
  const bool matches = of_plan->is_match(r, holds_filter);
  const std::size_t read = std::max(r.text.size(), of_plan->bytes_read() - before);
  bytes_left_ -= std::min(bytes_left_, read);
  return std::optional<bool>(matches);
}

/// The files of these groups of one plan that its query finds, by path, from each index that has
/// one of them: the rest need not be asked. They are not weighed.
std::vector<ResultList::Found> ResultList::found_on_servers(const std::vector<Group>& groups) {
  std::map<std::size_t, std::map<std::size_t, std::vector<std::string>>>
      terms;  // by shard, by plan
  for (const Group& group : groups)
    terms[group.shard][group.plan].push_back(make_term(Field::Pair, group.key));
  std::map<std::size_t, std::string> queries;  // a query's parts are not for two threads
  std::vector<std::size_t> shards;
  std::map<std::size_t, std::vector<Found>> of_shard;
  for (const auto& [shard, plans] : terms) {
    shards.push_back(shard);
    of_shard[shard];
    for (const auto& [number, of_plan] : plans)
      queries.try_emplace(number, running_[number]->plan.compiled.query.serialise());
  }
  const auto count = static_cast<Xapian::docid>(session_.shards().size());
  session_.for_shards(shards, [&](std::size_t shard) {
    const Xapian::Database& database = session_.shards()[shard].reader.database();
    for (const auto& [number, of_plan] : terms.at(shard)) {
      Xapian::Enquire e(database);
      e.set_query(
          Xapian::Query(Xapian::Query::OP_FILTER, Xapian::Query::unserialise(queries.at(number)),
                        Xapian::Query(Xapian::Query::OP_OR, of_plan.begin(), of_plan.end())));
      e.set_weighting_scheme(Xapian::BoolWeight());
      e.set_sort_by_value(slot_of(Field::Path), false);
      const Xapian::MSet results = e.get_mset(0, database.get_doccount());
      Found& found = of_shard.at(shard).emplace_back(Found{number, {}});
      for (auto it = results.begin(); it != results.end(); ++it)
        found.files.emplace_back(it.get_sort_key(),
                                 (*it - 1) * count + static_cast<Xapian::docid>(shard) + 1);
    }
  });
  std::vector<Found> all;
  for (auto& [shard, found] : of_shard)
    std::move(found.begin(), found.end(), std::back_inserter(all));
  return all;
}

/// The same where the indexes are folders: one more query for all groups of a plan, for each costs
/// about as much as the first.
std::vector<ResultList::Found> ResultList::found_in_folders(const std::vector<Group>& groups) {
  std::map<std::size_t, Queries> terms;  // by plan
  Xapian::doccount most = 0;
  for (const Group& group : groups) {
    const std::string term = make_term(Field::Pair, group.key);
    if (session_.shards()[group.shard].reader.database().get_termfreq(term) <= 1) continue;
    most += session_.database().get_termfreq(term);
    terms[group.plan].emplace_back(term);
  }
  std::vector<Found> all;
  for (const auto& [number, of_plan] : terms) {
    const Plan& plan = running_[number]->plan;
    const Xapian::Enquire e =
        enquire(session_.database(), plan,
                Xapian::Query(Xapian::Query::OP_FILTER, plan.compiled.query, any_of(of_plan)));
    const Xapian::MSet results = results_of(session_, e, 0, most);
    Found& found = all.emplace_back(Found{number, {}});
    for (auto it = results.begin(); it != results.end(); ++it)
      found.files.emplace_back(it.get_sort_key(), *it);
  }
  return all;
}

Result<std::vector<ResultList::Files>> ResultList::members(const std::vector<Group>& groups) {
  std::vector<Files> files(groups.size());
  std::map<std::pair<std::size_t, std::string>, std::size_t> places;  // shard and key -> group
  for (std::size_t i = 0; i < groups.size(); ++i) {
    files[i].emplace_back(groups[i].path, groups[i].best);
    places[{groups[i].shard, groups[i].key}] = i;
  }
  for (const auto& [number, found] :
       session_.asks_servers() ? found_on_servers(groups) : found_in_folders(groups)) {
    for (std::size_t i = 0; i < found.size(); ++i) {
      const auto& [path, id] = found[i];
      const std::size_t shard = session_.shard_of(id);
      const auto group = places.find({shard, key_of(path, shard)});
      if (group == places.end() || groups[group->second].plan != number ||
          groups[group->second].best == id)
        continue;
      fetch_checked(number, id, std::span(found).subspan(i + 1));
      auto matches = KW_TRY(check(number, id));
      if (matches && *matches) files[group->second].emplace_back(path, id);
    }
  }
  for (std::size_t i = 0; i < groups.size(); ++i)
    std::sort(files[i].begin(), files[i].end(), [&](const auto& a, const auto& b) {
      const bool a_source = a.first == groups[i].key, b_source = b.first == groups[i].key;
      return a_source != b_source ? a_source : a.first < b.first;
    });
  return files;
}

}  // namespace kw::search
