// SPDX-License-Identifier: GPL-2.0-or-later
#include "exporter/model/code_style.h"

#include <algorithm>
#include <string>

#include "schema/text/splitter.h"

namespace kw::exporter {
namespace {

constexpr std::string_view kPythonWords[] = {
    "False", "None",     "True",  "and",    "as",   "assert", "async",  "await",    "break",
    "class", "continue", "def",   "del",    "elif", "else",   "except", "finally",  "for",
    "from",  "global",   "if",    "import", "in",   "is",     "lambda", "nonlocal", "not",
    "or",    "pass",     "raise", "return", "try",  "while",  "with",   "yield"};

// C, C++, CUDA, Objective-C, Java and C#, and the directives of the preprocessor.
constexpr std::string_view kCWords[] = {"NULL",
                                        "abstract",
                                        "alignas",
                                        "alignof",
                                        "and",
                                        "assert",
                                        "auto",
                                        "bool",
                                        "boolean",
                                        "break",
                                        "byte",
                                        "case",
                                        "catch",
                                        "char",
                                        "class",
                                        "co_await",
                                        "co_return",
                                        "co_yield",
                                        "concept",
                                        "const",
                                        "const_cast",
                                        "consteval",
                                        "constexpr",
                                        "constinit",
                                        "continue",
                                        "decltype",
                                        "default",
                                        "define",
                                        "defined",
                                        "delete",
                                        "do",
                                        "double",
                                        "dynamic_cast",
                                        "elif",
                                        "else",
                                        "endif",
                                        "enum",
                                        "error",
                                        "explicit",
                                        "export",
                                        "extends",
                                        "extern",
                                        "false",
                                        "final",
                                        "finally",
                                        "float",
                                        "for",
                                        "friend",
                                        "goto",
                                        "if",
                                        "ifdef",
                                        "ifndef",
                                        "implements",
                                        "import",
                                        "include",
                                        "inline",
                                        "instanceof",
                                        "int",
                                        "interface",
                                        "long",
                                        "mutable",
                                        "namespace",
                                        "new",
                                        "noexcept",
                                        "not",
                                        "null",
                                        "nullptr",
                                        "operator",
                                        "or",
                                        "override",
                                        "package",
                                        "pragma",
                                        "private",
                                        "protected",
                                        "public",
                                        "register",
                                        "reinterpret_cast",
                                        "requires",
                                        "restrict",
                                        "return",
                                        "short",
                                        "signed",
                                        "sizeof",
                                        "static",
                                        "static_assert",
                                        "static_cast",
                                        "struct",
                                        "super",
                                        "switch",
                                        "synchronized",
                                        "template",
                                        "this",
                                        "thread_local",
                                        "throw",
                                        "throws",
                                        "transient",
                                        "true",
                                        "try",
                                        "typedef",
                                        "typeid",
                                        "typename",
                                        "undef",
                                        "union",
                                        "unsigned",
                                        "using",
                                        "virtual",
                                        "void",
                                        "volatile",
                                        "while"};

constexpr std::string_view kScriptWords[] = {
    "as",         "async",    "await",    "boolean",    "break",     "case",   "catch",    "class",
    "const",      "continue", "debugger", "default",    "delete",    "do",     "else",     "enum",
    "export",     "extends",  "false",    "finally",    "for",       "from",   "function", "if",
    "implements", "import",   "in",       "instanceof", "interface", "let",    "new",      "null",
    "number",     "of",       "package",  "private",    "protected", "public", "return",   "static",
    "string",     "super",    "switch",   "this",       "throw",     "true",   "try",      "typeof",
    "undefined",  "var",      "void",     "while",      "with",      "yield"};

constexpr std::string_view kGoWords[] = {
    "break",  "case",        "chan",      "const",  "continue", "default", "defer",
    "else",   "fallthrough", "false",     "for",    "func",     "go",      "goto",
    "if",     "import",      "interface", "map",    "nil",      "package", "range",
    "return", "select",      "struct",    "switch", "true",     "type",    "var"};

constexpr std::string_view kRustWords[] = {
    "Self",  "as",     "async", "await", "break",  "const", "continue", "crate", "dyn",    "else",
    "enum",  "extern", "false", "fn",    "for",    "if",    "impl",     "in",    "let",    "loop",
    "match", "mod",    "move",  "mut",   "pub",    "ref",   "return",   "self",  "static", "struct",
    "super", "trait",  "true",  "type",  "unsafe", "use",   "where",    "while"};

constexpr std::string_view kShellWords[] = {
    "break",  "case",   "continue", "do",   "done",     "echo",  "elif", "else",  "esac",
    "exit",   "export", "fi",       "for",  "function", "if",    "in",   "local", "return",
    "select", "set",    "shift",    "then", "unset",    "until", "while"};

static_assert(std::is_sorted(std::begin(kPythonWords), std::end(kPythonWords)));
static_assert(std::is_sorted(std::begin(kCWords), std::end(kCWords)));
static_assert(std::is_sorted(std::begin(kScriptWords), std::end(kScriptWords)));
static_assert(std::is_sorted(std::begin(kGoWords), std::end(kGoWords)));
static_assert(std::is_sorted(std::begin(kRustWords), std::end(kRustWords)));
static_assert(std::is_sorted(std::begin(kShellWords), std::end(kShellWords)));

// A language that is not here has its names found by how they look (is_code_like).
constexpr CodeStyle kStyles[] = {
    {" python py pyi python2 python3 starlark cython", "#", "", "\"\"\" '''", "\"'", false, false,
     false, kPythonWords, "rRbBuUfF"},
    {" c c++ cpp cxx cc h hpp cuda cu hip metal objective-c objc objectivec opencl java c# csharp "
     "kotlin scala groovy swift",
     "//", "/* */", "", "\"'", false, true, false, kCWords, "RLuU8"},
    {" javascript js jsx typescript ts tsx", "//", "/* */", "`", "\"'", false, false, false,
     kScriptWords},
    {" go golang", "//", "/* */", "`", "\"'", false, false, false, kGoWords},
    {" rust rs", "//", "/* */", "", "\"'", true, false, false, kRustWords, "brc"},
    {" shell sh bash zsh ksh", "#", "", "", "\"'", false, false, true, kShellWords},
};

/// Calls `use` for each of a list's words until it gives true.
template <class Use>
bool any_word(std::string_view list, Use&& use) {
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(' '), list.size());
    if (end > 0 && use(list.substr(0, end))) return true;
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return false;
}

class PieceCutter {
 public:
  PieceCutter(std::string_view code, const CodeStyle& style) : code_(code), style_(style) {}

