// SPDX-License-Identifier: GPL-2.0-or-later
// tools/check_sizes: this checkout has no function and no class that is too long, and each form of
// either is found in a source made for it.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "tests/support/run_command.h"
#include "tests/support/temp_dir.h"

namespace kw::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kTool = KW_SOURCE_DIR "/tools/check_sizes";

std::string lines(int count, const std::string& line = "  f();") {
  std::string text;
  for (int i = 0; i < count; ++i) text += line + "\n";
  return text;
}

TEST(CheckSizes, ThisCheckoutKeepsThem) {
  const CommandResult result = run_command({kTool, KW_SOURCE_DIR});
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.exit_code, 0) << result.err;
}

TEST(CheckSizes, FindsEachFormOfAFunctionAndAClass) {
  // Heads of one line: with 59 lines and a brace they have 61.
  const struct {
    const char* name;
    std::string head, line;
    int count;
    std::string expected;  ///< empty: nothing is too long
  } cases[] = {
      {"sixty lines", "void f() {", "", 58, ""},
      {"more", "void f() {", "", 59, "function f has 61 lines, more than 60"},
      {"a member", "int kw::X::f(int a) const {", "", 59, "function kw::X::f has 61 lines"},
      {"an operator", "bool operator==(X a, X b) {", "", 59, "function operator== has 61 lines"},
      {"a template", "template <class T = A<B>>\nT f() {", "", 58, "function f has 61 lines"},
      {"a parameter with braces", "void f(A a = {}) {", "", 59, "function f has 61 lines"},
      {"an initializer with braces", "X::X() : a_{1}, b_(2) {", "", 59,
       "function X::X has 61 lines"},
      {"what it returns", "auto f() -> A<B> {", "", 59, "function f has 61 lines"},
      {"a struct returned", "struct stat f() {", "", 59, "function f has 61 lines"},
      {"braces within", "void f() {", "  if (a) { b = [] { return A{}; }; }", 59, "function f has"},
      {"a function in a class", "struct X {\nvoid f() {\n}\nvoid g() {}", "", 70, ""},
      {"a class in a function", "void f() {\nstruct X {\n};", "", 59, "function f has 63 lines"},
      {"braces in literals", "void f() { g(\"}\", '}', R\"(})\", 1'0);", "  // }", 59,
       "function f has 61 lines"},
      {"a table", "constexpr A kTable[] = {", "  {f(1), \"x\"},", 300, ""},
      {"an enum", "enum class E {", "  A,", 300, ""},
      {"a namespace", "namespace kw {", "void f();", 300, ""},
      {"a class of 250", "class X {", "  int f();", 248, ""},
      {"more", "class X {", "  int f();", 249, "class X has 251 lines, more than 250"},
      {"a struct", "struct X final {", "  int f();", 249, "class X has 251 lines"},
      {"with bases", "class X : public Y<int(int)>,\n          Z {", "  int f();", 248,
       "class X has 251 lines"},
      {"with an attribute", "class [[nodiscard]] X {", "  int f();", 249, "class X has 251 lines"},
      {"of short functions", "class X {", "  int f() { return 1; }", 249, "class X has 251 lines"},
      {"defined later", "struct X::Impl {", "  int f();", 249, "class X::Impl has 251 lines"},
  };
  TempDir dir;
  for (std::size_t i = 0; i < std::size(cases); ++i)
    write_file(dir / fmt::format("schema/{:02}.cc", i),
               cases[i].head + "\n" + lines(cases[i].count, cases[i].line) + "};\n");
  const CommandResult result = run_command({kTool, dir.str()});
  EXPECT_EQ(result.exit_code, 1) << result.err;
  for (std::size_t i = 0; i < std::size(cases); ++i) {
    SCOPED_TRACE(std::string(cases[i].name) + ": " + cases[i].head);
    const std::string place = fmt::format("schema/{:02}.cc:", i);
    if (cases[i].expected.empty())
      EXPECT_THAT(result.out, Not(HasSubstr(place)));
    else
      EXPECT_THAT(result.out, HasSubstr(place + "1: " + cases[i].expected));
  }
}

TEST(CheckSizes, SaysWhereInEveryPart) {
  TempDir dir;
  const std::string longest = "/// What it is for.\nvoid f() {\n" + lines(59) + "}\n";
  make_tree(dir.path(), {{"exporter/site/a.h", longest},
                         {"tools/b.cc", longest},
                         {"tools/sample/c.cc", longest},
                         {"tests/d.cc", longest}});
  const CommandResult result = run_command({kTool, dir.str()});
  EXPECT_EQ(result.out,
            "exporter/site/a.h:2: function f has 61 lines, more than 60\n"
            "tools/b.cc:2: function f has 61 lines, more than 60\n");
}

TEST(CheckSizes, ListsTheLongestFirst) {
  TempDir dir;
  make_tree(dir.path(), {{"schema/a.cc", "class A {\n  int b();\n};\nint A::b() { return 1; }\n"}});
  const CommandResult result = run_command({kTool, "--list", dir.str()});
  EXPECT_EQ(result.out, "   3 class A  schema/a.cc:1\n   1 function A::b  schema/a.cc:4\n");
  EXPECT_EQ(result.exit_code, 0);
}

TEST(CheckSizes, AFolderWithoutSourcesIsSaid) {
  TempDir dir;
  const CommandResult result = run_command({kTool, dir.str()});
  EXPECT_THAT(result.out, HasSubstr("no source was found"));
  EXPECT_EQ(result.exit_code, 1);
}

}  // namespace
}  // namespace kw::test
