// SPDX-License-Identifier: GPL-2.0-or-later
#include "indexer/extract/declaration_scanner.h"

#include <algorithm>
#include <tuple>

#include "schema/text/text.h"

namespace kw::indexer {
namespace {

constexpr std::size_t kMaxDepth = 10'000;
// A `<` that is not closed within so many tokens is a comparison.
constexpr std::size_t kMaxTypeTokens = 100;
constexpr std::size_t kMaxPathBytes = 1'000;

bool is_word_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' || c == '$' ||
         static_cast<signed char>(c) < 0;
}

/// Bytes of a blank of Unicode at `at`: no-break and wide ones, and the byte-order mark; 0 for
/// none.
std::size_t wide_blank(std::string_view text, std::size_t at) {
  if (static_cast<signed char>(text[at]) >= 0) return 0;
  for (const std::string_view blank : {"\xC2\xA0", "\xE3\x80\x80", "\xEF\xBB\xBF"})
    if (text.substr(at).starts_with(blank)) return blank.size();
  const bool general = text.substr(at).starts_with("\xE2\x80") && at + 2 < text.size() &&
                       static_cast<unsigned char>(text[at + 2]) <= 0x8F;
  return general ? 3 : 0;
}

/// One past Kotlin's `a name in quotes`; 0 for none. What other languages have in such quotes is
/// masked.
std::size_t quoted_name_end(std::string_view text, std::size_t at) {
  if (text[at] != '`') return 0;
  const std::size_t end = text.find_first_of("`\n", at + 1);
  return end != text.npos && text[end] == '`' && end > at + 1 ? end + 1 : 0;
}

char closing(char open) {
  switch (open) {
    case '(':
      return ')';
    case '[':
      return ']';
    case '{':
      return '}';
    default:
      return 0;
  }
}

}  // namespace

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

DeclarationScanner::DeclarationScanner(std::string_view text, const LexicalStyle& style,
                                       std::string_view separator)
    : masked_(mask_literals(text, style)), separator_(separator) {
  tokenise();
  match_brackets();
}

void DeclarationScanner::tokenise() {
  static constexpr std::string_view kSigns[] = {
      "=>", "::", "->", "?.", "==", "!=", "<=", ">=", "&&", "||", "??", "..", "+=", "-="};
  const std::string_view text = masked_;
  std::uint32_t line = 1;
  bool first = true;
  std::size_t line_begin = 0;
  std::uint32_t column = 0;
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (c == '\n') {
      ++line;
      first = true;
      line_begin = ++i;
      continue;
    }
    if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v' || c == '\0') {
      ++i;
      continue;
    }
    if (const std::size_t blank = wide_blank(text, i)) {
      i += blank;
      continue;
    }
    CodeToken token;
    std::size_t end = i + 1;
    token.line = line;
    if (is_word_char(c)) {
      while (end < text.size() && is_word_char(text[end]) && wide_blank(text, end) == 0) ++end;
      token.kind = is_digit(c) ? CodeToken::Kind::Number : CodeToken::Kind::Word;
    } else if (const std::size_t close = quoted_name_end(text, i)) {
      end = close;
      token.kind = CodeToken::Kind::Word;
    } else if (c == '"') {
      end = std::min(text.find('"', end), text.size() - 1) + 1;
      token.kind = CodeToken::Kind::String;
    } else {
      const std::string_view two = text.substr(i, 2);
      if (std::find(std::begin(kSigns), std::end(kSigns), two) != std::end(kSigns)) end = i + 2;
      token.kind = CodeToken::Kind::Sign;
    }
    token.text = text.substr(i, end - i);
    if (c == '`' && token.is_word()) token.text = token.text.substr(1, token.text.size() - 2);
    token.first = first;
    if (first) column = static_cast<std::uint32_t>(i - line_begin);
    token.column = column;
    first = false;
    for (const char inner : token.text) line += inner == '\n';
    tokens_.push_back(token);
    i = end;
  }
}

std::vector<Definition> DeclarationScanner::run() {
  scopes_.assign(1, Scope{});
  while (at_ < tokens_.size() && found_.size() < kMaxDeclarations) {
    if (begins_statement(at_)) {
      const CodeToken& token = tokens_[at_];
      // What waited for a `{` has none.
      if (token.is_word() && token.first && awaits_here() &&
          !is_one_of(token.text, {"extends", "implements", "where", "with", "by", "throws"}))
        awaited_.pop_back();
      if (const std::size_t next = statement(at_); next > at_) {
        at_ = next;
        continue;
      }
    }
    inside_statement(at_);
    step();
  }
  std::sort(found_.begin(), found_.end(), [](const Definition& a, const Definition& b) {
    return std::tie(a.line, a.name, a.kind, a.scope) < std::tie(b.line, b.name, b.kind, b.scope);
  });
  found_.erase(std::unique(found_.begin(), found_.end()), found_.end());
  return std::move(found_);
}

