// SPDX-License-Identifier: GPL-2.0-or-later
#include "schema/text/source_lexer.h"

#include <gmock/gmock.h>

#include <random>
#include <string>
#include <vector>

#include "schema/text/language_table.h"

namespace kw {
namespace {

using ::testing::ElementsAreArray;

std::vector<std::string> comments(const std::string& text, const std::string& fence) {
  std::vector<std::string> out;
  for (const ByteRange& range : find_comments(text, language_of_fence(fence)->lexis))
    out.push_back(text.substr(range.begin, range.end - range.begin));
  return out;
}

TEST(Source, FindsComments) {
  struct Row {
    std::string fence, text;
    std::vector<std::string> expected;
    std::string why;
  };
  const Row rows[] = {
      {"cpp", "int a; // one\nint b;", {"// one"}, "to the end of the line, without it"},
      {"cpp", "a /* b\n c */ d", {"/* b\n c */"}, "over lines"},
      {"cpp", "a /* b", {"/* b"}, "never ends: to the end of the text"},
      {"cpp", "/* // */ a // /* b\nc", {"/* // */", "// /* b"}, "one inside another"},
      {"cpp", R"(x = "// no"; // yes)", {"// yes"}, "a string"},
      {"cpp", R"(x = "\"// no"; // yes)", {"// yes"}, "an escaped quote"},
      {"cpp", R"(x = '"'; // yes)", {"// yes"}, "a quote in quotes"},
      {"cpp", "x = \"open // no\n// yes", {"// yes"}, "a string ends with its line"},
      {"cpp", "x = \"a\\\n// no\"; // yes", {"// yes"}, "but a backslash carries it over"},
      {"cpp", "a / b; c /", {}, "no marks"},
      {"cpp", "//", {"//"}, "nothing but a mark"},
      {"cpp", "//\r\na", {"//\r"}, "a carriage return is part of its line"},
      {"c#", "/// <summary>", {"/// <summary>"}, "a longer mark"},
      {"python", "x = 1  # c\n#d", {"# c", "#d"}, ""},
      {"python",
       "def f():\n    \"\"\"Doc\n    # string\"\"\"\n    pass",
       {"\"\"\"Doc\n    # string\"\"\""},
       "documentation strings are comments"},
      {"python", "x = '#no' + \"#no\"  # yes", {"# yes"}, "both quotes"},
      {"python", "'''a''' b '''c", {"'''a'''", "'''c"}, "the other quotes, and never ending"},
      {"sh", "echo $# ${#x} ${x#y} a#b \\# # yes", {"# yes"}, "what is no comment in a shell"},
      {"sh", "#!/bin/sh\n", {"#!/bin/sh"}, "the first line"},
      {"js", "x = `a // no\n// no` // yes", {"// yes"}, "a template string spans lines"},
      {"js", "x = ` // open\n// yes", {"// yes"}, "where it ends at all"},
      {"js", "u = https://x; // yes", {"// yes"}, "an address"},
      {"rust", "fn f<'a>(x: &'a str) {} // yes", {"// yes"}, "lifetimes are no quotes"},
      {"sql", "select 1 -- a\n/* b */", {"-- a", "/* b */"}, ""},
      {"lua", "a --[[ b\nc ]] d -- e", {"--[[ b\nc ]]", "-- e"}, "the longer mark goes first"},
      {"haskell", "x' = 1 -- a\n{- b -}", {"-- a", "{- b -}"}, "a prime is no quote"},
      {"ocaml", "let x = 'a' (* b\n*)", {"(* b\n*)"}, "blocks only"},
      {"html", "a <!-- b --> c", {"<!-- b -->"}, ""},
      {"vim",
       "let a = 1\n  \" yes\nlet b = \" no",
       {"\" yes"},
       "only as the first thing on a line"},
      {"ini", "; a\nb = c ; d\n# e", {"; a", "# e"}, "only as the first thing on a line"},
      {"bat", "rem a\nremove b\n:: c", {"rem a", ":: c"}, "a word that is a mark must be whole"},
      {"ruby", "a\n=begin\nb\n=end\nc =begin", {"=begin\nb\n=end"}, "only at the start of a line"},
      {"matlab", "a = b'; % c", {"% c"}, "a prime is no quote"},
      {"json", "{\"a\": \"b // c\"}", {}, ""},
      {"text", "# no // no", {}, "prose has no comments"},
      {"js", "a = /[/*]/; b /* c */", {"/* c */"}, "a regular expression"},
      {"js", "q = /\"/; x // yes", {"// yes"}, "with a quote"},
      {"js", "t = s.split(/\\/\\//); // yes", {"// yes"}, "with slashes"},
      {"js", "if (x) return /'/.test(y) // yes", {"// yes"}, "behind a word"},
      {"js", "a = b / c; d = e / f // yes", {"// yes"}, "divisions"},
      {"js", "a[0] / 2 // '\nb // yes", {"// '", "// yes"}, "behind a bracket"},
      {"js", "`a ${f({b: `c // ${\"}\"}`})} // no` // yes", {"// yes"}, "templates in templates"},
      {"js", "`a ${ // open\nx // yes", {"// yes"}, "that never ends: to the end of the line"},
      {"cpp", "x = 1'000; // it's", {"// it's"}, "separated digits"},
      {"cpp", "x = 0xFF'FF; c = L'\"'; // yes", {"// yes"}, "a wide character is none"},
      {"cpp", "s = R\"x(\" // no\n)\" )x\"; // yes", {"// yes"}, "a raw string"},
      {"cpp", "s = R\"x( // yes\n// too", {"// too"}, "that never ends"},
      {"c#", "s = @\"\\\"; // yes", {"// yes"}, "no escapes in a verbatim string"},
      {"c#", "s = @\"a\"\" // no\n\"; // yes", {"// yes"}, "quotes twice in it"},
      {"c#",
       "s = \"\"\"\"a \"\"\" // no\n\"\"\"\"; // yes",
       {"// yes"},
       "as many quotes as began it"},
      {"kotlin", "s = \"\"\"a \" // no\n\"\"\" // yes", {"// yes"}, "three quotes"},
      {"kotlin", "/* a /* b */ c */ d", {"/* a /* b */ c */"}, "comments nest"},
      {"cpp", "/* a /* b */ c", {"/* a /* b */"}, "but not here"},
      {"rust", "s = r#\"a\" // no\"#; c = '\"'; // yes", {"// yes"}, "raw, and a character"},
      {"rust", "s = \"a\\\\\"; // yes", {"// yes"}, "a backslash at the end"},
      {"go", "s = `\\`; // yes", {"// yes"}, "a backslash is one"},
      {"php", "#[Attribute('#')] class A {} # yes", {"# yes"}, "an attribute"},
      {"php", "$a = <<<X\n# no\n  X; # yes", {"# yes"}, "a here-document"},
      {"sh", "cat <<'E' # passed over\n# no\nE\n# yes", {"# yes"}, "here, too"},
      {"sh", "cat <<E\n# yes", {"# yes"}, "that never ends"},
      {"ruby", "f(<<~SQL)\n  -- # no\nSQL\n# yes", {"# yes"}, ""},
      {"ruby", "f(<<~A, <<~B)\n# no\nA\n# no\nB\n# yes", {"# yes"}, "two in one line"},
      {"ruby", "a <<b\n# yes\nb", {"# yes"}, "a shift"},
      {"php", "$a = 'one\n# no \\' // no\n'; # yes", {"# yes"}, "a string over lines"},
      {"php", "it's\n<?php # yes\n$a = 'b'; ?>", {"# yes"}, "an apostrophe outside of the code"},
      {"php", "$a = \"one\n# yes", {"# yes"}, "a string that never ends"},
      {"lua", "s = [==[ -- no\n]] ]==] -- yes", {"-- yes"}, "long brackets"},
      {"cpp", "", {}, "nothing"},
  };
  for (const Row& row : rows)
    EXPECT_THAT(comments(row.text, row.fence), ElementsAreArray(row.expected))
        << row.fence << ": " << row.text << ": " << row.why;
}

TEST(SourceLexer, MasksWhatIsNoCode) {
  struct Row {
    std::string fence, text, expected;
  };
  const Row rows[] = {
      {"js", "a = 'b{'; // c\nd = /{/g;", "a = \"  \";     \nd = \" \"g;"},
      {"sh", "cat <<E\n{\nE\n", "cat <<E\n \nE\n"},
      {"php", "f('{\n{', 1)\n", "f(\" \n \", 1)\n"},
      {"cpp", "f(\"\", '{');", "f(\"\", \" \");"},
      {"cpp", "f(\"a\\\n", "f(\" \"\n"},
      {"cpp", "f(\"a\\\nb\n", "f(\"  \n\"\n"},
      {"cpp", "f(\"a\\\n\nb", "f(\" \"\n\nb"},
  };
  for (const Row& row : rows)
    EXPECT_EQ(mask_literals(row.text, language_of_fence(row.fence)->lexis), row.expected)
        << row.text;
}

// Lines of nothing but unclosed strings and marks: each must be looked through once.
TEST(SourceLexer, FindsLiteralsOfAllKinds) {
  const std::string text = "a = <<X + 'b' # c\ntext\nX\n";
  std::vector<std::string> found;
  for (const ByteRange& range : find_literals(text, language_of_fence("ruby")->lexis))
    found.push_back(text.substr(range.begin, range.end - range.begin));
  EXPECT_THAT(found, ElementsAreArray({"text\n"})) << "what follows in its line is passed over";
  const std::string script = "a = /r/ + `t` // c";
  found.clear();
  for (const ByteRange& range : find_literals(script, language_of_fence("js")->lexis))
    found.push_back(script.substr(range.begin, range.end - range.begin));
  EXPECT_THAT(found, ElementsAreArray({"/r/", "`t`", "// c"}));
}

TEST(SourceLexer, HereDocumentsAlone) {
  const LexicalStyle& ruby = language_of_fence("ruby")->lexis;
  EXPECT_EQ(mask_here_documents("a 'b' # c\nf(<<~A, 1)\n  class B\nA\n", ruby),
            "a 'b' # c\nf(<<~A, 1)\n         \nA\n");
  EXPECT_EQ(mask_here_documents("a <<A\nb\nA\n", language_of_fence("c")->lexis), "a <<A\nb\nA\n");
}

TEST(Source, IsLinearOnHostileText) {
  std::string text;
  for (int i = 0; i < 200'000; ++i) text += "\\`\n";
  EXPECT_TRUE(comments("`" + text, "js").empty());
  EXPECT_TRUE(comments(std::string(1'000'000, ' ') + "a", "vim").empty());
  EXPECT_EQ(comments(std::string(1'000'000, '#'), "python").size(), 1u);
}

TEST(Source, RandomTextGivesOrderedRangesInside) {
  const std::string letters = "/*#\"'`\\\n -=;%{}[]<!>(ra\xc3";
  std::mt19937 random(1);
  for (const char* const fence : {"cpp", "python", "js", "ruby", "lua", "bat", "vim", "html"}) {
    for (int round = 0; round < 300; ++round) {
      std::string text;
      for (int i = 0; i < 60; ++i) text += letters[random() % letters.size()];
      std::size_t last = 0;
      for (const ByteRange& range : find_comments(text, language_of_fence(fence)->lexis)) {
        ASSERT_LE(last, range.begin);
        ASSERT_LT(range.begin, range.end);
        ASSERT_LE(range.end, text.size());
        last = range.end;
      }
      last = 0;
      for (const ByteRange& range : find_literals(text, language_of_fence(fence)->lexis)) {
        ASSERT_LE(last, range.begin);
        ASSERT_LT(range.begin, range.end);
        ASSERT_LE(range.end, text.size());
        last = range.end;
      }
    }
  }
}

}  // namespace
}  // namespace kw
