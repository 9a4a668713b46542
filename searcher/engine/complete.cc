// SPDX-License-Identifier: GPL-2.0-or-later
#include "searcher/engine/complete.h"

#include <fmt/format.h>

#include <set>
#include <utility>

#include "schema/index/fields.h"
#include "schema/index/guard.h"
#include "schema/index/terms.h"
#include "schema/text/text.h"

namespace kw::search {
namespace {

// Of a name only two letters may be there, and an index has millions: what a keystroke may read.
constexpr int kMaxTerms = 50'000;
constexpr std::size_t kLeastLetters = 2;

class Candidates {
 public:
  Candidates(std::string field, std::string start)
      : field_(std::move(field)), start_(std::move(start)) {}

  void add(std::string_view text) {
    if (text.starts_with(start_) && printable(text) == text)
      words_.insert(field_ + std::string(text));
  }
  bool are_enough() const { return words_.size() >= kMaxCompletions; }
  std::vector<std::string> words() const { return {words_.begin(), words_.end()}; }

 private:
  const std::string field_, start_;
  std::set<std::string> words_;
};

/// Calls `use` for the terms of a range, until it has enough.
template <class Use>
void for_terms(TermDictionary& terms, const std::string& range, const Candidates& candidates,
               Use use) {
  int left = kMaxTerms;
  terms.for_each(range, [&](const std::string& term) {
    if (candidates.are_enough() || --left < 0) return false;
    use(term);
    return true;
  });
}

void add_names(TermDictionary& terms, Field field, const std::string& start,
               Candidates& candidates) {
  if (start.size() < kLeastLetters) return;
  if (field == Field::Definition)
    for_terms(terms, std::string(prefix_of(field)) + start, candidates,
              [&](const std::string& term) {
                if (const auto name = parse_definition_term(term)) candidates.add(name->name);
              });
  else
    for_terms(terms, ident_range(term_key(start)), candidates, [&](const std::string& term) {
      if (const auto name = parse_ident_term(term)) candidates.add(name->spelling);
    });
}

std::vector<std::string> find(const std::string& word, TermDictionary& terms) {
  const std::size_t colon = word.find(':');
  if (colon == std::string::npos) {
    Candidates candidates({}, word);
    for (const FieldRow& row : kFields)
      if (row.query) candidates.add(std::string(row.name) + ":");
    add_names(terms, Field::Ident, word, candidates);
    return candidates.words();
  }
  const std::string start = word.substr(colon + 1);
  for (const FieldRow& row : kFields) {
    if (!row.query || row.name != word.substr(0, colon)) continue;
    Candidates candidates(word.substr(0, colon + 1), start);
    if (row.kind == TermKind::Boolean)
      for_terms(terms, std::string(row.prefix) + start, candidates, [&](const std::string& term) {
        candidates.add(std::string_view(term).substr(row.prefix.size()));
      });
    else if (row.kind == TermKind::Exact)
      add_names(terms, row.field, start, candidates);
    return candidates.words();
  }
  return {};
}

}  // namespace

Result<std::vector<std::string>> completions_of(const std::string& word, Searcher& searcher) {
  return guard("cannot read the index",
               [&]() -> Result<std::vector<std::string>> { return find(word, searcher.terms()); });
}

}  // namespace kw::search
