// SPDX-License-Identifier: GPL-2.0-or-later
// How code looks on a page: which of it is comment or string, which words the language reserves,
// and where a name of it may be defined. What counts as a name is code_style.h's, which knows fewer
// languages; the comments and strings of the others are found by schema/text/source_lexer.h.
#pragma once

#include <string_view>
#include <unordered_set>
#include <vector>

#include "exporter/model/code_style.h"
#include "schema/text/source_lexer.h"

namespace kw::exporter::site {

struct CodeLook {
  /// Languages whose code uses one another's names; empty: the language is unknown, and its code
  /// plain text.
  std::string_view family;
  const CodeStyle* style = nullptr;
  const LexicalStyle* lexis = nullptr;                          ///< cuts it, else the style does
  const std::unordered_set<std::string_view>* words = nullptr;  ///< reserved; nullptr for none

  bool is_plain() const { return !style && !lexis; }
  bool marks(std::string_view word) const { return words && words->contains(word); }
};

/// By the name of a language or the first word of a fence, in any case. Never fails.
CodeLook code_look(std::string_view language);

/// The whole of `code`, cut into pieces.
std::vector<CodePiece> code_pieces(std::string_view code, const CodeLook& look);

}  // namespace kw::exporter::site
