// SPDX-License-Identifier: GPL-2.0-or-later
// What a regular expression (RE2's syntax) says of its matches without being run: pieces of text
// that each holds, which narrows the files that are read, and which ends of lines it names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kw::search {

/// Pieces of text that every match must contain. Conservative: may be empty.
std::vector<std::string> required_literals(std::string_view regex);

struct RegexFacts {
  bool names_newline = false;          ///< `\n`, by its code too, or the character itself
  bool names_carriage_return = false;  ///< `\r`, likewise
};
RegexFacts facts_of_regex(std::string_view regex);

}  // namespace kw::search