  std::vector<CodePiece> run() {
    while (at_ < code_.size()) {
      const std::size_t end = quoted_end();
      if (end == at_) {
        ++at_;
        continue;
      }
      const std::size_t begin = prefix_begin();
      add(start_, begin, false);
      add(begin, end, true);
      start_ = at_ = end;
    }
    add(start_, code_.size(), false);
    return std::move(pieces_);
  }

 private:
  void add(std::size_t begin, std::size_t end, bool quoted) {
    if (begin < end) pieces_.push_back({code_.substr(begin, end - begin), quoted});
  }
  bool has(std::string_view mark, std::size_t at) const {
    return !mark.empty() && code_.compare(at, mark.size(), mark) == 0;
  }
  std::size_t line_end(std::size_t at) const {
    return std::min(code_.find('\n', at), code_.size());
  }

  /// One past the comment or string that begins here; here if none does.
  std::size_t quoted_end() const {
    const char c = code_[at_];
    if (c > '/' && c != '<' && c != '`') return at_;  // most of all bytes
    if (has(style_.line_comment, at_) && begins_comment()) return line_end(at_);
    std::size_t end = block_end();
    if (end > at_) return end;
    any_word(style_.long_quotes, [&](std::string_view quote) {
      if (!has(quote, at_)) return false;
      end = string_end(quote, code_.size());
      return true;
    });
    if (end > at_) return end;
    if (c == '<') return include_end();
    if (style_.quotes.find(c) == std::string_view::npos) return at_;
    if (c == '"' && style_.raw_strings && at_ > 0 && code_[at_ - 1] == 'R') return raw_end();
    if (c == '\'' && style_.quotes_one_char && !closes_after_one_char()) return at_;
    // The digits of 1'000'000 are no strings; the prefix of L'a' is no digit.
    if (c == '\'' && at_ > 0 && code_[at_ - 1] >= '0' && code_[at_ - 1] <= '9') return at_;
    return string_end(code_.substr(at_, 1), line_end(at_));
  }