bool DeclarationScanner::begins_statement(std::size_t i) const {
  if (top().in == In::Skip || top().in == In::Parens) return false;
  const CodeToken& last = before(i);
  if (last.kind == CodeToken::Kind::End || last.is("{") || last.is("}") || last.is(";"))
    return true;
  const bool listed = top().in == In::Cases || top().in == In::Fields || top().in == In::Object;
  if (listed && (last.is(",") || last.is("("))) return true;
  return at(i).first && begins_at_line(i);
}

bool DeclarationScanner::begins_at_line(std::size_t i) const {
  const CodeToken& last = before(i);
  if (last.kind != CodeToken::Kind::Sign) return true;
  return is_one_of(last.text, {")", "]", "}", ";", ">"});
}

bool DeclarationScanner::is_awaited(std::size_t) const { return true; }

DeclarationScanner::Scope DeclarationScanner::open_paren(std::size_t) {
  return {In::Parens, top().path, 0, 0};
}

void DeclarationScanner::step() {
  const CodeToken& token = tokens_[at_];
  if (token.kind != CodeToken::Kind::Sign || token.text.size() != 1) {
    ++at_;
    return;
  }
  const char c = token.text.front();
  if ((c == '{' || c == '(' || c == '[') && scopes_.size() < kMaxDepth) {
    Scope opened;
    if (c == '{' && awaits_here() && is_awaited(at_)) {
      opened.in = awaited_.back().in;
      opened.path = std::move(awaited_.back().path);
      awaited_.pop_back();
    } else {
      opened = c == '{' ? open_brace(at_) : open_paren(at_);
    }
    if (top().in == In::Skip) opened.in = In::Skip;
    opened.close = closing(c);
    opened.column = token.column;
    scopes_.push_back(std::move(opened));
  } else if (c == '}' || c == ')' || c == ']') {
    close(c);
  } else if (c == ';' && awaits_here()) {
    awaited_.pop_back();
  }
  ++at_;
}

void DeclarationScanner::close(char bracket) {
  std::size_t depth = scopes_.size();
  const CodeToken& token = tokens_[at_];
  while (depth > 1 && scopes_[depth - 1].close != bracket) {
    // A parenthesis that was never closed ends with its block, and not the other way round.
    if (bracket != '}') return;
    --depth;
  }
  if (depth == 1) return;
  // A `}` that begins a line closes what begins as far to the left: a bracket was misread.
  if (bracket == '}' && token.first)
    while (depth > 2 && scopes_[depth - 1].column > token.column &&
           std::any_of(scopes_.begin() + 1,
                       scopes_.begin() + static_cast<std::ptrdiff_t>(depth) - 1,
                       [&](const Scope& s) { return s.close == '}' && s.column == token.column; }))
      --depth;
  scopes_.resize(depth - 1);
  while (!awaited_.empty() && awaited_.back().depth > scopes_.size()) awaited_.pop_back();
}

bool DeclarationScanner::is_in_body() const {
  return std::any_of(scopes_.begin(), scopes_.end(),
                     [](const Scope& s) { return s.in == In::Body; });
}

void DeclarationScanner::match_brackets() {
  past_.assign(tokens_.size(), 0);
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < tokens_.size(); ++i) {
    const CodeToken& token = tokens_[i];
    if (token.kind != CodeToken::Kind::Sign || token.text.size() != 1) continue;
    const char c = token.text.front();
    if (c == '(' || c == '[' || c == '{') {
      open.push_back(i);
    } else if (c == ')' || c == ']' || c == '}') {
      // As in close(): only a `}` ends what was left open inside it.
      const auto fits = [&](std::size_t at) { return closing(tokens_[at].text.front()) == c; };
      while (c == '}' && !open.empty() && !fits(open.back())) open.pop_back();
      if (open.empty() || !fits(open.back())) continue;
      past_[open.back()] = i + 1;
      open.pop_back();
    }
  }
}

std::size_t DeclarationScanner::past_brackets(std::size_t i) const {
  if (i >= tokens_.size()) return i + 1;
  if (!at(i).is("<")) return std::max(past_[i], i + 1);
  std::size_t depth = 0;
  for (std::size_t k = i; k < tokens_.size() && k < i + kMaxTypeTokens;) {
    const CodeToken& token = tokens_[k];
    if (token.is("<")) {
      ++depth;
    } else if (token.is(">")) {
      if (--depth == 0) return k + 1;
    } else if (is_one_of(token.text, {")", "]", "}", ";", "&&"})) {
      break;  // a comparison
    }
    k = std::max(past_[k], k + 1);
  }
  return i + 1;
}

void DeclarationScanner::add(const CodeToken& name, std::string_view kind, std::string_view scope) {
  if (name.text.empty() || name.text.size() > kMaxNameBytes || name.line == 0) return;
  found_.push_back({std::string(name.text), std::string(kind), name.line, std::string(scope)});
}

std::string DeclarationScanner::path_to(std::string_view name) const {
  const std::string& path = top().path;
  if (path.empty() || path.size() + name.size() > kMaxPathBytes) return std::string(name);
  return path + std::string(separator_) + std::string(name);
}

void DeclarationScanner::await(In in, std::string path) {
  while (!awaited_.empty() && awaited_.back().depth >= scopes_.size()) awaited_.pop_back();
  awaited_.push_back({in, std::move(path), scopes_.size()});
}

}  // namespace kw::indexer
