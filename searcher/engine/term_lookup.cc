// SPDX-License-Identifier: GPL-2.0-or-later
#include "searcher/engine/term_lookup.h"

#include <algorithm>
#include <utility>

#include "schema/text/language_table.h"
#include "schema/text/text.h"

namespace kw::search {

bool searches(const QueryNode& leaf, Field field) { return !leaf.field || *leaf.field == field; }

std::string filter_term(const QueryNode& filter) {
  std::string text = *filter.field == Field::Folder ? filter.text : fold(filter.text);
  while (text.size() > 1 && text.back() == '/') text.pop_back();
  // What people call a language: `cpp`, `py`.
  if (*filter.field == Field::Language)
    if (const std::string_view name = language_name(text); !name.empty()) text = name;
  return make_term(*filter.field, text);
}

std::vector<std::string> words_of(std::string_view token) {
  std::string folded = fold(token);
  if (is_ascii(token)) return {std::move(folded)};
  std::vector<std::string> words = split_name(token);
  return words.empty() ? std::vector<std::string>{std::move(folded)} : words;
}

void TermLookup::add_term(Queries& queries, Field field, std::string_view text) const {
  const std::string term = make_term(field, text);
  if (asks_servers() || dictionary_.exists(term)) queries.emplace_back(term);
}

bool TermLookup::has_words(Field field, const std::vector<std::string>& words, bool stemmed) const {
  return std::all_of(words.begin(), words.end(), [&](const std::string& word) {
    return dictionary_.exists(make_term(field, stemmed ? stemmer_.stem(word) : word));
  });
}

void TermLookup::add_words(Queries& queries, Field field, const std::vector<std::string>& words,
                           bool stemmed) const {
  Queries each;
  for (const std::string& word : words) {
    Queries forms;
    add_term(forms, field, stemmed ? stemmer_.stem(word) : word);
    if (forms.empty()) return;
    each.push_back(forms[0]);
  }
  if (!each.empty()) queries.push_back(all_of(each));
}

std::size_t TermLookup::add_definitions(std::string_view stored, const NameUse& use,
                                        TermExpansion& m) const {
  const bool exact = !use.exact.empty() && stored == use.exact;
  std::size_t added = 0;
  const auto add = [&](const std::string& term, DefinitionClass rank) {
    const Xapian::Query query(term);
    // Names that many files open (namespaces, packages) say no more than their use.
    m.at(rank == DefinitionClass::Minor ? Tier::Ident : Tier::Definition).push_back(query);
    m.ranks[rank_index(rank)].push_back(query);
    if (exact) m.exact_spelling.push_back(query);
    ++added;
  };
  if (asks_servers()) {
    if (!use.may_be_absent) prepare_definitions({std::string(stored)});
    for (const DefinitionClass rank : kDefinitionRanks)
      if (const std::string term = definition_range(stored) + static_cast<char>(rank);
          use.may_be_absent || dictionary_.exists(term))
        add(term, rank);
    return added;
  }
  for_each_term(definition_range(stored), [&](const std::string& term) {
    const auto definition = parse_definition_term(term);
    if (definition && definition->name == stored) add(term, definition->rank);
    return true;
  });
  return added;
}

void TermLookup::prepare_definitions(const std::vector<std::string>& stored) const {
  if (!asks_servers()) return;
  std::vector<std::string> terms;
  for (const std::string& name : stored)
    for (const DefinitionClass rank : kDefinitionRanks)
      terms.push_back(definition_range(name) + static_cast<char>(rank));
  dictionary_.prepare(terms);
}

std::size_t TermLookup::add_ident(const std::string& term, std::string_view spelling,
                                  const NameUse& use, TermExpansion& m) const {
  const bool exact = !use.exact.empty() && spelling == use.exact;
  std::size_t added = 0;
  if (use.definitions) added += add_definitions(spelling, use, m);
  if (use.uses) {
    m.at(Tier::Ident).emplace_back(term);
    if (exact) m.exact_spelling.emplace_back(term);
    ++added;
  }
  return added;
}

void TermLookup::add_name(std::string_view text, NameUse use, TermExpansion& m) const {
  if (!use.definitions && !use.uses) return;
  const std::string folded = fold(text), stored = term_spelling(text);
  const auto accepts = [&](std::string_view spelling) {
    if (case_sensitive_) return spelling == stored;
    const std::string f = fold(spelling);
    return f == folded || strip_marks(f) == folded || spelling == stored;
  };
  if (folded != text) use.exact = stored;  // it has a capital
  add_names(term_key(text), accepts, use, m);
  use.exact = {};
  if (use.definitions && !is_one_name(text)) add_definitions(definition_name(text), use, m);
}

}  // namespace kw::search
