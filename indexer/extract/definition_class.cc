// SPDX-License-Identifier: GPL-2.0-or-later
#include "indexer/extract/definition_class.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <unordered_set>

#include "indexer/extract/language_table.h"

namespace kw::indexer {
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

/// "Inner" of "Outer::Inner" or "outer.Inner".
std::string_view last_name(std::string_view scope) {
  const std::size_t end = scope.find_last_of(".:");
  return end == std::string_view::npos ? scope : scope.substr(end + 1);
}

DefinitionClass rank_of_kind(const Definition& d) {
  if (contains(kTypes, d.kind)) return DefinitionClass::Type;
  if (contains(kMinor, d.kind)) return DefinitionClass::Minor;
  if (contains(kMembers, d.kind)) return DefinitionClass::Member;
  return DefinitionClass::Function;
}

}  // namespace

DefinitionSource definition_source(std::string_view path) {
  if (path.ends_with(".in")) path.remove_suffix(3);  // a template of the file
  if (path.ends_with(".pyi") || language_of_path(path).kind == FileKind::Markdown)
    return DefinitionSource::Declarations;
  return DefinitionSource::Code;
}

std::vector<DefinitionClass> rank_definitions(const std::vector<Definition>& definitions,
                                              DefinitionSource source) {
  std::unordered_set<std::string_view> types, functions;
  for (const Definition& d : definitions) {
    const DefinitionClass rank = rank_of_kind(d);
    if (rank == DefinitionClass::Type) types.insert(d.name);
    if (rank == DefinitionClass::Function || d.kind == "member" || d.kind == "method")
      functions.insert(d.name);
  }
  std::vector<DefinitionClass> ranks;
  ranks.reserve(definitions.size());
  for (const Definition& d : definitions) {
    DefinitionClass rank = rank_of_kind(d);
    const std::string_view scope = last_name(d.scope);
    // What is in a function is local to it. A function in a type is a method, whatever its kind is
    // called; a type in a type stays one.
    const bool local = functions.contains(scope) && !types.contains(scope);
    const bool method = types.contains(scope) && rank != DefinitionClass::Type;
    if (!d.scope.empty() && (local || method)) rank = std::max(rank, DefinitionClass::Member);
    if (source == DefinitionSource::Declarations) rank = std::max(rank, DefinitionClass::Member);
    ranks.push_back(rank);
  }
  return ranks;
}

}  // namespace kw::indexer
