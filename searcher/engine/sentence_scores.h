// SPDX-License-Identifier: GPL-2.0-or-later
// The numbers by which several words are ranked, in the programs and, printed by kwconstants, in
// the script of a site. docs/ranking.md has their reasons.
#pragma once

#include <cmath>
#include <cstddef>

namespace kw::search::sentence {

// What a file holds of the sentence stands above all else in the first stage's score: whole
// quarters of the words' idf, so that they add up without rounding, times this.
inline constexpr double kHeldStep = 1e5;
inline constexpr double kQuarters = 4;

// Weights of the fields, and of what the second stage sees. On a plateau: round numbers.
inline constexpr double kTitle = 2, kDescription = 1, kHeading = 1, kPath = 1, kDefinition = 0.5,
                        kName = 0.5, kBody = 1;

// Facts that stand above any sum of weights, the best of them, in this order: the whole title in
// the same forms of its words (page, pages); the name that all words make; the whole title in other
// forms; all words in one name of an original, then of a test and such; the first line of a
// source's comment. Of the names first originals, then kinds, and what is in no class or function;
// of those that hold all words first those with the fewest other words, then kinds.
inline constexpr double kWholeTitle = 50000, kCompound = 20000, kOfCompound = 5000,
                        kKindStep = 1000, kOutermost = 500, kTitleByStems = 19000,
                        kInOneName = 15000, kPerOther = 600, kNameKindStep = 150,
                        kInOneNameOfCopy = 12000, kSourceTitle = 7000;
inline constexpr int kMostOthers = 3;
// Those that weigh about as much as a word in a title.
inline constexpr double kWholeHeading = 8, kAllInHeading = 6, kOtherFormsInOneName = 6;

// Originals, tests, vendored, generated files stand in the first stage's score between the weights
// and what is held: the second stage decides what that is worth.
inline constexpr double kOriginPlace = 1e4;

/// The parts of a score of the first stage. An original's origin is kBestOrigin.
inline double weights_of(double score) { return std::fmod(score, kOriginPlace); }
inline double origin_of(double score) {
  return std::floor(std::fmod(score, kHeldStep) / kOriginPlace);
}
inline constexpr double kBestOrigin = 3;

// Share of the salient words' weight that a file must hold; both of two.
inline constexpr double kEnough = 0.5;

// Candidates of the second stage: their records are read. Fewer where one of them defines the name
// that all words make, or has them as its title.
inline constexpr std::size_t kPool = 60, kLeastPool = 20;

// How much a text's length counts where fields are weighed (BM25's b; k1 is 1): a title is no
// longer in a longer page.
inline constexpr double kLengthShare = 0.25;

}  // namespace kw::search::sentence
