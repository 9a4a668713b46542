// SPDX-License-Identifier: GPL-2.0-or-later
#include "searcher/engine/search.h"

#include <span>

#include "searcher/engine/hit_reader.h"
#include "searcher/engine/planner.h"
#include "searcher/engine/result_list.h"
#include "searcher/engine/suggest.h"

namespace kw::search {
namespace {

Result<std::vector<Hit>> hits_of(Session& session, ResultList& results,
                                 const SearchOptions& options, const Presenter& present) {
  const std::size_t wanted = options.results ? options.offset + options.results : 0;
  auto found = KW_TRY(results.groups(wanted));
  if (found.size() <= options.offset) return std::vector<Hit>();
  found.erase(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(options.offset));
  auto files_of = KW_TRY(results.members(found));
  std::vector<Hit> hits(found.size());
  std::vector<WantedHit> to_read;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const ResultList::Files& files = files_of[i];
    Hit& hit = hits[i];
    hit.rank = options.offset + i + 1;
    hit.score = found[i].score;
    hit.shard = found[i].shard;
    hit.path = files[0].first;
    hit.reading = name_of(results.plan(found[i].plan).kind);
    for (std::size_t k = 1; k < files.size(); ++k) hit.also.push_back(files[k].first);
    to_read.push_back({&found[i], files[0].second, &hit});
  }
  if (options.with_lines) {
    HitReader reader(session, results, present);
    for (std::size_t done = 0; done < hits.size();)
      done += KW_TRY(reader.read(std::span(to_read).subspan(done)));
  } else if (present) {
    for (Hit& hit : hits) hit.shown = present(hit);
  }
  return hits;
}

}  // namespace

Result<Searcher> Searcher::open(std::vector<DatabaseLocation> places, const OpenOptions& options) {
  auto session = KW_TRY(Session::open(std::move(places), options));
  return Searcher(std::move(session));
}

Result<SearchResult> Searcher::search(const ParsedQuery& query, const SearchOptions& options,
                                      const Presenter& present) {
  return session_.retried([&](Session& session) -> Result<SearchResult> {
    Planner planner(session, query, options);
    ResultList results(session, planner.steps(), options.case_sensitive);
    auto hits = KW_TRY(hits_of(session, results, options, present));
    SearchResult result;
    result.hits = std::move(hits);
    result.partial = results.is_partial() || query.truncated;
    result.any = !result.hits.empty() && results.has_some_words_only();
    result.instead = results.instead();
    return result;
  });
}

Result<Searcher::Count> Searcher::count(const ParsedQuery& query, const SearchOptions& options) {
  return session_.retried([&](Session& session) -> Result<Count> {
    Planner planner(session, query, options);
    ResultList results(session, planner.steps(), options.case_sensitive);
    auto groups = KW_TRY(results.groups(0));
    return Count{groups.size(), results.is_partial() || query.truncated};
  });
}

Result<Searcher::Facets> Searcher::count_by(const ParsedQuery& query, const SearchOptions& options,
                                            Facet facet) {
  SearchOptions all = options;
  all.results = 0;
  all.offset = 0;
  all.with_lines = true;
  const auto result = KW_TRY(
      search(query, all, [&](const Hit& hit) { return facet_of(hit.record, hit.match, facet); }));
  std::vector<std::string> values;
  for (const Hit& hit : result.hits) values.push_back(hit.shown);
  return Facets{count_values(values), result.partial};
}

Result<std::vector<std::string>> Searcher::nearest_names(const std::string& word,
                                                         std::size_t most) {
  return session_.retried([&](Session& session) -> Result<std::vector<std::string>> {
    return search::nearest_names(session, word, most);
  });
}

std::vector<Reading> Searcher::readings(const ParsedQuery& query, const SearchOptions& options) {
  return Planner::readings(query, options);
}

}  // namespace kw::search
