// SPDX-License-Identifier: GPL-2.0-or-later
#include "searcher/match/occurrences.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <tuple>
#include <unordered_set>
#include <utility>

#include "schema/text/splitter.h"
#include "schema/text/text.h"
#include "searcher/match/text_scan.h"

namespace kw::search {
namespace {

// Occurrences of one literal or expression that are looked at in one file.
constexpr std::size_t kMaxOccurrences = 10'000;
// Those of one word, which cost less to find: a file of 8 MB may be nothing but one word of one
// letter.
constexpr std::uint32_t kMaxWordOccurrences = 200'000;
// Distinct tokens that are remembered, and their bytes: some megabytes.
constexpr std::size_t kMaxSeenTokens = 20'000, kMaxSeenLength = 64;

/// Where in a text tokens may stand that match one of some leaves; nothing if it may be anywhere.
std::optional<std::vector<Needle>> needles_of(const std::vector<const Leaf*>& asked) {
  std::vector<Needle> needles;
  for (const Leaf* leaf : asked) {
    if (leaf->beyond_ascii) continue;
    if (leaf->probe.empty()) return std::nullopt;
    needles.push_back(leaf->needle());
  }
  return needles;
}

/// The tokens of a text that may match: all, or, with needles, those around a needle's occurrences
/// and those that are not ASCII: reading only these took a third off a search that shows ten files.
class LikelyTokens {
 public:
  LikelyTokens(std::string_view text, std::optional<std::vector<Needle>> needles) : text_(text) {
    if (needles) finder_.emplace(text, *std::move(needles));
  }

  /// Calls `f` with each that lies in [begin, end), between blanks or the text's ends, until it
  /// returns true; returns whether it did. Each call asks for what lies behind the last one's.
  template <class F>
  bool any(std::size_t begin, std::size_t end, const F& f) {
    if (finder_) return any_around_needles(begin, end, f);
    Tokenizer tokenizer(text_.substr(begin, end - begin));
    for (Token token; tokenizer.next_word(token);)
      if (f(token.text)) return true;
    return false;
  }
  template <class F>
  bool any(const F& f) {
    return any(0, text_.size(), f);
  }

 private:
  template <class F>
  bool any_around_needles(std::size_t begin, std::size_t end, const F& f) {
    std::size_t done = begin;  // tokens up to here were looked at
    for (std::size_t at = begin; (at = finder_->next(at, end)) < end;) {
      if (word_char_length(text_.substr(at)) == 0) {
        ++at;
        continue;
      }
      std::size_t first = at;
      while (first > done && !is_word_edge(text_.substr(0, first), text_.substr(first))) do
          --first;
        while (first > done && is_continuation(text_[first]));
      Tokenizer tokenizer(text_.substr(first));
      Token token;
      std::size_t last = at;  // a word character stands at `at`, so that one ends behind it
      while (last <= at && tokenizer.next_word(token))
        last = static_cast<std::size_t>(token.text.data() - text_.data()) + token.text.size();
      if (f(token.text)) return true;
      at = done = std::max(last, at + 1);
    }
    return false;
  }

