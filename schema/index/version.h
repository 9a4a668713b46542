// SPDX-License-Identifier: GPL-2.0-or-later
// The schema's version and the fingerprint of the field table. Both are stored with an index and
// compared when it is opened. A change in what terms, the splitter or the record mean needs a new
// number and a line here; a changed table without a new number fails tests/schema/version_test.cc.
#pragma once

#include <cstdint>

#include "schema/index/fields.h"

namespace kw {

// Version history, newest last:
//   1  first version
//   2  the vocabulary is listed in the metadata
//   3  a page of data has no sections; a stamp tells that definitions were lost
//   4  title and description are fields; front matter is read, and no heading; headings in HTML;
//      words end between scripts; definitions of six languages by a scanner; terms of a page are
//      those of its rendered text, whose differences from the stored one are in the record
inline constexpr std::uint32_t kSchemaVersion = 4;

namespace detail {
/// 64-bit FNV-1a (Fowler, Noll, Vo): offset basis and prime as published.
consteval std::uint64_t fnv1a(std::uint64_t hash, std::string_view bytes) {
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return (hash ^ 0xff) * 0x100000001b3ULL;  // a separator, so that "ab","c" differs from "a","bc"
}
}  // namespace detail

/// Over name, prefix, kind and slot of every row: what is on disk. Help texts may change freely.
consteval std::uint64_t schema_fingerprint() {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const FieldRow& row : kFields) {
    hash = detail::fnv1a(hash, row.name);
    hash = detail::fnv1a(hash, row.prefix);
    const char numbers[] = {static_cast<char>('0' + static_cast<int>(row.kind)),
                            static_cast<char>('A' + (row.slot == kNoSlot ? 25 : row.slot))};
    hash = detail::fnv1a(hash, std::string_view(numbers, 2));
  }
  return hash;
}

}  // namespace kw
