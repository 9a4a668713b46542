// SPDX-License-Identifier: GPL-2.0-or-later
// JavaScript and TypeScript.
#include "indexer/extract/language_scanners.h"

namespace kw::indexer {
namespace {

bool is_reserved(std::string_view word) {
  return is_one_of(
      word, {"if",     "for",    "while", "switch", "catch", "return", "function", "with", "new",
             "typeof", "await",  "case",  "do",     "else",  "throw",  "delete",   "void", "super",
             "import", "export", "class", "const",  "let",   "var",    "yield"});
}

/// How far the parts of a declaration reach, and what its value is. Declares nothing.
class ScriptGrammar : public DeclarationScanner {
 public:
  explicit ScriptGrammar(std::string_view text, const LexicalStyle& style)
      : DeclarationScanner(text, style, ".") {}

 protected:
  enum class Value { Plain, Function, Class, Object, Import, Name };

  /// What the expression at `k` is.
  Value value_at(std::size_t k) const {
    if (at(k).is("async")) ++k;
    if (at(k).is("function")) return Value::Function;
    if (at(k).is("class")) return Value::Class;
    if (at(k).is("require") && at(k + 1).is("(")) return Value::Import;
    if (at(k).is("{")) return Value::Object;
    if (at(k).is("Object") && at(k + 1).is(".") && at(k + 3).is("(") && at(k + 4).is("{"))
      return Value::Object;
    if (at(k).is_word() && at(k + 1).is("=>")) return Value::Function;
    k = past_generics(k);
    if (at(k).is("(")) {
      const std::size_t end = past_brackets(k);
      if (at(end).is("=>")) return Value::Function;
      if (at(end).is(":") && at(past_return_type(end + 1)).is("=>")) return Value::Function;
    }
    const CodeToken& next = at(k + 1);
    if (at(k).is_word() &&
        (is_one_of(next.text, {";", ",", "}"}) || next.first || next.kind == CodeToken::Kind::End))
      return is_one_of(at(k).text, {"null", "true", "false", "undefined"}) ? Value::Plain
                                                                           : Value::Name;
    return Value::Plain;
  }

  /// One past a type, or what of it stands before `=` or `=>`-less end of a statement.
  std::size_t past_type(std::size_t k) const {
    for (const std::size_t start = k; at(k).kind != CodeToken::Kind::End;) {
      const CodeToken& token = at(k);
      if (is_one_of(token.text, {";", ",", "=", ")", "]", "}"})) break;
      if (token.first && k > start && !continues_type(k)) break;
      k = is_one_of(token.text, {"(", "[", "{", "<"}) ? past_brackets(k) : k + 1;
    }
    return k;
  }

  std::size_t past_decorators(std::size_t i) const {
    while (at(i).is("@") && at(i + 1).is_word()) {
      i += 2;
      while (at(i).is(".") && at(i + 1).is_word()) i += 2;
      if (at(i).is("(")) i = past_brackets(i);
    }
    return i;
  }

  std::size_t past_modifiers(std::size_t k) const {
    k = past_decorators(k);
    while (is_one_of(at(k).text, {"public", "private", "protected", "static", "readonly", "async",
                                  "override", "abstract", "declare", "accessor", "get", "set"}) &&
           is_member_name(k + 1) && !(at(k + 1).first && !at(k).first))
      k = past_decorators(k + 1);
    if (at(k).is("*") || at(k).is("#")) ++k;
    return k;
  }

  bool is_member_name(std::size_t k) const {
    return at(k).is_word() || is_one_of(at(k).text, {"[", "#", "*"}) ||
           at(k).kind == CodeToken::Kind::String || at(k).kind == CodeToken::Kind::Number;
  }

 private:
  bool continues_type(std::size_t k) const {
    return is_one_of(at(k).text, {"|", "&", "?", ":", "=>", ">", "extends", ".", "["}) ||
           is_one_of(before(k).text, {"|", "&", "?", ":", "=>", "=", "<", "extends", "keyof", ","});
  }

