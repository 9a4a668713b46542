// SPDX-License-Identifier: GPL-2.0-or-later
#include "exporter/model/definition_group.h"

#include <algorithm>

#include "exporter/model/code_style.h"

namespace kw::exporter {
namespace {

struct KindRow {
  std::string_view kind;  ///< in the words of universal-ctags
  DefinitionGroup group;
};

using enum DefinitionGroup;

// Sorted by kind. What is not here is among the Others.
constexpr KindRow kKinds[] = {
    {"accessor", Methods},
    {"alias", Types},
    {"annotation", Classes},
    {"attribute", Fields},
    {"class", Classes},
    {"command", Functions},
    {"const", Constants},
    {"constant", Constants},
    {"constructor", Methods},
    {"declaration", Types},
    {"delegate", Types},
    {"enum", Classes},
    {"enumConstant", Constants},
    {"enumerator", Constants},
    {"event", Fields},
    {"externvar", Variables},
    {"field", Fields},
    {"func", Functions},
    {"function", Functions},
    {"generator", Functions},
    {"getter", Methods},
    {"implementation", Classes},
    {"interface", Classes},
    {"key", Fields},
    {"macro", Macros},
    {"member", Fields},
    {"method", Methods},
    {"methodSpec", Methods},
    {"mixin", Classes},
    {"module", Namespaces},
    {"namespace", Namespaces},
    {"object", Classes},
    {"option", Variables},
    {"package", Namespaces},
    {"procedure", Functions},
    {"property", Fields},
    {"protocol", Classes},
    {"prototype", Functions},
    {"record", Classes},
    {"rpc", Methods},
    {"setter", Methods},
    {"singletonMethod", Methods},
    {"slot", Fields},
    {"struct", Classes},
    {"subroutine", Functions},
    {"table", Classes},
    {"target", Functions},
    {"trait", Classes},
    {"type", Types},
    {"typealias", Types},
    {"typedef", Types},
    {"union", Classes},
    {"var", Variables},
    {"variable", Variables},
};
static_assert(std::is_sorted(std::begin(kKinds), std::end(kKinds),
                             [](const KindRow& a, const KindRow& b) { return a.kind < b.kind; }));

std::string_view last_name(std::string_view scope) {
  const std::size_t end = scope.find_last_of(".:");
  return end == std::string_view::npos ? scope : scope.substr(end + 1);
}

/// MAX_SIZE: how languages without constants write them.
bool is_loud(std::string_view name) {
  const auto is_capital = [](char c) { return c >= 'A' && c <= 'Z'; };
  return name.size() > 1 && std::any_of(name.begin(), name.end(), is_capital) &&
         std::all_of(name.begin(), name.end(),
                     [&](char c) { return is_capital(c) || c == '_' || (c >= '0' && c <= '9'); });
}

}  // namespace

std::string_view title_of(DefinitionGroup group) {
  switch (group) {
    case Classes:
      return "Classes";
    case Functions:
      return "Functions";
    case Methods:
      return "Methods";
    case Macros:
      return "Macros";
    case Types:
      return "Types";
    case Constants:
      return "Constants";
    case Fields:
      return "Fields";
    case Variables:
      return "Variables";
    case Namespaces:
      return "Namespaces";
    case Others:
      return "Other Definitions";
  }
  return {};
}

DefinitionGroup group_of_kind(std::string_view kind) {
  const auto* const row =
      std::lower_bound(std::begin(kKinds), std::end(kKinds), kind,
                       [](const KindRow& a, std::string_view wanted) { return a.kind < wanted; });
  return row != std::end(kKinds) && row->kind == kind ? row->group : Others;
}

DefinitionGroup group_of(const Definition& definition, std::string_view language,
                         const std::unordered_set<std::string_view>& types) {
  const DefinitionGroup group = group_of_kind(definition.kind);
  const CodeStyle* const style = code_style(language);
  if (definition.kind == "member" && style && style == code_style("python")) return Methods;
  if (group == Functions && types.contains(last_name(definition.scope))) return Methods;
  if (group == Variables && definition.scope.empty() && is_loud(definition.name)) return Constants;
  return group;
}

}  // namespace kw::exporter
