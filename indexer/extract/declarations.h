// SPDX-License-Identifier: GPL-2.0-or-later
// Definitions of C#, JavaScript, Kotlin, PHP, Rust and TypeScript by a scanner of our own:
// ctags 5.9 loses a third of them or is too slow. All other languages: symbols.h.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "schema/index/record.h"
#include "schema/text/language_table.h"

namespace kw::indexer {

/// True if scan_declarations() reads `language`, or ctags.
bool has_definitions(const Language& language);

/// Returns the definitions of `text`, by line, then name and kind, in ctags' words; nothing if the
/// language is none of ours. Variables of a function and parameters are left out. Any bytes are
/// legal; at most kMaxDeclarations are found. Time is linear in the size of the text.
std::optional<std::vector<Definition>> scan_declarations(std::string_view text,
                                                         const Language& language);

}  // namespace kw::indexer
