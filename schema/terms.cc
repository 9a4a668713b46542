// SPDX-License-Identifier: GPL-2.0-or-later
#include "schema/terms.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "schema/splitter.h"

namespace kw {
namespace {

// Xapian's glass backend stores at most 245 bytes of a term, fewer if it holds zero bytes, which
// our texts do not (paths and tokens cannot).
constexpr std::size_t kMaxTerm = 245;
constexpr std::size_t kMaxKey = 110;
constexpr std::size_t kMaxSpelling = 125;
static_assert(3 + kMaxKey + 1 + kMaxSpelling + 2 <= kMaxTerm);

// A hash is `~` and 16 hexadecimal digits of XXH3 over the whole text; the head is cut on a
// character.
std::string shorten(std::string_view text, std::size_t limit) {
  if (text.size() <= limit) return std::string(text);
  std::size_t head = limit - 17;
  while (head > 0 && (static_cast<unsigned char>(text[head]) & 0xC0) == 0x80) --head;
  std::string result(text.substr(0, head));
  result.push_back('~');
  std::uint64_t hash = XXH3_64bits(text.data(), text.size());
  for (int i = 0; i < 16; ++i, hash <<= 4) result.push_back("0123456789abcdef"[hash >> 60]);
  return result;
}

bool is_one_name(std::string_view text) {
  Tokenizer tokenizer(text);
  Token token;
  return tokenizer.next(token) && token.text.size() == text.size() && token.kind == TokenKind::Name;
}

}  // namespace

std::string make_term(Field field, std::string_view text) {
  const std::string_view prefix = prefix_of(field);
  std::string term(prefix);
  term += shorten(text, kMaxTerm - prefix.size());
  return term;
}

std::string term_key(std::string_view name) { return shorten(name_key(name), kMaxKey); }

std::string term_spelling(std::string_view name) { return shorten(name, kMaxSpelling); }

std::string make_ident_term(std::string_view spelling) {
  const std::string key = term_key(spelling), stored = term_spelling(spelling);
  std::string term = ident_range(key);
  term += ' ';
  if (stored != key) term += stored;
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

std::string make_definition_term(std::string_view name, DefinitionRank rank) {
  std::string term = definition_range(definition_name(name));
  term += static_cast<char>(rank);
  return term;
}

std::optional<IdentTerm> parse_ident_term(std::string_view term) {
  if (!term.starts_with(prefix_of(Field::Ident))) return std::nullopt;
  term.remove_prefix(prefix_of(Field::Ident).size());
  const std::size_t blank = term.find(' ');
  if (blank == std::string_view::npos) return std::nullopt;
  IdentTerm name{term.substr(0, blank), term.substr(blank + 1)};
  if (name.spelling.empty()) name.spelling = name.key;
  return name;
}

std::optional<DefinitionTerm> parse_definition_term(std::string_view term) {
  if (!term.starts_with(prefix_of(Field::Definition))) return std::nullopt;
  term.remove_prefix(prefix_of(Field::Definition).size());
  if (term.size() < 3 || term[term.size() - 2] != ' ') return std::nullopt;
  const char rank = term.back();
  if (rank < '1' || rank > '4') return std::nullopt;
  term.remove_suffix(2);
  return DefinitionTerm{term, static_cast<DefinitionRank>(rank)};
}

}  // namespace kw
