// SPDX-License-Identifier: GPL-2.0-or-later
#include "schema/text/language_table.h"

#include <algorithm>
#include <initializer_list>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "schema/text/text.h"

namespace kw {
namespace {

// `'` is no quote where it also means something else so often that strings would swallow comments:
// attributes (VHDL, Ada), names (Haskell, OCaml), quoting (Lisp), transposing (MATLAB).
constexpr LexicalStyle kNoStyle{"", "", "", "", 0};
constexpr LexicalStyle kC{"//", "/* */", "\"'", "", 0};
constexpr LexicalStyle kCpp{"//", "/* */", "\"'", "", kDigitSeparators | kRawStrings};
constexpr LexicalStyle kCSharp{"//", "/* */", "\"'", "", kVerbatimStrings};
constexpr LexicalStyle kJava{"//", "/* */", "\"'", "", kTripleQuotes};  // and Dart, Groovy
constexpr LexicalStyle kKotlin{"//", "/* */", "\"'", "", kTripleQuotes | kNestedComments};
constexpr LexicalStyle kSwift{"//", "/* */", "\"", "", kTripleQuotes | kNestedComments};
constexpr LexicalStyle kGo{"//", "/* */", "\"'`", "", kRawBackticks};
constexpr LexicalStyle kScript{"//", "/* */", "\"'`", "", kTemplates | kRegexLiterals};
constexpr LexicalStyle kRust{"//", "/* */", "\"", "", kRustLiterals | kNestedComments};
constexpr LexicalStyle kVerilog{"//", "/* */", "\"", "", 0};
constexpr LexicalStyle kHash{"#", "", "\"'", "", 0};
constexpr LexicalStyle kShell{"#", "", "\"'", "", kShellHereDocs};
constexpr LexicalStyle kHashC{"#", "/* */", "\"'", "", 0};
constexpr LexicalStyle kPython{"#", "\"\"\" \"\"\" ''' '''", "\"'", "", 0};
constexpr LexicalStyle kElixir{"#", "\"\"\" \"\"\"", "\"", "", 0};
constexpr LexicalStyle kPerl{"#", "=pod =cut =head1 =cut =head2 =cut =over =cut", "\"'", "",
                             kRubyHereDocs};
constexpr LexicalStyle kRuby{"#", "=begin =end", "\"'", "", kRubyHereDocs};
constexpr LexicalStyle kPhp{"// #", "/* */", "\"'", "",
                            kPhpHereDocs | kHashAttributes | kStringsOverLines};
constexpr LexicalStyle kPowerShell{"#", "<# #>", "\"'", "", 0};
constexpr LexicalStyle kCMake{"#", "#[[ ]]", "\"", "", 0};
constexpr LexicalStyle kSql{"--", "/* */", "\"'", "", 0};
constexpr LexicalStyle kLua{"--", "--[[ ]] --[=[ ]=] --[==[ ]==]", "\"'", "", kLongBrackets};
constexpr LexicalStyle kHaskell{"--", "{- -}", "\"", "", kNestedComments};
constexpr LexicalStyle kDashes{"--", "", "\"", "", 0};
constexpr LexicalStyle kOcaml{"", "(* *)", "\"", "", kNestedComments};
constexpr LexicalStyle kPascal{"//", "{ } (* *)", "'", "", 0};
constexpr LexicalStyle kPercent{"%", "", "\"", "", 0};
constexpr LexicalStyle kMatlab{"%", "%{ %}", "\"", "", 0};
constexpr LexicalStyle kJulia{"#", "#= =# \"\"\" \"\"\"", "\"", "", 0};
constexpr LexicalStyle kFortran{"!", "", "\"'", "", 0};
constexpr LexicalStyle kLisp{";", "#| |#", "\"", "", 0};
constexpr LexicalStyle kAsm{"// ;", "/* */", "\"", "#", 0};
constexpr LexicalStyle kVim{"", "", "'", "\"", 0};
constexpr LexicalStyle kBatch{"", "", "", "REM rem Rem ::", 0};
constexpr LexicalStyle kIni{"", "", "", "; #", 0};
constexpr LexicalStyle kMarkup{"", "<!-- -->", "", "", 0};
constexpr LexicalStyle kCss{"", "/* */", "\"'", "", 0};

struct Row {
  Language language;
  std::string_view files;   ///< "*.x" for an extension, else a whole file name
  std::string_view fences;  ///< beside the language's name and its extensions
};

using enum FileKind;

// Where two rows claim one extension, file name or fence, the first has it. ctags' column was
// checked against what ctags 5.9 finds for each of them (tests/indexer/extract/symbols_test.cc).
//
// C and C++: a `.h` file, and a fence `c`, may hold either, and the C++ parser reads both; only
// `.c` is surely C, where `class` and `new` are good names. A header is called "c" as its fence is.
// Objective-C and MATLAB share `.m`: ctags decides by the text. Where there is no
// name, ctags has no parser, or indexer/extract/declarations.h a better one.
constexpr Row kRows[] = {
    {{"markdown", Markdown, "", kMarkup}, "*.md *.markdown *.mdown *.mkd *.mdx", ""},
    {{"restructuredtext", Prose, "", kNoStyle}, "*.rst *.rest", ""},
    {{"asciidoc", Prose, "", kNoStyle}, "*.adoc *.asciidoc", ""},
    {{"org", Prose, "", kNoStyle}, "*.org", ""},
    {{"latex", Prose, "", kPercent}, "*.tex *.latex *.sty *.cls", "math"},
    {{"text", Prose, "", kNoStyle}, "*.txt *.text *.log", "plain plaintext output none"},

    {{"c", Source, "c", kCpp}, "*.c", ""},
    {{"c", Source, "h", kCpp}, "*.h", "c"},
    {{"c++", Source, "cpp", kCpp},
     "*.cpp *.cc *.cxx *.c++ *.hpp *.hh *.hxx *.h++ *.ipp *.tpp *.tcc *.inl *.cppm *.ixx",
     ""},
    {{"cuda", Source, "cu", kCpp}, "*.cu *.cuh", ""},
    {{"hip", Source, "cu", kCpp}, "*.hip", ""},
    {{"metal", Source, "cpp", kCpp}, "*.metal", ""},
    {{"glsl", Source, "c", kCpp}, "*.glsl *.vert *.frag *.comp *.glslh", ""},
    {{"hlsl", Source, "cpp", kCpp}, "*.hlsl *.fx", ""},
    {{"opencl", Source, "c", kCpp}, "*.opencl", ""},
    {{"objective-c", Source, "mm", kCpp}, "*.mm", "objc objectivec objective-c++ objc++ objcpp"},
    {{"objective-c", Source, "m", kCpp}, "*.m", ""},
    {{"c#", Source, "", kCSharp}, "*.cs *.csx", "csharp"},
    {{"java", Source, "java", kJava}, "*.java", ""},
    {{"kotlin", Source, "", kKotlin}, "*.kt *.kts", ""},
    {{"scala", Source, "", kKotlin}, "*.scala *.sc *.sbt", ""},
    {{"groovy", Source, "", kJava}, "*.groovy *.gradle Jenkinsfile", ""},
    {{"swift", Source, "", kSwift}, "*.swift", ""},
    {{"dart", Source, "", kJava}, "*.dart", ""},
    {{"d", Source, "d", kC}, "*.d *.di", "dlang"},
    {{"go", Source, "go", kGo}, "*.go", "golang"},
    {{"rust", Source, "", kRust}, "*.rs", ""},
    {{"zig", Source, "", kVerilog}, "*.zig", ""},
    {{"javascript", Source, "", kScript}, "*.js *.jsx *.mjs *.cjs", "node nodejs ecmascript"},
    {{"typescript", Source, "", kScript}, "*.ts *.tsx *.mts *.cts", ""},
    {{"vue", Source, "", kScript}, "*.vue *.svelte", ""},
    {{"haxe", Source, "hx", kC}, "*.hx", ""},
    {{"thrift", Source, "", kPhp}, "*.thrift", ""},
    {{"flatbuffers", Source, "", kC}, "*.fbs", "fbs"},
    {{"jsonnet", Source, "", LexicalStyle{"// #", "/* */", "\"'", "", 0}},
     "*.jsonnet *.libsonnet",
     ""},
    {{"graphql", Source, "", kHash}, "*.graphql *.gql", ""},
    {{"protobuf", Source, "proto", kC}, "*.proto", "protocol-buffers"},
    {{"devicetree", Source, "dts", kC}, "*.dts *.dtsi *.dtso", ""},

    {{"python", Source, "py", kPython},
     "*.py *.pyi *.pyw *.pyx *.pxd *.pxi SConstruct SConscript wscript",
     "python2 python3 cython"},
    {{"python", Source, "", kPython}, "", "pycon ipython python-repl"},  // sessions, with prompts
    {{"starlark", Source, "py", kPython},
     "*.bzl *.bazel *.star *.buck *.build BUILD BUCK WORKSPACE TARGETS BUCK.oss",
     "bazel buck"},
    {{"ruby", Source, "rb", kRuby},
     "*.rb *.rake *.gemspec *.podspec Rakefile Gemfile Podfile Vagrantfile",
     ""},
    {{"perl", Source, "pl", kPerl}, "*.pl *.pm *.t", ""},
    {{"php", Source, "", kPhp}, "*.php *.phtml", ""},
    {{"lua", Source, "lua", kLua}, "*.lua", ""},
    {{"tcl", Source, "tcl", kHash}, "*.tcl *.tk", ""},
    {{"shell", Source, "sh", kShell},
     "*.sh *.bash *.zsh *.ksh .bashrc .bash_profile .profile .zshrc .bash_aliases",
     "ash dash"},
    {{"shell", Source, "", kShell},
     "*.fish *.csh *.tcsh",
     "console shell-session sh-session shellsession terminal bash-session"},
    {{"powershell", Source, "ps1", kPowerShell}, "*.ps1 *.psm1 *.psd1", "pwsh posh"},
    {{"batch", Source, "bat", kBatch}, "*.bat *.cmd", "dosbatch batchfile"},
    {{"awk", Source, "awk", kHash}, "*.awk *.gawk", ""},
    {{"cmake", Source, "cmake", kCMake}, "*.cmake CMakeLists.txt", ""},
    {{"make", Source, "mk", kHash},
     "*.mk *.mak *.make *.makefile *.am Makefile makefile GNUmakefile Kbuild",
     ""},
    {{"dockerfile", Source, "", kHash}, "*.dockerfile Dockerfile Containerfile", "docker"},
    {{"meson", Source, "", kHash}, "meson.build meson_options.txt meson.options", ""},
    {{"autoconf", Source, "ac", kHash}, "*.ac *.m4 configure.in", "m4"},
    {{"puppet", Source, "pp", kHash}, "*.pp", ""},
    {{"nix", Source, "", kHashC}, "*.nix", ""},
    {{"hcl", Source, "", kHashC}, "*.tf *.tfvars *.hcl", "terraform"},
    {{"linker-script", Source, "", kCss}, "*.lds *.ld", ""},

    {{"sql", Source, "sql", kSql}, "*.sql", "mysql postgresql postgres sqlite plsql"},
    {{"haskell", Source, "hs", kHaskell}, "*.hs", ""},
    {{"elm", Source, "elm", kHaskell}, "*.elm", ""},
    {{"ocaml", Source, "ml", kOcaml}, "*.ml *.mli", ""},
    {{"sml", Source, "sml", kOcaml}, "*.sml *.sig", ""},
    {{"f#", Source, "", LexicalStyle{"//", "(* *)", "\"", "", kNestedComments}},
     "*.fs *.fsx *.fsi",
     "fsharp"},
    {{"erlang", Source, "erl", kPercent}, "*.erl *.hrl", ""},
    {{"prolog", Source, "", LexicalStyle{"%", "/* */", "\"", "", 0}}, "*.pro *.prolog", ""},
    {{"elixir", Source, "ex", kElixir}, "*.ex *.exs", "iex"},
    {{"clojure", Source, "clj", kLisp}, "*.clj *.cljs *.cljc *.edn", ""},
    {{"lisp", Source, "lisp", kLisp}, "*.lisp *.lsp *.cl", "common-lisp commonlisp"},
    {{"emacs-lisp", Source, "el", kLisp}, "*.el", "elisp emacs"},
    {{"scheme", Source, "scm", kLisp}, "*.scm *.ss *.rkt *.sch", "racket"},
    {{"r", Source, "r", kHash}, "*.r", "rlang rscript"},
    {{"julia", Source, "jl", kJulia}, "*.jl", "julia-repl jldoctest"},
    {{"matlab", Source, "m", kMatlab}, "", "octave"},
    {{"fortran", Source, "f90", kFortran}, "*.f90 *.f95 *.f03 *.f08", ""},
    {{"fortran", Source, "f", kFortran}, "*.f *.for *.f77 *.ftn", ""},
    {{"ada", Source, "adb", kDashes}, "*.adb *.ads *.ada", ""},
    {{"pascal", Source, "pas", kPascal}, "*.pas *.dpr *.lpr", "delphi"},
    {{"assembler", Source, "asm", kAsm}, "*.s *.asm *.nasm", "assembly gas armasm x86asm"},
    {{"vhdl", Source, "vhd", kDashes}, "*.vhd *.vhdl", ""},
    {{"verilog", Source, "v", kVerilog}, "*.v *.vh", ""},
    {{"systemverilog", Source, "sv", kVerilog}, "*.sv *.svh", ""},
    {{"vim", Source, "vim", kVim}, "*.vim .vimrc", "viml vimscript"},

    {{"css", Data, "", kCss}, "*.css", ""},
    {{"scss", Data, "", kC}, "*.scss *.sass *.less", ""},
    {{"html", Data, "", kMarkup}, "*.html *.htm *.xhtml", ""},
    {{"xml", Data, "", kMarkup},
     "*.xml *.xsd *.xsl *.xslt *.svg *.plist *.storyboard *.xib *.xcscheme *.csproj *.vcxproj "
     "*.props *.rng",
     ""},
    {{"json", Data, "", kC}, "*.json *.jsonc *.json5 *.jsonl *.ndjson *.geojson *.ipynb", ""},
    {{"yaml", Data, "", kHash}, "*.yaml *.yml *.cff .clang-format .clang-tidy .clangd", ""},
    {{"toml", Data, "", kHash}, "*.toml", ""},
    {{"ini", Data, "", kIni},
     "*.ini *.cfg *.conf *.properties *.desktop .editorconfig .gitconfig .flake8",
     "dosini dotenv"},
    {{"csv", Data, "", kNoStyle}, "*.csv *.tsv", ""},
    {{"diff", Data, "", kNoStyle}, "*.diff *.patch", "udiff"},
    {{"bibtex", Data, "", kPercent}, "*.bib", ""},
    {{"dot", Data, "", kC}, "*.dot *.gv", "graphviz"},
    {{"ignore", Data, "", kHash},
     ".gitignore .dockerignore .ignore .npmignore .gitattributes CODEOWNERS MANIFEST.in",
     "gitignore"},
};

constexpr Language kUnknown{"", Prose, "", kNoStyle};

/// The next word of `words`, which loses it; empty at the end.
std::string_view take_word(std::string_view& words) {
  words.remove_prefix(std::min(words.find_first_not_of(' '), words.size()));
  const std::string_view word = words.substr(0, words.find(' '));
  words.remove_prefix(word.size());
  return word;
}

struct Lookup {
  std::unordered_map<std::string_view, const Language*> names, extensions, fences;