  std::size_t past_return_type(std::size_t k) const {
    for (int n = 0; n < 64 && !is_one_of(at(k).text, {"=>", ";", "=", ")"}); ++n)
      k = is_one_of(at(k).text, {"(", "[", "{", "<"}) ? past_brackets(k) : k + 1;
    return k;
  }
};

/// Names that are bound to values: members of classes, keys of objects, cases of enumerations.
class ScriptMembers : public ScriptGrammar {
 protected:
  using ScriptGrammar::ScriptGrammar;

  /// Adds a name that is bound to a value, and waits for the value's `{`.
  void bind(const CodeToken& name, Value value, std::string_view plain_kind, std::string_view scope,
            std::string_view function_kind = "function") {
    std::string path =
        scope.empty() ? std::string(name.text) : std::string(scope) + "." + std::string(name.text);
    switch (value) {
      case Value::Function:
        add(name, function_kind, scope);
        await(In::Body, std::move(path));
        return;
      case Value::Class:
        add(name, "class", scope);
        await(In::Members, std::move(path));
        return;
      case Value::Object:
        if (!is_in_body()) add(name, plain_kind, scope);
        await_object(std::move(path));
        return;
      case Value::Import:
        if (!is_in_body()) add(name, "import", scope);
        return;
      case Value::Plain:
      case Value::Name:
        if (!is_in_body()) add(name, plain_kind, scope);
        return;
    }
  }

  /// The next `{` at this depth opens the object with that path.
  void await_object(std::string path) {
    object_path_ = std::move(path);
    object_depth_ = scopes().size();
  }
  void forget_object() { object_path_.reset(); }

  /// The object that waits for the `{` behind `last`.
  std::optional<Scope> awaited_object(const CodeToken& last) {
    if (!object_path_ || scopes().size() > object_depth_ + 1) return std::nullopt;
    if (!last.is("=") && !last.is("(") && !last.is(":")) return std::nullopt;
    Scope scope{In::Object, *std::move(object_path_), 0, 0};
    forget_object();
    return scope;
  }

  std::size_t member(std::size_t i) {
    const std::size_t k = past_modifiers(i);
    if (at(k).is("[")) return past_brackets(k);
    if (!at(k).is_word() || is_reserved(at(k).text)) return k;
    std::size_t next = k + 1;
    if (at(next).is("?") || at(next).is("!")) ++next;
    if (at(next).is("(") || at(next).is("<")) {
      if (!at(k).is("constructor")) add(at(k), "method");
      await(In::Body, path_to(at(k).text));
      return past_generics(next);
    }
    if (at(next).is(":")) {
      const std::size_t type = next + 1;
      next = past_type(type);
      // `(a: string) => void` is a type, too; what follows `=` is the value.
      add_field(k, next);
      return next;
    }
    if (is_one_of(at(next).text, {"=", ";", "}", ","}) || at(next).first) {
      add_field(k, next);
      return next;
    }
    return k;
  }

  std::size_t object_key(std::size_t i) {
    std::size_t k = i;
    while (is_one_of(at(k).text, {"async", "get", "set"}) && is_member_name(k + 1)) ++k;
    if (at(k).is("*")) ++k;
    if (at(k).is("[")) return past_brackets(k);
    if (!at(k).is_word() || is_reserved(at(k).text)) return k;
    const std::size_t params = past_generics(k + 1);
    if (at(params).is("(")) {
      const std::size_t end = past_brackets(params);
      if (!at(end).is("{") && !at(end).is(":")) return i;
      add(at(k), "method");
      await(In::Body, path_to(at(k).text));
      return params;
    }
    if (!at(k + 1).is(":")) return k;
    const Value value = value_at(k + 2);
    if (value == Value::Function || value == Value::Class)
      bind(at(k), value, "property", top().path, "method");
    else if (value != Value::Name && value != Value::Import)
      bind(at(k), value, "key", top().path);
    return k + 1;
  }

  std::size_t enumerator(std::size_t i) {
    if (!at(i).is_word()) return i;
    if (is_one_of(at(i + 1).text, {",", "=", "}"})) add(at(i), "enumerator");
    return i + 1;
  }

 private:
  void add_field(std::size_t name, std::size_t next) {
    if (at(next).is("=") && value_at(next + 1) == Value::Function) {
      add(at(name), "method");
      await(In::Body, path_to(at(name).text));
    } else {
      add(at(name), "property");
    }
  }

