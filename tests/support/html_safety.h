// SPDX-License-Identifier: GPL-2.0-or-later
// What a browser could run, or would let out of its place, in HTML: told by a parser that the
// program's own allow lists have no part in.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kw::test {

/// One line for each part of `html` that could: elements and attributes that act, destinations of
/// other schemes than http and https, ids that the site keeps for itself. Empty for none.
std::vector<std::string> executable_parts(std::string_view html);

}  // namespace kw::test
