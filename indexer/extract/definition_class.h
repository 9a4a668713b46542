// SPDX-License-Identifier: GPL-2.0-or-later
// How much each definition of a file says about where a thing lives: types before functions before
// members, variables and what is local to a function, before names that many files share.
#pragma once

#include <string_view>
#include <vector>

#include "schema/index/record.h"
#include "schema/index/terms.h"

namespace kw::indexer {

/// What a file's definitions are worth as a whole.
enum class DefinitionSource {
  Code,         ///< the code itself, or a page that holds it
  Declarations  ///< stubs and snippets (Python's .pyi, a guide's examples): never better than a
                ///< member
};

/// "a/x.pyi" and "a/README.md" hold Declarations; `path` is that of the file that a page is about.
DefinitionSource definition_source(std::string_view path);

/// The ranks of one file's definitions, in their order. By ctags' kind, and by what the scope
/// names: a type or a function of the same file. A kind that is not in the table counts as a
/// function.
std::vector<DefinitionClass> rank_definitions(const std::vector<Definition>& definitions,
                                              DefinitionSource source);

}  // namespace kw::indexer
