// SPDX-License-Identifier: GPL-2.0-or-later
#include "searcher/query/query.h"

#include <algorithm>

#include "schema/text/splitter.h"
#include "schema/text/text.h"
#include "searcher/query/reading.h"

namespace kw::search {
namespace {

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

struct Lexeme {
  enum class Kind { Open, Close, Text, Quoted };
  Kind kind;
  std::string_view field;  // "def" of def:x; empty for none
  std::string text;        // of Quoted: between the quotes, escapes resolved
};

/// The field that `word` asks with its prefix, and what follows. `path::x` asks none: that is C++.
std::optional<Field> take_field(std::string_view& word) {
  const std::size_t colon = word.find(':');
  if (colon == std::string_view::npos || colon + 1 >= word.size() || word[colon + 1] == ':')
    return std::nullopt;
  for (const FieldRow& row : kFields) {
    if (!row.query || row.name != word.substr(0, colon)) continue;
    word.remove_prefix(colon + 1);
    return row.field;
  }
  return std::nullopt;
}

/// Cuts at blanks; quotes count at the start of a word or after a field, brackets at its ends.
class Lexer {
 public:
  explicit Lexer(std::string_view text) : rest_(text) {}

  std::vector<Lexeme> run() {
    while (skip_blanks()) {
      while (!rest_.empty() && rest_.front() == '(' && depth_ < kMaxDepth && closes_later()) {
        lexemes_.push_back({Lexeme::Kind::Open, {}, "("});
        ++depth_;
        rest_.remove_prefix(1);
        skip_blanks();
      }
      if (!rest_.empty()) word();
    }
    // Brackets that were never closed are text no more than nothing: what they hold stands as it
    // is.
    for (; depth_ > 0; --depth_) lexemes_.push_back({Lexeme::Kind::Close, {}, ")"});
    return std::move(lexemes_);
  }

 private:
  bool skip_blanks() {
    while (!rest_.empty() && is_space(rest_.front())) rest_.remove_prefix(1);
    return !rest_.empty();
  }

  /// "(" groups if some later word ends in a bracket that it has not opened itself.
  bool closes_later() const {
    return rest_.size() > 1 && rest_.find(')', 1) != std::string_view::npos && rest_[1] != ')';
  }

  void word() {
    std::string_view probe = rest_;
    const auto field = take_field(probe);
    const std::string_view name =
        field ? rest_.substr(0, static_cast<std::size_t>(probe.data() - rest_.data()) - 1)
              : std::string_view();
    if (!probe.empty() && probe.front() == '"') {
      rest_ = probe.substr(1);
      quoted(name);
      close_brackets_here();
      return;
    }
    std::size_t end = 0;
    while (end < rest_.size() && !is_space(rest_[end])) ++end;
    std::string_view text = rest_.substr(0, end);
    rest_.remove_prefix(end);
    std::size_t closing = 0;
    const auto unmatched = [&] {
      return std::count(text.begin(), text.end(), ')') > std::count(text.begin(), text.end(), '(');
    };
    while (closing < depth_ && text.size() > 1 && text.back() == ')' && unmatched()) {
      text.remove_suffix(1);
      ++closing;
    }
    if (text == ")" && depth_ > 0) {
      text = {};
      closing = 1;
    }
    if (!text.empty()) {
      std::string_view value = text;
      const auto own = take_field(value);
      if (own)
        lexemes_.push_back({Lexeme::Kind::Text, text.substr(0, text.size() - value.size() - 1),
                            std::string(value)});
      else
        lexemes_.push_back({Lexeme::Kind::Text, {}, std::string(text)});
    }
    for (; closing > 0; --closing) close();
  }

  void quoted(std::string_view field) {
    std::string text;
    while (!rest_.empty() && rest_.front() != '"') {
      if (rest_.front() == '\\' && rest_.size() > 1 && rest_[1] == '"') rest_.remove_prefix(1);
      text.push_back(rest_.front());
      rest_.remove_prefix(1);
    }
    if (!rest_.empty()) rest_.remove_prefix(1);
    lexemes_.push_back({Lexeme::Kind::Quoted, field, std::move(text)});
  }

