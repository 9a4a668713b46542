// SPDX-License-Identifier: GPL-2.0-or-later
#include "indexer/extract/declarations.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

namespace kw::indexer {
namespace {

using ::testing::UnorderedElementsAreArray;

/// Each definition as "line kind scope.name".
std::vector<std::string> scan(const std::string& path, const std::string& text) {
  std::vector<std::string> out;
  const auto found = scan_declarations(text, language_of_path(path));
  if (!found) return {"none of ours"};
  for (const Definition& d : *found)
    out.push_back(std::to_string(d.line) + " " + d.kind + " " +
                  (d.scope.empty() ? d.name : d.scope + "/" + d.name));
  return out;
}

struct Row {
  std::string path, text;
  std::vector<std::string> expected;
  std::string why;
};

void expect_rows(const std::vector<Row>& rows) {
  for (const Row& row : rows)
    EXPECT_THAT(scan(row.path, row.text), UnorderedElementsAreArray(row.expected))
        << row.text << ": " << row.why;
}

TEST(Declarations, ListsOfScripts) {
  expect_rows({
      {"a.js",
       "const a = require('a'),\n\tB = require('b').B, // of b\n\tC = { d: 1, e: f(2, 3) },\n"
       "  g = h\n    .sync('x')\n    .filter(i => i !== 'j', k),\n  l = function (m, n) {},\n"
       "  { o, p: q } = r,\n  s = t;\n",
       {"1 import a", "2 import B", "3 constant C", "3 key C/d", "3 key C/e", "4 constant g",
        "7 function l", "9 constant s"},
       "constants behind a comma"},
      {"a.js",
       "var a, b\n  , c = 1\n  , d;\ne(f, g);\nlet h\ni, j = 2;\n",
       {"1 variable a", "1 variable b", "2 variable c", "3 variable d", "5 variable h"},
       "variables, until a statement begins"},
      {"a.ts",
       "let m = new Map<K, V, W>(), n: Set<A, B> = o,\n  p: (q: number, r: string) => void;\n"
       "function s() {\n  const t = 1, u = () => { let v = 2, w; };\n}\n",
       {"1 variable m", "1 variable n", "2 variable p", "3 function s", "4 function s/u"},
       "types hold commas; what a function declares is its own"},
  });
}

TEST(Declarations, TypeScript) {
  expect_rows({
      {"a.ts",
       "export class A<T extends { k: string }> extends B<T> {\n"
       "  private x = f(1)\n"
       "  readonly on = (e: Event) => { const y = 1 }\n"
       "  constructor(private p: P) { super() }\n"
       "  static async run<T>(a: { b: T }): Promise<{ c: T }> { return g(a) }\n"
       "  get size(): number { return 1 }\n"
       "  @dec({ a: 1 }) last(\n    a,\n  ): void;\n}\n",
       {"1 class A", "2 property A/x", "3 method A/on", "5 method A/run", "6 method A/size",
        "7 method A/last"},
       "members behind fields with parentheses and arrows"},
      {"a.ts",
       "export interface I extends J {\n  a?: string;\n  (x: number): string\n"
       "  [key: string]: any\n  m(a: () => void): void\n  readonly b: { c: string }\n}\n"
       "type T = { k: string } | { l: number }\nexport type F<A> = (a: A) => void\nlet z = 1\n",
       {"1 interface I", "2 property I/a", "5 method I/m", "6 property I/b", "8 alias T",
        "9 alias F", "10 variable z"},
       "interfaces and aliases"},
      {"a.ts",
       "export enum E { A, B = 'b', C }\nconst enum F { G }\nnamespace N.M {\n  export function "
       "f() "
       "{}\n}\ndeclare module 'x' {\n  const y: number\n}\nabstract class Q { abstract r(): void "
       "}\n",
       {"1 enum E", "1 enumerator E/A", "1 enumerator E/B", "1 enumerator E/C", "2 enum F",
        "2 enumerator F/G", "3 namespace M", "3 namespace N", "4 function N.M/f", "7 constant y",
        "9 class Q", "9 method Q/r"},
       "enumerations, namespaces, declarations"},
  });
}

TEST(Declarations, JavaScript) {
  expect_rows({
      {"a.js",
       "const a = require('a'), fs = 1\nconst S = Object.freeze({ X: 1, y() { return 1 } })\n"
       "exports.b = function () {}\nexports.c = c\nmodule.exports = { d(x) { if (x) {} }, e: () => "
       "1, f }\nA.prototype.g = function () {}\nB.h = async () => {}\n",
       {"1 import a", "1 constant fs", "2 constant S", "2 key S/X", "2 method S/y", "3 function b",
        "4 import c", "5 method d", "5 method e", "6 method A/g", "7 method B/h"},
       "what modules export"},
      {"a.js",
       "function* gen() { const no = 1; function inner() {} }\nlet f = async x => { let no }\n"
       "const re = /[{(]/, s = `${ {} } {`\nvar C = class { #p = 1; static { q() } m() {} }\n"
       "(function () { var no; function iife() {} })()\n",
       {"1 function gen", "1 function gen/inner", "2 function f", "3 constant re", "3 constant s",
        "4 class C", "4 method C/m", "4 property C/p", "5 function iife"},
       "functions in functions, literals with brackets"},
      {"a.js",
       "switch (x) { case 1: { break } }\nfunction a() {}\n}\n}\nfunction b() {}\n",
       {"2 function a", "5 function b"},
       "brackets that do not match"},
  });
}

TEST(Declarations, Kotlin) {
  expect_rows({
      {"a.kt",
       "class T {\n  @Test fun `reads a line`() {}\n  val `in` = `x y`\n}\n",
       {"1 class T", "2 method T/reads a line", "3 property T/in"},
       "names in quotes"},
      {"a.kt",
       "package p\n@file:JvmName(\"x\")\ndata class A(val b: Int, c: String) : D(c) {\n"
       "  companion object { const val E = 1 }\n  override fun f() = run { val no = 1 }\n"
       "  val g: Int get() { return 1 }\n}\n@JvmInline value class V(val w: Int)\n"
       "fun interface I { fun i() }\nobject O\nenum class K(val l: Int) { M(1), N(2); fun o() {} "
       "}\n",
       {"3 class A", "3 property A/b", "4 constant A/E", "5 method A/f", "6 property A/g",
        "8 class V", "8 property V/w", "9 interface I", "9 method I/i", "10 object O", "11 enum K",
        "11 enumerator K/M", "11 enumerator K/N", "11 method K/o", "11 property K/l"},
       "classes of all kinds"},
      {"a.kt",
       "fun <T> List<T>.ext(): T = first()\nval String.len: Int get() = length\ntypealias H = "
       "(Int) -> Unit\nsuspend inline fun go(x: () -> Unit) { fun local() {} }\nval s = "
       "\"\"\"{\"\"\"\n",
       {"1 function ext", "2 variable len", "3 alias H", "4 function go", "4 function go/local",
        "5 variable s"},
       "extensions, aliases, raw strings"},
  });
}

TEST(Declarations, CSharp) {
  expect_rows({
      {"a.cs",
       "using J = System.Text.Json;\nnamespace A.B {\n  [Serializable]\n  public partial class "
       "C<T> : "
       "D where T : new() {\n    public int X => 1;\n    public string Y { get; set; } = \"{\";\n"
       "    object ICloneable.Clone() { return null; }\n    public C(int a) { }\n"
       "    private readonly Dictionary<string, int[]> _map = new();\n"
       "    (int, string) Pair() => (1, @\"\\\");\n#if X\n    const int K = 1;\n#endif\n"
       "    public event Action<int> Ev;\n    public static C operator +(C a, C b) => a;\n"
       "    int this[int i] => 0;\n  }\n}\n",
       {"1 using J", "2 namespace A.B", "4 class A.B/C", "5 property A.B.C/X", "6 property A.B.C/Y",
        "7 method A.B.C/Clone", "9 field A.B.C/_map", "10 method A.B.C/Pair", "12 constant A.B.C/K",
        "14 event A.B.C/Ev"},
       "members of all kinds; constructors and operators have no names of their own"},
      {"a.cs",
       "namespace N;\npublic record P(int X, string? Y = null);\nrecord struct Q { }\n"
       "class R(int z) : S(z) { int F() => z; }\nenum E : byte { A = 1, B }\n"
       "public delegate void D<T>(T x);\ninterface I { void M(); int P { get; } }\n",
       {"1 namespace N", "2 property N.P/X", "2 property N.P/Y", "2 record N/P", "3 record N/Q",
        "4 class N/R", "4 method N.R/F", "5 enum N/E", "5 enumerator N.E/A", "5 enumerator N.E/B",
        "6 delegate N/D", "7 interface N/I", "7 method N.I/M", "7 property N.I/P"},
       "records, primary constructors, a namespace of the file"},
      {"a.cs",
       "class A\n{\n\xC2\xA0\xC2\xA0public int X;\n}\n",
       {"1 class A", "3 field A/X"},
       "no-break blanks"},
  });
}

TEST(Declarations, Php) {
  expect_rows({
      {"a.php",
       "<?php\nclass A {\n  function f() { return '{\n  (it is not\n'; }\n  function g() {}\n}\n",
       {"2 class A", "3 method A/f", "6 method A/g"},
       "strings over lines"},
      {"a.php",
       "<p>class No {}</p>\n<?php\nnamespace A\\B;\n#[Attr('x')]\nfinal class C extends D {\n"
       "  use T;\n  const K = 1;\n  private ?int $p = 1;\n  public function __construct(private "
       "readonly X $q, int $no) {}\n  #[Pure] public static function &f(): array { $g = function "
       "() "
       "{}; }\n}\nenum S: string { case One = 'a'; case Two = 'b'; public function l() {} }\n"
       "function h() {}\nconst Z = 1;\n?>\nfunction no() {}\n",
       {"3 namespace A\\B", "5 class A\\B/C", "7 constant A\\B::C/K", "8 property A\\B::C/p",
        "9 method A\\B::C/__construct", "9 property A\\B::C/q", "10 method A\\B::C/f",
        "12 enum A\\B/S", "12 enumerator A\\B::S/One", "12 enumerator A\\B::S/Two",
        "12 method A\\B::S/l", "13 function A\\B/h", "14 constant A\\B/Z"},
       "a file"},
      {"a.php",
       "function f() {}\n$x = <<<E\nclass No {\nE;\ntrait T {}\n",
       {"1 function f", "5 trait T"},
       "a block without the opening tag; a here-document"},
  });
}

TEST(Declarations, Rust) {
  expect_rows({
      {"a.rs",
       "pub const A: &str = \"x\\\\\";\nstatic mut B: u8 = b'{';\npub(crate) struct C<'a> { pub d: "
       "&'a str, e: [u8; 2] }\nenum F { G, H { i: u8 }, J(u8) }\nimpl<T> K for C<T>\nwhere\n  T: "
       "L,\n{\n  type Out = T;\n  pub async unsafe fn m(&self) -> u8 { let no = 1; 1 }\n}\n"
       "macro_rules! n { ($x:ident) => { fn no() {} } }\ncfg_rt! { pub fn o() {} }\n"
       "mod p { pub trait Q { fn r(); } }\nmod s;\n",
       {"1 constant A", "2 variable B", "3 field C/d", "3 field C/e", "3 struct C", "4 enum F",
        "4 enumerator F/G", "4 enumerator F/H", "4 enumerator F/J", "4 field F::H/i",
        "9 alias C/Out", "10 method C/m", "12 macro n", "13 function o", "14 method p::Q/r",
        "14 module p", "14 trait p/Q"},
       "items of all kinds"},
  });
}

TEST(Declarations, OtherLanguagesAreNotRead) {
  for (const char* const path : {"a.py", "a.c", "a.md", "a"})
    EXPECT_EQ(scan_declarations("x", language_of_path(path)), std::nullopt) << path;
}

TEST(Declarations, AnyTextIsRead) {
  const std::string pieces[] = {"class ", "fun ",  "{",      "}",  "(",  ")",      "<", ">",
                                "[",      "]",     "\n",     "a",  "=>", "=",      ";", ",",
                                ".",      ":",     "\"",     "'",  "`",  "const ", "#", "@",
                                "enum ",  "impl ", "<?php ", "/*", "$x "};
  std::mt19937 random(3);
  for (const char* const path : {"a.ts", "a.kt", "a.cs", "a.php", "a.rs"}) {
    for (int round = 0; round < 300; ++round) {
      std::string text;
      for (int i = 0; i < 80; ++i) text += pieces[random() % std::size(pieces)];
      const auto found = scan_declarations(text, language_of_path(path));
      ASSERT_TRUE(found);
      const auto lines = static_cast<std::uint32_t>(std::count(text.begin(), text.end(), '\n')) + 1;
      for (const Definition& d : *found) {
        ASSERT_GE(d.line, 1u);
        ASSERT_LE(d.line, lines);
        ASSERT_FALSE(d.name.empty());
      }
    }
  }
}

TEST(Declarations, IsLinearOnHostileText) {
  for (const char* const path : {"a.ts", "a.kt", "a.cs", "a.php", "a.rs"})
    for (const char* const piece :
         {"{", "(", "a<", "[", "class a {", "x = (", "fun <", "`${", "\"\"\"", "#["}) {
      std::string text;
      while (text.size() < 60'000) text += piece;
      ASSERT_TRUE(scan_declarations(text, language_of_path(path))) << path << ' ' << piece;
    }
}

}  // namespace
}  // namespace kw::indexer
