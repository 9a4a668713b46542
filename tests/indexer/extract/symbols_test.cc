// SPDX-License-Identifier: GPL-2.0-or-later
// Against the real universal-ctags, and against shell scripts that stand for a broken one.
#include "indexer/extract/symbols.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <ostream>
#include <string>
#include <vector>

#include "schema/base/bounds.h"
#include "schema/text/language_table.h"
#include "tests/support/child_usage.h"
#include "tests/support/temp_dir.h"

namespace kw::indexer {

void PrintTo(const Definition& d, std::ostream* out) {
  *out << d.line << ": " << d.kind << " " << d.name << " in '" << d.scope << "'";
}

namespace {

using std::chrono::milliseconds;
using ::testing::Contains;
using ::testing::ElementsAreArray;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

std::vector<Definition> ask(SymbolExtractor& ctags, const std::string& text,
                            const std::string& extension) {
  Result<std::vector<Definition>> found = ctags.definitions(text, extension);
  if (!found) ADD_FAILURE() << found.error().message;
  return found ? *found : std::vector<Definition>();
}

TEST(Symbols, DefinitionsWithLinesAndScopes) {
  struct Row {
    std::string extension, text;
    std::vector<Definition> expected;
    std::string why;
  };
  const Row rows[] = {
      {"py",
       "import numpy as np\nfrom a import b as c\n\nclass A:\n  x = 1\n  def f(self):\n    def "
       "g(): pass\n"
       "async def h(): pass\n",
       {{"A", "class", 4, ""},
        {"x", "variable", 5, "A"},
        {"f", "member", 6, "A"},
        {"g", "function", 7, "A.f"},
        {"h", "function", 8, ""}},
       "imports define nothing here"},
      {"h",
       "namespace a::b {\nstruct TORCH_API InputMetadata {\n  int x;\n};\n}\n",
       {{"a", "namespace", 1, ""},
        {"b", "namespace", 1, "a"},
        {"InputMetadata", "struct", 2, "a::b"},
        {"x", "member", 3, "a::b::InputMetadata"}},
       "an export macro before the name, which ctags was not told of"},
      {"cpp",
       "#include <x>\nnamespace {\nstruct { int z; } v;\nclass C final : B<int> { void m(); };\n}\n"
       "namespace n { namespace { int k; } }\n",
       {{"v", "variable", 3, ""},
        {"z", "member", 3, ""},
        {"C", "class", 4, ""},
        {"k", "variable", 6, "n"},
        {"n", "namespace", 6, ""}},
       "made-up names are left out, of scopes too"},
      {"c",
       "#define M(x) x\nint class(int new) { return new; }\n",
       {{"M", "macro", 1, ""}, {"class", "function", 2, ""}},
       "C is no C++"},
      {"h",
       "@interface Foo\n- (void)bar;\n@end\n",
       {{"Foo", "interface", 1, ""}, {"bar", "method", 2, "Foo"}},
       "a header of Objective-C is seen by its text"},
      {"sh",
       "f() { :; }\nfunction g { cat <<EOF\nEOF\n}\nalias h=i\n",
       {{"f", "function", 1, ""}, {"g", "function", 2, ""}, {"h", "alias", 5, ""}},
       "here-documents are none"},
      {"go",
       "package p\nimport x \"y\"\nfunc F() {}\n",
       {{"F", "func", 3, "p"}},
       "no package clauses"},
      {"c",
       "int f() {}\r\nint g() {}\r\n",
       {{"f", "function", 1, ""}, {"g", "function", 2, ""}},
       "CRLF"},
      {"c", "int f() {}", {{"f", "function", 1, ""}}, "no newline at the end"},
      {"c",
       "int \xff\xfe() {}\nint g() {}\n",
       {{"g", "function", 2, ""}},
       "a name that is not UTF-8"},
      {"c",
       std::string("int a\0b;\nint g() {}\n", 20),
       {{"b", "variable", 1, ""}, {"g", "function", 2, ""}},
       "a zero byte"},
      {"c",
       "int " + std::string(1'001, 'a') + ";\nint g() {}\n",
       {{"g", "function", 2, ""}},
       "a name that nobody looks for"},
      {"mm",
       "IMPL(a)(const T& b, const T& c) {\n  f(x);\n}\n",
       {{"IMPL", "function", 1, ""}},
       "warnings of ctags are no failure"},
      {"nosuch", "int f() {}\n", {}, "a language that ctags does not know"},
      {"c", "", {}, "nothing"},
      {"c", "\n", {}, "next to nothing"},
  };
  Result<SymbolExtractor> ctags = SymbolExtractor::start();
  ASSERT_TRUE(ctags) << ctags.error().message;
  EXPECT_THAT(ctags->version(), Not(IsEmpty()));
  for (const Row& row : rows)
    EXPECT_THAT(ask(*ctags, row.text, row.extension), ElementsAreArray(row.expected))
        << row.extension << ": " << row.text << ": " << row.why;
}

// The table of languages says how ctags is to be asked: each must find a definition.
TEST(Symbols, EveryLanguageIsUnderstood) {
  struct Row {
    std::string fence, text, name;
  };
  const Row rows[] = {
      {"c", "struct S { int x; };", "S"},
      {"cpp", "template <class T> class V {};", "V"},
      {"cuda", "__global__ void kern(int* x) {}", "kern"},
      {"hip", "__global__ void kern(int* x) {}", "kern"},
      {"metal", "kernel void k(device float* x) {}", "k"},
      {"glsl", "vec4 add(vec4 a) { return a; }", "add"},
      {"hlsl", "float4 main(float4 p) { return p; }", "main"},
      {"opencl", "void scale(float* x) {}", "scale"},
      {"objc", "@implementation Foo\n- (void)bar { }\n@end", "bar"},
      {"m", "@implementation Foo\n- (void)bar { }\n@end", "bar"},
      {"java", "class A { void f() {} }", "f"},
      {"d", "class A { void f() {} }", "f"},
      {"go", "package p\nfunc F() {}", "F"},
      {"haxe", "class A { function f() {} }", "A"},
      {"protobuf", "message M { int32 x = 1; }", "M"},
      {"dts", "/ {\n  uart0: serial@0 { };\n};", "uart0"},
      {"py", "def f(): pass", "f"},
      {"bazel", "def f(): pass", "f"},
      {"ruby", "class A\n  def f\n  end\nend", "f"},
      {"perl", "package A;\nsub f { 1 }", "f"},
      {"lua", "function f() end", "f"},
      {"tcl", "proc f {} {}", "f"},
      {"bash", "f() { :; }", "f"},
      {"powershell", "function Get-It { }", "Get-It"},
      {"bat", ":label\necho x", "label"},
      {"awk", "function f(x) { return x }", "f"},
      {"cmake", "function(f)\nendfunction()", "f"},
      {"make", "all: x\n\techo", "all"},
      {"m4", "AC_INIT([x])\nAC_DEFUN([MY_CHECK], [x])\nAC_ARG_WITH([y])", "y"},
      {"puppet", "class web { }", "web"},
      {"sql", "CREATE TABLE t (x int);", "t"},
      {"haskell", "module M where\n\ndouble :: Int -> Int\ndouble x = x", "double"},
      {"elm", "module M exposing (..)\n\nf : Int -> Int\nf x =\n    x\n", "f"},
      {"ocaml", "let f x = x", "f"},
      {"sml", "fun f x = x", "f"},
      {"erlang", "-module(m).\nf(X) -> X.", "f"},
      {"elixir", "defmodule M do\n  def f(x), do: x\nend", "f"},
      {"clojure", "(defn f [x] x)", "f"},
      {"lisp", "(defun f (x) x)", "f"},
      {"elisp", "(defun f (x) x)", "f"},
      {"scheme", "(define (f x) x)", "f"},
      {"r", "f <- function(x) x", "f"},
      {"julia", "function f(x)\nend", "f"},
      {"matlab", "function y = f(x)\n  y = x;\nend", "f"},
      {"fortran", "subroutine s(x)\nend subroutine", "s"},
      {"f", "      SUBROUTINE S(X)\n      END", "S"},
      {"ada", "procedure P is\nbegin\n  null;\nend P;", "P"},
      {"pascal", "program p;\nprocedure q;\nbegin\nend;\n", "q"},
      {"asm", "foo:\n  ret", "foo"},
      {"vhdl", "entity e is\nend e;", "e"},
      {"verilog", "module m(input a);\nendmodule", "m"},
      {"systemverilog", "class c;\nendclass", "c"},
      {"vim", "function! F()\nendfunction", "F"},
  };
  Result<SymbolExtractor> ctags = SymbolExtractor::start();
  ASSERT_TRUE(ctags) << ctags.error().message;
  for (const Row& row : rows) {
    SCOPED_TRACE(row.fence);
    const Language* const language = language_of_fence(row.fence);
    ASSERT_NE(language, nullptr);
    EXPECT_THAT(ask(*ctags, row.text + "\n", std::string(language->ctags_extension)),
                Contains(Field(&Definition::name, row.name)));
  }
}

TEST(Symbols, EachNameKindAndLineOnceInOrder) {
  Result<SymbolExtractor> ctags = SymbolExtractor::start();
  ASSERT_TRUE(ctags);
  const std::vector<Definition> expected = {
      {"a", "function", 1, ""}, {"b", "function", 1, ""}, {"a", "function", 2, ""}};
  EXPECT_THAT(ask(*ctags, "b() { :; }; a() { :; }; a() { :; }\na() { :; }\n", "sh"),
              ElementsAreArray(expected));
}

// More than both pipes hold, in both directions at once.
TEST(Symbols, LargeTextsDoNotDeadlock) {
  Result<SymbolExtractor> ctags = SymbolExtractor::start();
  ASSERT_TRUE(ctags);
  std::string text;
  for (int i = 0; i < 50'000; ++i) text += "def function_" + std::to_string(i) + "(): pass\n";
  const std::vector<Definition> found = ask(*ctags, text, "py");
  ASSERT_EQ(found.size(), 50'000u);
  EXPECT_EQ(found.back(), (Definition{"function_49999", "function", 50'000, ""}));
}

TEST(Symbols, TooMuchOutputLosesTheDefinitionsOnly) {
  Result<SymbolExtractor> ctags = SymbolExtractor::start("ctags", std::chrono::minutes(1));
  ASSERT_TRUE(ctags);
  std::string text;
  for (int i = 0; i < 280'000; ++i) text += "int a;";
  const auto found = ctags->definitions(text, "c");
  ASSERT_FALSE(found);
  EXPECT_THAT(found.error().message, HasSubstr("said too much"));
  EXPECT_EQ(ask(*ctags, "int f() {}\n", "c").size(), 1u);
}

// A shell script that stands for ctags. "$@" is what ctags would get.
class FakeCtags {
 public:
  explicit FakeCtags(const std::string& body) : program_((dir_ / "ctags").string()) {
    test::write_file(program_, "#!/bin/sh\ncd '" + dir_.str() + "'\n" + body);
    std::filesystem::permissions(program_, std::filesystem::perms::owner_all);
  }
  const std::string& program() const { return program_; }
  /// How often the script ran `echo run >>runs`.
  std::size_t runs() const {
    const std::string text = test::read_text(dir_ / "runs");
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  }
  /// What it printed to `said`.
  std::string said() const { return test::read_text(dir_ / "said"); }

 private:
  test::TempDir dir_;
  std::string program_;
};

const std::string kGreeting =
    R"(echo '{"_type": "program", "name": "Universal Ctags", "version": "9.9"}')"
    "\n";

TEST(Symbols, WhatIsNoCtagsDoesNotStart) {
  struct Row {
    std::string script, why;
  };
  const Row rows[] = {
      {"exit 1\n", "dies"},
      {"echo hello\n", "speaks no JSON"},
      {"exec sleep 1000\n", "says nothing"},
      {"exec yes\n", "says too much"},
      {R"(echo '{"_type": "program", "name": "Exuberant"}'; exec sleep 1000)", "another ctags"},
      {R"(echo '{"_type": "program", "name"'; exec sleep 1000)", "broken JSON"},
  };
  for (const Row& row : rows) {
    const FakeCtags fake(row.script);
    const auto ctags = SymbolExtractor::start(fake.program(), milliseconds(200));
    ASSERT_FALSE(ctags) << row.why;
    EXPECT_THAT(ctags.error().message, HasSubstr("no universal-ctags")) << row.why;
    EXPECT_THAT(ctags.error().hint, Not(IsEmpty())) << row.why;
  }
}

TEST(Symbols, MissingProgram) {
  for (const char* const program : {"/nosuch/ctags", "no-such-ctags", "/"}) {
    const auto ctags = SymbolExtractor::start(program);
    ASSERT_FALSE(ctags);
    EXPECT_EQ(ctags.error().code, ErrorCode::NotFound);
    EXPECT_THAT(ctags.error().message, HasSubstr("cannot run"));
  }
}

TEST(Symbols, GoesOnWithoutTheSandbox) {
  const FakeCtags fake("case \"$*\" in *=sandbox*) exit 1;; esac\nexec ctags \"$@\"\n");
  Result<SymbolExtractor> ctags = SymbolExtractor::start(fake.program());
  ASSERT_TRUE(ctags) << ctags.error().message;
  EXPECT_EQ(ask(*ctags, "int f() {}\n", "c").size(), 1u);
}

// Bound: the memory of each ctags
TEST(Symbols, TheChildHasLittleMemoryAndEndsFirst) {
  const FakeCtags fake("{ ulimit -v; cat /proc/self/oom_score_adj; } >said\nexec ctags \"$@\"\n");
  ASSERT_TRUE(SymbolExtractor::start(fake.program()));
  EXPECT_EQ(fake.said(), "262144\n1000\n");
}

// Its parser takes 2.4 GB for each MB of these.
// Bound: the memory of each ctags
TEST(Symbols, NestedBracketsTakeNoMoreThanItHas) {
  Result<SymbolExtractor> ctags = SymbolExtractor::start("ctags", std::chrono::minutes(1));
  ASSERT_TRUE(ctags);
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += "function f(){";
  const auto found = ctags->definitions(text, "js");
  ASSERT_FALSE(found);
  EXPECT_THAT(found.error().message, HasSubstr("died"));
  EXPECT_EQ(ask(*ctags, "int f() {}\n", "c").size(), 1u);
  EXPECT_LE(test::child_peak_mb(), 256);
}

// Bound: ctags' answer to one file
TEST(Symbols, AnAnswerHasABound) {
  const std::string begin = R"({"_type": "tag", "name": "f", "kind": "function", "line": 1)",
                    end = R"({"_type": "completed"})";
  const std::size_t rest = begin.size() + 2 + end.size() + 1;  // with '}' and the ends of lines
  for (const std::size_t bytes : {kMaxCtagsReplyBytes, kMaxCtagsReplyBytes + 1}) {
    const FakeCtags fake(kGreeting +
                         fmt::format("read x; printf %s '{}'; head -c {} /dev/zero | tr '\\0' ' '\n"
                                     "echo '}}'; echo '{}'; exec sleep 1000\n",
                                     begin, bytes - rest, end));
    Result<SymbolExtractor> ctags = SymbolExtractor::start(fake.program(), std::chrono::minutes(1));
    ASSERT_TRUE(ctags) << ctags.error().message;
    const auto found = ctags->definitions("int f() {}\n", "c");
    EXPECT_EQ(static_cast<bool>(found), bytes == kMaxCtagsReplyBytes);
    if (!found) {
      EXPECT_THAT(found.error().message, HasSubstr("said too much"));
    }
  }
}

// The first process fails in the middle; the next one is the real ctags.
TEST(Symbols, WorksAgainAfterEachFailure) {
  struct Row {
    std::string script, message, why;
  };
  const Row rows[] = {
      {"exec sleep 1000\n", "in time", "hangs, reads nothing"},
      {"sleep 1000 & wait\n", "in time", "hangs, and a child of it with it"},
      {"read x; exit 0\n", "died", "ends"},
      {"read x; kill -9 $$\n", "died", "is killed"},
      {"read x; exec yes\n", "said too much", "writes without end"},
      {"read x; echo garbage; echo '{\"_type\": \"completed\"}'; exec sleep 1000\n", "no JSON",
       "says what is no JSON"},
      {"read x; printf '{\"_type\": \"tag\", \"name\": \"'; exec sleep 1000\n", "in time",
       "stops in a line"},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.why);
    const FakeCtags fake("if [ -e seen ]; then exec ctags \"$@\"; fi\n: >seen\n" + kGreeting +
                         row.script);
    Result<SymbolExtractor> ctags = SymbolExtractor::start(fake.program(), milliseconds(1000));
    ASSERT_TRUE(ctags) << ctags.error().message;
    EXPECT_EQ(ctags->version(), "9.9");
    const auto failed = ctags->definitions("int f() {}\n" + std::string(1'000'000, ' '), "c");
    ASSERT_FALSE(failed);
    EXPECT_THAT(failed.error().message, HasSubstr(row.message));
    EXPECT_EQ(ask(*ctags, "int f() {}\n", "c").size(), 1u);
  }
}

TEST(Symbols, StaysOffAfterThreeStartsThatFailed) {
  const FakeCtags fake("echo run >>runs\nif [ -e seen ]; then exit 1; fi\n: >seen\n" + kGreeting +
                       "read x; exit 1\n");
  Result<SymbolExtractor> ctags = SymbolExtractor::start(fake.program());
  ASSERT_TRUE(ctags) << ctags.error().message;
  for (int i = 0; i < 100; ++i) EXPECT_FALSE(ctags->definitions("int f() {}\n", "c"));
  EXPECT_EQ(fake.runs(), 4u) << "the first, and three that failed";
}

TEST(Symbols, StaysOffAfterTwentyTextsThatFailed) {
  const FakeCtags fake("echo run >>runs\n" + kGreeting + "read x; exit 1\n");
  Result<SymbolExtractor> ctags = SymbolExtractor::start(fake.program());
  ASSERT_TRUE(ctags) << ctags.error().message;
  for (int i = 0; i < 100; ++i) EXPECT_FALSE(ctags->definitions("int f() {}\n", "c"));
  EXPECT_EQ(fake.runs(), 20u);
  EXPECT_THAT(ctags->definitions("int f() {}\n", "c").error().message, HasSubstr("is off"));
}

TEST(Symbols, OneThatFailsNowAndThenStaysOn) {
  const FakeCtags fake(
      "echo run >>runs\nif [ $(($(wc -l <runs) % 2)) = 0 ]; then exec ctags \"$@\"; fi\n" +
      kGreeting + "read x; exit 1\n");
  Result<SymbolExtractor> ctags = SymbolExtractor::start(fake.program());
  ASSERT_TRUE(ctags) << ctags.error().message;
  EXPECT_FALSE(ctags->definitions("int f() {}\n", "c"));
  for (int i = 0; i < 50; ++i) EXPECT_TRUE(ctags->definitions("int f() {}\n", "c"));
}

TEST(Symbols, AMovedExtractorGoesOn) {
  Result<SymbolExtractor> first = SymbolExtractor::start();
  Result<SymbolExtractor> second = SymbolExtractor::start();
  ASSERT_TRUE(first && second);
  *first = std::move(*second);
  EXPECT_EQ(ask(*first, "int f() {}\n", "c").size(), 1u);
}

}  // namespace
}  // namespace kw::indexer
