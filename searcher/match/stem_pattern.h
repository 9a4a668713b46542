// SPDX-License-Identifier: GPL-2.0-or-later
// Patterns (`view*`, `*Meta`, `w?rd`): against a text, and against the stems that words are stored
// as. A stem lacks the end of its word, so a pattern for words says less about stems.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "schema/text/splitter.h"

namespace kw::search {

/// True if `text` matches `pattern`: `*` any characters, `?` one; both folded by the caller.
bool matches_pattern(std::string_view pattern, std::string_view text);
/// The same, also without accents that the pattern need not have.
bool matches_folded(std::string_view pattern, std::string_view folded);

/// What each word with this stem begins with: the stemmer leaves a word as it is but for its end,
/// and may change the stem's last letter (happy -> happi), or two of three (dying -> die).
std::string start_of_stem(const std::string& stem);

/// Usual endings of English words, and those before which a last letter is doubled.
inline constexpr std::string_view kWordEndings[] = {
    "",        "able",   "ably", "al",    "ally", "als", "ance", "ant",  "ate",   "ated", "ates",
    "ation",   "ations", "ator", "ators", "e",    "ed",  "ely",  "ence", "ent",   "er",   "ers",
    "es",      "ful",    "ical", "ied",   "ies",  "ing", "ings", "ion",  "ions",  "ism",  "ist",
    "ists",    "ities",  "ity",  "ive",   "ives", "ize", "ized", "izer", "izers", "izes", "izing",
    "ization", "ly",     "ment", "ments", "ness", "ous", "s",    "y",    "ying"};
inline constexpr std::string_view kEndingsAfterDoubled[] = {"ed", "er", "ers", "ing", "ings", "s"};

/// The words that have this stem and are made of it and a usual ending, in order: some hundred are
/// tried. Rarer derivations are not among them.
std::vector<std::string> inflections(const std::string& stem, const Stemmer& stemmer);

/// Whether a word is one of them.
bool is_inflection(std::string_view word, const std::string& stem, const Stemmer& stemmer);

/// Which stems a word may have that matches a pattern. It may name more, never fewer: the words
/// decide. Of the stemmer (Porter's second for English, as Snowball has it) it knows the endings
/// that are taken off, that a doubled letter before them becomes one (hopping, hop) and that the
/// last letter of a stem may be another (happy, happi).
class StemPattern {
 public:
  /// `pattern`: for folded words.
  explicit StemPattern(std::string_view pattern);

  bool may_contain(std::string_view stem) const;

  /// Any word may match: the pattern asks for an ending alone (`*ing`).
  bool are_all() const { return all_; }

  /// What all these stems begin with; may be empty.
  const std::string& head() const { return head_; }

 private:
  std::string whole_;
  std::string head_;
  std::vector<std::string> patterns_;  // with what the stemmer may leave of a word
  bool all_ = false;
};

}  // namespace kw::search