  std::optional<std::string> object_path_;
  std::size_t object_depth_ = 0;
};

/// The statements of a file, and what the bracket behind them opens.
class ScriptScanner : public ScriptMembers {
 public:
  using ScriptMembers::ScriptMembers;

 protected:
  std::size_t statement(std::size_t i) override {
    forget_object();
    if (at(i).is_word()) end_lists(scopes().size());
    switch (top().in) {
      case In::Members:
        return member(i);
      case In::Cases:
        return enumerator(i);
      case In::Object:
        return object_key(i);
      default:
        return item(i);
    }
  }

  Scope open_brace(std::size_t i) override {
    const CodeToken& last = before(i);
    if (last.is("=>")) return {In::Body, top().path, 0, 0};
    if (auto object = awaited_object(last)) return *std::move(object);
    if (is_one_of(last.text, {"const", "let", "var", "import", "export", "type"}))
      return {In::Skip, {}, 0, 0};
    if (is_one_of(last.text,
                  {"=",      "(",       ",",      ":",       "[",     "?",  "&&",    "||",    "??",
                   "return", "default", "..",     ".",       "in",    "of", "yield", "await", "|",
                   "&",      "<",       "typeof", "extends", "keyof", "as", "is"}))
      return {last.is(":") && top().in == In::Members ? In::Skip : In::Object, top().path, 0, 0};
    return {top().in == In::Items ? In::Items : In::Body, top().path, 0, 0};
  }

  /// A type literal in a header: `f(): { a: string } {`.
  bool is_awaited(std::size_t i) const override {
    return !is_one_of(before(i).text, {":", "|", "&", "<", ",", "=", "extends", "keyof", "is"});
  }

  void inside_statement(std::size_t i) override {
    const CodeToken& token = at(i);
    if (token.is(",")) next_declarator(i + 1);
    if (token.is("<")) type_arguments_end_ = std::max(type_arguments_end_, past_generics(i));
    if (!token.is_word() || before(i).is(".")) return;
    if (token.is("function") && !awaits_here()) await(In::Body, top().path);
    if (token.is("class") && !awaits_here()) await(In::Members, top().path);
  }

 private:
  std::size_t item(std::size_t i) {
    std::size_t k = past_decorators(i);
    while (is_one_of(at(k).text, {"export", "default", "declare", "async", "abstract", "global"}) &&
           (at(k + 1).is_word() || at(k + 1).is("@")))
      k = past_decorators(k + 1);
    const CodeToken& word = at(k);
    if (!word.is_word()) return k;
    if (word.is("function")) return function(k + 1);
    if (word.is("class")) return type(k + 1, "class");
    if (word.is("interface") && at(k + 1).is_word()) return type(k + 1, "interface");
    if (word.is("enum") && at(k + 1).is_word()) return enumeration(k + 1);
    if ((word.is("namespace") || word.is("module")) && !at(k + 1).is(".")) return name_space(k + 1);
    if (word.is("type") && at(k + 1).is_word() && (at(k + 2).is("=") || at(k + 2).is("<")))
      return alias(k + 1);
    if (word.is("const") && at(k + 1).is("enum")) return enumeration(k + 2);
    if (word.is("const") || word.is("let") || word.is("var")) return variable(k + 1);
    if (at(k + 1).is(".")) return assignment(k);
    return k;
  }

  std::size_t function(std::size_t k) {
    if (at(k).is("*")) ++k;
    if (!at(k).is_word()) {
      await(In::Body, top().path);
      return k;
    }
    add(at(k), "function");
    await(In::Body, path_to(at(k).text));
    return past_generics(k + 1);
  }

  std::size_t type(std::size_t k, std::string_view kind) {
    if (!at(k).is_word() || at(k).is("extends") || at(k).is("implements")) {
      await(In::Members, top().path);
      return k;
    }
    add(at(k), kind);
    await(In::Members, path_to(at(k).text));
    return past_generics(k + 1);
  }

  std::size_t enumeration(std::size_t k) {
    if (!at(k).is_word()) return k;
    add(at(k), "enum");
    await(In::Cases, path_to(at(k).text));
    return k + 1;
  }

