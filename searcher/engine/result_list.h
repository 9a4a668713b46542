// SPDX-License-Identifier: GPL-2.0-or-later
// Runs plans one after the other and collects their results in order: a source with its pages is
// one, each stands where it was found first. Asked for a page, it runs no more than that page
// needs.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_set>
#include <vector>

#include "schema/base/result.h"
#include "schema/base/xapian_api.h"
#include "searcher/engine/plan.h"
#include "searcher/engine/scoring.h"
#include "searcher/engine/session.h"
#include "searcher/match/match.h"

namespace kw::search {

/// Results whose text is checked for one question, at most, and bytes of their texts, once for each
/// word or text looked for in them: what can be read in some 50 milliseconds.
inline constexpr std::size_t kMaxChecked = 1000;
inline constexpr std::size_t kMaxCheckedBytes = 8 << 20;

/// A source and the pages about it.
struct Group {
  double score = 0;
  std::size_t shard = 0;
  std::string key;
  Xapian::docid best = 0;
  std::string path;      ///< of the best
  std::size_t plan = 0;  ///< which of ResultList::plan() found it
};

/// Its functions throw Xapian::Error; call under guard().
class ResultList {
 public:
  ResultList(Session& session, std::vector<PlanStep> steps, bool case_sensitive);
  ~ResultList();
  ResultList(const ResultList&) = delete;
  ResultList& operator=(const ResultList&) = delete;

  /// The first `wanted` results (0: all), in order.
  Result<std::vector<Group>> groups(std::size_t wanted);

  using Files = std::vector<std::pair<std::string, Xapian::docid>>;  ///< path, document

  /// For each group its files that match: the source first, then pages by path. The groups are
  /// those of groups().
  Result<std::vector<Files>> members(const std::vector<Group>& groups);

  const Plan& plan(std::size_t number) const;
  /// Of plan `number`, for what is shown. Threads may call it at once.
  Result<Matcher> make_matcher(std::size_t number) const;
  /// What was searched in place of the query, whose name nothing has; empty: the query.
  const std::string& instead() const { return instead_; }
  bool is_partial() const;
  /// Whether the results hold only some of the words that all were asked for.
  bool has_some_words_only() const;

 private:
  struct Running;
  struct Ordered;
  struct Pooled {
    Ranked result;
    std::string key;
  };
  /// Files that may belong to groups of a plan.
  struct Found {
    std::size_t plan = 0;
    Files files;
  };
  Result<Matcher*> matcher(std::size_t number);
  Result<bool> collect(std::size_t number, std::size_t wanted);
  std::vector<Pooled> take_pool(const Plan& plan, Ordered& results);
  Result<void> judge(const Plan& plan, std::vector<Pooled>& pool);
  Result<bool> collect_pool(std::size_t number, Ordered& results, std::size_t wanted);
  Xapian::Document document(Xapian::docid id);
  void fetch(std::span<const Xapian::docid> ids);
  void fetch_judged(const Plan& plan, std::span<const Pooled> pool);
  template <class Results>
  void fetch_checked(std::size_t number, Xapian::docid next, const Results& rest);
  std::vector<Found> found_on_servers(const std::vector<Group>& groups);
  std::vector<Found> found_in_folders(const std::vector<Group>& groups);
  Result<bool> add(std::size_t number, Ranked result, double score, std::string key);
  Result<std::optional<bool>> check(std::size_t number, Xapian::docid id);
  std::string key_of(const std::string& path, std::size_t shard);
  static std::string unique(std::size_t shard, const std::string& key);

  Session& session_;
  std::vector<PlanStep> steps_;
  const bool case_sensitive_;
  std::vector<std::unique_ptr<Running>> running_;
  std::vector<Group> groups_;
  std::unordered_set<std::string> seen_;
  std::map<Xapian::docid, Xapian::Document> fetched_;  // from servers; used once
  std::string instead_;
  std::size_t files_left_ = kMaxChecked;
  std::size_t bytes_left_ = kMaxCheckedBytes;
  bool partial_ = false;
};

}  // namespace kw::search
