// SPDX-License-Identifier: GPL-2.0-or-later
// The one splitter: text -> tokens, a name -> the words inside it, a word -> its folded and stemmed
// forms. Indexer, searcher and exporter all use it and must agree byte for byte; it is
// deterministic and independent of the locale. How its results become terms: terms.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace kw {

enum class TokenKind : std::uint8_t {
  Name,     ///< letters, digits, marks, `_`; does not start with a digit
  Number,   ///< the same, starting with a digit: 31, 0x1F, 3rd
  Operator  ///< one of a fixed list of punctuation: == :: << -> ...
};

struct Token {
  std::string_view text;  ///< points into the tokenizer's text
  TokenKind kind = TokenKind::Name;
};

/// No query is as long. What is kept of a word while it is looked at takes up to twenty times its
/// size.
inline constexpr std::size_t kMaxWordBytes = 64u << 10;

/// Walks over a text's tokens, left to right. Letters, digits and marks are those of Unicode; any
/// other byte, invalid UTF-8 included, ends a token. So does the border between a script that is
/// written without blanks (Chinese, Japanese, Korean, Thai, Lao, Khmer, Burmese) and any other:
/// `调用getUserName函数` is three tokens. Characters that are not seen (soft hyphen, zero-width)
/// are part of the word around them. Operators are cut by longest match, so that `a+++b` gives a,
/// ++, b. A word of more than kMaxWordBytes is several tokens. Does not own the text. Never fails.
class Tokenizer {
 public:
  explicit Tokenizer(std::string_view text)
      : begin_(text.data()), at_(begin_), end_(begin_ + text.size()) {}

  /// False at the end; `token` is then unchanged.
  bool next(Token& token);
  /// The same, past operators.
  bool next_word(Token& token);

 private:
  bool take_word(Token& token);

  const char* begin_;
  const char* at_;
  const char* end_;
};

/// Bytes of the word character (letter, digit, mark, connector) at the start of `text`; 0 if there
/// is none.
std::size_t word_char_length(std::string_view text);

/// Whether a character is part of the one before it: marks, and the vowels and finals of Hangul.
bool continues_character(std::int32_t code_point);

/// True if `text` ends in a word character.
bool ends_in_word_char(std::string_view text);

/// Bytes at the start of a token of `text` that belong to a percent-escape (`%E6`): 2, or 0. They
/// are no word of prose, and nothing of a name.
std::size_t escaped_bytes(std::string_view text, std::string_view token);

/// True if a token may end between `before` and `after`, two pieces of one text that meet: not
/// inside a word.
bool is_word_edge(std::string_view before, std::string_view after);

/// NFC and full case folding (Unicode, by utf8proc), without characters that are not seen. Bytes
/// that are not UTF-8 stay as they are. Of marks, thirty in a row are put in order (as in Unicode's
/// Stream-Safe Text Format): the time grows with the text and no faster.
std::string fold(std::string_view text);

/// NFC alone, for the same texts in the same time.
std::string compose(std::string_view text);

/// `folded` without accents (marks of the canonical decomposition); equal to it where it has none.
std::string strip_marks(std::string_view folded);

/// What all spellings of one name share: folded, without marks, underscores and blanks, so that
/// "ViewAndMutationMeta", "view_and_mutation_meta" and "view and mutation meta" meet in one key.
/// A name of underscores alone is its own key.
std::string name_key(std::string_view name);

/// name_key(name) == key, which is not made for a name in ASCII.
bool has_name_key(std::string_view name, std::string_view key);

/// The words inside a name, folded: at `_`, before a capital that follows a small letter or a
/// digit, and before the last of several capitals. "HTTPServer_v2" gives http, server, v2; "conv2d"
/// is one word. Runs of a script that is written without blanks give overlapping pairs. Nothing but
/// `_` gives nothing.
std::vector<std::string> split_name(std::string_view name);

/// The words of a token that begins with a digit and is more than a number, without those that are
/// none: "3DViewer" gives viewer, "2fa_token_store" token, store; "0x1F", "3rd", "10ms" nothing.
std::vector<std::string> words_of_number(std::string_view token);

/// True if `word`, folded, is two or three neighbouring words of a name put together: "mysql" of
/// "MySQLConnection". Digits at the end of the last one may be missing: "sqlite" of
/// "SQLite3Cursor".
bool is_compound_word_of(std::string_view word, std::string_view name);

/// A token of prose that is a name of code: it has `_` between or before word characters, a digit
/// after a letter, or a capital after its first letter ("THE" is none, "fooBar" and "NaN" are).
bool is_code_like(std::string_view token);

/// English stems (Snowball, by Xapian) of folded ASCII words; other words are their own stems.
/// Holds a Xapian object: one thread at a time.
class Stemmer {
 public:
  Stemmer();
  ~Stemmer();
  Stemmer(Stemmer&&) noexcept;
  Stemmer& operator=(Stemmer&&) noexcept;

  std::string stem(const std::string& folded) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace kw