  void close_brackets_here() {
    while (depth_ > 0 && !rest_.empty() && rest_.front() == ')') {
      rest_.remove_prefix(1);
      close();
    }
  }

  void close() {
    lexemes_.push_back({Lexeme::Kind::Close, {}, ")"});
    --depth_;
  }

  std::string_view rest_;
  std::vector<Lexeme> lexemes_;
  std::size_t depth_ = 0;
};

std::optional<Field> field_named(std::string_view name) {
  for (const FieldRow& row : kFields)
    if (row.query && row.name == name) return row.field;
  return std::nullopt;
}

std::string fold_blanks(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (!is_space(c))
      out.push_back(c);
    else if (!out.empty() && out.back() != ' ')
      out.push_back(' ');
  }
  while (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

/// One token and nothing else.
bool is_plain_word(std::string_view text) {
  Tokenizer tokenizer(text);
  Token token;
  return tokenizer.next_word(token) && token.text.size() == text.size();
}

bool is_pattern(std::string_view text) {
  bool wild = false, letter = false;
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] == '*' || text[i] == '?') {
      wild = true;
      ++i;
      continue;
    }
    const std::size_t n = word_char_length(text.substr(i));
    if (n == 0) return false;
    letter |= text[i] != '_';
    i += n;
  }
  return wild && letter;
}

/// Whether stars stand at the ends alone, around Chinese, Japanese or Korean: there a word has no
/// ends of its own, and a pattern for words would find whole runs.
bool is_open_cjk(std::string_view text) {
  const bool inside =
      text.find('?') != text.npos || text.substr(1, text.size() - 2).find('*') != text.npos;
  return !inside && std::any_of(text.begin(), text.end(), [](char c) {
    return static_cast<unsigned char>(c) >= 0xE3 && static_cast<unsigned char>(c) <= 0xED;
  });
}

/// A star at an end of a word with punctuation opens it, as in quotes; `/*` and `**x,` are text.
bool has_open_end(std::string_view text) {
  if (text.starts_with("**") || text.ends_with("**")) return false;
  Token token;
  return Tokenizer(text).next_word(token);
}

/// Takes the stars from the ends of exact text, which is then open there.
void open_ends(QueryNode& node) {
  node.kind = QueryNode::Kind::Literal;
  if (node.text.size() > 1 && node.text.front() == '*') {
    node.open_start = true;
    node.text.erase(0, 1);
  }
  if (node.text.size() > 1 && node.text.back() == '*') {
    node.open_end = true;
    node.text.pop_back();
  }
}

/// No-break and other blanks of typography separate words as those of ASCII do.
std::string with_plain_blanks(std::string text) {
  for (const std::string_view blank : {"\u00a0", "\u2007", "\u2009", "\u202f", "\u3000"})
    for (std::size_t at = 0; (at = text.find(blank, at)) != text.npos; ++at)
      text.replace(at, blank.size(), " ");
  return text;
}

bool is_wildcard(const QueryNode& leaf) {
  return leaf.kind == QueryNode::Kind::Pattern || leaf.open_start || leaf.open_end;
}

QueryNode make_leaf(const Lexeme& lexeme) {
  QueryNode node;
  if (!lexeme.field.empty()) node.field = field_named(lexeme.field);
  node.text = fold_blanks(lexeme.text);
  if (lexeme.kind == Lexeme::Kind::Quoted) {
    open_ends(node);
  } else if (is_plain_word(node.text) || node.is_filter()) {
    node.kind = QueryNode::Kind::Word;
  } else if (is_pattern(node.text) && !is_open_cjk(node.text)) {
    node.kind = QueryNode::Kind::Pattern;
  } else if (has_open_end(node.text)) {
    open_ends(node);
  } else {
    node.kind = QueryNode::Kind::Literal;
  }
  if (node.is_filter()) node.kind = QueryNode::Kind::Word;
  return node;
}

