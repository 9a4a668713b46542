// SPDX-License-Identifier: GPL-2.0-or-later
#include "indexer/extract/language_table.h"

#include <algorithm>
#include <string>
#include <unordered_map>

#include "schema/text/text.h"

namespace kw::indexer {
namespace {

// `'` is no quote where it also means something else so often that strings would swallow comments:
// lifetimes (Rust), attributes (VHDL, Ada), names (Haskell, OCaml), quoting (Lisp), transposing
// (MATLAB).
constexpr CommentStyle kNone{"", "", "", ""};
constexpr CommentStyle kC{"//", "/* */", "\"'", ""};
constexpr CommentStyle kScript{"//", "/* */", "\"'`", ""};  // `` ` `` strings may span lines
constexpr CommentStyle kRust{"//", "/* */", "\"", ""};
constexpr CommentStyle kHash{"#", "", "\"'", ""};
constexpr CommentStyle kHashC{"#", "/* */", "\"'", ""};
constexpr CommentStyle kPython{"#", "\"\"\" \"\"\" ''' '''", "\"'", ""};
constexpr CommentStyle kElixir{"#", "\"\"\" \"\"\"", "\"", ""};
constexpr CommentStyle kPerl{"#", "=pod =cut =head1 =cut =head2 =cut =over =cut", "\"'", ""};
constexpr CommentStyle kRuby{"#", "=begin =end", "\"'", ""};
constexpr CommentStyle kPhp{"// #", "/* */", "\"'", ""};
constexpr CommentStyle kPowerShell{"#", "<# #>", "\"'", ""};
constexpr CommentStyle kCMake{"#", "#[[ ]]", "\"", ""};
constexpr CommentStyle kSql{"--", "/* */", "\"'", ""};
constexpr CommentStyle kLua{"--", "--[[ ]]", "\"'", ""};
constexpr CommentStyle kHaskell{"--", "{- -}", "\"", ""};
constexpr CommentStyle kDashes{"--", "", "\"", ""};
constexpr CommentStyle kOcaml{"", "(* *)", "\"", ""};
constexpr CommentStyle kPascal{"//", "{ } (* *)", "'", ""};
constexpr CommentStyle kPercent{"%", "", "\"", ""};
constexpr CommentStyle kMatlab{"%", "%{ %}", "\"", ""};
constexpr CommentStyle kJulia{"#", "#= =# \"\"\" \"\"\"", "\"", ""};
constexpr CommentStyle kFortran{"!", "", "\"'", ""};
constexpr CommentStyle kLisp{";", "#| |#", "\"", ""};
constexpr CommentStyle kAsm{"// ;", "/* */", "\"", "#"};
constexpr CommentStyle kVim{"", "", "'", "\""};
constexpr CommentStyle kBatch{"", "", "", "REM rem Rem ::"};
constexpr CommentStyle kIni{"", "", "", "; #"};
constexpr CommentStyle kMarkup{"", "<!-- -->", "", ""};
constexpr CommentStyle kCss{"", "/* */", "\"'", ""};

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
// Objective-C and MATLAB share `.m`: ctags decides by the text. Its Kotlin parser is slow (65 KB/s,
// others 20 MB/s and more), and for ever on text that is no Kotlin at all; the deadline sees to
// that.
constexpr Row kRows[] = {
    {{"markdown", Markdown, "", kMarkup}, "*.md *.markdown *.mdown *.mkd *.mdx", ""},
    {{"restructuredtext", Prose, "", kNone}, "*.rst *.rest", ""},
    {{"asciidoc", Prose, "", kNone}, "*.adoc *.asciidoc", ""},
    {{"org", Prose, "", kNone}, "*.org", ""},
    {{"latex", Prose, "", kPercent}, "*.tex *.latex *.sty *.cls", "math"},
    {{"text", Prose, "", kNone}, "*.txt *.text *.log", "plain plaintext output none"},

    {{"c", Source, "c", kC}, "*.c", ""},
    {{"c", Source, "h", kC}, "*.h", "c"},
    {{"c++", Source, "cpp", kC},
     "*.cpp *.cc *.cxx *.c++ *.hpp *.hh *.hxx *.h++ *.ipp *.tpp *.tcc *.inl *.cppm *.ixx",
     ""},
    {{"cuda", Source, "cu", kC}, "*.cu *.cuh", ""},
    {{"hip", Source, "cu", kC}, "*.hip", ""},
    {{"metal", Source, "cpp", kC}, "*.metal", ""},
    {{"glsl", Source, "c", kC}, "*.glsl *.vert *.frag *.comp *.glslh", ""},
    {{"hlsl", Source, "cpp", kC}, "*.hlsl *.fx", ""},
    {{"opencl", Source, "c", kC}, "*.opencl", ""},
    {{"objective-c", Source, "mm", kC}, "*.mm", "objc objectivec objective-c++ objc++ objcpp"},
    {{"objective-c", Source, "m", kC}, "*.m", ""},
    {{"c#", Source, "cs", kC}, "*.cs *.csx", "csharp"},
    {{"java", Source, "java", kC}, "*.java", ""},
    {{"kotlin", Source, "kt", kC}, "*.kt *.kts", ""},
    {{"scala", Source, "", kC}, "*.scala *.sc *.sbt", ""},
    {{"groovy", Source, "", kC}, "*.groovy *.gradle Jenkinsfile", ""},
    {{"swift", Source, "", kC}, "*.swift", ""},
    {{"dart", Source, "", kC}, "*.dart", ""},
    {{"d", Source, "d", kC}, "*.d *.di", "dlang"},
    {{"go", Source, "go", kScript}, "*.go", "golang"},
    {{"rust", Source, "rs", kRust}, "*.rs", ""},
    {{"zig", Source, "", kRust}, "*.zig", ""},
    {{"javascript", Source, "js", kScript}, "*.js *.jsx *.mjs *.cjs", "node nodejs ecmascript"},
    {{"typescript", Source, "ts", kScript}, "*.ts *.tsx *.mts *.cts", ""},
    {{"vue", Source, "", kScript}, "*.vue *.svelte", ""},
    {{"haxe", Source, "hx", kC}, "*.hx", ""},
    {{"thrift", Source, "", kPhp}, "*.thrift", ""},
    {{"flatbuffers", Source, "", kC}, "*.fbs", "fbs"},
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
    {{"php", Source, "php", kPhp}, "*.php *.phtml", ""},
    {{"lua", Source, "lua", kLua}, "*.lua", ""},
    {{"tcl", Source, "tcl", kHash}, "*.tcl *.tk", ""},
    {{"shell", Source, "sh", kHash},
     "*.sh *.bash *.zsh *.ksh .bashrc .bash_profile .profile .zshrc .bash_aliases",
     "ash dash"},
    {{"shell", Source, "", kHash},
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
    {{"f#", Source, "", CommentStyle{"//", "(* *)", "\"", ""}}, "*.fs *.fsx *.fsi", "fsharp"},
    {{"erlang", Source, "erl", kPercent}, "*.erl *.hrl", ""},
    {{"prolog", Source, "", CommentStyle{"%", "/* */", "\"", ""}}, "*.pro *.prolog", ""},
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
    {{"verilog", Source, "v", kRust}, "*.v *.vh", ""},
    {{"systemverilog", Source, "sv", kRust}, "*.sv *.svh", ""},
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
    {{"csv", Data, "", kNone}, "*.csv *.tsv", ""},
    {{"diff", Data, "", kNone}, "*.diff *.patch", "udiff"},
    {{"bibtex", Data, "", kPercent}, "*.bib", ""},
    {{"dot", Data, "", kC}, "*.dot *.gv", "graphviz"},
    {{"ignore", Data, "", kHash},
     ".gitignore .dockerignore .ignore .npmignore .gitattributes CODEOWNERS MANIFEST.in",
     "gitignore"},
};

constexpr Language kUnknown{"", Prose, "", kNone};

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

}  // namespace

const Language& language_of_path(std::string_view path) {
  std::string_view name = file_name_of(path);
  if (name.ends_with(".in") && !find(lookup().names, name)) name.remove_suffix(3);
  if (const Language* const named = find(lookup().names, name)) return *named;
  const Language* const by_extension = find(lookup().extensions, extension_of(name));
  return by_extension ? *by_extension : kUnknown;
}

const Language* language_of_fence(std::string_view info) {
  info.remove_prefix(std::min(info.find_first_not_of(" \t{."), info.size()));
  info = info.substr(0, info.find_first_of(" \t\r\n{},;:"));
  std::string key(info);
  for (char& c : key)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
  return find(lookup().fences, key);
}

}  // namespace kw::indexer
