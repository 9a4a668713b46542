// SPDX-License-Identifier: GPL-2.0-or-later
#include "searcher/engine/text_expansion.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "schema/text/splitter.h"
#include "schema/text/text.h"
#include "searcher/engine/pattern_expansion.h"
#include "searcher/engine/word_expansion.h"
#include "searcher/match/regex_literals.h"

namespace kw::search {
namespace {

// A part of a word shorter than this stands in too many to narrow a search.
constexpr std::size_t kShortestPart = 3;

std::string longest_small_letters(std::string_view text) {
  std::string_view longest;
  for (std::size_t begin = 0, i = 0; i <= text.size(); ++i) {
    if (i < text.size() && text[i] >= 'a' && text[i] <= 'z') continue;
    if (i - begin > longest.size()) longest = text.substr(begin, i - begin);
    begin = i + 1;
  }
  return std::string(longest);
}

bool begins(std::string_view text, std::string_view token) { return token.data() == text.data(); }
bool ends(std::string_view text, std::string_view token) {
  return token.data() + token.size() == text.data() + text.size();
}

/// Of a token in a script without blanks, all its pairs, which stand in a longer run, too; an empty
/// query where it is too short to have one. Nothing: it is of another script.
std::optional<Xapian::Query> pairs_of(const TermLookup& lookup, std::string_view token) {
  if (is_ascii(token)) return std::nullopt;
  const std::vector<std::string> words = split_name(token);
  const bool all_pairs = !words.empty() && words[0] != fold(token) &&
                         std::all_of(words.begin(), words.end(), [](const std::string& w) {
                           return !is_ascii(w) && w.size() >= 6 && w.size() <= 8;
                         });
  if (!all_pairs) return std::nullopt;
  Queries each;
  for (const Field field : {Field::Word, Field::Part}) {
    Queries of_field;
    lookup.add_words(of_field, field, words, true);
    if (!of_field.empty()) each.push_back(any_of(of_field));
  }
  return any_of(each);
}

std::optional<TermExpansion> if_whole(std::optional<TermExpansion> expansion) {
  if (expansion && expansion->is_truncated()) return std::nullopt;
  return expansion;
}

}  // namespace

const std::optional<TermExpansion>& TextExpander::expanded_part(const std::string& pattern) {
  const auto [it, added] = parts_.try_emplace(pattern);
  if (added) it->second = if_whole(expand_in_texts(lookup_, pattern));
  return it->second;
}

const std::optional<TermExpansion>& TextExpander::expanded_letters(const std::string& letters) {
  const auto [it, added] = parts_.try_emplace(letters);
  if (added) it->second = if_whole(expand_letters(lookup_, letters));
  return it->second;
}

std::optional<TextExpander::Candidates> TextExpander::candidates(std::string_view text,
                                                                 bool open_start, bool open_end,
                                                                 bool case_matters) {
  Candidates found;
  Queries each;
  Tokenizer tokenizer(text);
  for (Token token; tokenizer.next_word(token);) {
    // A percent-escape has no terms where it is no code.
    if (escaped_bytes(text, token.text) > 0) continue;
    const bool open_before = open_start && begins(text, token.text);
    const bool open_after = open_end && ends(text, token.text);
    Xapian::Query query;
    if (open_before || open_after) {
      const std::string letters = longest_small_letters(token.text);
      if ((case_matters ? letters.size() : token.text.size()) < kShortestPart) continue;
      if (const auto pairs = pairs_of(lookup_, token.text)) {
        if (!pairs->empty()) each.push_back(*pairs);
        continue;
      }
      const std::optional<TermExpansion>& part =
          case_matters ? expanded_letters(letters)
                       : expanded_part((open_before ? "*" : "") + std::string(token.text) +
                                       (open_after ? "*" : ""));
      if (!part) continue;  // too many to narrow anything
      query = any_of(part->at_least(1));
      found.expansions += part->expansions;
    } else {
      query = any_of(expand_token(lookup_, token.text, token.kind).at_least(1));
    }
    if (query.empty()) return std::nullopt;
    each.push_back(query);
  }
  found.query = each.empty() ? everything() : all_of(each);
  return found;
}

void TextExpander::add_definitions(const QueryNode& leaf, const std::optional<Candidates>& all,
                                   std::string_view last_name, TermExpansion& m) const {
  constexpr NameUse kDefinitions{true, false, {}};
  lookup_.add_name(leaf.text, kDefinitions, m);
  if (leaf.open_end && !leaf.open_start) add_definitions_from(lookup_, leaf.text, m);
  if (!m.at(Tier::Definition).empty() || last_name.empty() || leaf.open_end) return;
  TermExpansion last;
  if (all) lookup_.add_name(last_name, kDefinitions, last);
  if (!last.at(Tier::Definition).empty())
    m.at(Tier::Definition).push_back(all_of({any_of(last.at(Tier::Definition)), all->query}));
  m.ranks = std::move(last.ranks);
  m.exact_spelling = std::move(last.exact_spelling);
}

TermExpansion TextExpander::expand_literal(const QueryNode& leaf) {
  const std::string_view text = leaf.text;
  std::string_view last_name;
  std::vector<std::string_view> names;
  Tokenizer tokenizer(text);
  for (Token token; tokenizer.next_word(token);) {
    names.push_back(token.text);
    if (token.kind == TokenKind::Name) last_name = token.text;
  }
  TermExpansion m;
  const std::optional<Candidates> all = candidates(text, leaf.open_start, leaf.open_end);
  if (all) m.expansions = all->expansions;
  if (searches(leaf, Field::Definition)) add_definitions(leaf, all, last_name, m);
  // Names at open ends may be parts of longer ones: the text decides.
  if (!names.empty() && leaf.open_start && begins(text, names.front())) names.erase(names.begin());
  if (!names.empty() && leaf.open_end && ends(text, names.back())) names.pop_back();
  for (const Field field : {Field::Section, Field::PathWord}) {
    if (!searches(leaf, field) || (names.empty() && !leaf.field)) continue;
    if (names.empty()) m.at(Tier::Heading).push_back(everything());
    Queries each;
    for (const std::string_view name : names)
      lookup_.add_words(each, field, {fold(name)}, field == Field::Section);
    if (!each.empty() && each.size() == names.size()) m.at(Tier::Heading).push_back(all_of(each));
  }
  if (all && searches(leaf, Field::Ident)) m.at(Tier::Ident).push_back(all->query);
  return m;
}

TermExpansion TextExpander::expand_regex(const QueryNode& leaf) {
  TermExpansion m;
  Queries each;
  for (const std::string& literal : required_literals(leaf.text)) {
    // Its ends may stand inside longer words.
    const auto found = candidates(literal, true, true, /*case_matters=*/true);
    if (!found) return m;
    each.push_back(found->query);
    m.expansions += found->expansions;
  }
  m.at(Tier::Ident).push_back(each.empty() ? everything() : all_of(each));
  return m;
}

}  // namespace kw::search
