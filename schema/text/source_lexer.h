// SPDX-License-Identifier: GPL-2.0-or-later
// Where the comments and strings of a source text are: enough to tell code from prose and to count
// brackets, not a parser. What it misreads ends with its line, or with a mark that must be there:
// the rest of the file is read as if nothing had been.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kw {

/// What a language's lexical grammar has beside comments and plain quotes; bits of
/// LexicalStyle::features.
enum LexicalFeature : std::uint32_t {
  kNestedComments = 1u << 0,     ///< block comments nest
  kRegexLiterals = 1u << 1,      ///< JavaScript's /re/
  kDigitSeparators = 1u << 2,    ///< 1'000
  kTemplates = 1u << 3,          ///< `text ${code}`
  kRawBackticks = 1u << 4,       ///< Go's `text`, in which a backslash is one
  kTripleQuotes = 1u << 5,       ///< """text""" over lines
  kRustLiterals = 1u << 6,       ///< r#"text"#, 'c' beside 'lifetime
  kRawStrings = 1u << 7,         ///< C++'s R"x(text)x"
  kVerbatimStrings = 1u << 8,    ///< C#'s @"text" and """text"""
  kShellHereDocs = 1u << 9,      ///< <<WORD, <<-WORD, <<'WORD'
  kRubyHereDocs = 1u << 10,      ///< <<~WORD, <<-WORD; <<WORD of capitals
  kPhpHereDocs = 1u << 11,       ///< <<<WORD
  kHashAttributes = 1u << 12,    ///< #[Attribute] is no comment
  kLongBrackets = 1u << 13,      ///< Lua's [[text]] and [==[text]==]
  kStringsOverLines = 1u << 14,  ///< plain strings may hold line ends, but not PHP's `<?` and `?>`

  kHereDocs = kShellHereDocs | kRubyHereDocs | kPhpHereDocs
};

/// How comments and strings look. Marks of a list are separated by blanks.
struct LexicalStyle {
  std::string_view line;    ///< begin a comment that runs to the end of its line: "// #"
  std::string_view block;   ///< pairs of begin and end: "/* */ <!-- -->"
  std::string_view quotes;  ///< characters that begin and end strings, in which no comment begins
  std::string_view
      line_start;  ///< as `line`, but only as the first thing on a line: ";" of ini files
  std::uint32_t features = 0;  ///< of LexicalFeature
};

struct ByteRange {
  std::size_t begin = 0;
  std::size_t end = 0;  ///< one past the last byte

  bool operator==(const ByteRange&) const = default;
};

/// Comments (and documentation strings, where the table calls them comments), in order, not
/// overlapping, marks included. A comment that never ends runs to the end of the text; a string
/// that never ends, to the end of its line. Time is linear in the size of the text.
std::vector<ByteRange> find_comments(std::string_view text, const LexicalStyle& style);

/// Comments, strings, regex literals and here-documents, likewise.
std::vector<ByteRange> find_literals(std::string_view text, const LexicalStyle& style);

/// `text` with blanks for comments and here-documents, and for strings and regex literals all but
/// their ends, which become `"`. Each byte and each line end stays in its place.
std::string mask_literals(std::string_view text, const LexicalStyle& style);

/// `text` with blanks for here-documents alone.
std::string mask_here_documents(std::string_view text, const LexicalStyle& style);

}  // namespace kw
