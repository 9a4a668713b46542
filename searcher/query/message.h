// SPDX-License-Identifier: GPL-2.0-or-later
// Tells a message that a program printed from a sentence that somebody typed, and cuts its fixed
// words from the values that were filled in.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kw::search {

/// True for "ValueError: ...", "error[E0308]: ...", "fatal: ...", "thread 'main' panicked ...", and
/// for sentences with values in them: quoted, numbers, paths, hexadecimal digits.
bool is_message(std::string_view line);

/// The words of a message in order, values left out: numbers, quoted text, paths, hexadecimal
/// digits, what stands in brackets of a list. Names in backticks stay: they are the program's own.
/// A value leaves an empty word behind it.
std::vector<std::string> fixed_words(std::string_view message);

}  // namespace kw::search
