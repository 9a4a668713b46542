// SPDX-License-Identifier: GPL-2.0-or-later
// Under which heading of a keyword page a definition stands: ctags has some hundred kinds, a reader
// wants a handful.
#pragma once

#include <string_view>
#include <unordered_set>

#include "schema/index/record.h"

namespace kw::exporter {

/// In the order of the page.
enum class DefinitionGroup {
  Classes,
  Functions,
  Methods,
  Macros,
  Types,
  Constants,
  Fields,
  Variables,
  Namespaces,
  Others
};
inline constexpr int kDefinitionGroups = 10;

std::string_view title_of(DefinitionGroup group);

/// `types`: names of all classes that the file defines. `language`: that the definition is written
/// in; Python's ctags calls a method a member, others a field.
DefinitionGroup group_of(const Definition& definition, std::string_view language,
                         const std::unordered_set<std::string_view>& types);

/// The group of a kind, where no more is known than that.
DefinitionGroup group_of_kind(std::string_view kind);

}  // namespace kw::exporter
