// SPDX-License-Identifier: GPL-2.0-or-later
#include "exporter/site/code_look.h"

#include <gmock/gmock.h>

#include "schema/text/splitter.h"

namespace kw::exporter::site {
namespace {

/// The code with each comment and string as `#`, and reserved words in angle brackets.
std::string looks(std::string_view language, std::string_view code) {
  const CodeLook look = code_look(language);
  if (look.is_plain()) return "(plain)";
  std::string out;
  for (const CodePiece& piece : code_pieces(code, look)) {
    if (piece.quoted) {
      out += '#';
      continue;
    }
    Tokenizer tokenizer(piece.text);
    std::size_t done = 0;
    for (Token token; tokenizer.next_word(token);) {
      const auto at = static_cast<std::size_t>(token.text.data() - piece.text.data());
      out += piece.text.substr(done, at - done);
      const std::string word(token.text);
      out += look.marks(word) ? "<" + word + ">" : word;
      done = at + word.size();
    }
    out += piece.text.substr(done);
  }
  return out;
}

TEST(CodeLook, TellsCommentsStringsAndReservedWordsInEachLanguage) {
  const struct {
    const char* language;
    const char* code;
    const char* expected;
  } rows[] = {
      {"python", "def f(x): # c\n  return 'a'", "<def> f(x): #\n  <return> #"},
      {"c", "static int f(void); /* c */", "<static> <int> f(<void>); #"},
      {"c++", "class A { int b; }; // c", "<class> A { <int> b; }; #"},
      {"cuda", "template <class T> T a = \"s\";", "<template> <<class> T> T a = #;"},
      {"objective-c", "return @\"s\"; // c", "<return> @#; #"},
      {"c#", "foreach (var x in @\"a\\\") {} // c", "<foreach> (<var> x <in> @#) {} #"},
      {"java", "public final String a = \"s\"; // c", "<public> <final> String a = #; #"},
      {"kotlin", "fun f() = \"\"\"a\nb\"\"\" /* c /* d */ e */", "<fun> f() = # #"},
      {"scala", "object A { def f = \"s\" } // c", "<object> A { <def> f = # } #"},
      {"groovy", "def f = \"s\" // c", "<def> f = # #"},
      {"swift", "guard let a = \"s\" else {} // c", "<guard> <let> a = # <else> {} #"},
      {"dart", "late final a = 's'; // c", "<late> <final> a = #; #"},
      {"go", "func f() { return `s` } // c", "<func> f() { <return> # } #"},
      {"rust", "fn f<'a>() -> char { 'c' } // d", "<fn> f<'a>() -> char { # } #"},
      {"zig", "const a = \"s\"; // c", "<const> a = #; #"},
      {"d", "import std; // c", "<import> std; #"},
      {"javascript", "const a = /r/g, b = `s`; // c", "<const> a = #g, b = #; #"},
      {"typescript", "interface A { b: 'c' } // d", "<interface> A { b: # } #"},
      {"ruby", "def f\n  <<~A\n  text\n  A\nend # c", "<def> f\n  <<~A\n#  A\n<end> #"},
      {"perl", "my $a = 's'; # c", "<my> $a = #; #"},
      {"php", "function f() { return 's'; } # c", "<function> f() { <return> #; } #"},
      {"lua", "local a = [[s]] -- c", "<local> a = # #"},
      {"shell", "if a; then echo 's'; fi # c", "<if> a; <then> echo #; <fi> #"},
      {"powershell", "function F { return 's' } # c", "<function> F { <return> # } #"},
      {"sql", "SELECT a FROM b WHERE c = 's' -- d", "<SELECT> a <FROM> b <WHERE> c = # #"},
      {"haskell", "module A where -- c", "<module> A <where> #"},
      {"elixir", "def f do \"s\" end # c", "<def> f <do> # <end> #"},
      {"r", "f <- function(x) 's' # c", "f <- <function>(x) # #"},
      {"julia", "function f() end # c", "<function> f() <end> #"},
      {"cmake", "set(A \"s\") # c", "<set>(A #) #"},
      {"make", "ifdef A # c", "<ifdef> A #"},
      {"dockerfile", "FROM a # c", "<FROM> a #"},
      {"yaml", "a: true # c", "a: <true> #"},
      {"toml", "a = 's' # c", "a = # #"},
      {"json", "{\"a\": null}", "{#: <null>}"},
      {"css", "a { b: c } /* d */", "a { b: c } #"},
      {"html", "<a> <!-- b -->", "<a> #"},
      {"py", "pass", "<pass>"},
      {"text", "if this", "(plain)"},
      {"markdown", "# if", "(plain)"},
      {"", "if", "(plain)"},
      {"unheard-of", "if", "(plain)"},
  };
  for (const auto& row : rows)
    EXPECT_EQ(looks(row.language, row.code), row.expected) << row.language;
}

TEST(CodeLook, AFamilyIsLanguagesThatUseOneAnothersNames) {
  EXPECT_EQ(code_look("java").family, code_look("kotlin").family);
  EXPECT_EQ(code_look("py").family, code_look("python").family);
  EXPECT_NE(code_look("ruby").family, code_look("python").family);
  EXPECT_EQ(code_look("ruby").family, code_look("rb").family);
  EXPECT_EQ(code_look("unheard-of").family, "");
}

}  // namespace
}  // namespace kw::exporter::site
