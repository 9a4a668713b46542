// SPDX-License-Identifier: GPL-2.0-or-later
#include "schema/text/stop_words.h"

#include <algorithm>
#include <array>

namespace kw {
namespace {

// Articles, pronouns, prepositions, auxiliaries, and what questions begin with; sorted.
constexpr std::array<std::string_view, 137> kStopWords{
    "a",      "about", "above",   "after",   "again",   "all",    "also",    "am",     "an",
    "and",    "any",   "are",     "as",      "at",      "be",     "because", "been",   "before",
    "being",  "below", "between", "both",    "but",     "by",     "can",     "cannot", "could",
    "did",    "do",    "does",    "doing",   "don",     "during", "each",    "either", "else",
    "etc",    "ever",  "every",   "few",     "for",     "from",   "further", "get",    "given",
    "had",    "has",   "have",    "having",  "he",      "her",    "here",    "his",    "how",
    "i",      "if",    "in",      "into",    "is",      "it",     "its",     "itself", "just",
    "let",    "like",  "ll",      "make",    "may",     "me",     "might",   "more",   "most",
    "must",   "my",    "need",    "no",      "nor",     "not",    "now",     "of",     "off",
    "on",     "once",  "only",    "or",      "other",   "our",    "out",     "over",   "own",
    "please", "re",    "s",       "same",    "shall",   "she",    "should",  "so",     "some",
    "such",   "t",     "than",    "that",    "the",     "their",  "them",    "then",   "there",
    "these",  "they",  "this",    "those",   "through", "to",     "too",     "under",  "until",
    "up",     "us",    "use",     "ve",      "very",    "want",   "was",     "we",     "were",
    "what",   "when",  "where",   "whether", "which",   "while",  "who",     "why",    "will",
    "with",   "would"};
static_assert(std::is_sorted(kStopWords.begin(), kStopWords.end()));

}  // namespace

std::span<const std::string_view> stop_words() { return kStopWords; }

bool is_stop_word(std::string_view folded) {
  return std::binary_search(kStopWords.begin(), kStopWords.end(), folded);
}

}  // namespace kw
