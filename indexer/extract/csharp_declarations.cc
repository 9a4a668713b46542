// SPDX-License-Identifier: GPL-2.0-or-later
// C#.
#include "indexer/extract/language_scanners.h"

namespace kw::indexer {
namespace {

class CSharpScanner : public DeclarationScanner {
 public:
  explicit CSharpScanner(std::string_view text, const LexicalStyle& style)
      : DeclarationScanner(text, style, ".") {}

 protected:
  std::size_t statement(std::size_t i) override {
    record_path_.clear();
    std::size_t k = i;
    while (at(k).is("[")) k = past_brackets(k);
    if (top().in == In::Cases) return enumerator(k);
    if (top().in == In::Body || top().in == In::Object) return i;
    if (top().in == In::Fields) return i;
    while (is_modifier(k)) ++k;
    const CodeToken& word = at(k);
    if (word.is("using")) return using_alias(k + 1);
    if (word.is("namespace")) return name_space(k + 1);
    if (word.is("class") || word.is("struct") || word.is("interface"))
      return type(k + 1, word.text);
    if (word.is("record") && (at(k + 1).is_word() && !at(k + 2).is(";"))) return record(k + 1);
    if (word.is("enum")) {
      add(at(k + 1), "enum");
      await(In::Cases, path_to(at(k + 1).text));
      return k + 2;
    }
    if (word.is("delegate")) return delegate(k + 1);
    if (word.is("event")) ++k;
    if (top().in == In::Members) return member(k, before(k).is("event"));
    return k;
  }

  Scope open_brace(std::size_t) override {
    return {top().in == In::Items ? In::Items : In::Body, top().path, 0, 0};
  }

  /// The parameters of a record are its properties.
  Scope open_paren(std::size_t i) override {
    if (at(i).is("(") && !record_path_.empty()) add_parameters(i);
    record_path_.clear();
    return {In::Parens, top().path, 0, 0};
  }

  bool begins_at_line(std::size_t i) const override {
    const CodeToken& last = before(i);
    return last.kind == CodeToken::Kind::Sign ? is_one_of(last.text, {"}", ";", "]"}) : false;
  }

 private:
  bool is_modifier(std::size_t k) const {
    return is_one_of(at(k).text,
                     {"public", "private", "protected", "internal", "static",   "abstract",
                      "sealed", "partial", "readonly",  "virtual",  "override", "async",
                      "extern", "unsafe",  "new",       "const",    "volatile", "required",
                      "fixed",  "ref",     "file",      "implicit", "explicit", "global"}) &&
           (at(k + 1).is_word() || at(k + 1).is("("));
  }

  std::size_t using_alias(std::size_t k) {
    if (at(k + 1).is("=")) add(at(k), "using");
    while (at(k).kind != CodeToken::Kind::End && !at(k).is(";")) ++k;
    return k;
  }

  std::size_t name_space(std::size_t k) {
    std::string path;
    const std::size_t first = k;
    while (at(k).is_word()) {
      if (!path.empty()) path += '.';
      path += at(k).text;
      if (!at(++k).is(".")) break;
      ++k;
    }
    CodeToken whole = at(first);
    whole.text = path;
    add(whole, "namespace");
    if (at(k).is(";"))
      top().path = path_to(path);  // of the rest of the file
    else
      await(In::Items, path_to(path));
    return k;
  }

  std::size_t type(std::size_t k, std::string_view kind) {
    if (!at(k).is_word()) return k;
    add(at(k), kind);
    await(In::Members, path_to(at(k).text));
    return past_generics(k + 1);
  }

  std::size_t record(std::size_t k) {
    if (at(k).is("struct") || at(k).is("class")) ++k;
    record_path_ = path_to(at(k).text);
    return type(k, "record");
  }

  void add_parameters(std::size_t i) {
    const std::size_t end = past_brackets(i) - 1;
    for (std::size_t k = i + 1; k < end;) {
      std::size_t name = 0;
      while (k < end && !at(k).is(",")) {
        if (at(k).is("=")) {
          while (k < end && !at(k).is(",")) ++k;
          break;
        }
        if (at(k).is_word()) name = k;
        k = is_one_of(at(k).text, {"(", "[", "<"}) ? past_brackets(k) : k + 1;
      }
      if (name != 0) add(at(name), "property", record_path_);
      ++k;
    }
  }

  std::size_t delegate(std::size_t k) {
    const std::size_t name = declared_name(k);
    if (name != 0 && at(name).is_word()) add(at(name), "delegate");
    return k;
  }

  /// Where the type ends and what is declared begins: sets `k` behind the name. 0 for none.
  std::size_t declared_name(std::size_t& k) const {
    std::size_t name = 0;
    if (at(k).is("(")) k = past_brackets(k);  // a tuple
    for (int n = 0; n < 256; ++n) {
      const CodeToken& token = at(k);
      if (token.is("operator")) return 0;
      if (token.is_word() && token.text != "this") {
        name = k++;
      } else if (token.is("<") || token.is("[")) {
        k = past_brackets(k);
      } else if (is_one_of(token.text, {".", "?", "*", "::", "?.", "&"})) {
        ++k;
      } else {
        break;
      }
    }
    return name;
  }

  std::size_t member(std::size_t i, bool is_event) {
    std::size_t k = i;
    const bool constant = before(i).is("const");
    const std::size_t name = declared_name(k);
    if (name == 0 || k == i + 1) {
      // One word alone is a constructor: its type has the name already.
      if (at(k).is("(")) await(In::Body, path_to(at(i).text));
      return k;
    }
    const CodeToken& next = at(k);
    if (next.is("(")) {
      add(at(name), "method");
      await(In::Body, path_to(at(name).text));
    } else if (next.is("{") || next.is("=>")) {
      add(at(name), is_event ? "event" : "property");
      if (next.is("{")) await(In::Body, path_to(at(name).text));
    } else if (is_one_of(next.text, {"=", ";", ","})) {
      add(at(name), is_event ? "event" : constant ? "constant" : "field");
    }
    return k;
  }

  std::size_t enumerator(std::size_t i) {
    if (!at(i).is_word()) return i;
    if (is_one_of(at(i + 1).text, {",", "=", "}"})) add(at(i), "enumerator");
    return i + 1;
  }

  std::string record_path_;
};

}  // namespace

std::unique_ptr<DeclarationScanner> csharp_scanner(std::string_view text,
                                                   const LexicalStyle& style) {
  return std::make_unique<CSharpScanner>(text, style);
}

}  // namespace kw::indexer
