// SPDX-License-Identifier: GPL-2.0-or-later
// The order of results, all of it: tiers, then what breaks ties between files of one tier. Why it
// is so: docs/ranking.md. A score is a sum of constants far apart, so that a higher place wins
// whatever the counts:
//
//   tier x 10^7 + spelling x 10^6 + origin x 10^5 + kind of definition x 10^4 + BM25 (below 10^4)
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "schema/index/terms.h"

namespace kw::search {

/// How a file holds what was asked, from weak to strong.
enum class Tier : int {
  Prose = 1,              ///< words of prose and comments, by stem
  Part = 2,               ///< words inside identifiers
  DefinitionPart = 3,     ///< words inside names that the file defines
  Ident = 4,              ///< the whole identifier
  Heading = 5,            ///< a heading or the path
  DefinitionWords = 6,    ///< of several words: all of them in names that the file defines
  Definition = 7,         ///< the file defines the name
  CompoundDefinition = 8  ///< of several words: it defines the name that they make together
};
inline constexpr int kTierCount = 8;

inline constexpr double kTierStep = 1e7;
inline constexpr double kSpellingBonus = 1e6;
inline constexpr double kOriginStep = 1e5;
inline constexpr double kRankStep = 1e4;

/// Scores that are nearer than this are the same: some twenty numbers below 1e8 were added up, each
/// time rounded by 1e-8.
inline constexpr double kSameScore = 1e-6;

constexpr double tier_weight(Tier tier) { return kTierStep * static_cast<int>(tier); }

constexpr double rank_weight(DefinitionClass rank) {
  return kRankStep * ('4' - static_cast<char>(rank));
}

/// A result that Xapian found.
struct Ranked {
  std::uint32_t id = 0;
  double score = 0;
  std::string path;
};

/// Puts results that came by score, best first, into the order in which they are shown, as far as
/// it is known, and says how many of them. Scores that are the same but for their rounding are
/// ordered by path: the shards of a tree add up in another order than one index does. `is_last`: no
/// more will come.
std::size_t order_by_score_and_path(std::vector<Ranked>& results, bool is_last);

/// The parts that a score is made of, for --explain.
struct ScoreParts {
  int tier = 0;
  bool spelling = false;
  int origin = 0;  ///< 3 original ... 0 generated
  int rank = 0;    ///< 3 type, 2 function, 1 member, 0 none
  double bm25 = 0;
};
ScoreParts split_score(double score);

/// For people: "definition", "heading or path" ...
std::string_view name_of(Tier tier);

}  // namespace kw::search
