// SPDX-License-Identifier: GPL-2.0-or-later
// The keys of an index's metadata: facts about the whole, one row each.
#pragma once

#include <array>
#include <string_view>

namespace kw {

enum class Meta {
  Version,
  Fingerprint,
  Root,
  Partition,
  Options,
  Ctags,
  Dictionary,
  Vocabulary,
  AddedVocabulary,
  Id
};

struct MetaRow {
  Meta meta;
  std::string_view key;
  bool frozen;  ///< key and format never change, so that any version can read it
  std::string_view help;
};

inline constexpr std::array<MetaRow, 10> kMetadata{{
    {Meta::Version, "kw.version", true, "schema version, decimal"},
    {Meta::Fingerprint, "kw.fingerprint", false, "fingerprint of the field table, hexadecimal"},
    {Meta::Root, "kw.root", true,
     "the indexed directory: relative to the database directory if it contains the database, or "
     "else absolute; for a partition always absolute"},
    {Meta::Partition, "kw.shard", true, "I/N: the partition of the tree; 1/1 is the whole tree"},
    {Meta::Options, "kw.options", true,
     "JSON object of the options that choose what is indexed, by long name; `stored`: those of the "
     "command line, if a configuration file changed some"},
    {Meta::Ctags, "kw.ctags", false,
     "version of the ctags that found the definitions; empty if it was missing for any file"},
    {Meta::Dictionary, "kw.dictionary", false, "zstd dictionary of the records; absent for none"},
    {Meta::Vocabulary, "kw.vocabulary", false,
     "zstd text of the terms with which patterns are compared, see vocabulary.h"},
    {Meta::AddedVocabulary, "kw.vocabulary.added", false,
     "the same for terms that updates added; absent after a build"},
    {Meta::Id, "kw.id", true,
     "random id of the index, by which the user's private record knows it: docs/trust.md"},
}};

constexpr std::string_view key_of(Meta meta) {
  return kMetadata[static_cast<std::size_t>(meta)].key;
}

consteval bool metadata_is_consistent() {
  for (std::size_t i = 0; i < kMetadata.size(); ++i) {
    if (kMetadata[i].meta != static_cast<Meta>(i)) return false;
    for (std::size_t j = 0; j < i; ++j)
      if (kMetadata[i].key == kMetadata[j].key) return false;
  }
  return kMetadata.size() == static_cast<std::size_t>(Meta::Id) + 1;
}
static_assert(metadata_is_consistent());

}  // namespace kw
