// SPDX-License-Identifier: GPL-2.0-or-later
#include "searcher/match/occurrences.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "schema/text/splitter.h"
#include "schema/text/text.h"
#include "searcher/match/text_scan.h"

namespace kw::search {
namespace {

// Occurrences of one literal or expression that are looked at in one file.
constexpr std::size_t kMaxOccurrences = 10'000;
// Those of one word, which cost less to find, and distinct tokens that are remembered: a file of 8
// MB may be nothing but one word of one letter.
constexpr std::uint32_t kMaxWordOccurrences = 200'000;
constexpr std::size_t kMaxSeenTokens = 100'000;

/// Where in a text tokens may stand that match one of some leaves; nothing if it may be anywhere.
std::optional<std::vector<Needle>> needles_of(const std::vector<const Leaf*>& asked) {
  std::vector<Needle> needles;
  for (const Leaf* leaf : asked) {
    if (leaf->beyond_ascii) continue;
    if (leaf->probe.empty()) return std::nullopt;
    needles.push_back({leaf->probe, leaf->node->kind == QueryNode::Kind::Word});
  }
  return needles;
}

/// Calls `f` with each token of a text that may match, until it returns true; returns whether it
/// did. All tokens, or, with needles, those around a needle's occurrences and those that are not
/// ASCII: reading only these took a third off a search that shows ten files.
template <class F>
bool any_likely_token(std::string_view text, std::optional<std::vector<Needle>> needles,
                      const F& f) {
  if (!needles) {
    Tokenizer tokenizer(text);
    for (Token token; tokenizer.next(token);)
      if (token.kind != TokenKind::Operator && f(token.text)) return true;
    return false;
  }
  NeedleFinder finder(text, *std::move(needles));
  std::size_t done = 0;  // tokens up to here were looked at
  for (std::size_t at = 0; (at = finder.next(at)) < text.size();) {
    if (word_char_length(text.substr(at)) == 0) {
      ++at;
      continue;
    }
    std::size_t begin = at;
    while (begin > done && !is_word_edge(text.substr(0, begin), text.substr(begin))) do
        --begin;
      while (begin > done && is_continuation(text[begin]));
    Tokenizer tokenizer(text.substr(begin));
    Token token;
    std::size_t end = at;  // a word character stands at `at`, so that one ends behind it
    while (end <= at && tokenizer.next(token))
      end = static_cast<std::size_t>(token.text.data() - text.data()) + token.text.size();
    if (f(token.text)) return true;
    at = done = std::max(end, at + 1);
  }
  return false;
}

/// The leaves that one token matches, and how.
using TokenMatch = std::vector<std::pair<std::size_t, MatchStrength>>;

TokenMatch match_token(const PreparedQuery& query, std::string_view token) {
  TokenMatch match;
  NameForms forms(token);
  // A key is not longer than its name in ASCII.
  const bool may_be_compound =
      !query.compound.empty() && (!forms.is_ascii() || token.size() >= query.compound_key.size());
  if (may_be_compound && forms.key() == query.compound_key) {
    for (const std::size_t i : query.compound) match.emplace_back(i, MatchStrength::Identifier);
    return match;
  }
  for (std::size_t i = 0; i < query.leaves.size(); ++i) {
    if (!query.leaves[i].asks_text()) continue;
    const MatchStrength strength = query.tester.match_token(query.leaves[i], forms);
    if (strength != MatchStrength::None) match.emplace_back(i, strength);
  }
  return match;
}

void find_tokens(const PreparedQuery& query, std::string_view text,
                 std::vector<Occurrence>& found) {
  std::vector<const Leaf*> asked;
  for (const Leaf& leaf : query.leaves)
    if (leaf.asks_text()) asked.push_back(&leaf);
  if (asked.empty()) return;
  auto needles = needles_of(asked);
  // The compound name has the longest of its words, perhaps in pieces (`view_and` of `viewand`).
  std::string_view longest;
  for (const std::size_t i : query.compound)
    if (query.leaves[i].probe.size() > longest.size()) longest = query.leaves[i].probe;
  if (needles && !longest.empty()) needles->push_back({longest.substr(0, 3)});
  std::vector<std::uint32_t> counts(query.leaves.size());
  std::unordered_map<std::string_view, TokenMatch> seen;
  any_likely_token(text, std::move(needles), [&](std::string_view token) {
    auto it = seen.find(token);
    if (it == seen.end()) {
      if (seen.size() == kMaxSeenTokens) seen.clear();
      it = seen.emplace(token, match_token(query, token)).first;
    }
    const auto begin = static_cast<std::size_t>(token.data() - text.data());
    for (const auto& [leaf, strength] : it->second)
      if (++counts[leaf] <= kMaxWordOccurrences)
        found.push_back({begin, begin + token.size(), leaf, strength});
    return false;
  });
}

}  // namespace

std::vector<Occurrence> find_occurrences(const PreparedQuery& query, std::string_view text) {
  std::vector<Occurrence> found;
  find_tokens(query, text, found);
  for (std::size_t i = 0; i < query.leaves.size(); ++i) {
    const Leaf& leaf = query.leaves[i];
    if (!leaf.expression || (leaf.node->field && !leaf.is_field(Field::Ident))) continue;
    std::size_t left = kMaxOccurrences;
    leaf.expression->find(text, [&](std::size_t begin, std::size_t end) {
      found.push_back({begin, end, i, MatchStrength::Identifier});
      return --left > 0;
    });
  }
  std::sort(found.begin(), found.end(), [](const Occurrence& a, const Occurrence& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.end < b.end;
  });
  return found;
}

std::vector<Occurrence> unite(std::vector<Occurrence> stored,
                              const std::vector<Occurrence>& in_rendered,
                              const EditedText& rendered) {
  if (!rendered.is_changed()) return stored;
  for (Occurrence o : in_rendered) {
    if (o.begin == o.end) continue;  // of an expression: marks alone may stand in the line
    const EditedText::Range range = rendered.in_original(o.begin, o.end);
    o.begin = range.begin;
    o.end = range.end;
    stored.push_back(o);
  }
  std::stable_sort(stored.begin(), stored.end(), [](const Occurrence& a, const Occurrence& b) {
    return std::tie(a.begin, a.end, a.leaf, b.strength) <  // the strongest first
           std::tie(b.begin, b.end, b.leaf, a.strength);
  });
  const auto same = [](const Occurrence& a, const Occurrence& b) {
    return a.begin == b.begin && a.end == b.end && a.leaf == b.leaf;
  };
  stored.erase(std::unique(stored.begin(), stored.end(), same), stored.end());
  return stored;
}

bool occurs_in(const PreparedQuery& query, const Leaf& leaf, std::string_view text) {
  if (leaf.expression) {
    bool found = false;
    leaf.expression->find(text, [&](std::size_t, std::size_t) {
      found = true;
      return false;
    });
    return found;
  }
  std::unordered_set<std::string_view> no;  // tokens that do not match
  return any_likely_token(text, needles_of({&leaf}), [&](std::string_view token) {
    if (no.contains(token)) return false;
    NameForms forms(token);
    if (query.tester.match_token(leaf, forms) != MatchStrength::None) return true;
    no.insert(token);
    return false;
  });
}

}  // namespace kw::search