  Lookup() {
    for (const Row& row : kRows) {
      for (std::string_view words = row.fences, word; !(word = take_word(words)).empty();)
        fences.emplace(word, &row.language);
      for (std::string_view words = row.files, word; !(word = take_word(words)).empty();) {
        if (word.starts_with("*."))
          extensions.emplace(word.substr(2), &row.language);
        else
          names.emplace(word, &row.language);
      }
    }
    for (const Row& row : kRows) fences.emplace(row.language.name, &row.language);
    fences.insert(extensions.begin(), extensions.end());
  }
};

const Lookup& lookup() {
  static const Lookup tables;
  return tables;
}

const Language* find(const std::unordered_map<std::string_view, const Language*>& table,
                     std::string_view key) {
  const auto found = table.find(key);
  return found == table.end() ? nullptr : found->second;
}

/// The language of a name without its last extension, where that one says nothing:
/// "Dockerfile.dev", "Makefile.inc", "x.conf.example".
const Language* language_of_longer_name(std::string_view name) {
  const std::size_t dot = name.find('.', 1);
  if (dot == std::string_view::npos) return nullptr;
  if (const Language* const named = find(lookup().names, name.substr(0, dot))) return named;
  const std::string last = extension_of(name);
  constexpr std::string_view kTemplates[] = {"in",   "tmpl",    "template", "j2",
                                             "dist", "example", "sample",   "orig"};
  if (std::find(std::begin(kTemplates), std::end(kTemplates), last) == std::end(kTemplates))
    return nullptr;
  name.remove_suffix(last.size() + 1);
  if (const Language* const named = find(lookup().names, name)) return named;
  return find(lookup().extensions, extension_of(name));
}

// --- by the text

// A mark stands in a file's first lines, or in its last.
constexpr std::size_t kModeLines = 5;
// What tells C from C++ stands behind the licence and the includes.
constexpr std::size_t kHeaderBytes = 64u << 10;

const Language* find_alias(std::string_view word) {
  std::string key(word);
  for (char& c : key)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
  return find(lookup().fences, key);
}

std::string_view first_word(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  return text.substr(0, text.find_first_of(" \t\r\n;:"));
}

/// `#!/usr/bin/env -S python3.11 -u`: python.
const Language* by_interpreter(std::string_view text) {
  if (!text.starts_with("#!")) return nullptr;
  std::string_view line = text.substr(2, std::min<std::size_t>(text.find('\n'), 256) - 2);
  std::string_view word;
  for (bool first = true;; first = false) {
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    word = line.substr(0, line.find_first_of(" \t\r"));
    if (word.empty()) return nullptr;
    line.remove_prefix(word.size());
    const bool is_option = word.starts_with('-') || word.find('=') != std::string_view::npos;
    word = file_name_of(word);
    if (!is_option && !(first && word == "env")) break;
  }
  word = word.substr(0, word.find_last_not_of("0123456789.-") + 1);
  constexpr std::pair<std::string_view, std::string_view> kInterpreters[] = {
      {"bun", "javascript"}, {"deno", "typescript"},
      {"escript", "erlang"}, {"gawk", "awk"},
      {"guile", "scheme"},   {"luajit", "lua"},
      {"mawk", "awk"},       {"pypy", "python"},
      {"runghc", "haskell"}, {"runhaskell", "haskell"},
      {"tclsh", "tcl"},      {"ts-node", "typescript"},
      {"wish", "tcl"}};
  for (const auto& [interpreter, language] : kInterpreters)
    if (interpreter == word) return find_alias(language);
  return find_alias(word);
}

/// `-*- mode: c++ -*-`, `-*- c++ -*-`, `vim: set ft=ruby:`.
const Language* by_modeline(std::string_view line) {
  line = line.substr(0, 256);
  const std::size_t open = line.find("-*-");
  if (open != std::string_view::npos) {
    std::string_view inside = line.substr(open + 3);
    const std::size_t close = inside.find("-*-");
    if (close == std::string_view::npos) return nullptr;
    inside = inside.substr(0, close);
    const std::size_t mode = inside.find("mode:");
    if (mode != std::string_view::npos) return find_alias(first_word(inside.substr(mode + 5)));
    return inside.find(':') == std::string_view::npos ? find_alias(first_word(inside)) : nullptr;
  }
  if (line.find("vim:") == std::string_view::npos && line.find("vi:") == std::string_view::npos)
    return nullptr;
  for (const std::string_view key : {"filetype=", "ft=", "syntax="})
    if (const std::size_t at = line.find(key); at != std::string_view::npos)
      return find_alias(first_word(line.substr(at + key.size())));
  return nullptr;
}

const Language* by_modelines(std::string_view text) {
  std::string_view head = text, tail = text;
  for (std::size_t i = 0; i < kModeLines; ++i) {
    const std::string_view line = head.substr(0, head.find('\n'));
    if (const Language* const found = by_modeline(line)) return found;
    head.remove_prefix(std::min(line.size() + 1, head.size()));
    while (tail.ends_with('\n')) tail.remove_suffix(1);
    const std::size_t begin = tail.rfind('\n') + 1;  // npos + 1 is 0
    if (const Language* const found = by_modeline(tail.substr(begin))) return found;
    tail = tail.substr(0, begin);
  }
  return nullptr;
}

bool begins_with(std::string_view line, std::initializer_list<std::string_view> starts) {
  return std::any_of(starts.begin(), starts.end(),
                     [&](std::string_view start) { return line.starts_with(start); });
}

/// The first line that only one of the languages has says which; nothing if none does.
const Language* by_lines(std::string_view path, std::string_view text) {
  const std::string extension = extension_of(path);
  const bool is_header = extension == "h";
  if (!is_header && extension != "m") return nullptr;
  // Comments are full of such words.
  const std::string code = mask_literals(text.substr(0, kHeaderBytes), kCpp);
  text = code;
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    if (begins_with(line, {"@interface", "@protocol", "@class", "@import", "@implementation",
                           "#import", "NS_ASSUME_NONNULL"}))
      return find_alias("objective-c");
    if (!is_header && begins_with(line, {"%", "function "})) return find_alias("matlab");
    if (is_header &&
        begins_with(line, {"class ", "namespace ", "template<", "template <", "using ",
                           "public:", "private:", "protected:", "constexpr ", "inline namespace",
                           "enum class ", "friend ", "virtual ", "explicit ", "#include <string>",
                           "#include <vector>", "#include <memory>", "#include <utility>",
                           "#include <type_traits>"}))
      return find_alias("c++");
  }
  return nullptr;
}

/// How many letters must be changed to make one of the other; more than two is not told apart.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0 : 1)});
      diagonal = above;
    }
  }
  return row[b.size()];
}

}  // namespace

