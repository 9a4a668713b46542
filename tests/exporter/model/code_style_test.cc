// SPDX-License-Identifier: GPL-2.0-or-later
#include "exporter/model/code_style.h"

#include <gmock/gmock.h>

#include <string>

namespace kw::exporter {
namespace {

/// The code with each comment and string as `#`.
std::string without_quoted(std::string_view language, std::string_view code) {
  const CodeStyle* const style = code_style(language);
  if (!style) return "(unknown)";
  std::string out, all;
  for (const CodePiece& piece : code_pieces(code, *style)) {
    out += piece.quoted ? "#" : piece.text;
    all += piece.text;
  }
  EXPECT_EQ(all, code) << "nothing is lost";
  return out;
}

TEST(CodeStyle, TellsCodeFromCommentsAndStrings) {
  const struct {
    const char* why;
    const char* language;
    const char* code;
    const char* expected;
  } rows[] = {
      {"a comment", "python", "a = 1 # b\nc", "a = 1 #\nc"},
      {"a string over lines", "Python", "\"\"\"a\n'b\"\"\" c", "# c"},
      {"an escaped quote", "py", "'a\\'b' c", "# c"},
      {"a string ends with its line", "python", "it's\nb", "it#\nb"},
      {"a comment that never ends", "c", "a /* b\nc", "a #"},
      {"both comments of C", "c++", "a // b\nc /* d */ e", "a #\nc # e"},
      {"what an include names", "cpp", "#include <a/b.h>\nc<d> e", "#include #\nc<d> e"},
      {"a number's quotes", "cpp", "1'000'000 a", "1'000'000 a"},
      {"a raw string", "c++", "a R\"x(b\" )\" c)x\" d", "a # d"},
      {"a raw string's start, and no more", "c++", "R\"abcdefghijklmnopqrstuv(", "#"},
      {"prefixes of strings", "c++", "L'a' u8\"b\" u8R\"(c)\" c", "# # # c"},
      {"prefixes of Python's", "python", "f'a' Rb\"b\" rb\"\"\"c\"\"\" + f", "# # # + f"},
      {"a name that ends like one", "python", "myf'a' x_f'b' if'c'", "myf# x_f# if#"},
      {"a template over lines", "ts", "`a\nb` c", "# c"},
      {"lifetimes are no strings", "rust", "<'a, 'b> 'x' '\\n' c", "<'a, 'b> # # c"},
      {"a shell's $# begins no comment", "bash", "$# a # b", "$# a #"},
      {"unknown", "brainfuck", "+", "(unknown)"},
      {"no language", "", "+", "(unknown)"},
  };
  for (const auto& row : rows)
    EXPECT_EQ(without_quoted(row.language, row.code), row.expected) << row.why;
}

TEST(CodeStyle, ReservedWordsAreNoNames) {
  EXPECT_TRUE(is_reserved(*code_style("python"), "lambda"));
  EXPECT_FALSE(is_reserved(*code_style("python"), "struct"));
  EXPECT_TRUE(is_reserved(*code_style("cuda"), "struct"));
  EXPECT_FALSE(is_reserved(*code_style("cuda"), "lambda"));
}

}  // namespace
}  // namespace kw::exporter
