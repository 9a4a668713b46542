// SPDX-License-Identifier: GPL-2.0-or-later
#include "indexer/definition_rank.h"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace kw {
namespace {

// Kinds in the words of universal-ctags' parsers (ctags --list-kinds-full).
constexpr std::string_view kTypes[] = {"alias", "annotation", "class",     "enum",    "interface",
                                       "mixin", "object",     "protocol",  "record",  "struct",
                                       "trait", "type",       "typealias", "typedef", "union"};
constexpr std::string_view kMembers[] = {
    "accessor", "attribute", "enumConstant", "enumerator", "event",  "field",           "getter",
    "member",   "method",    "property",     "prototype",  "setter", "singletonMethod", "slot"};
constexpr std::string_view kMinor[] = {"externvar", "import",  "label",     "local",   "module",
                                       "namespace", "package", "parameter", "unknown", "using"};

template <std::size_t N>
bool contains(const std::string_view (&sorted)[N], std::string_view kind) {
  return std::find(std::begin(sorted), std::end(sorted), kind) != std::end(sorted);
}

}  // namespace

DefinitionRank rank_of(const Definition& d) {
  if (contains(kTypes, d.kind)) return DefinitionRank::Type;
  if (contains(kMinor, d.kind)) return DefinitionRank::Minor;
  if (contains(kMembers, d.kind)) return DefinitionRank::Member;
  // A variable inside something is a field of it, or local to it.
  if (d.kind == "variable" && !d.scope.empty()) return DefinitionRank::Member;
  return DefinitionRank::Function;
}

}  // namespace kw
