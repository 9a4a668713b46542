// SPDX-License-Identifier: GPL-2.0-or-later
#include "schema/index/terms.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "schema/text/splitter.h"
#include "schema/text/text.h"

namespace kw {
namespace {

// Xapian's glass backend stores at most 245 bytes of a term, fewer if it holds zero bytes, which
// our texts do not (paths and tokens cannot).
constexpr std::size_t kMaxTerm = 245;
constexpr std::size_t kMaxKey = 110;
constexpr std::size_t kMaxSpelling = 124;
static_assert(3 + kMaxKey + 2 + kMaxSpelling + 2 <= kMaxTerm);

// A hash is `~`, which no name has, and 16 hexadecimal digits of XXH3 over the whole text; the head
// is cut on a character.
constexpr char kHashMark = '~';
constexpr std::size_t kHash = 17;

std::string shorten(std::string_view text, std::size_t limit) {
  if (text.size() <= limit) return std::string(text);
  std::size_t head = limit - kHash;
  while (head > 0 && is_continuation(text[head])) --head;
  std::string result(text.substr(0, head));
  result.push_back(kHashMark);
  std::uint64_t hash = XXH3_64bits(text.data(), text.size());
  for (int i = 0; i < 16; ++i, hash <<= 4) result.push_back("0123456789abcdef"[hash >> 60]);
  return result;
}

// The shape of a spelling beside its key: each character of the spelling is a letter of the key as
// it is (0), the same as a capital (1), or an underscore (2); four such digits make one character
// of the shape, the first digit counting most. A spelling that is more than that (not ASCII,
// shortened) stands there as it is, after a mark.
constexpr char kFirstShape = '!';
constexpr char kPlainSpelling = '~';
constexpr std::size_t kPerCharacter = 4;
constexpr int kShapes = 3 * 3 * 3 * 3;
static_assert(kFirstShape + kShapes <= kPlainSpelling);

std::string shape_of(std::string_view key, std::string_view spelling) {
  if (spelling == key) return {};
  std::string shape;
  std::size_t at = 0;  // in the key
  int value = 0;
  std::size_t digits = 0;
  for (const char c : spelling) {
    int digit = 0;
    if (c == '_' && !(at < key.size() && key[at] == '_'))
      digit = 2;
    else if (at < key.size() && c == key[at])
      ++at;
    else if (at < key.size() && c >= 'A' && c <= 'Z' && c + ('a' - 'A') == key[at])
      digit = 1, ++at;
    else
      return kPlainSpelling + std::string(spelling);
    value = value * 3 + digit;
    if (++digits % kPerCharacter == 0) {
      shape.push_back(static_cast<char>(kFirstShape + value));
      value = 0;
    }
  }
  if (at != key.size()) return kPlainSpelling + std::string(spelling);
  if (digits % kPerCharacter != 0) {
    for (; digits % kPerCharacter != 0; ++digits) value *= 3;
    shape.push_back(static_cast<char>(kFirstShape + value));
  }
  return shape;
}

std::string spelling_of(std::string_view key, std::string_view shape) {
  if (shape.empty()) return std::string(key);
  if (shape.front() == kPlainSpelling) return std::string(shape.substr(1));
  std::string spelling;
  std::size_t at = 0;
  for (const char c : shape) {
    int divisor = kShapes / 3;
    for (std::size_t i = 0; i < kPerCharacter; ++i, divisor /= 3) {
      const int digit = (c - kFirstShape) / divisor % 3;
      if (digit == 2)
        spelling.push_back('_');
      else if (at < key.size())
        spelling.push_back(digit == 1 ? static_cast<char>(key[at++] - ('a' - 'A')) : key[at++]);
    }
  }
  return spelling;
}

}  // namespace

bool is_one_name(std::string_view text) {
  Tokenizer tokenizer(text);
  Token token;
  return tokenizer.next(token) && token.text.size() == text.size() && token.kind == TokenKind::Name;
}

std::string make_term(Field field, std::string_view text) {
  const std::string_view prefix = prefix_of(field);
  std::string term(prefix);
  term += shorten(text, kMaxTerm - prefix.size());
  return term;
}

std::string term_key(std::string_view name) { return shorten(name_key(name), kMaxKey); }

std::string term_spelling(std::string_view name) { return shorten(name, kMaxSpelling); }

std::string make_ident_term(std::string_view spelling) {
  const std::string key = term_key(spelling);
  std::string term = ident_range(key);
  term += ' ';
  term += shape_of(key, term_spelling(spelling));
  return term;
}

std::string ident_range(std::string_view key) {
  std::string start(prefix_of(Field::Ident));
  start += key;
  return start;
}

std::string definition_name(std::string_view name) {
  return is_one_name(name) ? term_spelling(name) : term_key(name);
}

std::string definition_range(std::string_view name) {
  std::string start(prefix_of(Field::Definition));
  start += name;
  start += ' ';
  return start;
}

std::string make_definition_term(std::string_view name, DefinitionClass rank) {
  std::string term = definition_range(definition_name(name));
  term += static_cast<char>(rank);
  return term;
}

std::optional<IdentTerm> parse_ident_term(std::string_view term) {
  if (!term.starts_with(prefix_of(Field::Ident))) return std::nullopt;
  term.remove_prefix(prefix_of(Field::Ident).size());
  const std::size_t blank = term.find(' ');
  if (blank == std::string_view::npos) return std::nullopt;
  const std::string_view key = term.substr(0, blank);
  return IdentTerm{key, spelling_of(key, term.substr(blank + 1))};
}

std::string_view whole_key_of(std::string_view ident_term) {
  const std::size_t prefix = prefix_of(Field::Ident).size(), blank = ident_term.find(' ');
  if (blank == std::string_view::npos || blank < prefix) return {};
  const std::string_view key = ident_term.substr(prefix, blank - prefix);
  const bool is_shortened = key.size() > kHash && key[key.size() - kHash] == kHashMark;
  return is_shortened ? std::string_view() : key;
}

std::optional<DefinitionTerm> parse_definition_term(std::string_view term) {
  if (!term.starts_with(prefix_of(Field::Definition))) return std::nullopt;
  term.remove_prefix(prefix_of(Field::Definition).size());
  if (term.size() < 3 || term[term.size() - 2] != ' ') return std::nullopt;
  const char rank = term.back();
  if (rank < '1' || rank > '4') return std::nullopt;
  term.remove_suffix(2);
  return DefinitionTerm{term, static_cast<DefinitionClass>(rank)};
}

}  // namespace kw
