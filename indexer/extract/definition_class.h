// SPDX-License-Identifier: GPL-2.0-or-later
// How much each definition of a file says about where a thing lives: types before functions before
// members, and last what points at a definition elsewhere: imports, aliases, examples.
#pragma once

#include <string_view>
#include <vector>

#include "schema/index/record.h"
#include "schema/index/terms.h"

namespace kw::indexer {

/// The class of a kind in a language (`lang:` name; empty for any), by a table; what the table does
/// not have is a function.
DefinitionClass class_of_kind(std::string_view language, std::string_view kind);

/// The classes of a record's definitions, in their order: by kind, by what the scope names in the
/// same file, and by what the file is. `subject` is the path of the file that a page is about.
std::vector<DefinitionClass> rank_definitions(const FileRecord& record, std::string_view subject);

}  // namespace kw::indexer
