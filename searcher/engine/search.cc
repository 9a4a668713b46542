// SPDX-License-Identifier: GPL-2.0-or-later
#include "searcher/engine/search.h"

#include <fmt/format.h>

#include <algorithm>
#include <future>
#include <map>
#include <span>
#include <unordered_set>

#include "schema/base/parallel.h"
#include "schema/index/group_key.h"
#include "schema/index/guard.h"
#include "schema/index/terms.h"
#include "schema/text/splitter.h"
#include "schema/text/text.h"
#include "searcher/engine/compile.h"
#include "searcher/engine/scoring.h"

namespace kw::search {
namespace {

// A writer that commits twice while a query runs makes Xapian give it up; each retry sees the new
// state.
constexpr int kRetries = 5;
// How often a search begins anew because a server was lost.
constexpr int kTimesLost = 3;

/// Words at the top that could be given up one by one.
std::size_t count_words(const QueryNode& root) {
  return static_cast<std::size_t>(
      std::count_if(root.children.begin(), root.children.end(),
                    [](const QueryNode& c) { return !c.is_filter_only(); }));
}

}  // namespace

/// What a question may still check, over all its runs.
struct Searcher::Budget {
  std::size_t files = kMaxChecked;
  std::size_t bytes = kMaxCheckedBytes;
};

/// One query on its way through the index.
struct Searcher::Run {
  Searcher& searcher;
  const SearchOptions& options;
  CompiledQuery compiled;
  std::optional<Matcher> matcher;
  Budget& budget;
  bool partial = false;

  /// Results bear their path as their sort key.
  Xapian::Enquire enquire(const Xapian::Query& query) const {
    Xapian::Enquire e(searcher.all_);
    e.set_query(query);
    e.set_sort_by_relevance_then_value(slot_of(Field::Path), false);
    return e;
  }

  /// Results of a query. Of several databases all results are weighed, none is left out because it
  /// cannot reach the page: from the second on Xapian would leave out some that can (1.4.22: lists
  /// that have not started yet count as ended where an OR is made an AND or an AND_MAYBE at once).
  Xapian::MSet results_of(Xapian::Enquire e, Xapian::doccount first, Xapian::doccount most) const {
    const auto is_here = [](const OpenDatabase& shard) { return !shard.place.is_remote(); };
    const bool weigh_all = std::any_of(shards().begin() + 1, shards().end(), is_here);
    return e.get_mset(first, most, weigh_all ? searcher.all_.get_doccount() : 0);
  }

  std::vector<OpenDatabase>& shards() const { return searcher.opened_.shards; }

  std::size_t partition_of(Xapian::docid id) const { return (id - 1) % shards().size(); }

  std::string key_of_path(const std::string& path, std::size_t shard) const {
    const IndexOptions& made = shards()[shard].reader.info().options;
    return group_key(path, made.doc_suffixes, made.doc_root);
  }

  Result<FileRecord> record(Xapian::docid id) const {
    return shards()[partition_of(id)].reader.codec().decode(
        searcher.all_.get_document(id).get_data());
  }

  /// Whether a candidate really matches; nothing once the bound is reached.
  Result<std::optional<bool>> check(Xapian::docid id) {
    if (!compiled.needs_check) return std::optional<bool>(true);
    if (budget.files == 0 || budget.bytes == 0) {
      partial = true;
      return std::optional<bool>();
    }
    auto r = record(id);
    if (!r) return r.error();
    --budget.files;
    const auto holds_filter = [&](const QueryNode& filter) {
      const Xapian::Document document = searcher.all_.get_document(id);
      const std::string term = filter_term(filter);
      auto it = document.termlist_begin();
      it.skip_to(term);
      return it != document.termlist_end() && *it == term;
    };
    const std::size_t before = matcher->bytes_read();
    const bool matches = matcher->is_match(*r, holds_filter);
    const std::size_t read = std::max(r->text.size(), matcher->bytes_read() - before);
    budget.bytes -= std::min(budget.bytes, read);
    return std::optional<bool>(matches);
  }

  struct Group {
    double score = 0;
    std::size_t shard = 0;
    std::string key;
    Xapian::docid best = 0;
    std::string path;  // of the best
  };

