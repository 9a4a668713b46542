// SPDX-License-Identifier: GPL-2.0-or-later
// What the text of every match of a regular expression holds: it narrows which files are read.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kw::search {

/// Pieces of text that every match of a regular expression (RE2's syntax) must contain.
/// Conservative: may be empty.
std::vector<std::string> required_literals(std::string_view regex);

}  // namespace kw::search
