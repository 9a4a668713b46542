// SPDX-License-Identifier: GPL-2.0-or-later
// Makes and reads the index's terms: the only code that knows how a field's text becomes a term of
// Xapian's. A term is at most 245 bytes: what is longer keeps its head and a hash of its tail.
//
// Identifiers are terms "XI:key shape": the key (name_key in splitter.h) stands in front, so that
// all spellings of one name, and all names with a prefix, are one range of the sorted term list.
// The shape says which letters of the key are capitals and where the underscores stand; a spelling
// that equals its key, as most do, has none ("XI:tensor "). Written out, spellings made the index a
// fifteenth larger. Definitions are terms "XD:name rank"; their names are found among the
// identifiers first.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "schema/index/fields.h"

namespace kw {

/// How much a definition says about where a thing lives. Written into terms: never renumber.
enum class DefinitionClass : char {
  Type = '1',      ///< class, struct, union, enum, interface, trait ...
  Function = '2',  ///< function, macro, constant, typedef: a name of its own
  Member = '3',    ///< a name inside a type: method, field, enumerator
  Minor = '4'      ///< module or namespace opened, import alias, key of a data file
};
inline constexpr DefinitionClass kDefinitionRanks[] = {
    DefinitionClass::Type, DefinitionClass::Function, DefinitionClass::Member,
    DefinitionClass::Minor};

/// The values of Field::Origin as results are ordered: originals before tests before vendored
/// before generated files.
inline constexpr std::string_view kOriginsBestFirst[] = {"original", "test", "vendored",
                                                         "generated"};

/// A term of a Boolean or Text field. `text` is already folded and stemmed as the field wants it.
std::string make_term(Field field, std::string_view text);

/// The term of an identifier as it is spelled.
std::string make_ident_term(std::string_view spelling);

/// True if a text is one token, and so may be an identifier.
bool is_one_name(std::string_view text);

/// The name of a definition as its term has it: as spelled if it is one token and so an identifier
/// of the text, else its key ("operator ==" -> "operator==").
std::string definition_name(std::string_view name);

/// The term of a definition; `name` as it is defined.
std::string make_definition_term(std::string_view name, DefinitionClass rank);

/// The start that the terms of one definition name share, whatever their ranks. `name` as stored.
std::string definition_range(std::string_view name);

/// The start that the terms of all identifiers share whose key begins with `key`.
std::string ident_range(std::string_view key);

struct IdentTerm {
  std::string_view key;  ///< points into the term
  std::string spelling;  ///< as it was written; shortened where it was too long
};
struct DefinitionTerm {
  std::string_view name;  ///< as stored; points into the term
  DefinitionClass rank;
};

/// The parts of a term; nothing if it is none of the field's.
std::optional<IdentTerm> parse_ident_term(std::string_view term);
std::optional<DefinitionTerm> parse_definition_term(std::string_view term);

/// The key in an identifier's term, if it is not shortened; else empty. Much cheaper than to parse
/// the term.
std::string_view whole_key_of(std::string_view ident_term);

/// A name's key and spelling as they stand in terms: shortened where they are too long. Compare
/// with these, never with the raw text.
std::string term_key(std::string_view name);
std::string term_spelling(std::string_view name);

}  // namespace kw