bool is_filter(const Lexeme& lexeme) {
  return lexeme.kind == Lexeme::Kind::Text && make_leaf(lexeme).is_filter();
}

/// Whether all but filters is one text in quotes.
bool is_one_quoted(const std::vector<Lexeme>& lexemes) {
  std::size_t quoted = 0;
  for (const Lexeme& lexeme : lexemes)
    if (!is_filter(lexeme)) quoted += lexeme.kind == Lexeme::Kind::Quoted ? 1 : 2;
  return quoted == 1;
}

/// What stands in the lexemes apart from filters, if none of it is syntax; else nothing.
std::string plain_text(const std::vector<Lexeme>& lexemes) {
  std::string plain;
  const bool single = std::count_if(lexemes.begin(), lexemes.end(),
                                    [](const Lexeme& l) { return l.field.empty(); }) == 1;
  for (std::size_t i = 0; i < lexemes.size(); ++i) {
    const Lexeme& l = lexemes[i];
    const QueryNode leaf = make_leaf(l);
    if (l.kind == Lexeme::Kind::Text && leaf.is_filter()) continue;
    if (l.kind != Lexeme::Kind::Text || leaf.field) return {};
    if ((l.text == "NOT" && i + 1 < lexemes.size()) ||
        (l.text == "OR" && i > 0 && i + 1 < lexemes.size()))
      return {};
    // A question mark behind one of several words is punctuation.
    const bool asks =
        leaf.text.ends_with('?') && leaf.text.find_first_of("*?") + 1 == leaf.text.size();
    if (is_wildcard(leaf) && (single || !asks)) return {};
    if (!plain.empty()) plain += ' ';
    plain += l.text;
  }
  return plain;
}

/// Recursive descent over lexemes; its depth is bounded by the lexer's.
class Parser {
 public:
  explicit Parser(std::vector<Lexeme> lexemes) : lexemes_(std::move(lexemes)) {}

  ParsedQuery run() {
    ParsedQuery parsed;
    QueryNode node = alternatives();
    if (node.kind != QueryNode::Kind::And) {
      parsed.root.children.push_back(std::move(node));
    } else {
      parsed.root = std::move(node);
    }
    parsed.truncated = leaves_ > kMaxLeaves;
    return parsed;
  }

 private:
  bool at_end() const {
    return at_ >= lexemes_.size() || lexemes_[at_].kind == Lexeme::Kind::Close;
  }
  bool is_keyword(std::size_t at, std::string_view word) const {
    return at < lexemes_.size() && lexemes_[at].kind == Lexeme::Kind::Text &&
           lexemes_[at].field.empty() && lexemes_[at].text == word;
  }
  /// A keyword with nothing to work on is text.
  bool something_follows(std::size_t at) const {
    return at + 1 < lexemes_.size() && lexemes_[at + 1].kind != Lexeme::Kind::Close;
  }

  QueryNode alternatives() {
    QueryNode either;
    either.kind = QueryNode::Kind::Or;
    for (bool first = true; first || (!at_end() && is_keyword(at_, "OR")); first = false) {
      if (!first) ++at_;
      if (QueryNode side = sequence(); !is_empty(side)) either.children.push_back(std::move(side));
    }
    if (either.children.empty()) return {};
    return either.children.size() == 1 ? std::move(either.children[0]) : std::move(either);
  }

  QueryNode sequence() {
    QueryNode all;
    all.kind = QueryNode::Kind::And;
    while (!at_end()) {
      if (is_keyword(at_, "OR") && !all.children.empty() && something_follows(at_)) break;
      QueryNode item = unary();
      if (is_empty(item)) continue;  // `""`, empty brackets, or what was cut
      all.children.push_back(std::move(item));
    }
    return all.children.size() == 1 ? std::move(all.children[0]) : std::move(all);
  }

  static bool is_empty(const QueryNode& node) {
    if (node.is_leaf()) return node.text.empty();
    return std::all_of(node.children.begin(), node.children.end(), is_empty);
  }

