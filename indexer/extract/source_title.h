// SPDX-License-Identifier: GPL-2.0-or-later
// What a source says of itself in its first comment.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "schema/text/source_lexer.h"

namespace kw::indexer {

/// Returns the first telling line of the comments (or the docstring) that `text` begins with, as
/// plain text of at most 200 bytes; empty if there is none. Licences, modelines, the file's own
/// name and orders to tools tell nothing. A comment behind the first statement belongs to that
/// statement, not to the file; include guards, `package`, `<?php` and the like are no statements.
/// `comments` as find_comments() returns them.
std::string source_title(std::string_view text, const std::vector<ByteRange>& comments,
                         std::string_view file_name);

}  // namespace kw::indexer