  /// Where the prefix of a string begins that begins here; here if there is none.
  std::size_t prefix_begin() const {
    constexpr std::size_t kLongest = 3;  // u8R
    if (style_.quotes.find(code_[at_]) == std::string_view::npos) return at_;
    std::size_t begin = at_;
    while (begin > start_ &&
           style_.string_prefixes.find(code_[begin - 1]) != std::string_view::npos)
      --begin;
    const bool whole = begin == start_ || !ends_in_word_char(code_.substr(start_, begin - start_));
    return whole && at_ - begin <= kLongest ? begin : at_;
  }

  bool begins_comment() const {
    return !style_.comment_after_blank || at_ == 0 ||
           std::string_view(" \t\n;").find(code_[at_ - 1]) != std::string_view::npos;
  }

  std::size_t block_end() const {
    std::size_t end = at_;
    std::string_view open;
    any_word(style_.block_comments, [&](std::string_view mark) {
      if (open.empty()) {
        open = mark;
        return false;
      }
      if (has(open, at_)) {
        const std::size_t close = code_.find(mark, at_ + open.size());
        end = close == std::string_view::npos ? code_.size() : close + mark.size();
      }
      open = {};
      return end > at_;
    });
    return end;
  }

  std::size_t string_end(std::string_view quote, std::size_t limit) const {
    for (std::size_t i = at_ + quote.size(); i < limit; ++i) {
      if (code_[i] == '\\')
        ++i;
      else if (has(quote, i))
        return i + quote.size();
    }
    return limit;
  }

  std::size_t raw_end() const {
    constexpr std::size_t kMaxDelimiter = 16;  // the language's own limit
    const std::size_t length = code_.substr(at_ + 1, kMaxDelimiter + 1).find('(');
    if (length == std::string_view::npos) return line_end(at_);
    const std::size_t open = at_ + 1 + length;
    const std::string close = ")" + std::string(code_.substr(at_ + 1, length)) + "\"";
    const std::size_t end = code_.find(close, open);
    return end == std::string_view::npos ? code_.size() : end + close.size();
  }

  bool closes_after_one_char() const {
    if (at_ + 1 < code_.size() && code_[at_ + 1] == '\\') return true;
    const std::string_view next = code_.substr(at_ + 1, 5);  // four bytes of UTF-8 and the quote
    const std::size_t close = next.find('\'');
    return close != std::string_view::npos && close > 0 &&
           next.substr(0, close).find_first_of(",>&: \n") == std::string_view::npos;
  }

  /// `<a/b.h>` behind #include, on a line of its own.
  std::size_t include_end() const {
    constexpr std::size_t kMaxDirective = 40;  // looks no further back on a long line
    std::size_t begin = at_;
    while (begin > 0 && at_ - begin < kMaxDirective && code_[begin - 1] != '\n') --begin;
    begin = std::min(code_.find_first_not_of(" \t", begin), at_);
    if (code_[begin] != '#' ||
        code_.substr(begin, at_ - begin).find("in") == std::string_view::npos)
      return at_;
    const std::size_t close = code_.find('>', at_);
    return close < line_end(at_) ? close + 1 : at_;
  }

  std::string_view code_;
  const CodeStyle& style_;
  std::size_t at_ = 0;
  std::size_t start_ = 0;  ///< of the code not yet added
  std::vector<CodePiece> pieces_;
};

}  // namespace

const CodeStyle* code_style(std::string_view language) {
  const std::string folded = fold(language);
  if (folded.empty()) return nullptr;
  for (const CodeStyle& style : kStyles)
    if (any_word(style.languages, [&](std::string_view name) { return name == folded; }))
      return &style;
  return nullptr;
}

bool is_reserved(const CodeStyle& style, std::string_view name) {
  return std::binary_search(style.reserved.begin(), style.reserved.end(), name);
}

std::vector<CodePiece> code_pieces(std::string_view code, const CodeStyle& style) {
  return PieceCutter(code, style).run();
}

}  // namespace kw::exporter
