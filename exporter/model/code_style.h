// SPDX-License-Identifier: GPL-2.0-or-later
// What is code in a piece of code, and what is a comment or a string in it: a name counts as one of
// the code only where a compiler would see it. A table of the families of languages that share
// their comments, quotes and reserved words. It cuts text and nothing more; what a language calls a
// definition is known to ctags, by way of the index.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace kw::exporter {

struct CodeStyle {
  std::string_view languages;        ///< as fences and records name them, each after a blank
  std::string_view line_comment;     ///< begins one that ends with its line
  std::string_view block_comments;   ///< pairs of begin and end: "/* */"
  std::string_view long_quotes;      ///< of strings that may run over lines: "\"\"\" '''"
  std::string_view quotes;           ///< of strings that end with their line at the latest
  bool quotes_one_char = false;      ///< `'` is a quote around one character only: 'a' of Rust
  bool raw_strings = false;          ///< R"x(...)x" of C++
  bool comment_after_blank = false;  ///< `$#` of a shell begins no comment
  std::span<const std::string_view> reserved;  ///< words that are no names, sorted
  std::string_view string_prefixes = {};       ///< letters that may stand at a quote: r"", u8""
};

/// By the name of a language or the first word of a fence, in any case; nullptr if it is none that
/// the table has.
const CodeStyle* code_style(std::string_view language);

bool is_reserved(const CodeStyle& style, std::string_view name);

struct CodePiece {
  std::string_view text;
  bool quoted = false;  ///< a comment, a string, or the file that an #include names
};

/// The whole of `code`, cut into pieces. Never fails; a string or comment without an end runs to
/// the end of its line or of the code.
std::vector<CodePiece> code_pieces(std::string_view code, const CodeStyle& style);

}  // namespace kw::exporter