const Language& language_of_path(std::string_view path) {
  const std::string_view name = file_name_of(path);
  if (const Language* const named = find(lookup().names, name)) return *named;
  // Where file systems tell capitals apart, these are C++.
  if (name.ends_with(".C") || name.ends_with(".H")) return *find_alias("c++");
  if (const Language* const found = find(lookup().extensions, extension_of(name))) return *found;
  const Language* const longer = language_of_longer_name(name);
  return longer ? *longer : kUnknown;
}

const Language& language_of_file(std::string_view path, std::string_view text) {
  const Language& by_path = language_of_path(path);
  if (by_path.name == "typescript" &&
      begins_with(text.substr(0, 64), {"<?xml", "<!DOCTYPE TS", "<TS "}))
    return *find_alias("xml");
  const std::string extension = extension_of(path);
  const bool is_open = by_path.name.empty() || extension == "h" || extension == "m";
  if (!is_open) return by_path;
  for (const Language* const found :
       {by_interpreter(text), by_modelines(text), by_lines(path, text)})
    if (found) return *found;
  return by_path;
}

std::string_view language_name(std::string_view alias) {
  const Language* const found = find_alias(alias);
  return found ? found->name : std::string_view();
}

std::string_view nearest_language(std::string_view text) {
  constexpr std::size_t kMaxWord = 32;
  if (text.size() > kMaxWord) return {};
  std::string_view best;
  std::size_t least = 3;
  for (const auto& [alias, language] : lookup().fences) {
    const std::size_t d = distance(text, alias);
    const bool nearer = d < least || (d == least && language->name < best);
    if (nearer && d < std::max<std::size_t>(text.size(), 2) / 2 + 1 && d <= 2) {
      least = d;
      best = language->name;
    }
  }
  return best;
}

const Language* language_of_fence(std::string_view info) {
  info.remove_prefix(std::min(info.find_first_not_of(" \t{."), info.size()));
  return find_alias(info.substr(0, info.find_first_of(" \t\r\n{},;:")));
}

}  // namespace kw