  /// The first `wanted` groups (0: all) of files that match, best first.
  Result<std::vector<Group>> groups(std::size_t wanted) {
    std::vector<Group> groups;
    std::unordered_set<std::string> seen;
    const Xapian::doccount total = searcher.all_.get_doccount();
    const Xapian::Enquire e = enquire(compiled.query);
    Xapian::doccount first = 0;
    // A group has some files: fetch a few more results than groups, then ever more.
    Xapian::doccount batch =
        wanted == 0 ? total
                    : static_cast<Xapian::doccount>(std::min<std::size_t>(total, wanted * 2 + 10));
    std::vector<Ranked> ranked;  // those whose order is not known yet
    while (first < total) {
      const Xapian::MSet results = results_of(e, first, batch);
      // The sort key is the path: no document is fetched for it.
      for (auto it = results.begin(); it != results.end(); ++it)
        ranked.push_back({*it, it.get_weight(), it.get_sort_key()});
      const bool is_last = results.size() < batch || first + batch >= total;
      const std::size_t in_order = order_by_score_and_path(ranked, is_last);
      for (std::size_t i = 0; i < in_order; ++i) {
        Ranked& result = ranked[i];
        const std::size_t shard = partition_of(result.id);
        std::string key = key_of_path(result.path, shard);
        const std::string unique = fmt::format("{}:{}", shard, key);
        if (seen.contains(unique)) continue;
        auto matches = check(result.id);
        if (!matches) return matches.error();
        if (!*matches) return groups;
        if (!**matches) continue;
        seen.insert(unique);
        groups.push_back({result.score, shard, std::move(key), result.id, std::move(result.path)});
        if (wanted && groups.size() == wanted) return groups;
      }
      if (is_last) break;
      ranked.erase(ranked.begin(), ranked.begin() + static_cast<std::ptrdiff_t>(in_order));
      first += batch;
      batch *= 4;
    }
    return groups;
  }

  using Files = std::vector<std::pair<std::string, Xapian::docid>>;  // path, document

  /// For each group its files that match: the source first, then pages by path.
  Result<std::vector<Files>> members(std::span<const Group> groups) {
    std::vector<Files> files(groups.size());
    std::map<std::pair<std::size_t, std::string>, std::size_t> larger;  // shard and key -> group
    std::vector<Xapian::Query> terms;
    Xapian::doccount most = 0;
    for (std::size_t i = 0; i < groups.size(); ++i) {
      const Group& group = groups[i];
      files[i].emplace_back(group.path, group.best);
      const std::string term = make_term(Field::Pair, group.key);
      // One question more to servers is less than one for each group.
      if (!searcher.asks_servers()) {
        if (shards()[group.shard].reader.database().get_termfreq(term) <= 1) continue;
        most += searcher.all_.get_termfreq(term);
      }
      larger[{group.shard, group.key}] = i;
      terms.emplace_back(term);
    }
    if (searcher.asks_servers()) most = searcher.all_.get_doccount();
    if (terms.empty()) return files;

    // One more query for all of them: each costs about as much as the first.
    const Xapian::Query of_groups(Xapian::Query::OP_OR, terms.begin(), terms.end());
    const Xapian::Enquire e =
        enquire(Xapian::Query(Xapian::Query::OP_FILTER, compiled.query, of_groups));
    const Xapian::MSet results = results_of(e, 0, most);
    for (auto it = results.begin(); it != results.end(); ++it) {
      const std::string path = it.get_sort_key();
      const auto group = larger.find({partition_of(*it), key_of_path(path, partition_of(*it))});
      if (group == larger.end() || groups[group->second].best == *it) continue;
      auto matches = check(*it);
      if (!matches) return matches.error();
      if (*matches && **matches) files[group->second].emplace_back(path, *it);
    }
    for (std::size_t i = 0; i < groups.size(); ++i)
      std::sort(files[i].begin(), files[i].end(), [&](const auto& a, const auto& b) {
        const bool a_source = a.first == groups[i].key, b_source = b.first == groups[i].key;
        return a_source != b_source ? a_source : a.first < b.first;
      });
    return files;
  }

  Result<std::vector<Hit>> hits(const Presenter& present) {
    const std::size_t wanted = options.results ? options.offset + options.results : 0;
    auto found = groups(wanted);
    if (!found) return found.error();
    std::vector<Hit> hits;
    if (found->size() <= options.offset) return hits;
    const auto shown = std::span<const Group>(*found).subspan(options.offset);
    auto files_of = members(shown);
    if (!files_of) return files_of.error();
    for (std::size_t i = 0; i < shown.size(); ++i) {
      const Group& group = shown[i];
      const Files& files = (*files_of)[i];
      Hit hit;
      hit.rank = options.offset + i + 1;
      hit.score = group.score;
      hit.shard = group.shard;
      hit.path = files[0].first;
      for (std::size_t k = 1; k < files.size(); ++k) hit.also.push_back(files[k].first);
      if (options.with_lines) {
        const Xapian::Document document = searcher.all_.get_document(files[0].second);
        auto r = shards()[group.shard].reader.codec().decode(document.get_data());
        if (!r) return r.error();
        hit.record = *std::move(r);
        hit.match = matcher->match(hit.record);
        auto stamp = decode_stat(document.get_value(slot_of(Field::Stamp)));
        if (!stamp) return stamp.error();
        hit.stamp = *stamp;
      }
      if (present) {
        hit.shown = present(hit);
        hit.record = {};
        hit.match = {};
      }
      hits.push_back(std::move(hit));
    }
    return hits;
  }