  QueryNode unary() {
    if (is_keyword(at_, "NOT") && something_follows(at_)) {
      std::size_t nots = 0;
      for (; is_keyword(at_, "NOT") && something_follows(at_); ++at_) ++nots;
      QueryNode inner = unary();
      if (nots % 2 == 0) return inner;
      QueryNode negated;
      negated.kind = QueryNode::Kind::Not;
      negated.children.push_back(std::move(inner));
      return negated;
    }
    if (lexemes_[at_].kind == Lexeme::Kind::Open) {
      ++at_;
      QueryNode inner = alternatives();
      if (at_ < lexemes_.size()) ++at_;  // the closing bracket, which the lexer made sure of
      return inner;
    }
    QueryNode leaf = make_leaf(lexemes_[at_++]);
    if (!leaf.text.empty() && ++leaves_ > kMaxLeaves) leaf.text.clear();
    return leaf;
  }

  std::vector<Lexeme> lexemes_;
  std::size_t at_ = 0;
  std::size_t leaves_ = 0;
};

}  // namespace

std::optional<ParsedQuery> parse_query(std::string_view bytes) {
  if (std::all_of(bytes.begin(), bytes.end(), is_space)) return std::nullopt;
  const bool too_long = bytes.size() > kMaxQueryBytes;
  // Of a long paste the end is kept: the deepest frame and the message stand there.
  const bool keeps_end = too_long && bytes.find('\n') != bytes.npos;
  const std::string text = with_plain_blanks(to_valid_utf8(
      keeps_end ? bytes.substr(bytes.size() - kMaxQueryBytes) : bytes.substr(0, kMaxQueryBytes)));
  std::vector<Lexeme> lexemes = Lexer(text).run();
  // Exact text may have several lines, and filters beside it.
  const bool is_exact = is_one_quoted(lexemes);
  std::string plain = is_pasted(text) && !is_exact ? text : plain_text(lexemes);
  ParsedQuery parsed = Parser(std::move(lexemes)).run();
  parsed.plain = std::move(plain);
  parsed.truncated |= too_long;
  const auto has_text = [](const QueryNode& node, const auto& self) -> bool {
    if (node.is_leaf()) return !node.text.empty();
    return std::any_of(node.children.begin(), node.children.end(),
                       [&](const QueryNode& c) { return self(c, self); });
  };
  if (has_text(parsed.root, has_text)) return parsed;
  // Nothing but syntax, such as `""`: it is text then.
  parsed.plain.clear();
  QueryNode leaf;
  leaf.kind = QueryNode::Kind::Literal;
  leaf.text = fold_blanks(text);
  parsed.root = {};
  parsed.root.children.push_back(std::move(leaf));
  return parsed;
}

bool QueryNode::is_filter_only() const {
  if (kind == Kind::Not || is_leaf()) return kind == Kind::Not || is_filter();
  return std::all_of(children.begin(), children.end(),
                     [](const QueryNode& c) { return c.is_filter_only(); });
}

std::string to_string(const QueryNode& node) {
  const auto join = [&](std::string_view between) {
    std::string out = "(";
    for (const QueryNode& child : node.children) {
      if (out.size() > 1) out += between;
      out += to_string(child);
    }
    return out + ")";
  };
  const std::string field = node.field ? std::string(field_row(*node.field).name) + ":" : "";
  switch (node.kind) {
    case QueryNode::Kind::And:
      return node.children.size() == 1 ? to_string(node.children[0]) : join(" AND ");
    case QueryNode::Kind::Or:
      return join(" OR ");
    case QueryNode::Kind::Not:
      return std::string("NOT ").append(to_string(node.children[0]));
    case QueryNode::Kind::Word:
    case QueryNode::Kind::Pattern:
      return field + node.text;
    case QueryNode::Kind::Literal:
      return field + "\"" + (node.open_start ? "*" : "") + node.text + (node.open_end ? "*" : "") +
             "\"";
    case QueryNode::Kind::Regex:
      return "/" + node.text + "/";
  }
  return {};
}

}  // namespace kw::search
