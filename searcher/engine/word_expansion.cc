// SPDX-License-Identifier: GPL-2.0-or-later
#include "searcher/engine/word_expansion.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "schema/text/text.h"
#include "searcher/match/stem_pattern.h"

namespace kw::search {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }

/// Terms of identifiers that begin like a stem, where they are few and no server is to send them.
std::optional<std::vector<std::string>> few_names_of(const TermLookup& lookup,
                                                     const std::string& stem) {
  constexpr std::size_t kFew = 64, kLongestStem = 64;
  if (lookup.is_on_servers() || stem.size() > kLongestStem) return std::nullopt;
  std::vector<std::string> terms;
  lookup.for_each_term(ident_range(start_of_stem(stem)), [&](const std::string& term) {
    terms.push_back(term);
    return terms.size() <= kFew;
  });
  if (terms.size() > kFew) return std::nullopt;
  return terms;
}

/// Adds the identifiers of one word with the stem of `folded`: words of prose have terms by stem,
/// names have not. Where thousands of names begin alike, its inflections are looked up.
void add_names_by_stem(const TermLookup& lookup, const std::string& folded, TermExpansion& m) {
  if (!std::all_of(folded.begin(), folded.end(), is_lower)) return;
  const Stemmer& stemmer = lookup.stemmer();
  const std::string stem = stemmer.stem(folded);
  const auto word_of = [](const std::string& term) {
    const auto name = parse_ident_term(term);
    return name ? strip_marks(fold(name->spelling)) : std::string();
  };
  if (const auto terms = few_names_of(lookup, stem)) {
    for (const std::string& term : *terms)
      if (const std::string word = word_of(term);
          word != folded && is_inflection(word, stem, stemmer))
        m.at(Tier::Prose).emplace_back(term);
    return;
  }
  for (const std::string& word : inflections(stem, stemmer)) {
    if (word == folded) continue;
    lookup.for_each_term(ident_range(term_key(word)) + " ", [&](const std::string& term) {
      if (word_of(term) == word) m.at(Tier::Prose).emplace_back(term);
      return true;
    });
  }
}

/// The cuts of one word into subwords that the index has.
class SubwordCuts {
 public:
  SubwordCuts(const TermLookup& lookup, const std::string& word) : lookup_(lookup), word_(word) {}

  Xapian::Query files() {
    const std::size_t n = word_.size();
    Queries cuts;
    if (Queries numbered = with_digits(word_); !numbered.empty()) cuts.push_back(any_of(numbered));
    for (std::size_t i = 1; i < n; ++i) {
      const Xapian::Query& first = piece(0, i);
      if (first.empty()) continue;
      if (const Xapian::Query& rest = piece(i, n); !rest.empty())
        cuts.push_back(all_of({first, rest}));
      for (std::size_t k = i + 1; k < n; ++k) {
        const Xapian::Query& second = piece(i, k);
        if (second.empty()) continue;
        if (const Xapian::Query& third = piece(k, n); !third.empty())
          cuts.push_back(all_of({first, second, third}));
      }
    }
    return any_of(cuts);
  }

 private:
  /// Looked up once: many cuts share it.
  const Xapian::Query& piece(std::size_t from, std::size_t to) {
    const auto [at, is_new] = pieces_.try_emplace({from, to});
    if (is_new) at->second = subword(word_.substr(from, to - from), to == word_.size());
    return at->second;
  }

  /// Files that have a subword; the last of a word may have digits behind it.
  Xapian::Query subword(const std::string& text, bool is_last) const {
    const std::string term = make_term(Field::Part, lookup_.stemmer().stem(text));
    Queries forms;
    if (lookup_.database().term_exists(term)) forms.emplace_back(term);
    if (is_last) {
      const Queries numbered = with_digits(text);
      forms.insert(forms.end(), numbered.begin(), numbered.end());
    }
    return any_of(forms);
  }

  /// Subwords that are `text` and digits: html5 of html.
  Queries with_digits(const std::string& text) const {
    constexpr int kMostLooked = 64;
    Queries queries;
    for (char digit = '0'; digit <= '9'; ++digit) {
      const std::string range = make_term(Field::Part, text + digit);
      int left = kMostLooked;
      lookup_.for_each_term(range, [&](const std::string& term) {
        if (--left <= 0) return false;
        if (std::all_of(term.begin() + static_cast<std::ptrdiff_t>(range.size()), term.end(),
                        is_digit))
          queries.emplace_back(term);
        return true;
      });
    }
    return queries;
  }

