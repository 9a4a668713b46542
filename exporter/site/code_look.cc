// SPDX-License-Identifier: GPL-2.0-or-later
#include "exporter/site/code_look.h"

#include <algorithm>
#include <unordered_map>

#include "schema/text/language_table.h"
#include "schema/text/splitter.h"

namespace kw::exporter::site {
namespace {

struct Row {
  std::string_view languages;  ///< by their names in the language table
  std::string_view words;
};

// Words that a reader sees as the language's own. Those that are names as often (`match` of Python,
// `value` of Kotlin) are not here.
constexpr Row kRows[] = {
    {"python starlark",
     "False None True and as assert async await break class continue def del elif else except "
     "finally for from global if import in is lambda nonlocal not or pass raise return try while "
     "with yield"},
    {"c glsl opencl objective-c",
     "auto bool break case char const continue default define do double elif else endif enum "
     "extern "
     "false float for goto if ifdef ifndef include inline int long register restrict return short "
     "signed sizeof static struct switch true typedef undef union unsigned void volatile while "
     "NULL nil self YES NO"},
    {"c++ cuda hip metal hlsl",
     "alignas alignof auto bool break case catch char class co_await co_return co_yield concept "
     "const const_cast consteval constexpr constinit continue decltype default define delete do "
     "double dynamic_cast elif else endif enum explicit extern false final float for friend goto "
     "if "
     "ifdef ifndef include inline int long mutable namespace new noexcept nullptr operator "
     "override "
     "pragma private protected public reinterpret_cast requires return short signed sizeof static "
     "static_assert static_cast struct switch template this thread_local throw true try typedef "
     "typeid typename undef union unsigned using virtual void volatile while"},
    {"c#",
     "abstract as async await base bool break byte case catch char class const continue decimal "
     "default delegate do double else enum event explicit false finally fixed float for foreach "
     "get "
     "if implicit in int interface internal is lock long namespace new null object operator out "
     "override params private protected public readonly ref return sealed set short sizeof static "
     "string struct switch this throw true try typeof uint ulong unchecked using var virtual void "
     "where while yield"},
    {"java groovy",
     "abstract assert boolean break byte case catch char class const continue def default do "
     "double "
     "else enum extends false final finally float for if implements import instanceof int "
     "interface "
     "long native new null package private protected public record return sealed short static "
     "super "
     "switch synchronized this throw throws transient true try var void volatile while yield"},
    {"kotlin",
     "abstract as break by class companion const continue data do else enum false final finally "
     "for "
     "fun if import in init inline inner interface internal is lateinit null object open operator "
     "out override package private protected public return sealed super suspend this throw true "
     "try "
     "typealias val var vararg when where while"},
    {"scala",
     "abstract case catch class def do else enum extends extension false final finally for given "
     "if "
     "implicit import lazy match new null object override package private protected return sealed "
     "super then this throw trait true try type using val var while with yield"},
    {"swift",
     "actor as associatedtype async await break case catch class continue default defer deinit do "
     "else enum extension fallthrough false fileprivate for func guard if import in indirect init "
     "inout internal is let mutating nil open operator override private protocol public repeat "
     "rethrows return self Self some static struct subscript super switch throw throws true try "
     "typealias var weak where while"},
    {"dart",
     "abstract as assert async await break case catch class const continue covariant default do "
     "dynamic else enum extends extension external factory false final finally for get if "
     "implements import in interface is late library mixin new null on operator part required "
     "rethrow return set static super switch this throw true try typedef var void while with "
     "yield"},
    {"go",
     "break case chan const continue default defer else fallthrough false for func go goto if "
     "import interface iota map nil package range return select struct switch true type var"},
    {"rust",
     "Self as async await break const continue crate dyn else enum extern false fn for if impl in "
     "let loop match mod move mut pub ref return self static struct super trait true type unsafe "
     "use where while"},
    {"zig",
     "and break comptime const continue defer else enum errdefer error export extern false fn for "
     "if inline null or orelse packed pub return struct switch test true try undefined union "
     "unreachable usingnamespace var while"},
    {"d",
     "abstract alias assert auto bool break case cast catch class const continue default delegate "
     "delete do else enum export extern false final finally for foreach function goto if immutable "
     "import in interface is lazy mixin module new null out override package private protected "
     "public pure ref return scope shared static struct super switch template this throw true try "
     "union unittest version void while with"},
    {"javascript typescript vue",
     "abstract as async await break case catch class const continue debugger declare default "
     "delete "
     "do else enum export extends false finally for from function get if implements import in "
     "instanceof interface keyof let namespace new null of private protected public readonly "
     "return "
     "set static super switch this throw true try type typeof undefined var void while with yield"},
    {"ruby",
     "BEGIN END alias and attr_accessor attr_reader attr_writer begin break case class def defined "
     "do else elsif end ensure extend false for if in include module next nil not or private "
     "protected public raise redo require require_relative rescue retry return self super then "
     "true "
     "undef unless until when while yield"},
    {"perl",
     "and cmp die do each else elsif eq for foreach ge given gt if last le local lt my ne next no "
     "not or our package redo require return sub undef unless until use when while"},
    {"php",
     "abstract and array as break case catch class clone const continue declare default do echo "
     "else elseif empty enum extends false final finally fn for foreach function global if "
     "implements include include_once instanceof interface isset list match namespace new null or "
     "parent private protected public readonly require require_once return self static switch this "
     "throw trait true try unset use var while yield"},
    {"lua",
     "and break do else elseif end false for function goto if in local nil not or repeat "
     "return then true until while"},
    {"shell",
     "case do done elif else esac exit export fi for function if in local readonly return select "
     "set shift source then trap unset until while"},
    {"powershell",
     "begin break catch class continue do else elseif end enum exit filter finally for foreach "
     "function if in param process return switch throw trap try until using while"},
    {"sql",
     "ADD ALL ALTER AND AS ASC BEGIN BETWEEN BY CASE CHECK COMMIT CONSTRAINT CREATE CROSS DEFAULT "
     "DELETE DESC DISTINCT DROP ELSE END EXISTS FOREIGN FROM FULL GROUP HAVING IF IN INDEX INNER "
     "INSERT INTO IS JOIN KEY LEFT LIKE LIMIT NOT NULL ON OR ORDER OUTER PRIMARY REFERENCES RIGHT "
     "ROLLBACK SELECT SET TABLE THEN TRIGGER UNION UNIQUE UPDATE USING VALUES VIEW WHEN WHERE WITH "
     "add all alter and as asc begin between by case check commit constraint create cross default "
     "delete desc distinct drop else end exists foreign from full group having if in index inner "
     "insert into is join key left like limit not null on or order outer primary references right "
     "rollback select set table then trigger union unique update using values view when where "
     "with"},
    {"haskell elm",
     "case class data default deriving do else foreign if import in infix infixl infixr instance "
     "let module newtype of qualified then type where"},
    {"ocaml sml f#",
     "and as assert begin class constraint do done downto else end exception external false for "
     "fun "
     "function functor if in include inherit lazy let match method module mutable namespace new "
     "object of open or private rec sig struct then to true try type val virtual when while with"},
    {"elixir",
     "after alias and case catch cond def defdelegate defguard defimpl defmacro defmodule defp "
     "defprotocol defstruct do else end false fn for if import in nil not or quote raise receive "
     "require rescue true try unless unquote use when with"},
    {"erlang",
     "after and andalso begin case catch div end fun if not of or orelse receive rem try "
     "when xor"},
    {"julia",
     "abstract begin break catch const continue do else elseif end export false finally for "
     "function "
     "global if import in let local macro module mutable nothing primitive quote return struct "
     "true "
     "try type using where while"},
    {"r",
     "FALSE NA NULL TRUE break else for function if in library next repeat require return "
     "while"},
    {"protobuf thrift",
     "bool bytes const double enum exception extends float i16 i32 i64 import include int32 int64 "
     "list map message namespace oneof option optional package repeated required returns rpc "
     "service string struct syntax typedef uint32 uint64 union void"},
    {"cmake",
     "add_custom_command add_executable add_library add_subdirectory add_test else elseif "
     "endforeach "
     "endfunction endif endmacro endwhile find_package foreach function if include install macro "
     "message option project return set target_compile_definitions target_include_directories "
     "target_link_libraries unset while"},
    {"make", "define else endef endif export ifdef ifeq ifndef ifneq include override unexport"},
    {"dockerfile",
     "ADD ARG CMD COPY ENTRYPOINT ENV EXPOSE FROM HEALTHCHECK LABEL RUN SHELL STOPSIGNAL USER "
     "VOLUME "
     "WORKDIR"},
    {"yaml toml json", "false no null off on true yes"},
};

using Words = std::unordered_set<std::string_view>;

template <class Use>
void for_each_word(std::string_view list, const Use& use) {
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(' '), list.size());
    use(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
}

const std::unordered_map<std::string_view, Words>& words_by_language() {
  static const std::unordered_map<std::string_view, Words> words = [] {
    std::unordered_map<std::string_view, Words> made;
    for (const Row& row : kRows)
      for_each_word(row.languages, [&](std::string_view language) {
        for_each_word(row.words, [&](std::string_view word) { made[language].insert(word); });
      });
    return made;
  }();
  return words;
}

// What a style's cutter knows, too. Literals of other forms only the lexer finds.
constexpr std::uint32_t kPlainFeatures = kDigitSeparators | kRawStrings;

bool has_marks(const LexicalStyle& lexis) {
  return !lexis.line.empty() || !lexis.block.empty() || !lexis.quotes.empty() ||
         !lexis.line_start.empty();
}

}  // namespace

CodeLook code_look(std::string_view language) {
  CodeLook look;
  look.style = code_style(language);
  const Language* const known = language_of_fence(language);
  const bool is_code = known && known->kind != FileKind::Prose &&
                       known->kind != FileKind::Markdown && has_marks(known->lexis);
  if (look.style)
    look.family = look.style->languages;
  else if (is_code)
    look.family = known->name;
  if (is_code && (!look.style || (known->lexis.features & ~kPlainFeatures) != 0))
    look.lexis = &known->lexis;
  if (known) {
    const auto words = words_by_language().find(known->name);
    if (words != words_by_language().end()) look.words = &words->second;
  }
  return look;
}

std::vector<CodePiece> code_pieces(std::string_view code, const CodeLook& look) {
  if (!look.lexis && look.style) return exporter::code_pieces(code, *look.style);
  std::vector<CodePiece> pieces;
  std::size_t done = 0;
  const auto add = [&](std::size_t end, bool quoted) {
    if (done < end) pieces.push_back({code.substr(done, end - done), quoted});
    done = end;
  };
  if (look.lexis)
    for (const ByteRange& range : find_literals(code, *look.lexis)) {
      add(range.begin, false);
      add(range.end, true);
    }
  add(code.size(), false);
  return pieces;
}

}  // namespace kw::exporter::site
