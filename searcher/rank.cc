// SPDX-License-Identifier: GPL-2.0-or-later
#include "searcher/rank.h"

#include <cmath>

namespace kw {

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
    case Tier::JoinedDefinition:
      return "definition of the joined name";
  }
  return {};
}

}  // namespace kw
