// SPDX-License-Identifier: GPL-2.0-or-later
// Words that people write as one and names write as several: mysql finds MySQLConnectionPool,
// github parseGitHubUrl. No term stands for neighbouring subwords together (there would be a third
// more): the word is cut by the vocabulary, and the names of the candidates are checked in their
// records.
#pragma once

#include <string>

#include "searcher/engine/plan.h"
#include "searcher/engine/plan_context.h"

namespace kw::search {

/// Files with a name of which `word` is two or three neighbouring subwords, definitions first. They
/// stand behind those that hold the word itself. Empty where no cut of the word is in the index.
Plan make_subword_plan(const PlanContext& context, const std::string& word);

/// Files that hold all salient words of a text but one, and a name of which that one is two or
/// three neighbouring subwords ("mysql pool": MySQLConnectionPool). For where no file has all of
/// them. `only_unknown`: that one is a word that no file has.
Plan make_subwords_plan(const PlanContext& context, const std::string& text, bool only_unknown);

}  // namespace kw::search
