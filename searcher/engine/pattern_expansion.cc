// SPDX-License-Identifier: GPL-2.0-or-later
#include "searcher/engine/pattern_expansion.h"

#include <algorithm>

#include "schema/text/splitter.h"
#include "schema/text/text.h"
#include "searcher/match/stem_pattern.h"

namespace kw::search {
namespace {

/// What a pattern says of the terms that match it: how they begin, a piece that all of them have.
struct Shape {
  explicit Shape(const std::string& pattern)
      : folded(fold(pattern)), head(folded.substr(0, folded.find_first_of("*?"))), stems(folded) {
    const std::string tail = folded.substr(folded.find_last_of("*?") + 1);
    if (is_ascii(tail)) key_tail = name_key(tail);
    if (key_tail.find('_') != std::string::npos) key_tail.clear();  // nothing but underscores
    if (folded.find('*') == std::string::npos) longest_key = kMaxUtf8 * folded.size();
  }

  /// False if its key alone says that a name does not match. Most names are told so, for a
  /// fraction of what reading and folding their spelling takes.
  bool may_contain_key(std::string_view key) const {
    return key.size() <= longest_key && key.ends_with(key_tail);
  }

  static constexpr std::size_t kMaxUtf8 = 4;  // bytes of a character, for `?`

  std::string folded, head;
  std::string key_tail;  // what the keys of all names end with that it matches
  std::size_t longest_key = std::string::npos;
  StemPattern stems;  // words are stored as stems
};

/// The longest run of letters in a pattern that the key of every name it matches must hold.
std::string longest_piece(std::string_view pattern) {
  std::string longest;
  while (!pattern.empty()) {
    const std::size_t end = std::min(pattern.find_first_of("*?_"), pattern.size());
    if (end > longest.size()) longest = std::string(pattern.substr(0, end));
    pattern.remove_prefix(std::min(end + 1, pattern.size()));
  }
  return strip_marks(longest);
}

/// Calls `take` with the terms of a field that begin with `start` and match, in order, until it
/// returns false. Without a start all are meant: then those that hold `piece`, from the
/// vocabulary.
template <class Matches, class Take>
void scan_terms(const TermLookup& lookup, Field field, const std::string& start,
                std::string_view piece, const Matches& matches, const Take& take) {
  if (start.empty()) {
    const Vocabulary& vocabulary = lookup.vocabulary();
    vocabulary.for_each(field, piece, [&](const std::string& term) {
      const bool is_meant =
          matches(term) && (vocabulary.is_exact() || lookup.dictionary().exists(term));
      return !is_meant || take(term);
    });
    return;
  }
  lookup.for_each_term(std::string(prefix_of(field)) + start,
                       [&](const std::string& term) { return !matches(term) || take(term); });
}

/// Calls `add` with the terms of a field that begin with `start`, hold `piece` and match, and
/// counts those for which it returns true among the expansions, up to kMaxExpansions.
template <class Matches, class Add>
void expand_terms(const TermLookup& lookup, Field field, const std::string& start,
                  std::string_view piece, TermExpansion& m, const Matches& matches,
                  const Add& add) {
  scan_terms(lookup, field, start, piece, matches, [&](const std::string& term) {
    if (add(term)) ++m.expansions;
    return !m.is_truncated();
  });
}

/// Asks the servers at once for the definitions of the names that an expansion will come to.
template <class Matches, class NameOf>
void prepare_names(const TermLookup& lookup, Field field, const std::string& start,
                   std::string_view piece, const Matches& matches, const NameOf& name_of) {
  if (!lookup.asks_servers()) return;
  std::vector<std::string> names;
  scan_terms(lookup, field, start, piece, matches, [&](const std::string& term) {
    names.push_back(name_of(term));
    return names.size() < kMaxExpansions;
  });
  lookup.prepare_definitions(names);
}

/// As expand_terms, for terms that are the documents' own words.
template <class Matches>
void expand_words(const TermLookup& lookup, Field field, Tier tier, const std::string& start,
                  std::string_view piece, TermExpansion& m, const Matches& matches) {
  expand_terms(lookup, field, start, piece, m, matches, [&](const std::string& term) {
    m.at(tier).emplace_back(term);
    return true;
  });
}

void expand_stems(const TermLookup& lookup, Field field, Tier tier, const Shape& shape,
                  TermExpansion& m) {
  const std::size_t prefix = prefix_of(field).size();
  expand_words(lookup, field, tier, shape.stems.head(), {}, m, [&](const std::string& term) {
    return shape.stems.may_contain(std::string_view(term).substr(prefix));
  });
}

void expand_names(const TermLookup& lookup, const Shape& shape, const NameUse& use,
                  TermExpansion& m) {
  const bool only_underscores = shape.head.find_first_not_of('_') == std::string::npos;
  const std::string start = only_underscores ? std::string() : name_key(shape.head);
  const std::string piece = longest_piece(shape.folded);
  const auto matches = [&](const std::string& term) {
    const std::string_view key = whole_key_of(term);
    if (!key.empty() && !shape.may_contain_key(key)) return false;
    const auto name = parse_ident_term(term);
    return name && matches_folded(shape.folded, fold(name->spelling));
  };
  const auto spelling = [](const std::string& term) { return parse_ident_term(term)->spelling; };
  if (use.definitions) prepare_names(lookup, Field::Ident, start, piece, matches, spelling);
  expand_terms(lookup, Field::Ident, start, piece, m, matches, [&](const std::string& term) {
    return lookup.add_ident(term, spelling(term), use, m) > 0;
  });
}

void expand_prose(const TermLookup& lookup, const Shape& shape, TermExpansion& m) {
  if (shape.stems.are_all())
    m.at(Tier::Prose).push_back(everything());  // `*ing`: stems say nothing, the text decides
  else
    expand_stems(lookup, Field::Word, Tier::Prose, shape, m);
}

/// Adds the definitions that begin with `start` and whose name `matches`.
template <class Matches>
void expand_definitions(const TermLookup& lookup, const std::string& start, TermExpansion& m,
                        const Matches& matches) {
  const auto is_meant = [&](const std::string& term) {
    const auto definition = parse_definition_term(term);
    return definition && matches(definition->name);
  };
  const auto name = [](const std::string& term) {
    return std::string(parse_definition_term(term)->name);
  };
  prepare_names(lookup, Field::Definition, start, {}, is_meant, name);
  expand_terms(lookup, Field::Definition, start, {}, m, is_meant, [&](const std::string& term) {
    return lookup.add_definitions(name(term), {}, m) > 0;
  });
}

}  // namespace

TermExpansion expand_pattern(const TermLookup& lookup, const QueryNode& leaf) {
  TermExpansion m;
  const Shape shape(leaf.text);
  const NameUse use{searches(leaf, Field::Definition), searches(leaf, Field::Ident), leaf.text};
  if (use.definitions || use.uses) expand_names(lookup, shape, use, m);
  if (!leaf.field) expand_prose(lookup, shape, m);
  if (use.definitions && !shape.head.empty())  // defined names that are no identifiers
    expand_definitions(lookup, shape.head, m, [&](std::string_view name) {
      return !is_one_name(name) && matches_pattern(shape.folded, name);
    });
  if (leaf.field && *leaf.field == Field::Section && shape.stems.are_all())
    m.at(Tier::Prose).push_back(everything());
  if (searches(leaf, Field::Section) && !shape.stems.are_all())
    expand_stems(lookup, Field::Section, Tier::Heading, shape, m);
  if (searches(leaf, Field::PathWord))
    expand_words(
        lookup, Field::PathWord, Tier::Heading, shape.head, {}, m, [&](const std::string& term) {
          return matches_pattern(shape.folded,
                                 std::string_view(term).substr(prefix_of(Field::PathWord).size()));
        });
  return m;
}

TermExpansion expand_in_texts(const TermLookup& lookup, const std::string& pattern) {
  TermExpansion m;
  const Shape shape(pattern);
  expand_names(lookup, shape, {false, true, {}}, m);
  expand_prose(lookup, shape, m);
  return m;
}

std::optional<TermExpansion> expand_letters(const TermLookup& lookup, const std::string& letters) {
  const Shape shape("*" + letters + "*");
  if (shape.stems.are_all()) return std::nullopt;
  TermExpansion m;
  expand_stems(lookup, Field::Part, Tier::Part, shape, m);
  expand_stems(lookup, Field::Word, Tier::Prose, shape, m);
  expand_words(lookup, Field::Ident, Tier::Ident, {}, letters, m, [&](const std::string& term) {
    const auto name = parse_ident_term(term);  // of several words: it is found by them
    return name && split_name(name->spelling).size() <= 1;
  });
  return m;
}

void add_definitions_from(const TermLookup& lookup, std::string_view text, TermExpansion& m) {
  expand_definitions(lookup, fold(text), m, [](std::string_view) { return true; });
}

}  // namespace kw::search
