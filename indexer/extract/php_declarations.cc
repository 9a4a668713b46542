// SPDX-License-Identifier: GPL-2.0-or-later
// PHP.
#include "indexer/extract/language_scanners.h"

namespace kw::indexer {
namespace {

class PhpScanner : public DeclarationScanner {
 public:
  explicit PhpScanner(std::string_view text, const LexicalStyle& style)
      : DeclarationScanner(text, style, "::") {}

 protected:
  std::size_t statement(std::size_t i) override {
    std::size_t k = i;
    while (true) {
      if (at(k).is("#") && at(k + 1).is("["))
        k = past_brackets(k + 1);
      else if (is_modifier(k))
        ++k;
      else
        break;
    }
    const CodeToken& word = at(k);
    if (top().in == In::Fields) return parameter(i, k);
    if (word.is("namespace")) return name_space(k + 1);
    if (word.is("class") || word.is("interface") || word.is("trait")) return type(k + 1, word.text);
    if (word.is("enum") && at(k + 1).is_word()) return type(k + 1, "enum");
    if (word.is("function")) return function(k + 1);
    if (word.is("const") && !is_in_body()) return constant(k + 1);
    if (top().in == In::Members) return member(i, k);
    return i;
  }

  void inside_statement(std::size_t i) override {
    if (awaits_here() || before(i).is("::") || before(i).is("->")) return;
    if (at(i).is("function")) await(In::Body, top().path);
    if (at(i).is("class")) await(In::Members, top().path);
  }

  Scope open_brace(std::size_t) override {
    return {top().in == In::Items ? In::Items : In::Body, top().path, 0, 0};
  }

  /// A visibility before a parameter of the constructor declares a property.
  Scope open_paren(std::size_t i) override {
    if (at(i).is("(") && before(i).is("__construct")) return {In::Fields, top().path, 0, 0};
    return {In::Parens, top().path, 0, 0};
  }

  bool begins_at_line(std::size_t i) const override {
    return is_one_of(before(i).text, {"php", "]", "}", ";", "{", ":"});
  }

 private:
  bool is_modifier(std::size_t k) const {
    return is_one_of(at(k).text, {"public", "protected", "private", "static", "abstract", "final",
                                  "readonly", "var"}) &&
           !is_one_of(at(k + 1).text, {"::", "(", "=", ";"});
  }

  std::size_t name_space(std::size_t k) {
    std::string path;
    const std::size_t first = k;
    while (at(k).is_word() || at(k).is("\\")) path += at(k++).text;
    if (path.empty()) return k;
    CodeToken whole = at(first);
    whole.text = path;
    add(whole, "namespace", {});
    if (at(k).is(";"))
      top().path = path;  // of the rest of the file
    else
      await(In::Items, path);
    return k;
  }

  std::size_t type(std::size_t k, std::string_view kind) {
    if (!at(k).is_word() || at(k).is("extends") || at(k).is("implements")) {
      await(In::Members, top().path);
      return k;
    }
    add(at(k), kind);
    await(In::Members, path_to(at(k).text));
    return k + 1;
  }

  std::size_t function(std::size_t k) {
    if (at(k).is("&")) ++k;
    if (!at(k).is_word()) {
      await(In::Body, top().path);
      return k;
    }
    add(at(k), top().in == In::Members ? "method" : "function");
    await(In::Body, path_to(at(k).text));
    return k + 1;
  }

  /// `const int A = 1, B = 2`: each name before `=`.
  std::size_t constant(std::size_t k) {
    for (; at(k).kind != CodeToken::Kind::End && !at(k).is(";"); ++k) {
      if (is_one_of(at(k).text, {"(", "[", "{"})) {
        k = past_brackets(k) - 1;
        continue;
      }
      if (at(k).is_word() && at(k + 1).is("=")) add(at(k), "constant");
    }
    return k;
  }

  std::size_t member(std::size_t i, std::size_t k) {
    if (at(k).is("case") && at(k + 1).is_word()) {
      add(at(k + 1), "enumerator");
      return k + 2;
    }
    if (k == i) return i;
    return property(k);
  }

  /// Behind modifiers: an optional type, then `$name`.
  std::size_t property(std::size_t k) {
    for (int n = 0; n < 32; ++n, ++k) {
      const CodeToken& token = at(k);
      if (token.text.starts_with('$') && token.text.size() > 1) {
        CodeToken name = token;
        name.text.remove_prefix(1);
        add(name, "property");
        return k + 1;
      }
      if (!token.is_word() && !is_one_of(token.text, {"\\", "?", "|", "&", "(", ")"})) break;
    }
    return k;
  }

  std::size_t parameter(std::size_t i, std::size_t k) { return k > i ? property(k) : i; }
};

}  // namespace

std::unique_ptr<DeclarationScanner> php_scanner(std::string_view text, const LexicalStyle& style) {
  return std::make_unique<PhpScanner>(text, style);
}

}  // namespace kw::indexer
