// SPDX-License-Identifier: GPL-2.0-or-later
// Expands the leaves of one query, each once, by the rules for leaves of its kind:
// word_expansion.h, pattern_expansion.h, text_expansion.h.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "searcher/engine/term_expansion.h"
#include "searcher/engine/term_lookup.h"
#include "searcher/engine/text_expansion.h"

namespace kw::search {

/// Throws Xapian::Error; call under guard().
class TermExpander {
 public:
  /// As those of TermLookup.
  TermExpander(TermDictionary& dictionary, LoadVocabulary vocabulary, bool case_sensitive);
  TermExpander(const TermExpander&) = delete;
  TermExpander& operator=(const TermExpander&) = delete;

  /// Returns the expansion of `leaf`; computed on first use. The reference, and the leaf, live as
  /// long as this.
  const TermExpansion& of(const QueryNode& leaf);

  /// Of the name with this key, in all its spellings: what several words make together.
  const TermExpansion& of_name(const std::string& key);

  /// The definitions of a name in all its spellings; those of names that many files open
  /// (namespaces, packages) at Tier::Ident.
  TermExpansion definitions_of(std::string_view name) const;

  /// Whether a pattern so far stands for more than kMaxExpansions.
  bool is_partial() const { return is_partial_; }

  const TermLookup& lookup() const { return lookup_; }

 private:
  TermExpansion expand(const QueryNode& leaf);

  const TermLookup lookup_;
  TextExpander texts_;
  std::vector<std::pair<const QueryNode*, std::unique_ptr<TermExpansion>>> expansions_;
  std::map<std::string, TermExpansion> names_;  ///< by key
  bool is_partial_ = false;
};

}  // namespace kw::search
