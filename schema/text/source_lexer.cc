// SPDX-License-Identifier: GPL-2.0-or-later
#include "schema/text/source_lexer.h"

#include <algorithm>
#include <array>

#include "schema/text/text.h"

namespace kw {
namespace {

// A mark that must end what another began is searched to the end of the text. After so many that
// are nowhere, a text is no program, and each begins nothing.
constexpr int kMaxUnended = 16;
constexpr int kMaxTemplateDepth = 8;
// How far one token is looked through, back or on, where a line may be of any length.
constexpr std::size_t kMaxToken = 4096;
constexpr std::size_t kMaxShortToken = 64;

bool is_name_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' ||
         static_cast<signed char>(c) < 0;
}
bool is_blank_or_return(char c) { return c == ' ' || c == '\t' || c == '\r'; }

std::vector<std::string_view> split_at_blanks(std::string_view words) {
  std::vector<std::string_view> out;
  while (!words.empty()) {
    const std::size_t end = std::min(words.find(' '), words.size());
    if (end > 0) out.push_back(words.substr(0, end));
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return out;
}

struct Span {
  enum class Kind { Comment, String, HereDocument };
  ByteRange range;
  Kind kind = Kind::Comment;
};

/// A text, what its language's grammar has, and how many marks in it had no end.
class SourceText {
 public:
  SourceText(std::string_view text, std::uint32_t features) : text_(text), features_(features) {}

  std::string_view text() const { return text_; }
  bool has(std::uint32_t features) const { return (features_ & features) != 0; }
  bool has_at(std::string_view mark, std::size_t at) const {
    return text_.compare(at, mark.size(), mark) == 0;
  }
  char char_before(std::size_t at) const { return at > 0 ? text_[at - 1] : '\n'; }
  std::size_t line_end(std::size_t at) const {
    return std::min(text_.find('\n', at), text_.size());
  }

  /// One past `mark`, searched from `at`; 0 where it is nowhere.
  std::size_t past(std::string_view mark, std::size_t at) {
    if (has_given_up()) return 0;
    const std::size_t found = text_.find(mark, at);
    if (found != std::string_view::npos) return found + mark.size();
    note_unended();
    return 0;
  }
  void note_unended() { ++unended_; }
  bool has_given_up() const { return unended_ >= kMaxUnended; }

 private:
  const std::string_view text_;
  const std::uint32_t features_;
  int unended_ = 0;
};

/// The marks of comments.
class Comments {
 public:
  Comments(const SourceText& source, const LexicalStyle& style)
      : source_(source),
        text_(source.text()),
        line_(split_at_blanks(style.line)),
        block_(split_at_blanks(style.block)),
        line_start_(split_at_blanks(style.line_start)) {}

  /// Calls `note` with each character that begins one.
  template <class Note>
  void for_each_first(const Note& note) const {
    for (const auto& marks : {line_, line_start_})
      for (const std::string_view mark : marks) note(mark.front());
    for (std::size_t i = 0; i + 1 < block_.size(); i += 2) note(block_[i].front());
  }

  /// One past the comment that begins at `at`; `at` if none does.
  std::size_t end_of(std::size_t at) const {
    for (std::size_t i = 0; i + 1 < block_.size(); i += 2) {
      // Ruby's =begin and Perl's =pod: an assignment elsewhere.
      if (!source_.has_at(block_[i], at) ||
          (block_[i].front() == '=' && source_.char_before(at) != '\n'))
        continue;
      if (source_.has(kNestedComments)) return nested_comment_end(at, block_[i], block_[i + 1]);
      const std::size_t end = text_.find(block_[i + 1], at + block_[i].size());
      return end == std::string_view::npos ? text_.size() : end + block_[i + 1].size();
    }
    for (const std::string_view mark : line_)
      if (source_.has_at(mark, at) && may_follow(at)) return source_.line_end(at);
    for (const std::string_view mark : line_start_)
      if (source_.has_at(mark, at) && is_first_on_line(at) && is_whole_word(mark, at))
        return source_.line_end(at);
    return at;
  }

 private:
  std::size_t nested_comment_end(std::size_t at, std::string_view open,
                                 std::string_view close) const {
    std::size_t i = at + open.size();
    for (std::size_t depth = 1; depth > 0;) {
      i = std::min(text_.find_first_of(std::string{open.front(), close.front()}, i), text_.size());
      if (i == text_.size()) break;
      if (source_.has_at(close, i)) {
        --depth;
        i += close.size();
      } else if (source_.has_at(open, i)) {
        ++depth;
        i += open.size();
      } else {
        ++i;
      }
    }
    return i;
  }

  /// False where a line mark is something else: `$#`, `${x#y}`, `a#b` (shell), `\%` (TeX),
  /// `http://`, `#[Attribute]`.
  bool may_follow(std::size_t at) const {
    const char before = source_.char_before(at);
    if (before == '\\') return false;
    if (text_[at] == '#') {
      if (source_.has(kHashAttributes) && source_.has_at("#[", at)) return false;
      return !is_name_char(before) && before != '$' && before != '{' && before != '&';
    }
    return text_[at] != '/' || before != ':';
  }

  bool is_first_on_line(std::size_t at) const {
    while (at > 0 && is_blank_or_return(text_[at - 1])) --at;
    return at == 0 || text_[at - 1] == '\n';
  }

  bool is_whole_word(std::string_view mark, std::size_t at) const {
    const std::size_t end = at + mark.size();
    return !is_name_char(mark.back()) || end == text_.size() || !is_name_char(text_[end]);
  }

  const SourceText& source_;
  const std::string_view text_;
  const std::vector<std::string_view> line_, block_, line_start_;
};

/// The quotes of strings, and literals of other forms.
class Strings {
 public:
  Strings(SourceText& source, std::string_view quotes)
      : source_(source), text_(source.text()), quotes_(quotes) {}

  /// Calls `note` with each character that begins one.
  template <class Note>
  void for_each_first(const Note& note) const {
    for (const char quote : quotes_) note(quote);
    if (source_.has(kRegexLiterals)) note('/');
    if (source_.has(kRustLiterals)) note('\'');
    if (source_.has(kLongBrackets)) note('[');
  }

  /// One past the string that begins at `at`; `at` if none does.
  std::size_t end_of(std::size_t at) {
    const char c = text_[at];
    if (c == '/') return source_.has(kRegexLiterals) ? regex_end(at) : at;
    if (c == '[') return source_.has(kLongBrackets) ? long_bracket_end(at) : at;
    if (c == '\'' && source_.has(kRustLiterals)) return char_literal_end(at);
    if (quotes_.find(c) == std::string_view::npos) return at;
    if (c == '\'' && source_.has(kDigitSeparators) && is_digit_separator(at)) return at;
    if (c == '`' && source_.has(kTemplates))
      if (const std::size_t end = template_end(at, 0)) return end;
    if (c == '`' && source_.has(kRawBackticks))
      if (const std::size_t end = source_.past("`", at + 1)) return end;
    if (c == '"')
      if (const std::size_t end = raw_string_end(at)) return end;
    return plain_string_end(at);
  }

 private:
  /// A string that ends with its line in most languages, but a backslash may carry it over.
  std::size_t plain_string_end(std::size_t at) {
    const char stops[] = {text_[at], '\\', '\n'};
    for (std::size_t i = at + 1;; i += 2) {  // a backslash, and what it stands before
      i = text_.find_first_of(std::string_view(stops, sizeof stops), i);
      if (i < text_.size() && text_[i] == text_[at]) return i + 1;
      if (i < text_.size() && text_[i] == '\\') continue;
      if (i < text_.size())
        if (const std::size_t end = end_on_other_line(at, i)) return end;
      // It never ends. A line end that a backslash took is none of its characters.
      const std::size_t end = std::min(i, text_.size());
      return text_[end - 1] == '\n' ? end - 1 : end;
    }
  }

  /// The same of a string that begins at `at` and goes on after the line end at `i`; 0 for none.
  std::size_t end_on_other_line(std::size_t at, std::size_t i) {
    if (!source_.has(kStringsOverLines) || source_.has_given_up()) return 0;
    const char stops[] = {text_[at], '\\', '<', '?'};
    for (;; ++i) {
      i = text_.find_first_of(std::string_view(stops, sizeof stops), i);
      if (i == std::string_view::npos) break;
      if (text_[i] == text_[at]) return i + 1;
      if (source_.has_at("<?", i) || source_.has_at("?>", i)) return 0;  // a quote between tags
      if (text_[i] == '\\') ++i;
    }
    source_.note_unended();
    return 0;
  }

  /// Strings that begin with `"` and end otherwise; 0 if this is none of them.
  std::size_t raw_string_end(std::size_t at) {
    const char before = source_.char_before(at);
    const std::string_view near = text_.substr(at, kMaxShortToken);
    const std::size_t run = std::min(near.find_first_not_of('"'), near.size());
    if (source_.has(kTripleQuotes) && run >= 3) return source_.past("\"\"\"", at + 3);
    if (source_.has(kVerbatimStrings) &&
        (before == '@' || (before == '$' && source_.char_before(at - 1) == '@')))
      return verbatim_end(at);
    if (source_.has(kVerbatimStrings) && run >= 3)
      return source_.past(std::string(run, '"'), at + run);
    if (source_.has(kRawStrings) && before == 'R') {
      const std::size_t open = near.substr(0, 18).find('(');
      if (open == std::string_view::npos) return 0;
      return source_.past(')' + std::string(near.substr(1, open - 1)) + '"', at + open);
    }
    if (source_.has(kRustLiterals) && (before == '#' || before == 'r')) {
      std::size_t start = at;
      while (source_.char_before(start) == '#') --start;
      if (source_.char_before(start) != 'r') return 0;
      return source_.past('"' + std::string(text_.substr(start, at - start)), at + 1);
    }
    return 0;
  }

  /// `"` is written twice inside.
  std::size_t verbatim_end(std::size_t at) {
    for (std::size_t i = at + 1; (i = source_.past("\"", i)) != 0; ++i)
      if (i == text_.size() || text_[i] != '"') return i;
    return 0;
  }

  std::size_t long_bracket_end(std::size_t at) {
    const std::size_t second = std::min(text_.find_first_not_of('=', at + 1), text_.size());
    if (second == text_.size() || text_[second] != '[') return at;
    const std::string equals(text_.substr(at + 1, second - at - 1));
    return std::max(source_.past(']' + equals + ']', second), at);
  }

  /// 'c' and '\n', but not the 'a of a lifetime.
  std::size_t char_literal_end(std::size_t at) const {
    if (at + 2 >= text_.size()) return at;
    if (text_[at + 1] == '\\') {
      const std::size_t end = text_.substr(0, at + 14).find('\'', at + 3);
      return end == std::string_view::npos ? at : end + 1;
    }
    std::size_t end = at + 2;  // one character of UTF-8
    while (end < text_.size() && (static_cast<unsigned char>(text_[end]) & 0xC0) == 0x80) ++end;
    return end < text_.size() && text_[end] == '\'' && text_[at + 1] != '\n' ? end + 1 : at;
  }

  /// 1'000, 0xFF'FF; not the L'x' of a wide character.
  bool is_digit_separator(std::size_t at) const {
    if (at == 0 || at + 1 == text_.size() || !is_name_char(text_[at + 1])) return false;
    std::size_t start = at;
    while (start > 0 && at - start < kMaxShortToken &&
           (is_name_char(text_[start - 1]) || text_[start - 1] == '\''))
      --start;
    return start < at && is_digit(text_[start]);
  }

  /// 0 if it never ends. Code between `${` and `}` may hold strings and templates.
  std::size_t template_end(std::size_t at, int depth) {
    if (source_.has_given_up() || depth > kMaxTemplateDepth) return 0;
    for (std::size_t i = at + 1; i < text_.size();) {
      if (text_[i] == '\\') {
        i += 2;
      } else if (text_[i] == '`') {
        return i + 1;
      } else if (source_.has_at("${", i)) {
        i = substitution_end(i + 2, depth);
        if (i == 0) return 0;
      } else {
        ++i;
      }
    }
    source_.note_unended();
    return 0;
  }

  std::size_t substitution_end(std::size_t i, int depth) {
    for (int braces = 1; i < text_.size();) {
      const char c = text_[i];
      if (c == '"' || c == '\'') {
        i = plain_string_end(i);
        continue;
      }
      if (c == '`') {
        i = template_end(i, depth + 1);
        if (i == 0) return 0;
        continue;
      }
      if (c == '{') ++braces;
      if (c == '}' && --braces == 0) return i + 1;
      ++i;
    }
    source_.note_unended();
    return 0;
  }

  /// True where `/` begins a regex literal and does not divide: behind an operator, an opening
  /// bracket, or a word that wants an expression.
  bool wants_expression(std::size_t at) const {
    while (at > 0 && (is_blank_or_return(text_[at - 1]) || text_[at - 1] == '\n')) --at;
    if (at == 0) return true;
    const char before = text_[at - 1];
    if (!is_name_char(before))
      return std::string_view("(,=:[!&|?{};+-*%~^>").find(before) != std::string_view::npos;
    std::size_t start = at;
    while (start > 0 && is_name_char(text_[start - 1])) --start;
    constexpr std::string_view kWords[] = {"return", "typeof", "case",  "in",    "of",   "delete",
                                           "void",   "throw",  "yield", "await", "else", "do"};
    return std::find(std::begin(kWords), std::end(kWords), text_.substr(start, at - start)) !=
           std::end(kWords);
  }

  std::size_t regex_end(std::size_t at) const {
    if (!wants_expression(at)) return at;
    bool in_class = false;
    const std::size_t end = std::min(text_.size(), at + kMaxToken);
    for (std::size_t i = at + 1; i < end && text_[i] != '\n'; ++i) {
      const char c = text_[i];
      if (c == '\\') ++i;
      if (c == '[') in_class = true;
      if (c == ']') in_class = false;
      if (c == '/' && !in_class) return i + 1;
    }
    return at;
  }

  SourceText& source_;
  const std::string_view text_;
  const std::string_view quotes_;
};

/// Strings whose text begins in the line below.
class HereDocuments {
 public:
  explicit HereDocuments(SourceText& source) : source_(source), text_(source.text()) {}

  /// The lines of the here-document that `at` announces, and of others that its line announces:
  /// from the next line to the one that ends the last of them. What else stands behind `at` in its
  /// own line is passed over.
  ByteRange lines_of(std::size_t at) {
    const Announced first = announced_at(at);
    if (first.word.empty()) return {};
    const std::size_t line_end = source_.line_end(first.end);
    ByteRange all = lines_until(first.word, std::min(line_end + 1, text_.size()));
    for (std::size_t i = first.end; i < line_end && all.end > all.begin; ++i) {
      const Announced next = announced_at(i);
      if (next.word.empty()) continue;
      const std::size_t begin = std::min(source_.line_end(all.end) + 1, text_.size());
      all.end = std::max(all.end, lines_until(next.word, begin).end);
      i = next.end;
    }
    return all;
  }

 private:
  struct Announced {
    std::string_view word;  ///< empty: nothing is announced
    std::size_t end = 0;    ///< one past it
  };

  Announced announced_at(std::size_t at) const {
    if (text_[at] != '<' || !source_.has(kHereDocs)) return {};
    const std::string_view mark = source_.has(kPhpHereDocs) ? "<<<" : "<<";
    if (!source_.has_at(mark, at) || source_.char_before(at) == '<' || source_.has_given_up())
      return {};
    std::size_t i = at + mark.size();
    if (i < text_.size() && (text_[i] == '-' || text_[i] == '~') && !source_.has(kPhpHereDocs)) ++i;
    const bool tilde = i > at + mark.size();
    while (i < text_.size() && is_blank_or_return(text_[i]) && !source_.has(kRubyHereDocs)) ++i;
    const bool quoted =
        i < text_.size() && (text_[i] == '"' || text_[i] == '\'' || text_[i] == '\\');
    if (quoted) ++i;
    std::size_t end = i;
    while (end < text_.size() && is_name_char(text_[end])) ++end;
    const std::string_view word = text_.substr(i, end - i);
    if (word.empty() || is_digit(word.front())) return {};
    const bool capital = word.front() >= 'A' && word.front() <= 'Z';
    if (source_.has(kRubyHereDocs) && !tilde && !quoted && !capital) return {};
    return {word, end};
  }

  /// From `begin` to the line that begins with `word` as a whole word, blanks before it.
  ByteRange lines_until(std::string_view word, std::size_t begin) {
    for (std::size_t at = begin; at < text_.size();) {
      const std::size_t end = source_.line_end(at);
      std::string_view line = text_.substr(at, end - at);
      line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
      if (line.starts_with(word) &&
          (line.size() == word.size() || !is_name_char(line[word.size()])))
        return at > begin ? ByteRange{begin, at} : ByteRange{};
      at = std::min(end + 1, text_.size());
    }
    source_.note_unended();
    return {};
  }

  SourceText& source_;
  const std::string_view text_;
};

/// Finds all of them in a text.
class Lexer {
 public:
  Lexer(std::string_view text, const LexicalStyle& style)
      : source_(text, style.features),
        comments_(source_, style),
        strings_(source_, style.quotes),
        here_documents_(source_) {
    const auto note = [this](char first) { may_begin_[static_cast<unsigned char>(first)] = true; };
    comments_.for_each_first(note);
    strings_.for_each_first(note);
    if (source_.has(kHereDocs)) note('<');
  }

  Lexer(const Lexer&) = delete;
  Lexer& operator=(const Lexer&) = delete;

  /// Calls `found(Span)` for each comment and string, in order.
  template <class Found>
  void run(Found found) {
    const std::string_view text = source_.text();
    std::size_t at = 0;
    while (at < text.size()) {
      if (!may_begin_[static_cast<unsigned char>(text[at])]) {
        ++at;
      } else if (const std::size_t comment = comments_.end_of(at); comment > at) {
        found(Span{{at, comment}, Span::Kind::Comment});
        at = comment;
      } else if (const ByteRange here = here_documents_.lines_of(at); here.end > here.begin) {
        found(Span{here, Span::Kind::HereDocument});
        at = here.end;
      } else if (const std::size_t string = strings_.end_of(at); string > at) {
        found(Span{{at, string}, Span::Kind::String});
        at = string;
      } else {
        ++at;
      }
    }
  }

 private:
  SourceText source_;
  Comments comments_;
  Strings strings_;
  HereDocuments here_documents_;
  std::array<bool, 256> may_begin_{};
};

}  // namespace

std::vector<ByteRange> find_comments(std::string_view text, const LexicalStyle& style) {
  std::vector<ByteRange> out;
  if (style.line.empty() && style.block.empty() && style.line_start.empty()) return out;
  Lexer(text, style).run([&](const Span& span) {
    if (span.kind == Span::Kind::Comment) out.push_back(span.range);
  });
  return out;
}

std::vector<ByteRange> find_literals(std::string_view text, const LexicalStyle& style) {
  std::vector<ByteRange> out;
  Lexer(text, style).run([&](const Span& span) { out.push_back(span.range); });
  return out;
}

std::string mask_literals(std::string_view text, const LexicalStyle& style) {
  std::string out(text);
  Lexer(text, style).run([&](const Span& span) {
    for (std::size_t i = span.range.begin; i < span.range.end; ++i)
      if (out[i] != '\n') out[i] = ' ';
    if (span.kind != Span::Kind::String || span.range.end - span.range.begin < 2) return;
    out[span.range.begin] = out[span.range.end - 1] = '"';
  });
  return out;
}

std::string mask_here_documents(std::string_view text, const LexicalStyle& style) {
  std::string out(text);
  if ((style.features & kHereDocs) == 0) return out;
  Lexer(text, style).run([&](const Span& span) {
    if (span.kind != Span::Kind::HereDocument) return;
    for (std::size_t i = span.range.begin; i < span.range.end; ++i)
      if (out[i] != '\n') out[i] = ' ';
  });
  return out;
}

}  // namespace kw
