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

bool is_lower(char c) { return c >= 'a' && c <= 'z'; }

/// Terms of identifiers that begin like a stem, where they are few.
std::optional<std::vector<std::string>> few_names_of(const TermLookup& lookup,
                                                     const std::string& stem) {
  constexpr std::size_t kFew = 64, kLongestStem = 64;
  // A server sends all of them: what begins with so many letters is not much.
  constexpr std::size_t kShortestOnServers = 6;
  if (stem.size() > kLongestStem) return std::nullopt;
  if (lookup.asks_servers() && stem.size() < kShortestOnServers) return std::nullopt;
  const std::size_t most = lookup.asks_servers() ? SIZE_MAX : kFew;
  std::vector<std::string> terms;
  lookup.for_each_term(ident_range(start_of_stem(stem)), [&](const std::string& term) {
    terms.push_back(term);
    return terms.size() <= most;
  });
  if (terms.size() > most) return std::nullopt;
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
  const std::vector<std::string> words = inflections(stem, stemmer);
  std::vector<std::string> ranges;
  for (const std::string& word : words) ranges.push_back(ident_range(term_key(word)) + " ");
  lookup.dictionary().prepare({}, ranges);
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (word == folded) continue;
    lookup.for_each_term(ranges[i], [&](const std::string& term) {
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
    prepare();
    const std::size_t n = word_.size();
    Queries cuts = with_digits(word_);
    for (std::size_t i = 1; i < n; ++i) {
      // What stands before the last subword: one, or two.
      Queries before;
      if (const Xapian::Query& whole = piece(0, i); !whole.empty()) before.push_back(whole);
      for (std::size_t k = 1; k < i; ++k) {
        const Xapian::Query& first = piece(0, k);
        if (first.empty()) continue;
        if (const Xapian::Query& second = piece(k, i); !second.empty())
          before.push_back(all_of({first, second}));
      }
      if (before.empty()) continue;
      if (const Xapian::Query last = last_piece(i); !last.empty())
        cuts.push_back(all_of({any_of(before), last}));
    }
    return any_of(cuts);
  }

 private:
  /// Asks the servers at once for all pieces.
  void prepare() const {
    if (!lookup_.asks_servers()) return;
    std::vector<std::string> terms;
    for (std::size_t from = 0; from < word_.size(); ++from)
      for (std::size_t to = from + 1; to <= word_.size(); ++to) terms.push_back(term(from, to));
    lookup_.dictionary().prepare(terms);
  }

  std::string term(std::size_t from, std::size_t to) const {
    return make_term(Field::Part, lookup_.stemmer().stem(word_.substr(from, to - from)));
  }

  /// Looked up once: many cuts share it.
  const Xapian::Query& piece(std::size_t from, std::size_t to) {
    const auto [at, is_new] = pieces_.try_emplace({from, to});
    if (is_new)
      if (const std::string piece = term(from, to); lookup_.dictionary().exists(piece))
        at->second = Xapian::Query(piece);
    return at->second;
  }

  /// Files that have the last subword; it may have digits behind it.
  Xapian::Query last_piece(std::size_t from) {
    Queries forms = with_digits(word_.substr(from));
    if (const Xapian::Query& plain = piece(from, word_.size()); !plain.empty())
      forms.push_back(plain);
    return any_of(forms);
  }

  /// Subwords that are `text` and digits: html5 of html.
  Queries with_digits(const std::string& text) const {
    constexpr int kMostLooked = 64;
    Queries queries;
    for (char digit = '0'; digit <= '9'; ++digit) {
      const std::string range = make_term(Field::Part, text + digit);
      if (lookup_.asks_servers()) {
        // They look for them; a name with letters behind the digits is seen later.
        queries.emplace_back(Xapian::Query::OP_WILDCARD, range, kMostLooked,
                             Xapian::Query::WILDCARD_LIMIT_FIRST, Xapian::Query::OP_OR);
        continue;
      }
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
  NameUse use{searches(leaf, Field::Definition), searches(leaf, Field::Ident), {}};
  use.may_be_absent = true;  // whether a tier has files is told by its files
  lookup.add_name(leaf.text, use, m);
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

void prepare_fields(const TermLookup& lookup, const std::vector<std::string>& tokens) {
  if (!lookup.asks_servers()) return;
  std::vector<std::string> terms, ranges;
  for (const std::string& token : tokens) {
    std::vector<std::string> words = words_of(token);
    const std::vector<std::string> inner = split_name(token);
    words.insert(words.end(), inner.begin(), inner.end());
    for (const std::string& word : words) {
      for (const Field field : {Field::Title, Field::Description, Field::Section,
                                Field::DefinitionPart, Field::Part, Field::Word})
        terms.push_back(make_term(field, lookup.stemmer().stem(word)));
      for (const Field field : {Field::PathWord, Field::Word})
        terms.push_back(make_term(field, word));
    }
    ranges.push_back(ident_range(term_key(token)) + " ");
  }
  lookup.dictionary().prepare(terms, ranges);
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