  const TermLookup& lookup_;
  const std::string& word_;
  std::map<std::pair<std::size_t, std::size_t>, Xapian::Query> pieces_;  ///< by begin and end
};

}  // namespace

TermExpansion expand_word(const TermLookup& lookup, const QueryNode& leaf) {
  TermExpansion m;
  if (leaf.is_filter()) {
    m.at(Tier::Prose).emplace_back(filter_term(leaf));
    return m;
  }
  lookup.add_name(leaf.text, {searches(leaf, Field::Definition), searches(leaf, Field::Ident), {}},
                  m);
  const std::vector<std::string> words = words_of(leaf.text);
  if (searches(leaf, Field::Section))
    lookup.add_words(m.at(Tier::Heading), Field::Section, words, true);
  if (searches(leaf, Field::PathWord))
    lookup.add_words(m.at(Tier::Heading), Field::PathWord, words, false);
  // def:word finds names that hold the word, after those that are it; ident: likewise.
  if (searches(leaf, Field::Definition))
    lookup.add_words(m.at(Tier::DefinitionPart), Field::DefinitionPart, words, true);
  if (leaf.field) return m;
  lookup.add_words(m.at(Tier::Part), Field::Part, words, true);
  lookup.add_words(m.at(Tier::Prose), Field::Word, words, true);
  if (words.size() == 1)
    lookup.add_words(m.at(Tier::Prose), Field::Word, words, false);  // numbers as they are
  if (!lookup.is_case_sensitive()) add_names_by_stem(lookup, fold(leaf.text), m);
  return m;
}

Queries WordFields::all() const {
  Queries queries;
  for (const Xapian::Query* query :
       {&title, &description, &heading, &path, &definition, &name, &body})
    if (!query->empty()) queries.push_back(*query);
  return queries;
}

WordFields fields_of(const TermLookup& lookup, std::string_view token) {
  const std::vector<std::string> words = words_of(token), inner = split_name(token);
  const auto field = [&](Field of, bool stemmed) {
    // FooBar is found by its words where no file has it as one.
    const bool by_inner = inner.size() > 1 && !lookup.has_words(of, words, stemmed);
    Queries queries;
    if (!by_inner || lookup.has_words(of, inner, stemmed))
      lookup.add_words(queries, of, by_inner ? inner : words, stemmed);
    return queries;
  };
  WordFields fields;
  fields.title = any_of(field(Field::Title, true));
  fields.description = any_of(field(Field::Description, true));
  fields.heading = any_of(field(Field::Section, true));
  fields.path = any_of(field(Field::PathWord, false));
  fields.definition = any_of(field(Field::DefinitionPart, true));
  TermExpansion names;
  lookup.add_names(
      term_key(token), [](std::string_view) { return true; }, {false, true, {}}, names);
  lookup.add_words(names.at(Tier::Ident), Field::Part, words, true);
  fields.name = any_of(names.at(Tier::Ident));
  Queries body = field(Field::Word, true);
  if (words.size() == 1 && is_digit(token[0]))
    lookup.add_words(body, Field::Word, words, false);  // numbers as they are
  fields.body = any_of(body);
  return fields;
}

TermExpansion expand_token(const TermLookup& lookup, std::string_view token, TokenKind kind) {
  TermExpansion m;
  const std::string folded = fold(token), stored = term_spelling(token);
  if (kind == TokenKind::Name)
    lookup.add_names(
        term_key(token), [&](std::string_view s) { return fold(s) == folded || s == stored; },
        {false, true, {}}, m);
  lookup.add_words(m.at(Tier::Prose), Field::Word, words_of(token), true);
  if (kind == TokenKind::Number) lookup.add_term(m.at(Tier::Prose), Field::Word, folded);
  return m;
}

Xapian::Query neighbouring_subwords(const TermLookup& lookup, const std::string& folded) {
  constexpr std::size_t kLeast = 3, kMost = 24;
  const bool is_word =
      std::all_of(folded.begin(), folded.end(), [](char c) { return is_digit(c) || is_lower(c); });
  if (folded.size() < kLeast || folded.size() > kMost || !is_word) return {};
  return SubwordCuts(lookup, folded).files();
}

}  // namespace kw::search
