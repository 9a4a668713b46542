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

struct MessageWord {
  std::string text;          ///< folded; empty: a value stood here
  bool is_optional = false;  ///< it was quoted: a value, or a part of the message

  bool operator==(const MessageWord&) const = default;
};

/// The words of a message in order, without its values: numbers, paths, hexadecimal digits, what
/// stands in the brackets of a list. Names in backticks are the program's own.
std::vector<MessageWord> message_words(std::string_view message);

}  // namespace kw::search