  static Result<Run> start(Searcher& searcher, const QueryNode& root, const SearchOptions& options,
                           QueryCompiler& compiler, Budget& budget, bool any) {
    Run run{searcher, options, compiler.compile(any), {}, budget, false};
    run.partial = run.compiled.partial;
    if (run.compiled.needs_check || options.with_lines) {
      auto matcher = Matcher::create(root, options.case_sensitive, any);
      if (!matcher) return matcher.error();
      run.matcher = *std::move(matcher);
    }
    return run;
  }
};

Result<Searcher> Searcher::open(std::vector<DatabaseLocation> places, const OpenOptions& options) {
  Searcher searcher;
  searcher.places_ = std::move(places);
  searcher.options_ = options;
  if (auto opened = searcher.reopen(); !opened) return opened.error();
  return searcher;
}

Result<void> Searcher::reopen() {
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

bool Searcher::asks_servers() const {
  return std::any_of(opened_.shards.begin(), opened_.shards.end(),
                     [](const OpenDatabase& shard) { return shard.place.is_remote(); });
}

std::string Searcher::about_search() const {
  return places_.size() == 1 ? fmt::format("cannot search '{}'", printable(places_[0].name()))
                             : "cannot search the indexes";
}

const Vocabulary& Searcher::vocabulary() {
  if (!vocabulary_) {
    vocabulary_.emplace();
    for (OpenDatabase& shard : opened_.shards) vocabulary_->load(shard.reader.database());
  }
  return *vocabulary_;
}

QueryCompiler Searcher::compiler(const ParsedQuery& query, const SearchOptions& options) {
  return QueryCompiler(query.root, all_, [this]() -> const Vocabulary& { return vocabulary(); },
                       {options.case_sensitive, options.demote_copies, asks_servers()});
}

/// Asks each place alone, all at once: for who was lost, Xapian does not always say.
template <class F>
Result<void> Searcher::find_lost(const F& f) {
  std::vector<std::future<Result<void>>> asked;
  for (const OpenDatabase& shard : opened_.shards)
    asked.push_back(ask_at_once([&f, &place = shard.place, this]() -> Result<void> {
      auto alone = open({place}, {options_.timeout_seconds, false});
      if (!alone) return alone.error();
      const auto answer = guard(alone->about_search(), [&] { return f(*alone); });
      return answer ? Result<void>() : answer.error();
    }));
  Result<void> first;
  for (std::size_t i = 0; i < asked.size(); ++i)
    if (auto answer = asked[i].get(); !answer) {
      lost_.emplace_back(opened_.shards[i].place, answer.error());
      if (first) first = answer;
    }
  return first;
}

template <class F>
auto Searcher::retried(F&& f) -> decltype(f(*this)) {
  int modified = 0, unreachable = 0;
  for (;;) {
    auto result = guard(about_search(), [&] { return f(*this); });
    if (result) return result;
    if (result.error().code == ErrorCode::Modified) {
      if (++modified == kRetries) return result;
    } else if (result.error().code == ErrorCode::Unreachable && unreachable < kTimesLost) {
      // The first time it is enough to open all anew, which leaves out who is gone.
      if (++unreachable > 1)
        if (auto lost = find_lost(f); !lost && !options_.partial)
          return with_partial_hint(lost.error(), places_.size());
    } else {
      return result;
    }
    if (auto opened = reopen(); !opened) return opened.error();
  }
}

Result<SearchResult> Searcher::search(const ParsedQuery& query, const SearchOptions& options,
                                      const Presenter& present) {
  return retried([&](Searcher& searcher) -> Result<SearchResult> {
    SearchResult result;
    QueryCompiler compiled = searcher.compiler(query, options);
    Budget budget;
    for (const bool any : {false, true}) {
      if (any && count_words(query.root) < 2) break;
      auto run = Run::start(searcher, query.root, options, compiled, budget, any);
      if (!run) return run.error();
      auto hits = run->hits(present);
      if (!hits) return hits.error();
      result.hits = *std::move(hits);
      result.partial = run->partial || query.truncated;
      result.any = any;
      // An offset past the end is an empty page of all results, not a reason to show some.
      if (!result.hits.empty()) break;
      if (options.offset > 0 && !any) {
        auto first = run->groups(1);
        if (!first) return first.error();
        if (!first->empty()) break;
      }
    }
    if (result.hits.empty()) result.any = false;
    return result;
  });
}

Result<Searcher::Count> Searcher::count(const ParsedQuery& query, const SearchOptions& options) {
  return retried([&](Searcher& searcher) -> Result<Count> {
    Count count;
    SearchOptions plain = options;
    plain.with_lines = false;
    QueryCompiler compiled = searcher.compiler(query, options);
    Budget budget;
    for (const bool any : {false, true}) {
      if (any && count_words(query.root) < 2) break;
      auto run = Run::start(searcher, query.root, plain, compiled, budget, any);
      if (!run) return run.error();
      auto groups = run->groups(0);
      if (!groups) return groups.error();
      count.results = groups->size();
      count.partial = run->partial || query.truncated;
      if (count.results) break;
    }
    return count;
  });
}

namespace {

std::string facet_of(const FileRecord& record, const FileMatch& match, Facet facet) {
  switch (facet) {
    case Facet::Folder: {
      const std::string_view folder = folder_of(record.path);
      return folder.empty() ? "." : std::string(folder);
    }
    case Facet::Language:
      return record.language.empty() ? "unknown" : record.language;
    case Facet::Kind:
      return match.definitions.empty() ? "none" : match.definitions[0].kind;
  }
  return {};
}

}  // namespace

Result<Searcher::Facets> Searcher::count_by(const ParsedQuery& query, const SearchOptions& options,
                                            Facet facet) {
  SearchOptions all = options;
  all.results = 0;
  all.offset = 0;
  all.with_lines = true;
  const auto result =
      search(query, all, [&](const Hit& hit) { return facet_of(hit.record, hit.match, facet); });
  if (!result) return result.error();
  std::map<std::string, std::size_t> counts;
  for (const Hit& hit : result->hits) ++counts[hit.shown];
  Facets facets;
  facets.partial = result->partial;
  for (const auto& [name, n] : counts) facets.counts.push_back({name, n});
  std::stable_sort(facets.counts.begin(), facets.counts.end(),
                   [](const FacetCount& a, const FacetCount& b) { return a.results > b.results; });
  return facets;
}

namespace {

/// Edits (insert, delete, replace, swap of neighbours) from `a` to `b`, or limit + 1 if there are
/// more. Damerau-Levenshtein in its optimal string alignment form, three rows.
std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit) {
  if (a.size() > b.size() + limit || b.size() > a.size() + limit) return limit + 1;
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    std::size_t least = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
      least = std::min(least, row[j]);
    }
    if (least > limit) return limit + 1;
    std::swap(before, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

}  // namespace

Result<std::vector<std::string>> Searcher::nearest_names(const std::string& word,
                                                         std::size_t most) {
  return retried([&](Searcher& searcher) -> Result<std::vector<std::string>> {
    const std::string key = term_key(word);
    // A third of a short name's letters may be wrong, at most three.
    const std::size_t limit = std::min<std::size_t>(3, key.size() / 3);
    struct Candidate {
      std::size_t distance;
      Xapian::doccount files;
      std::string spelling;
    };
    std::vector<Candidate> candidates;
    searcher.vocabulary().for_each(Field::Ident, {}, [&](const std::string& term) {
      // Most are of another length: that is seen before the name is read.
      const std::size_t size = term.find(' ') - prefix_of(Field::Ident).size();
      if (size + limit < key.size()) return true;
      if (size > key.size() + limit && key.size() < 4) return true;
      const auto name = parse_ident_term(term);
      if (!name || name->key.size() < 2) return true;
      std::size_t distance = edit_distance(key, name->key, limit);
      // A longer name that begins as asked is near, too.
      if (distance > limit && key.size() >= 4 && name->key.starts_with(key)) distance = limit;
      if (distance > limit) return true;
      if (const Xapian::doccount files = searcher.all_.get_termfreq(term))
        candidates.push_back({distance, files, std::string(name->spelling)});
      return true;
    });
    std::sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
      if (a.distance != b.distance) return a.distance < b.distance;
      if (a.files != b.files) return a.files > b.files;
      return a.spelling < b.spelling;
    });
    std::vector<std::string> names;
    for (const Candidate& c : candidates) {
      if (names.size() == most) break;
      names.push_back(c.spelling);
    }
    return names;
  });
}

}  // namespace kw::search
