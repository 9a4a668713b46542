// SPDX-License-Identifier: GPL-2.0-or-later
// Text in the form in which exact text is compared: forms of a character that a reader takes for
// one are one. What differs stays apart: é is not e, and ß equals ss only where case is ignored.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "schema/text/edited_text.h"

namespace kw {

enum class TextForm {
  /// Characters outside ASCII are composed (NFC) and case-folded (ß is ss), ligatures are letters,
  /// typographic quotes, dashes and blanks are those of ASCII. ASCII letters keep their case.
  Folded,
  CaseKept,  ///< The same without case folding.
  /// Nothing changes, but a carriage return before a newline is left out.
  UnixLines
};

/// A text in one of these forms, with the way back to the bytes of the original. Bytes that are not
/// UTF-8 stay as they are. The original must outlive it: where nothing changes, it is not copied.
class ComparableText {
 public:
  ComparableText(std::string_view original, TextForm form);
  ComparableText(const ComparableText&) = delete;
  ComparableText& operator=(const ComparableText&) = delete;

  std::string_view view() const { return text_.view(); }

  /// The bytes [begin, end) of view() in the original; what lies within a character that changed
  /// stands for the whole of it.
  using Range = EditedText::Range;
  Range in_original(std::size_t begin, std::size_t end) const {
    return text_.in_original(begin, end);
  }

 private:
  void drop_carriage_returns();
  void unite_forms(bool fold_case);

  std::string_view original_;
  EditedText text_;
};

/// The copy alone: what a query's text is compared as.
std::string comparable(std::string_view text, TextForm form);

/// The longest run of ASCII, in lower case, that every text must hold, case aside, whose comparable
/// form contains `comparable`; may be empty.
std::string ascii_run_in_all_forms(std::string_view comparable);

}  // namespace kw
