// SPDX-License-Identifier: GPL-2.0-or-later
// Rust.
#include "indexer/extract/language_scanners.h"

namespace kw::indexer {
namespace {

class RustScanner : public DeclarationScanner {
 public:
  explicit RustScanner(std::string_view text, const LexicalStyle& style)
      : DeclarationScanner(text, style, "::") {}

 protected:
  std::size_t statement(std::size_t i) override {
    std::size_t k = i;
    while (true) {
      if (at(k).is("#") && (at(k + 1).is("[") || at(k + 2).is("[")))
        k = past_brackets(at(k + 1).is("[") ? k + 1 : k + 2);
      else if (is_modifier(k))
        ++k;
      else if (at(k).is("(") && before(k).is("pub"))
        k = past_brackets(k);
      else if (at(k).kind == CodeToken::Kind::String && before(k).is("extern"))
        ++k;
      else
        break;
    }
    const CodeToken& word = at(k);
    if (!word.is_word()) return k;
    if (top().in == In::Cases) return variant(k);
    if (top().in == In::Fields) return field(k);
    if (word.is("fn")) return function(k + 1);
    if (word.is("struct") || word.is("union")) return type(k + 1, word.text, In::Fields);
    if (word.is("enum")) return type(k + 1, word.text, In::Cases);
    if (word.is("trait")) return type(k + 1, word.text, In::Members);
    if (word.is("type")) return name(k + 1, "alias");
    if (word.is("mod")) return module(k + 1);
    if (word.is("impl")) return implementation(k + 1);
    if (word.is("macro_rules") && at(k + 1).is("!")) {
      add(at(k + 2), "macro");
      await(In::Skip, {});
      return k + 3;
    }
    if ((word.is("const") || word.is("static")) && !is_in_body())
      return name(k + (at(k + 1).is("mut") ? 2 : 1), word.is("const") ? "constant" : "variable");
    return i;
  }

  /// Macros that wrap items (`cfg_rt! { ... }`) hold items, as `extern "C" {` does; what else
  /// stands among items in braces is a macro's own grammar.
  Scope open_brace(std::size_t i) override {
    const bool items = top().in == In::Items || top().in == In::Members;
    const bool wraps = before(i).is("!") || before(i).kind == CodeToken::Kind::String;
    if (is_one_of(before(i).text, {"<", "="}) || (items && !wraps)) return {In::Skip, {}, 0, 0};
    return {top().in == In::Items || top().in == In::Members ? top().in : In::Body, top().path, 0,
            0};
  }

  bool is_awaited(std::size_t i) const override { return !is_one_of(before(i).text, {"<", "="}); }

  bool begins_at_line(std::size_t i) const override {
    return is_one_of(before(i).text, {"]", "}", ";", "{", ")"});
  }

 private:
  bool is_modifier(std::size_t k) const {
    if (at(k).is("const")) return is_one_of(at(k + 1).text, {"fn", "unsafe", "async", "extern"});
    return is_one_of(at(k).text, {"pub", "unsafe", "async", "default", "extern", "auto"}) &&
           (at(k + 1).is_word() || at(k + 1).is("(") || at(k + 1).kind == CodeToken::Kind::String);
  }

  std::size_t name(std::size_t k, std::string_view kind) {
    if (at(k).is_word() && at(k).text != "_") add(at(k), kind);
    return k + 1;
  }

  std::size_t function(std::size_t k) {
    if (!at(k).is_word()) return k;
    add(at(k), top().in == In::Members ? "method" : "function");
    await(In::Body, path_to(at(k).text));
    return past_generics(k + 1);
  }

  std::size_t type(std::size_t k, std::string_view kind, In in) {
    if (!at(k).is_word()) return k;
    add(at(k), kind);
    await(in, path_to(at(k).text));
    return past_generics(k + 1);
  }

  std::size_t module(std::size_t k) {
    if (!at(k).is_word()) return k;
    if (!at(k + 1).is(";")) add(at(k), "module");  // else it is in another file
    await(In::Items, path_to(at(k).text));
    return k + 1;
  }

  /// `impl<T> Trait for a::Type<T> where ... {`: members of Type.
  std::size_t implementation(std::size_t k) {
    k = past_generics(k);
    std::string_view self;
    for (int n = 0; n < 512; ++n) {
      const CodeToken& token = at(k);
      if (token.is("{") || token.is(";") || token.is("where") || token.kind == CodeToken::Kind::End)
        break;
      if (token.is("for"))
        self = {};
      else if (token.is_word() && !is_one_of(token.text, {"dyn", "mut", "const"}) &&
               (self.empty() || before(k).is("::")))
        self = token.text;
      k = is_one_of(token.text, {"<", "(", "["}) ? past_brackets(k) : k + 1;
    }
    await(In::Members, self.empty() ? top().path : path_to(self));
    return k;
  }

  std::size_t variant(std::size_t k) {
    add(at(k), "enumerator");
    await(In::Fields, path_to(at(k).text));
    return k + 1;
  }

  std::size_t field(std::size_t k) {
    if (at(k + 1).is(":")) add(at(k), "field");
    return k + 1;
  }
};

}  // namespace

std::unique_ptr<DeclarationScanner> rust_scanner(std::string_view text, const LexicalStyle& style) {
  return std::make_unique<RustScanner>(text, style);
}

}  // namespace kw::indexer
