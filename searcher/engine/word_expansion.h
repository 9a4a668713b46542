// SPDX-License-Identifier: GPL-2.0-or-later
// What one word stands for: names in all their spellings, words of texts by their stems, words of
// headings and paths, subwords.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "schema/text/splitter.h"
#include "searcher/engine/term_expansion.h"
#include "searcher/engine/term_lookup.h"

namespace kw::search {

/// Of a leaf of QueryNode::Kind::Word; a filter is its term.
TermExpansion expand_word(const TermLookup& lookup, const QueryNode& leaf);

/// Where one word of a sentence may stand, a query for each field; an empty one: nowhere.
struct WordFields {
  Xapian::Query title, description, heading, path, definition, name, body;

  Queries all() const;
};

/// Asks the servers at once for what fields_of() looks up of each of these tokens.
void prepare_fields(const TermLookup& lookup, const std::vector<std::string>& tokens);

/// Where a token stands as a word, by stem, or as a name.
WordFields fields_of(const TermLookup& lookup, std::string_view token);

/// Where a token of a text may stand at all: as a name, or as a word.
TermExpansion expand_token(const TermLookup& lookup, std::string_view token, TokenKind kind);

/// Files with names whose neighbouring subwords may make this word together (my|sql, git|hub), or
/// that have it with digits behind it (html5). They may stand apart there: the names decide. Empty
/// if no cut of the word is in the index, or it is not made of 3 to 24 ASCII letters and digits.
Xapian::Query neighbouring_subwords(const TermLookup& lookup, const std::string& folded);

}  // namespace kw::search
