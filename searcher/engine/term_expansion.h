// SPDX-License-Identifier: GPL-2.0-or-later
// A leaf of the query tree -> the index's terms it stands for, by tier: looked up in the
// vocabulary, each once. How leaves and tiers make a query: compile.h.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "schema/base/xapian_api.h"
#include "schema/index/terms.h"
#include "schema/index/vocabulary.h"
#include "searcher/engine/scoring.h"
#include "searcher/engine/xapian_query.h"
#include "searcher/query/query.h"

namespace kw::search {

/// Names and words that a pattern stands for, at most: each costs some fifty microseconds.
inline constexpr std::size_t kMaxExpansions = 300;
/// Of several words, a pattern or an open end of a text that stands for more does not say in which
/// tier a file is: it only narrows.
inline constexpr std::size_t kMaxRankedExpansions = 100;

/// What one leaf means, by tier: a document that holds one of a tier's queries has the leaf in that
/// tier.
struct TermExpansion {
  std::array<Queries, kTierCount + 1> tiers;
  Queries exact_spelling;
  std::array<Queries, 4> ranks;  ///< by rank_index
  std::size_t expansions = 0;    ///< names and words, of a pattern or an open end

  Queries& at(Tier tier) { return tiers[static_cast<std::size_t>(tier)]; }
  const Queries& at(Tier tier) const { return tiers[static_cast<std::size_t>(tier)]; }

  Queries at_least(int tier) const {
    Queries result;
    for (int t = kTierCount; t >= tier; --t)
      result.insert(result.end(), tiers[static_cast<std::size_t>(t)].begin(),
                    tiers[static_cast<std::size_t>(t)].end());
    return result;
  }
};

/// Where one word of a sentence may stand, a query for each field; an empty one: nowhere.
struct WordFields {
  Xapian::Query title, description, heading, path, definition, name, body;

  Queries all() const;
};

constexpr std::size_t rank_index(DefinitionClass rank) {
  return static_cast<std::size_t>(static_cast<char>(rank) - '1');
}

/// Finds out what leaves mean. Throws Xapian::Error; call under guard().
class TermExpander {
 public:
  /// Reads the vocabulary when it is first needed, for it takes a while.
  using LoadVocabulary = std::function<const Vocabulary&()>;

  /// The database must outlive it. `on_servers`: it does without look-ups that only save work.
  TermExpander(const Xapian::Database& database, LoadVocabulary vocabulary, bool case_sensitive,
               bool on_servers);
  ~TermExpander();
  TermExpander(TermExpander&&) noexcept;

  /// Of a leaf, looked up when first asked for; the leaf and the reference live as long as this.
  const TermExpansion& of(const QueryNode& leaf);

  /// Of the name with this key, in all its spellings: what several words make together.
  const TermExpansion& of_name(const std::string& key);

  /// The definitions of a name in all its spellings; those of names that many files open
  /// (namespaces, packages) at Tier::Ident.
  TermExpansion definitions_of(std::string_view name);

  /// Where a token stands as a word, by stem, or as a name.
  WordFields fields_of(std::string_view token);

  /// Files with names whose neighbouring subwords may make this word together (my|sql, git|hub), or
  /// that have it with digits behind it (html5). They may stand apart there: the names decide.
  /// Empty if no cut of the word is in the index, or it is not made of 3 to 24 ASCII letters and
  /// digits.
  Xapian::Query neighbouring_subwords(const std::string& folded);

  /// Whether a pattern so far stands for more than kMaxExpansions.
  bool is_partial() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// The term that documents have for which a filter (QueryNode::is_filter) holds.
std::string filter_term(const QueryNode& filter);

}  // namespace kw::search
