// SPDX-License-Identifier: GPL-2.0-or-later
// Whether Xapian can read what the table of term lists says of a document. It believes the length
// of each term, and reads on behind the list's end where one is wrong.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace kw {

/// True if a list of terms, unpacked, ends with the end of a term.
bool is_glass_term_list(std::string_view list);

/// What Xapian has compressed; nothing if that cannot be undone. std::bad_alloc for a bomb, where
/// memory is limited.
std::optional<std::string> inflate_glass_tag(std::string_view packed);

}  // namespace kw
