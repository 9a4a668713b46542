// SPDX-License-Identifier: GPL-2.0-or-later
// The table of everything a document of the index is found by: one row a field. Prefixes and slots
// are written nowhere else; terms.h makes terms from it, `kwsearch --fields` and SCHEMA.md print
// it. What a document means, in prose: SCHEMA.md. What it stores: record.h.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace kw {

enum class Field {
  Path,
  Pair,
  Word,
  Ident,
  Part,
  Definition,
  DefinitionPart,
  Section,
  Title,
  Description,
  PathWord,
  Folder,
  Extension,
  Language,
  Origin,
  Stamp
};

enum class TermKind {
  None,     ///< no terms: a value slot only
  Boolean,  ///< a filter: no weight, text as it is
  Exact,    ///< names by spelling: "key spelling", see terms.h
  Text      ///< folded words, stemmed where the field's help says so
};

inline constexpr std::uint32_t kNoSlot = 0xffffffff;

struct FieldRow {
  Field field;
  std::string_view name;  ///< for people; also the query prefix `name:` where `query` is set
  std::string_view
      prefix;  ///< of its terms in Xapian. Never reused, never changed without a version
  TermKind kind;
  std::uint32_t slot;  ///< value slot in Xapian, or kNoSlot. Never reused
  bool query;          ///< may be asked as `name:word`
  std::string_view help;
  std::string_view example;
};

// Letters follow Omega where its meaning fits (Q unique key, P folder, E extension, S heading, F
// file name); ours start with X and end in a colon, so that no term can be read as another field's.
inline constexpr std::array<FieldRow, 16> kFields{{
    {Field::Path, "id", "Q", TermKind::Boolean, 0, false,
     "path relative to the root: the unique key; the slot has the whole path",
     "Qdocs/a.py_docs.md"},
    {Field::Pair, "pair", "XK:", TermKind::Boolean, kNoSlot, false,
     "group key of a source and its pages: the path without documentation directory and suffixes",
     "XK:a.py"},
    {Field::Word, "word", "", TermKind::Text, kNoSlot, false,
     "words of prose and comments, stemmed; numbers and operators of code", "mutat"},
    {Field::Ident, "ident", "XI:", TermKind::Exact, kNoSlot, true,
     "an identifier as written, in code, or in prose if it looks like code", "ident:make_term"},
    {Field::Part, "part", "XP:", TermKind::Text, kNoSlot, false,
     "words inside identifiers, stemmed", "XP:mutat"},
    {Field::Definition, "def", "XD:", TermKind::Exact, kNoSlot, true,
     "a name that the file defines, and the class of the definition", "def:ViewAndMutationMeta"},
    {Field::DefinitionPart, "def-part", "XE:", TermKind::Text, kNoSlot, false,
     "words inside defined names, stemmed", "XE:mutat"},
    {Field::Section, "section", "S", TermKind::Text, kNoSlot, true,
     "words of headings, stemmed, including those inside identifiers", "section:overview"},
    {Field::Title, "title", "XT:", TermKind::Text, kNoSlot, false,
     "words of the title, stemmed: of front matter, else the first heading, else the first comment "
     "of a source",
     "XT:overview"},
    {Field::Description, "description", "XA:", TermKind::Text, kNoSlot, false,
     "words of the description, keywords, tags, aliases and slug of front matter, stemmed",
     "XA:deploy"},
    {Field::PathWord, "path", "F", TermKind::Text, kNoSlot, true,
     "words of the path, and words inside them", "path:autograd"},
    {Field::Folder, "folder", "P", TermKind::Boolean, kNoSlot, true,
     "a directory that contains the file, at any depth", "folder:torch/csrc"},
    {Field::Extension, "ext", "E", TermKind::Boolean, kNoSlot, true,
     "the extension of the file name in lower case, without the dot", "ext:md"},
    {Field::Language, "lang", "XL:", TermKind::Boolean, kNoSlot, true,
     "the language of the file and those of its fenced blocks", "lang:python"},
    {Field::Origin, "origin", "XO:", TermKind::Boolean, kNoSlot, true,
     "original, test, vendored or generated, according to the path and to marks in the text",
     "origin:original"},
    {Field::Stamp, "stamp", "", TermKind::None, 1, false,
     "size, times and inode of the file when it was read", ""},
}};

/// The row of a field.
constexpr const FieldRow& field_row(Field field) {
  return kFields[static_cast<std::size_t>(field)];
}
constexpr std::string_view prefix_of(Field field) { return field_row(field).prefix; }
constexpr std::uint32_t slot_of(Field field) { return field_row(field).slot; }

namespace detail {

consteval bool prefix_is_well_formed(std::string_view p) {
  if (p.empty()) return true;
  for (std::size_t i = 0; i + 1 < p.size(); ++i)
    if (p[i] < 'A' || p[i] > 'Z') return false;
  const char last = p.back();
  // One letter of Omega's, or X...: of our own.
  return p.size() == 1 ? (last >= 'A' && last <= 'Z' && last != 'X')
                       : (p.front() == 'X' && last == ':');
}

consteval bool fields_are_consistent() {
  std::size_t text_without_prefix = 0;
  for (std::size_t i = 0; i < kFields.size(); ++i) {
    const FieldRow& a = kFields[i];
    if (a.field != static_cast<Field>(i)) return false;  // ids complete and in order
    if (a.name.empty() || a.help.empty()) return false;
    if (!prefix_is_well_formed(a.prefix)) return false;
    if (a.kind == TermKind::None && (a.slot == kNoSlot || !a.prefix.empty() || a.query))
      return false;
    if (a.kind != TermKind::None && a.prefix.empty()) ++text_without_prefix;
    for (std::size_t j = 0; j < i; ++j) {
      const FieldRow& b = kFields[j];
      if (a.name == b.name) return false;
      if (!a.prefix.empty() && a.prefix == b.prefix) return false;
      if (a.slot != kNoSlot && a.slot == b.slot) return false;
    }
  }
  return text_without_prefix == 1;  // the words
}
static_assert(kFields.size() == static_cast<std::size_t>(Field::Stamp) + 1);
static_assert(fields_are_consistent(), "the field table contradicts itself");

}  // namespace detail
}  // namespace kw