  std::string_view text_;
  std::optional<NeedleFinder> finder_;
};

TokenMatch match_token(const PreparedQuery& query, std::string_view token) {
  TokenMatch match;
  NameForms forms(token);
  if (!query.compound.empty() && has_name_key(token, query.compound_key)) {
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

/// Occurrences of the leaves that tokens decide.
class TokenFinder {
 public:
  TokenFinder(const PreparedQuery& query, std::string_view text)
      : query_(query), text_(text), counts_(query.leaves.size()) {
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
    tokens_.emplace(text, std::move(needles));
  }

  /// Adds those in [begin, end), as LikelyTokens::any().
  void find(std::size_t begin, std::size_t end, std::vector<Occurrence>& found) {
    if (!tokens_) return;
    tokens_->any(begin, end, [&](std::string_view token) {
      const TokenMatch& match = matches_of(token);
      const auto at = static_cast<std::size_t>(token.data() - text_.data());
      for (const auto& [leaf, strength] : match)
        if (++counts_[leaf] <= kMaxWordOccurrences)
          found.push_back({at, at + token.size(), leaf, strength});
      return false;
    });
  }

 private:
  /// Until the next call.
  const TokenMatch& matches_of(std::string_view token) {
    if (token.size() > kMaxSeenLength) return long_one_ = match_token(query_, token);
    TokenMatches& seen = query_.seen;
    auto it = seen.find(token);
    if (it == seen.end()) {
      if (seen.size() == kMaxSeenTokens) seen.clear();
      it = seen.emplace(token, match_token(query_, token)).first;
    }
    return it->second;
  }

  const PreparedQuery& query_;
  const std::string_view text_;
  std::optional<LikelyTokens> tokens_;  // nothing: no leaf asks for any
  std::vector<std::uint32_t> counts_;
  TokenMatch long_one_;
};

bool asks_lines(const Leaf& leaf) {
  return leaf.expression && (!leaf.node->field || leaf.is_field(Field::Ident));
}

void find_expressions(const PreparedQuery& query, std::string_view text,
                      std::vector<Occurrence>& found) {
  for (std::size_t i = 0; i < query.leaves.size(); ++i) {
    const Leaf& leaf = query.leaves[i];
    if (!asks_lines(leaf)) continue;
    std::size_t left = kMaxOccurrences;
    leaf.expression->find(text, [&](std::size_t begin, std::size_t end) {
      found.push_back({begin, end, i, MatchStrength::Identifier});
      return --left > 0;
    });
  }
}

bool comes_before(const Occurrence& a, const Occurrence& b) {
  return std::tie(a.begin, a.end, a.leaf) < std::tie(b.begin, b.end, b.leaf);
}

void sort(std::vector<Occurrence>& found) {
  if (!std::is_sorted(found.begin(), found.end(), comes_before))  // tokens come in order
    std::sort(found.begin(), found.end(), comes_before);
}

/// Adds `more`; both are in order.
template <class Before>
void add_in_order(std::vector<Occurrence>& to, const std::vector<Occurrence>& more,
                  const Before& before) {
  const auto middle = static_cast<std::ptrdiff_t>(to.size());
  to.insert(to.end(), more.begin(), more.end());
  std::inplace_merge(to.begin(), to.begin() + middle, to.end(), before);
}

/// Where in view() a rendered text may have other words than the stored one, and the bytes of the
/// stored one there: from blank to blank around what was replaced. In order, none meets another.
std::vector<EditedText::Change> changed_words(const EditedText& rendered) {
  const std::string_view text = rendered.view();
  const auto is_between = [&](std::size_t at) { return is_blank(text[at]) || text[at] == '\n'; };
  const auto& changes = rendered.changes();
  std::vector<EditedText::Change> windows;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    EditedText::Change w = changes[i];
    const std::size_t least = windows.empty() ? 0 : windows.back().end;
    while (w.begin > least && !is_between(w.begin - 1)) --w.begin, --w.original_begin;
    for (;;) {
      const bool is_last = i + 1 == changes.size();
      const std::size_t most = is_last ? text.size() : changes[i + 1].begin;
      while (w.end < most && !is_between(w.end)) ++w.end, ++w.original_end;
      if (is_last || w.end < most) break;
      ++i;
      w.end = changes[i].end;
      w.original_end = changes[i].original_end;
    }
    windows.push_back(w);
  }
  return windows;
}

}  // namespace

std::vector<Occurrence> find_occurrences(const PreparedQuery& query, std::string_view text) {
  std::vector<Occurrence> found;
  TokenFinder(query, text).find(0, text.size(), found);
  find_expressions(query, text, found);
  sort(found);
  return found;
}

RenderedOccurrences find_in_rendered(const PreparedQuery& query, const EditedText& rendered,
                                     const std::vector<Occurrence>& stored) {
  RenderedOccurrences found;
  TokenFinder finder(query, rendered.view());
  auto next = stored.begin();
  std::size_t original_begin = 0, begin = 0;  // of the bytes that both texts have
  const auto take_to = [&](std::size_t original_end) {
    for (; next != stored.end() && next->begin < original_end; ++next) {
      if (next->begin < original_begin || asks_lines(query.leaves[next->leaf])) continue;
      found.all.push_back(*next);
      found.all.back().begin += begin - original_begin;
      found.all.back().end += begin - original_begin;
    }
  };
  for (const EditedText::Change& window : changed_words(rendered)) {
    take_to(window.original_begin);
    finder.find(window.begin, window.end, found.changed);
    original_begin = window.original_end;
    begin = window.end;
  }
  take_to(static_cast<std::size_t>(-1));
  find_expressions(query, rendered.view(), found.changed);
  sort(found.changed);
  add_in_order(found.all, found.changed, comes_before);
  return found;
}

std::vector<Occurrence> unite(std::vector<Occurrence> stored,
                              const std::vector<Occurrence>& changed, const EditedText& rendered) {
  if (changed.empty()) return stored;
  const auto strongest_first = [](const Occurrence& a, const Occurrence& b) {
    return std::tie(a.begin, a.end, a.leaf, b.strength) <
           std::tie(b.begin, b.end, b.leaf, a.strength);
  };
  std::vector<Occurrence> more;
  for (Occurrence o : changed) {
    const EditedText::Range range = rendered.in_original(o.begin, o.end);
    o.begin = range.begin;
    o.end = range.end;
    more.push_back(o);
  }
  std::stable_sort(more.begin(), more.end(), strongest_first);
  add_in_order(stored, more, strongest_first);
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
  return LikelyTokens(text, needles_of({&leaf})).any([&](std::string_view token) {
    if (no.contains(token)) return false;
    NameForms forms(token);
    if (query.tester.match_token(leaf, forms) != MatchStrength::None) return true;
    no.insert(token);
    return false;
  });
}

}  // namespace kw::search
