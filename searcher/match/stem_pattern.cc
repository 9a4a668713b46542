// SPDX-License-Identifier: GPL-2.0-or-later
#include "searcher/match/stem_pattern.h"

#include <algorithm>
#include <iterator>

#include "schema/text/text.h"

namespace kw::search {
namespace {

// The endings that the English stemmer takes off, in pieces: it takes off several, one after the
// other (digit|iz|at|ion|s).
constexpr std::string_view kEndings[] = {
    "abil", "abl", "al",   "anc",  "ant",  "at",   "e",   "ed",  "enc", "ent", "er",  "err",
    "ful",  "i",   "ibil", "ibl",  "ic",   "il",   "ing", "ion", "is",  "ism", "ist", "it",
    "iv",   "iz",  "l",    "less", "ment", "ness", "og",  "or",  "ous", "s",   "y"};

/// Whether `text` begins with `asked`, in which `?` is any letter.
bool begins_with(std::string_view text, std::string_view asked) {
  return text.size() >= asked.size() &&
         std::equal(asked.begin(), asked.end(), text.begin(),
                    [](char a, char c) { return a == '?' || a == c; });
}

// No stemmer takes off more letters of a word; a pattern may have any number.
constexpr std::size_t kMostCut = 40;

/// Whether a piece of a word may be made of endings. With `open` the word goes on: the last ending
/// need not be whole. With `inside` nor need the first.
bool is_of_endings(std::string_view piece, bool open, bool inside) {
  std::vector<bool> reached(piece.size() + 1, false);
  reached[0] = true;
  for (std::size_t at = 0; at < piece.size(); ++at) {
    if (!reached[at]) continue;
    const std::string_view rest = piece.substr(at);
    for (const std::string_view ending : kEndings)
      for (std::size_t from = 0; from < ending.size(); ++from) {
        const std::string_view part = ending.substr(from);
        if (open && begins_with(part, rest)) return true;
        if (rest.size() >= part.size() && begins_with(part, rest.substr(0, part.size())))
          reached[at + part.size()] = true;
        if (at > 0 || !inside) break;  // a whole ending
      }
  }
  return reached[piece.size()];
}

/// Whether the stemmer may take off the last `cut` letters of a piece of a word, and with `open`
/// what follows.
bool may_cut(std::string_view piece, std::size_t cut, bool open) {
  const std::string_view off = piece.substr(piece.size() - cut);
  if (is_of_endings(off, open, false)) return true;
  // The second of two letters goes with the ending.
  const char before = piece[piece.size() - cut - 1];
  if (off[0] != before && off[0] != '?' && before != '?') return false;
  return cut == 1 || is_of_endings(off.substr(1), open, false);
}

/// What a pattern ends in, after its last star but one at the end.
std::string_view last_piece(std::string_view pattern) {
  while (pattern.ends_with('*')) pattern.remove_suffix(1);
  return pattern.substr(pattern.rfind('*') + 1);  // npos + 1 is 0
}

}  // namespace

std::string start_of_stem(const std::string& stem) {
  return stem.substr(0, stem.ends_with("ie") ? stem.size() - 2
                        : stem.size() > 1    ? stem.size() - 1
                                             : 1);
}

std::vector<std::string> inflections(const std::string& stem, const Stemmer& stemmer) {
  std::vector<std::string> words;
  const auto try_word = [&](std::string word) {
    if (stemmer.stem(word) == stem) words.push_back(std::move(word));
  };
  for (const std::string_view end : kWordEndings) {
    try_word(stem + std::string(end));
    try_word(start_of_stem(stem) + std::string(end));  // happi, happy
  }
  for (const std::string_view end : kEndingsAfterDoubled)  // hop, hopping
    try_word(stem + stem.back() + std::string(end));
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
  return words;
}

bool is_inflection(std::string_view word, const std::string& stem, const Stemmer& stemmer) {
  const auto is_made_of = [&](std::string_view start, const auto& endings) {
    return word.starts_with(start) && std::find(std::begin(endings), std::end(endings),
                                                word.substr(start.size())) != std::end(endings);
  };
  return (is_made_of(stem, kWordEndings) || is_made_of(start_of_stem(stem), kWordEndings) ||
          is_made_of(stem + stem.back(), kEndingsAfterDoubled)) &&
         stemmer.stem(std::string(word)) == stem;
}

StemPattern::StemPattern(std::string_view pattern) : whole_(pattern), patterns_{whole_} {
  patterns_[0] += '*';  // a word may be longer than its stem
  const std::string_view piece = last_piece(pattern);
  const bool open = pattern.ends_with('*');
  while (pattern.ends_with('*')) pattern.remove_suffix(1);
  all_ = piece.size() < pattern.size() && is_of_endings(piece, open, true);
  for (std::size_t cut = 1; cut < std::min(piece.size(), kMostCut); ++cut)
    if (may_cut(piece, cut, open)) patterns_.emplace_back(pattern.substr(0, pattern.size() - cut));

  // Words with one start: their stems share what no ending can take off.
  head_ = whole_.substr(0, whole_.find_first_of("*?"));
  std::size_t most = 0;
  for (std::size_t cut = 1; cut < std::min(head_.size(), kMostCut); ++cut)
    if (may_cut(head_, cut, true)) most = cut;
  head_.resize(head_.size() - std::min(most + 1, head_.size()));  // its last letter may be another
}

bool StemPattern::may_contain(std::string_view stem) const {
  if (all_) return true;
  if (stem.size() == 3 && stem.ends_with("ie") &&  // die, lie, tie
      matches_pattern(whole_, std::string(1, stem[0]) + "ying"))
    return true;
  // The stem's last letter may be another than the word's (happy -> happi).
  const std::string_view kept = stem.substr(0, stem.size() - 1);
  return std::any_of(patterns_.begin(), patterns_.end(), [&](const std::string& p) {
    return matches_pattern(p, stem) || matches_pattern(p, kept);
  });
}

bool matches_folded(std::string_view pattern, std::string_view folded) {
  return matches_pattern(pattern, folded) || matches_pattern(pattern, strip_marks(folded));
}

bool matches_pattern(std::string_view pattern, std::string_view text) {
  // Greedy with one point to come back to: linear in most cases, never worse than the product of
  // lengths.
  std::size_t p = 0, t = 0, star = std::string_view::npos, mark = 0;
  const auto next_char = [&](std::size_t at) {
    ++at;
    while (at < text.size() && is_continuation(text[at])) ++at;
    return at;
  };
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = ++p;
      mark = t;
    } else if (p < pattern.size() && pattern[p] == '?') {
      ++p;
      t = next_char(t);
    } else if (p < pattern.size() && pattern[p] == text[t]) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star;
      t = ++mark;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

}  // namespace kw::search
