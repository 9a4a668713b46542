// SPDX-License-Identifier: GPL-2.0-or-later
#include "searcher/engine/scoring.h"

#include <algorithm>
#include <cmath>

namespace kw::search {

std::size_t order_by_score_and_path(std::vector<Ranked>& results, bool is_last) {
  std::size_t begin = 0;
  while (begin < results.size()) {
    const double best = results[begin].score;
    std::size_t end = begin + 1;
    while (end < results.size() && best - results[end].score < kSameScore) ++end;
    // More may come that belong here. Whole numbers have no BM25 in them, so nothing was rounded:
    // these came in order.
    if (end == results.size() && !is_last && best != std::floor(best)) break;
    std::stable_sort(results.begin() + static_cast<std::ptrdiff_t>(begin),
                     results.begin() + static_cast<std::ptrdiff_t>(end),
                     [](const Ranked& a, const Ranked& b) { return a.path < b.path; });
    begin = end;
  }
  return begin;
}

ScoreParts split_score(double score) {
  const auto take = [&](double step) {
    const double n = std::floor(score / step + 1e-9);
    score -= n * step;
    return static_cast<int>(n);
  };
  ScoreParts parts;
  parts.tier = take(kTierStep);
  parts.spelling = take(kSpellingBonus) > 0;
  parts.origin = take(kOriginStep);
  parts.rank = take(kRankStep);
  parts.bm25 = score;
  return parts;
}

std::string_view name_of(Tier tier) {
  switch (tier) {
    case Tier::Prose:
      return "prose";
    case Tier::Part:
      return "part of an identifier";
    case Tier::DefinitionPart:
      return "part of a defined name";
    case Tier::Ident:
      return "identifier";
    case Tier::Heading:
      return "heading or path";
    case Tier::DefinitionWords:
      return "all words in defined names";
    case Tier::Definition:
      return "definition";
    case Tier::CompoundDefinition:
      return "definition of the joined name";
  }
  return {};
}

}  // namespace kw::search
