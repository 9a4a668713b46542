// SPDX-License-Identifier: GPL-2.0-or-later
// Finds the definitions that a qualified name means: those of its last part whose scope, then whose
// module, agrees with the parts before it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "searcher/engine/plan.h"
#include "searcher/engine/plan_context.h"
#include "searcher/query/qualified_name.h"

namespace kw::search {

/// How well the parts before a name agree with where it is defined: `chain` is the module and the
/// scope of a definition, outermost first, `scope` how many of it are the scope. Better is more;
/// 0: the part nearest to the name agrees with nothing.
int scope_agreement(const std::vector<std::string>& parts, const std::vector<std::string>& chain,
                    std::size_t scope);

/// The parts of a scope as ctags writes it: "Outer::Inner", "pkg.Type".
std::vector<std::string> scope_parts(std::string_view scope);

/// How much a kind of definition (ctags' word) says about where a thing lives: 3 types, 2
/// functions, 1 members, 0 what only announces or opens a name.
int kind_worth(std::string_view kind);

/// Definitions in an agreeing scope or module, best first.
Plan scoped_definitions(const PlanContext& context, const QualifiedName& name);

/// All definitions of a name: the last part of a qualified one, or the one before it.
Plan other_definitions(const PlanContext& context, const std::string& name);

}  // namespace kw::search
