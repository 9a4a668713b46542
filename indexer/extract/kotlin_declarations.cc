// SPDX-License-Identifier: GPL-2.0-or-later
// Kotlin.
#include "indexer/extract/language_scanners.h"

namespace kw::indexer {
namespace {

class KotlinScanner : public DeclarationScanner {
 public:
  explicit KotlinScanner(std::string_view text, const LexicalStyle& style)
      : DeclarationScanner(text, style, ".") {}

 protected:
  std::size_t statement(std::size_t i) override {
    std::size_t k = i;
    if (top().in == In::Cases && at(i).is(";")) return i;
    while (true) {
      k = past_annotation(k);
      if (!is_modifier(k)) break;
      ++k;
    }
    if (at(k).is("fun") && at(k + 1).is("interface")) ++k;
    const CodeToken& word = at(k);
    if (top().in == In::Fields) return parameter(k);
    if (word.is("class") || word.is("interface") || word.is("object")) return type(i, k);
    if (word.is("fun")) return function(k + 1);
    if (word.is("val") || word.is("var")) return property(k);
    if (word.is("typealias")) {
      add(at(k + 1), "alias");
      return k + 2;
    }
    if (word.is("constructor") || word.is("init")) {
      await(In::Body, top().path);
      return k + 1;
    }
    if (top().in == In::Cases && word.is_word()) {
      add(word, "enumerator");
      await(In::Members, path_to(word.text));
      return k + 1;
    }
    return k;
  }

  void inside_statement(std::size_t i) override {
    // What follows `;` in an enumeration are the members of a class.
    if (at(i).is(";") && top().in == In::Cases) top().in = In::Members;
    if (at(i).is("object") && (at(i + 1).is(":") || at(i + 1).is("{")))
      await(In::Members, top().path);
  }

  Scope open_brace(std::size_t) override { return {In::Body, top().path, 0, 0}; }

  /// `val` before a parameter of a class declares a property.
  Scope open_paren(std::size_t i) override {
    if (at(i).is("(") && in_class_header_) {
      in_class_header_ = false;
      return {In::Fields, class_path_, 0, 0};
    }
    return {In::Parens, top().path, 0, 0};
  }

  bool begins_at_line(std::size_t i) const override {
    const CodeToken& last = before(i);
    return last.kind != CodeToken::Kind::Sign ||
           is_one_of(last.text, {")", "]", "}", ";", ">", "?"});
  }

 private:
  std::size_t past_annotation(std::size_t k) const {
    while (at(k).is("@")) {
      ++k;
      if (at(k).is("[")) {
        k = past_brackets(k);
        continue;
      }
      while (at(k).is_word() && (at(k + 1).is(".") || at(k + 1).is(":"))) k += 2;
      if (at(k).is_word()) ++k;
      k = past_generics(k);
      if (at(k).is("(") && !at(k).first) k = past_brackets(k);
    }
    return k;
  }

  bool is_modifier(std::size_t k) const {
    return is_one_of(at(k).text,
                     {"public",  "private",     "protected",  "internal",  "abstract", "open",
                      "final",   "sealed",      "data",       "inner",     "value",    "inline",
                      "suspend", "override",    "operator",   "infix",     "external", "lateinit",
                      "const",   "enum",        "annotation", "companion", "expect",   "actual",
                      "tailrec", "crossinline", "noinline",   "vararg",    "reified"}) &&
           (at(k + 1).is_word() || at(k + 1).is("@"));
  }

  std::size_t type(std::size_t begin, std::size_t k) {
    const bool is_enum = k > begin && before(k).is("enum");
    const std::string_view kind = at(k).is("class") && is_enum ? "enum" : at(k).text;
    if (at(k).is("object") && !at(k + 1).is_word()) {  // a companion
      await(In::Members, top().path);
      return k + 1;
    }
    if (!at(k + 1).is_word()) return k + 1;
    add(at(k + 1), kind);
    class_path_ = path_to(at(k + 1).text);
    await(is_enum ? In::Cases : In::Members, class_path_);
    k = past_generics(k + 2);
    std::size_t head = past_annotation(k);  // `@Inject internal constructor(`
    while (is_modifier(head)) ++head;
    if (at(head).is("constructor")) k = head + 1;
    in_class_header_ = at(k).is("(");
    return k;
  }

  /// `fun <T> Receiver<T>.name(`: the last name before the bracket.
  std::size_t function(std::size_t k) {
    k = past_generics(k);
    std::size_t name = 0;
    for (int n = 0; n < 64; ++n) {
      const CodeToken& token = at(k);
      if (token.is_word()) {
        name = k++;
      } else if (token.is("<")) {
        k = past_brackets(k);
      } else if (token.is(".") || token.is("?") || token.is("?.")) {
        ++k;
      } else if (token.is("(") && name == 0) {
        k = past_brackets(k);  // a receiver that is a function
      } else {
        break;
      }
    }
    if (name == 0 || !at(k).is("(")) {
      await(In::Body, top().path);
      return k;
    }
    add(at(name), top().in == In::Members || top().in == In::Cases ? "method" : "function");
    await(In::Body, path_to(at(name).text));
    return k;
  }

  std::size_t property(std::size_t k) {
    if (is_in_body()) return k + 1;
    const bool constant = before(k).is("const");
    k = past_generics(k + 1);
    if (at(k).is("(")) return past_brackets(k);
    std::size_t name = 0;
    for (int n = 0; n < 64; ++n) {
      if (at(k).is_word() && !(at(k).first && name != 0) && !at(k).is("by"))
        name = k++;
      else if (at(k).is("<"))
        k = past_brackets(k);
      else if (at(k).is(".") || at(k).is("?") || at(k).is("?."))
        ++k;
      else
        break;
    }
    if (name != 0)
      add(at(name), constant ? "constant" : top().in == In::Items ? "variable" : "property");
    return k;
  }

  std::size_t parameter(std::size_t k) {
    if (!at(k).is("val") && !at(k).is("var")) return k;
    add(at(k + 1), "property");
    return k + 2;
  }

  bool in_class_header_ = false;
  std::string class_path_;
};

}  // namespace

std::unique_ptr<DeclarationScanner> kotlin_scanner(std::string_view text,
                                                   const LexicalStyle& style) {
  return std::make_unique<KotlinScanner>(text, style);
}

}  // namespace kw::indexer
