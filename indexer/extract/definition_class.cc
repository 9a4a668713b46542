// SPDX-License-Identifier: GPL-2.0-or-later
#include "indexer/extract/definition_class.h"

#include <algorithm>
#include <string_view>
#include <unordered_set>

#include "schema/text/language_table.h"
#include "schema/text/splitter.h"
#include "schema/text/text.h"

namespace kw::indexer {
namespace {

using enum DefinitionClass;

struct ClassRow {
  std::string_view language;  ///< empty: any
  std::string_view kinds;     ///< in ctags' words, and those of declarations.h
  DefinitionClass rank;
};

// A row of a language goes before one of any.
constexpr ClassRow kClassRows[] = {
    // `namespace n = a::b` points at a namespace.
    {"c++", "alias", Minor},
    // Another name for a method: the method is the definition.
    {"ruby", "alias", Member},
    // `alias ll='ls -l'` is a command, as a function is.
    {"shell", "alias", Function},
    // A method is what is called; the field of its name is what it hides.
    {"rust", "field", Minor},
    // Where a module is what a class is elsewhere: it is included, called, instantiated.
    {"ruby", "module", Type},
    {"elixir", "module", Type},
    {"ocaml", "module", Type},
    {"verilog", "module", Type},
    {"systemverilog", "module", Type},
    {"fortran", "module", Type},
    // Perl's classes.
    {"perl", "package", Type},
    {"",
     "alias annotation class delegate enum interface mixin object protocol record struct trait "
     "type typealias typedef union",
     Type},
    // A name inside a type.
    {"",
     "accessor attribute enumConstant enumerator event field getter member method property "
     "prototype setter singletonMethod slot",
     Member},
    // It points at a definition elsewhere: an import, `using A = B`, `const a = require()`, a type
    // embedded in a struct, `extern int a`, `typedef struct a a`.
    {"", "anonMember declaration externvar import using", Minor},
    // A name in data: a key of an object literal whose value is no function, of a JSON file.
    {"", "key", Minor},
    // Each file of a package opens it again.
    {"", "module namespace package packageName", Minor},
    // It means something inside one function or file only.
    {"", "label local parameter unknown", Minor},
};

bool has_word(std::string_view words, std::string_view word) {
  for (std::size_t at = 0; (at = words.find(word, at)) != std::string_view::npos; ++at)
    if ((at == 0 || words[at - 1] == ' ') &&
        (at + word.size() == words.size() || words[at + word.size()] == ' '))
      return true;
  return false;
}

/// What the definitions of a file are worth as a whole.
enum class Source {
  Code,
  Declarations,  ///< stubs (a.pyi, a.d.ts): what they declare is defined elsewhere
  Examples       ///< a guide's
};

Source source_of(std::string_view path) {
  if (path.ends_with(".in")) path.remove_suffix(3);  // a template of the file
  if (language_of_path(path).kind == FileKind::Markdown) return Source::Examples;
  return path.ends_with(".pyi") || path.ends_with(".d.ts") ? Source::Declarations : Source::Code;
}

/// "Inner" of "Outer::Inner", "outer.Inner" or "outer\Inner".
std::string_view last_name(std::string_view scope) {
  const std::size_t end = scope.find_last_of(".:\\");
  return end == std::string_view::npos ? scope : scope.substr(end + 1);
}

/// True for `f = cached(f)`: a name that is bound again to what was made of it.
bool is_bound_again(std::string_view line, std::string_view name) {
  const std::size_t equals = line.find('=');
  if (equals == std::string_view::npos || line.substr(equals).starts_with("==")) return false;
  std::size_t at = equals;
  while ((at = line.find(name, at + 1)) != std::string_view::npos) {
    const std::string_view after = line.substr(at + name.size());
    // `a.name`, `name=` and `"name"` are others.
    const bool own = line[at - 1] == '(' || line[at - 1] == ' ' || line[at - 1] == ',';
    if (own && word_char_length(after) == 0 && !after.starts_with('=') && !after.starts_with('('))
      return true;
  }
  return false;
}

bool is_variable(std::string_view kind) { return kind == "variable" || kind == "constant"; }

class Ranker {
 public:
  Ranker(const FileRecord& record, std::string_view subject)
      : record_(record),
        language_(subject == record.path ? std::string_view(record.language)
                                         : language_of_path(subject).name),
        source_(source_of(subject)),
        starts_(line_starts(record.text)) {
    for (const Definition& d : record.definitions) {
      const DefinitionClass rank = class_of_kind(language_, d.kind);
      if (rank == Type && d.kind != "alias") types_.insert(d.name);
      if (rank == Function && !is_variable(d.kind)) functions_.insert(d.name);
      if (d.kind == "member" || d.kind == "method") functions_.insert(d.name);
    }
  }

  DefinitionClass rank(const Definition& d) const {
    const DefinitionClass rank = std::max(class_of_kind(language_, d.kind), by_scope(d));
    switch (source_) {
      case Source::Code:
        if (d.kind == "variable" && is_bound_again(line_at(record_.text, starts_, d.line), d.name))
          return Minor;
        return rank;
      case Source::Declarations:
        return std::max(rank, Member);
      case Source::Examples:
        return Minor;
    }
    return rank;
  }

 private:
  /// What is in a function is local to it. A function in a type is a method, whatever its kind is
  /// called; a type in a type stays one, but not another name for one (`value_type`).
  DefinitionClass by_scope(const Definition& d) const {
    if (d.scope.empty()) return Type;
    const std::string_view scope = last_name(d.scope);
    const bool in_type = types_.contains(scope);
    if (functions_.contains(scope) && !in_type) return is_variable(d.kind) ? Minor : Member;
    const bool is_type = class_of_kind(language_, d.kind) == Type;
    const bool is_alias = d.kind == "alias" || d.kind == "typedef" || d.kind == "typealias";
    return in_type && (!is_type || is_alias) ? Member : Type;
  }

  const FileRecord& record_;
  std::string_view language_;
  Source source_;
  std::vector<std::size_t> starts_;
  std::unordered_set<std::string_view> types_, functions_;
};

}  // namespace

DefinitionClass class_of_kind(std::string_view language, std::string_view kind) {
  for (const ClassRow& row : kClassRows)
    if ((row.language.empty() || row.language == language) && has_word(row.kinds, kind))
      return row.rank;
  return Function;
}

std::vector<DefinitionClass> rank_definitions(const FileRecord& record, std::string_view subject) {
  std::vector<DefinitionClass> ranks;
  if (record.definitions.empty()) return ranks;
  const Ranker ranker(record, subject);
  ranks.reserve(record.definitions.size());
  for (const Definition& d : record.definitions) ranks.push_back(ranker.rank(d));
  return ranks;
}

}  // namespace kw::indexer