  std::size_t name_space(std::size_t k) {
    if (at(k).kind == CodeToken::Kind::String) {
      await(In::Items, top().path);
      return k + 1;
    }
    if (!at(k).is_word()) return k;
    std::string path;
    while (at(k).is_word()) {
      add(at(k), "namespace");
      path = path.empty() ? path_to(at(k).text) : path + "." + std::string(at(k).text);
      if (!at(++k).is(".")) break;
      ++k;
    }
    await(In::Items, std::move(path));
    return k;
  }

  /// `type T = ...`: what it is made of declares nothing.
  std::size_t alias(std::size_t k) {
    add(at(k), "alias");
    return past_type(past_generics(k + 1) + 1);
  }

  std::size_t variable(std::size_t k) {
    const std::string_view kind = before(k).is("const") ? "constant" : "variable";
    lists_.push_back({scopes().size(), kind});
    if (!at(k).is_word()) return k;
    const std::size_t next = past_declarator_type(k);
    const bool has_value = at(next).is("=");
    bind(at(k), has_value ? value_at(next + 1) : Value::Plain, kind, top().path);
    return has_value && !at(next + 1).is("{") ? next + 1 : next;
  }

  /// One past the name at `k` and its type: at `=`, if it has a value.
  std::size_t past_declarator_type(std::size_t k) const {
    ++k;
    if (at(k).is("!")) ++k;
    return at(k).is(":") ? past_type(k + 1) : k;
  }

  void end_lists(std::size_t depth) {
    while (!lists_.empty() && lists_.back().depth >= depth) lists_.pop_back();
  }

  /// The name at `k`, behind a comma, if it is the next of `const a = 1, b = 2`.
  void next_declarator(std::size_t k) {
    end_lists(scopes().size() + 1);
    if (lists_.empty() || lists_.back().depth != scopes().size()) return;
    if (!at(k).is_word() || is_reserved(at(k).text) || k <= type_arguments_end_) return;
    const std::size_t next = past_declarator_type(k);
    const std::string_view kind = lists_.back().kind;
    if (at(next).is("="))
      bind(at(k), value_at(next + 1), kind, top().path);
    else if (kind == "variable" && (is_one_of(at(next).text, {",", ";"}) || at(next).first ||
                                    at(next).kind == CodeToken::Kind::End))
      bind(at(k), Value::Plain, kind, top().path);
  }

  /// `exports.f = `, `module.exports = {`, `A.prototype.f = function`, `A.f = () =>`.
  std::size_t assignment(std::size_t i) {
    std::vector<std::size_t> names{i};
    std::size_t k = i + 1;
    while (at(k).is(".") && at(k + 1).is_word()) {
      names.push_back(k + 1);
      k += 2;
    }
    if (!at(k).is("=") || names.size() < 2) return i;
    const Value value = value_at(k + 1);
    const CodeToken& last = at(names.back());
    const bool module = at(i).is("module") && at(names[1]).is("exports");
    if ((module && names.size() == 2) || (last.is("prototype") && value == Value::Object)) {
      if (value == Value::Object) await_object(module ? top().path : path_to(at(i).text));
      return k;
    }
    if ((at(i).is("exports") && names.size() == 2) || (module && names.size() == 3)) {
      bind(last, value, value == Value::Name ? "import" : "property", top().path);
    } else if (value == Value::Function || value == Value::Class) {
      std::string scope;
      for (std::size_t n = 0; n + 1 < names.size(); ++n) {
        const std::string_view name = at(names[n]).text;
        if (name == "this" || name == "prototype") continue;
        if (!scope.empty()) scope += '.';
        scope += name;
      }
      bind(last, value, "property", at(i).is("this") ? top().path : scope, "method");
    }
    return k;
  }

  /// Lists of declarators that go on after a comma, at growing depths.
  struct DeclaratorList {
    std::size_t depth;
    std::string_view kind;
  };
  std::vector<DeclaratorList> lists_;
  std::size_t type_arguments_end_ = 0;  ///< one past the last `<...>`
};

}  // namespace

std::unique_ptr<DeclarationScanner> script_scanner(std::string_view text,
                                                   const LexicalStyle& style) {
  return std::make_unique<ScriptScanner>(text, style);
}

}  // namespace kw::indexer
