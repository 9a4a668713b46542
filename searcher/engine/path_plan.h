// SPDX-License-Identifier: GPL-2.0-or-later
// Finds the file that a pasted path means: the one whose path has the longest ending in common.
#pragma once

#include <cstdint>

#include "schema/index/record.h"
#include "searcher/engine/plan.h"
#include "searcher/engine/plan_context.h"
#include "searcher/query/path_reference.h"

namespace kw::search {

/// Files whose path ends as asked. Of a place that is certain the longest ending counts; otherwise
/// the whole of what was pasted must agree.
Plan files_at(const PlanContext& context, const PathReference& place, ReadingKind kind);

/// The stored line of a file's line `line`: on a page that embeds its source, line N of the source
/// is line N of the source block. `is_page`: the file is about another.
std::uint32_t stored_line(const FileRecord& record, bool is_page, std::uint32_t line);

/// The first line of the function or type that a line lies in, as far as definitions tell; 0: none.
std::uint32_t enclosing_line(const FileRecord& record, std::uint32_t line);

}  // namespace kw::search
