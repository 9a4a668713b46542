// SPDX-License-Identifier: GPL-2.0-or-later
// Makes and reads the index's terms: the only code that knows how a field's text becomes a term of
// Xapian's. A term is at most 245 bytes: what is longer keeps its head and a hash of its tail.
//
// Names (fields of kind Exact) are terms "PREFIXkey spelling": the key (name_key in splitter.h)
// stands in front, so that all spellings of one name, and all names with a prefix, are one range of
// the sorted term list. A definition's term ends in a blank and its rank.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "schema/fields.h"

namespace kw {

/// How much a definition says about where a thing lives. Written into terms: never renumber.
enum class DefinitionRank : char {
  Type = '1',      ///< class, struct, union, enum, interface, trait ...
  Function = '2',  ///< function, macro, constant, typedef: a name of its own
  Member = '3',    ///< a name inside a type: method, field, enumerator
  Minor = '4'      ///< module or namespace opened, import alias, key of a data file
};
inline constexpr DefinitionRank kDefinitionRanks[] = {
    DefinitionRank::Type, DefinitionRank::Function, DefinitionRank::Member, DefinitionRank::Minor};

/// A term of a Boolean or Text field. `text` is already folded and stemmed as the field wants it.
std::string make_term(Field field, std::string_view text);

/// The term of an identifier as it is spelled.
std::string make_ident_term(std::string_view spelling);

/// The term of a defined name.
std::string make_definition_term(std::string_view spelling, DefinitionRank rank);

/// The start that the terms of all names share whose key begins with `key` (Ident or Definition).
std::string name_range(Field field, std::string_view key);

struct NameTerm {
  std::string_view key;
  std::string_view spelling;           ///< as stored: shortened where it was too long
  std::optional<DefinitionRank> rank;  ///< of a definition
};

/// The parts of a name's term; nothing if `term` is none of `field`'s. Points into `term`.
std::optional<NameTerm> parse_name_term(Field field, std::string_view term);

/// A name's key and spelling as they stand in terms: shortened where they are too long. Compare
/// with these, never with the raw text.
std::string term_key(std::string_view name);
std::string term_spelling(std::string_view name);

}  // namespace kw
