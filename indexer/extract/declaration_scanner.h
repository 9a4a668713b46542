// SPDX-License-Identifier: GPL-2.0-or-later
// What the scanners of declarations share: tokens of a text without its comments and strings, and a
// stack of the brackets that are open, each with what may be declared in it. A language says what a
// statement declares and what a `{` opens. It is no parser: an expression is passed over token by
// token, so that what is not understood costs one name and not the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "schema/index/record.h"
#include "schema/text/source_lexer.h"

namespace kw::indexer {

struct CodeToken {
  enum class Kind : std::uint8_t { Word, Number, String, Sign, End };
  std::string_view text;
  std::uint32_t line = 0;
  std::uint32_t column = 0;  ///< in bytes, of the first token of its line
  Kind kind = Kind::End;
  bool first = false;  ///< on its line

  bool is(std::string_view other) const { return text == other; }
  bool is_word() const { return kind == Kind::Word; }
};

/// No name that a person looks for is longer; generated ones (templates, data) are.
inline constexpr std::size_t kMaxNameBytes = 1'000;

/// As ctags' answers are bounded: no file by people has more.
inline constexpr std::size_t kMaxDeclarations = 200'000;

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> words);

class DeclarationScanner {
 public:
  /// `separator` joins the names of a scope.
  DeclarationScanner(std::string_view text, const LexicalStyle& style, std::string_view separator);
  virtual ~DeclarationScanner() = default;
  DeclarationScanner(const DeclarationScanner&) = delete;
  DeclarationScanner& operator=(const DeclarationScanner&) = delete;

  std::vector<Definition> run();

 protected:
  /// What stands in a bracket.
  enum class In : std::uint8_t {
    Items,    ///< declarations of a file or namespace
    Members,  ///< of a type
    Cases,    ///< of an enumeration
    Fields,   ///< of a struct, or the parameters that declare some
    Object,   ///< an object literal
    Body,     ///< of a function: statements
    Parens,   ///< arguments, indexes
    Skip      ///< nothing of interest
  };
  struct Scope {
    In in = In::Items;
    std::string path;  ///< names around, joined
    char close = 0;
    std::uint32_t column = 0;  ///< of the line that opened it
  };

  /// Reads a declaration at `i`, where a statement begins; returns where to go on, or `i` if there
  /// is none. Brackets that it passes must be skipped as wholes.
  virtual std::size_t statement(std::size_t i) = 0;
  /// What the `{` at `i` opens, where no declaration waits for it.
  virtual Scope open_brace(std::size_t i) = 0;
  /// The same of `(` and `[`.
  virtual Scope open_paren(std::size_t i);
  /// False if the declaration that waits for its `{` does not mean the one at `i`.
  virtual bool is_awaited(std::size_t i) const;
  /// Looks at a token in the middle of a statement.
  virtual void inside_statement(std::size_t) {}
  /// True if a statement may begin at `i`, which is the first of its line.
  virtual bool begins_at_line(std::size_t i) const;

  const CodeToken& at(std::size_t i) const { return i < tokens_.size() ? tokens_[i] : end_; }
  const CodeToken& before(std::size_t i) const { return i > 0 ? at(i - 1) : end_; }
  Scope& top() { return scopes_.back(); }
  const Scope& top() const { return scopes_.back(); }
  const std::vector<Scope>& scopes() const { return scopes_; }
  bool is_in_body() const;

  /// One past the bracket that matches `(`, `[`, `{` or `<` at `i`.
  std::size_t past_brackets(std::size_t i) const;
  /// One past the type arguments at `i`, if there are any.
  std::size_t past_generics(std::size_t i) const { return at(i).is("<") ? past_brackets(i) : i; }

  void add(const CodeToken& name, std::string_view kind) { add(name, kind, top().path); }
  void add(const CodeToken& name, std::string_view kind, std::string_view scope);
  std::string path_to(std::string_view name) const;
  /// The next `{` at this depth opens `in`.
  void await(In in, std::string path);
  bool awaits_here() const { return !awaited_.empty() && awaited_.back().depth == scopes_.size(); }

 private:
  struct Awaited {
    In in;
    std::string path;
    std::size_t depth;
  };

  void tokenise();
  void match_brackets();
  bool begins_statement(std::size_t i) const;
  void step();
  void close(char bracket);

  std::string masked_;
  std::string_view separator_;
  std::vector<CodeToken> tokens_;
  std::vector<std::size_t> past_;  ///< by token: one past the bracket that it opens, or 0
  CodeToken end_;
  std::vector<Scope> scopes_;
  std::vector<Awaited> awaited_;  ///< at growing depths
  std::size_t at_ = 0;
  std::vector<Definition> found_;
};

}  // namespace kw::indexer
