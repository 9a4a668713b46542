// SPDX-License-Identifier: GPL-2.0-or-later
// What an exact text or a regular expression stands for: terms that say which files may hold it,
// whose texts are then checked. A token at an open end of a text may be part of a longer one.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "searcher/engine/term_expansion.h"
#include "searcher/engine/term_lookup.h"

namespace kw::search {

/// Remembers what parts of words stand for: the leaves of one query often share them. `lookup` must
/// outlive it.
class TextExpander {
 public:
  explicit TextExpander(const TermLookup& lookup) : lookup_(lookup) {}

  /// Of a leaf of QueryNode::Kind::Literal: its candidates, the definitions of its last name, and
  /// the headings and paths that hold all its names.
  TermExpansion expand_literal(const QueryNode& leaf);

  /// Of a leaf of QueryNode::Kind::Regex: the files that hold all literals which every match has.
  TermExpansion expand_regex(const QueryNode& leaf);

 private:
  /// The documents that may hold a text.
  struct Candidates {
    Xapian::Query query;
    std::size_t expansions = 0;  ///< names and words in it, for what stands at open ends
  };

  /// Documents that hold all tokens of a text, as far as terms can tell; everything if it has none.
  /// Nothing: no document can hold the text.
  std::optional<Candidates> candidates(std::string_view text, bool open_start, bool open_end,
                                       bool case_matters = false);

  /// What a part of a word stands for. Nothing where that is too much to narrow a search. `pattern`
  /// is the part with stars where it is open.
  const std::optional<TermExpansion>& expanded_part(const std::string& pattern);
  /// The same for small letters in a text whose case matters.
  const std::optional<TermExpansion>& expanded_letters(const std::string& letters);

  /// Adds the whole text as a defined name (operator==), else its last name (bar of foo::bar).
  void add_definitions(const QueryNode& leaf, const std::optional<Candidates>& all,
                       std::string_view last_name, TermExpansion& m) const;

  const TermLookup& lookup_;
  std::map<std::string, std::optional<TermExpansion>> parts_;
};

}  // namespace kw::search
