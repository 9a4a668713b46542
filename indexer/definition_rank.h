// SPDX-License-Identifier: GPL-2.0-or-later
// How much a definition of a kind says about where a thing lives: types before functions before
// members before names that many files share.
#pragma once

#include "schema/record.h"
#include "schema/terms.h"

namespace kw {

/// By ctags' kind and scope. A kind that is not in the table counts as a function.
DefinitionRank rank_of(const Definition& definition);

}  // namespace kw
