// SPDX-License-Identifier: GPL-2.0-or-later
// What the expansions of all kinds of leaves share: the dictionary they look terms up in, how, and
// the look-ups of words, names and definitions that are given in full. What a leaf of each kind
// stands for: word_expansion.h, pattern_expansion.h, text_expansion.h.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "schema/index/terms.h"
#include "schema/index/vocabulary.h"
#include "schema/text/splitter.h"
#include "searcher/engine/term_dictionary.h"
#include "searcher/engine/term_expansion.h"

namespace kw::search {

/// Reads the vocabulary when it is first needed, for it takes a while.
using LoadVocabulary = std::function<const Vocabulary&()>;

/// What is meant of a name.
struct NameUse {
  bool definitions = true;
  bool uses = true;
  std::string_view exact;  ///< the spelling that comes first; empty for none
  /// Definitions that no file has may be among what is found on servers: they are not asked for
  /// them then. What is found must not be counted.
  bool may_be_absent = false;
};

/// Whether a leaf is searched in a field: it names this one, or none.
bool searches(const QueryNode& leaf, Field field);

/// The term that documents have for which a filter (QueryNode::is_filter) holds.
std::string filter_term(const QueryNode& filter);

/// The words of one token as text fields have them, folded: of a script without blanks, its pairs.
std::vector<std::string> words_of(std::string_view token);

/// One thread at a time. Its functions throw Xapian::Error.
class TermLookup {
 public:
  /// The dictionary must outlive it. Where that asks servers, this does without look-ups that only
  /// save work.
  TermLookup(TermDictionary& dictionary, LoadVocabulary vocabulary, bool case_sensitive)
      : dictionary_(dictionary),
        vocabulary_(std::move(vocabulary)),
        case_sensitive_(case_sensitive) {}

  TermDictionary& dictionary() const { return dictionary_; }
  const Vocabulary& vocabulary() const { return vocabulary_(); }
  const Stemmer& stemmer() const { return stemmer_; }
  bool is_case_sensitive() const { return case_sensitive_; }
  bool asks_servers() const { return dictionary_.asks_servers(); }

  /// Calls `take(term)` with the terms that begin with `range`, in order, until it returns false.
  template <class Take>
  void for_each_term(const std::string& range, const Take& take) const {
    dictionary_.for_each(range, take);
  }

  /// Adds a term if the index has it: tiers without documents are then seen to be empty.
  void add_term(Queries& queries, Field field, std::string_view text) const;

  /// Whether the index has all words of one token in a text field, on servers too.
  bool has_words(Field field, const std::vector<std::string>& words, bool stemmed) const;

  /// Adds a query for all words of one token in a text field, if the index has them all.
  void add_words(Queries& queries, Field field, const std::vector<std::string>& words,
                 bool stemmed) const;

  /// Adds the definitions of a name as stored, and returns how many.
  std::size_t add_definitions(std::string_view stored, const NameUse& use, TermExpansion& m) const;

  /// Asks the servers at once for the definitions of all these names as stored.
  void prepare_definitions(const std::vector<std::string>& stored) const;

  /// Adds what an identifier's term stands for, and returns how many terms.
  std::size_t add_ident(const std::string& term, std::string_view spelling, const NameUse& use,
                        TermExpansion& m) const;

  /// Adds the names with this key whose spelling `accepts`.
  template <class Accepts>
  void add_names(const std::string& key, const Accepts& accepts, const NameUse& use,
                 TermExpansion& m) const {
    std::vector<std::pair<std::string, std::string>> found;  // term, spelling
    for_each_term(ident_range(key) + " ", [&](const std::string& term) {
      auto name = parse_ident_term(term);
      if (name && accepts(name->spelling)) found.emplace_back(term, std::move(name->spelling));
      return true;
    });
    if (asks_servers() && use.definitions && !use.may_be_absent) {
      std::vector<std::string> spellings;
      for (const auto& [term, spelling] : found) spellings.push_back(spelling);
      prepare_definitions(spellings);
    }
    for (const auto& [term, spelling] : found) add_ident(term, spelling, use, m);
  }

  /// Adds a name in the spellings that the search accepts, and what is defined as `text` and is no
  /// identifier (operator==, all-tests).
  void add_name(std::string_view text, NameUse use, TermExpansion& m) const;

 private:
  TermDictionary& dictionary_;
  const LoadVocabulary vocabulary_;
  const bool case_sensitive_;
  const Stemmer stemmer_{};
};

}  // namespace kw::search
