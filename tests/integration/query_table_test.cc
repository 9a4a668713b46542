// SPDX-License-Identifier: GPL-2.0-or-later
// Many questions to one small tree (tests/corpus/search): all files and lines that the programs
// find must be those that a slow scan finds, no more and no fewer.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tests/support/run_command.h"
#include "tests/support/slow_search.h"
#include "tests/support/temp_dir.h"

namespace kw::test {
namespace {

const std::string kTree = std::string(KW_SOURCE_DIR) + "/tests/corpus/search";

struct Row {
  std::vector<std::string> arguments;
  Ask expected;
  std::vector<std::string> absent;  ///< near misses: files that must not be among the results
  const char* why;
  bool any = false;  ///< no file has all words: those that have some, and it is said
};

class QueryTable : public testing::Test {
 protected:
  // Not in SetUpTestSuite: where that fails, GoogleTest counts the tests as skipped.
  void SetUp() override {
    if (slow_) return;
    folder_ = new TempDir;
    const auto made = run_command({"kwindex", kTree, "--db", database()});
    ASSERT_EQ(made.exit_code, 0) << made.err;
    slow_ = new SlowSearch(kTree);
  }
  static void TearDownTestSuite() {
    delete slow_;
    delete folder_;
  }
  static std::string database() { return (*folder_ / "index").string(); }

  static void check(const std::vector<Row>& rows) {
    for (const Row& row : rows) {
      SCOPED_TRACE(testing::PrintToString(row.arguments) + ": " + row.why);
      check(row);
    }
  }

 private:
  static void check(const Row& row) {
    std::vector<std::string> command{"kwsearch", "--db", database(), "--json",
                                     "-n",       "0",    "-m",       "0"};
    command.insert(command.end(), row.arguments.begin(), row.arguments.end());
    const auto result = run_command(command);
    const auto expected = slow_->search(row.expected);
    EXPECT_EQ(result.exit_code, expected.empty() ? 1 : 0) << result.err;
    EXPECT_EQ(result.err.find("some") != std::string::npos, row.any) << result.err;

    std::map<std::string, SlowSearch::Found> found;
    std::istringstream lines(result.out);
    for (std::string line; std::getline(lines, line);) {
      const auto json = nlohmann::json::parse(line);
      SlowSearch::Found& f = found[json["path"]];
      for (const auto& match : json["matches"]) f.lines.insert(match["line"].get<std::size_t>());
      EXPECT_EQ(f.lines.size(), json["matches"].size()) << "a line twice";
      for (const auto& path : json["also"]) f.also.insert(path.get<std::string>());
    }
    EXPECT_EQ(to_text(found), to_text(expected));
    for (const std::string& path : row.absent) {
      EXPECT_TRUE(slow_->has_file(path)) << "no such file: " << path;
      EXPECT_FALSE(found.contains(path)) << "must not be there: " << path;
    }
  }

  /// "path:1,2 also other", one a line.
  static std::string to_text(const std::map<std::string, SlowSearch::Found>& found) {
    std::string out;
    for (const auto& [path, f] : found) {
      out += path;
      for (const std::size_t line : f.lines)
        out += (line == *f.lines.begin() ? ":" : ",") + std::to_string(line);
      for (const std::string& other : f.also) out += " also " + other;
      out += '\n';
    }
    return out;
  }

  static inline TempDir* folder_ = nullptr;
  static inline SlowSearch* slow_ = nullptr;
};

const std::string kStack = "src/stack.py", kFoo = "src/foo.cc", kHeader = "src/foo.h";

TEST_F(QueryTable, Words) {
  check({
      {{"Stack"}, word("Stack"), {"src/loop.cc"}, "a name, a word, a path"},
      {{"stack"}, word("stack"), {}, "the same folded"},
      {{"ViewAndMutationMeta"}, word("ViewAndMutationMeta"), {"docs/guide/mutation.md"}, "a name"},
      {{"viewandmutationmeta"}, word("viewandmutationmeta"), {}, "in small letters"},
      {{"view_and_mutation_meta"},
       word("view_and_mutation_meta"),
       {kStack},
       "underscores count where a name is asked as one word"},
      {{"view", "and", "mutation", "meta"},
       words({"view", "and", "mutation", "meta"}),
       {},
       "the words inside a name"},
      {{"view and mutation meta"},
       words({"view", "and", "mutation", "meta"}),
       {},
       "as one argument"},
      {{"mutation"}, word("mutation"), {}, "by stem, in prose and in code; names by parts"},
      {{"mutations"}, word("mutations"), {}, "the other way"},
      {{"mutating"}, word("mutating"), {}, "another form"},
      {{"mutant"}, word("mutant"), {kStack}, "another stem"},
      {{"count"}, word("count"), {}, "a part of a name"},
      {{"pop_frame"}, word("pop_frame"), {}, "a name with an underscore"},
      {{"pop"}, word("pop"), {}, "a part of it"},
      {{"frame"}, word("frame"), {}, "`frames` of code, too"},
      {{"frames"}, word("frames"), {}, "its plural"},
      {{"init"}, word("init"), {}, "inside underscores"},
      {{"__init__"}, word("__init__"), {"names/spellings.py"}, "with them"},
      {{"_private"}, word("_private"), {}, "one in front"},
      {{"private"}, word("private"), {}, "without it"},
      {{"dunder"}, word("dunder"), {}, "inside two"},
      {{"http"}, word("http"), {}, "before several capitals"},
      {{"server"}, word("server"), {}, "after them"},
      {{"HTTPServer"}, word("HTTPServer"), {}, "one spelling only, for `_` counts"},
      {{"http", "server"}, words({"http", "server"}), {}, "both by words"},
      {{"conv2d"}, word("conv2d"), {}, "a digit inside"},
      {{"conv"}, word("conv"), {"names/spellings.py"}, "`conv2d` is one word"},
      {{"happy"}, word("happy"), {}, "a stem that ends otherwise"},
      {{"happiest"}, word("happiest"), {}, "a stem of its own"},
      {{"dying"}, word("dying"), {}, "the stemmer makes it `die`"},
      {{"lying"}, word("lying"), {}, "and this `lie`"},
      {{"sky"}, word("sky"), {}, "and `skies` `sky`"},
      {{"hopping"}, word("hopping"), {}, "a doubled letter"},
      {{"hope"}, word("hope"), {}, "hoping, hopefulness, and not hopping"},
      {{"generalization"}, word("generalization"), {}, "much is cut off"},
      {{"31"}, word("31"), {kFoo}, "a number"},
      {{"0x1F"}, word("0x1F"), {"src/loop.cc"}, "in hexadecimal"},
      {{"2147483648"}, word("2147483648"), {}, "a large one"},
      {{"2nd"}, word("2nd"), {}, "digits, then letters"},
      {{"last_token"}, word("last_token"), {}, "the last line has no end"},
      {{"dos"}, word("dos"), {}, "a line that ends in CR LF"},
      {{"abc_def"}, word("abc_def"), {"docs/guide/edges.md"}, "in a path alone"},
      {{"abc"}, word("abc"), {}, "a part of a path's name"},
      {{"test"}, word("test"), {}, "paths are not stemmed, prose is"},
      {{"dry_run"}, word("dry_run"), {"scripts/build.sh"}, "a name; `--dry-run` is two"},
      {{"nowhere_at_all"}, word("nowhere_at_all"), {kStack}, "nothing"},
      {{"stack", "nowhere_at_all"},
       either({word("stack"), word("nowhere_at_all")}),
       {},
       "one of two",
       true},
      {{"lang:sql", "stack", "frame"},
       all({language("sql"), either({word("stack"), word("frame")})}),
       {kStack},
       "a filter is kept when words are given up",
       true},
      {{"stack", "skies", "NOT", "path:tests"},
       all({either({word("stack"), word("skies")}), none(path_word("tests"))}),
       {"tests/test_stack.py"},
       "so is a negation",
       true},
  });
}

TEST_F(QueryTable, WhatAPageShows) {
  const std::string typed = "docs/guide/typed.md";
  check({
      {{"max_retry_count"}, word("max_retry_count"), {}, "an escaped name"},
      {{"ident:max_retry_count"}, ident("max_retry_count"), {}, "is a name"},
      {{"ident:_retry"}, ident("_retry"), {typed}, "what escapes leave of it is none"},
      {{"retry"}, word("retry"), {}, "a word inside it"},
      {{"\"max_retry_count before AT&T\""},
       literal("max_retry_count before AT&T"),
       {},
       "exact text as it is seen"},
      {{"\"max\\_retry\\_count\""}, literal("max\\_retry\\_count"), {}, "and as it is typed"},
      {{"\"vector<Node>\""}, literal("vector<Node>"), {}, "character references"},
      {{"semiautomatic"}, word("semiautomatic"), {}, "emphasis inside a word"},
      {{"\"semi**auto**matic\""}, literal("semi**auto**matic"), {}, "as it is typed"},
      {{"note"}, word("note"), {}, "marks are no part of a name"},
      {{"ident:_Note"}, ident("_Note"), {typed}, "so there is no such name"},
      {{"\"text runs over two\""}, literal("text runs over two"), {}, "over a line of a quote"},
      {{"\"see the manual at home\""}, literal("see the manual at home"), {}, "through a link"},
      {{"zlink_target"}, word("zlink_target"), {}, "a link's target is found"},
      {{"ident:zlink_target"}, ident("zlink_target"), {typed}, "as a word"},
      {{"B4"}, word("B4"), {typed}, "percent-escapes are no words"},
      {{"stripes"}, places({{typed, ""}}), {}, "what follows them is; its line is not shown"},
      {{"\"/%E6%B4%BB/zebra%20stripes\""},
       literal("/%E6%B4%BB/zebra%20stripes"),
       {},
       "they are exact text"},
      {{"section:pool_size"}, section("pool_size"), {}, "a heading"},
  });
}

TEST_F(QueryTable, Literals) {
  check({
      {{"\"operator==\""}, literal("operator=="), {"src/loop.cc"}, "an operator's name"},
      {{"operator=="}, literal("operator=="), {}, "without quotes"},
      {{"\"foo::bar(\""}, literal("foo::bar("), {"docs/guide/search.md"}, "a call"},
      {{"--as", "text", "foo::bar("}, literal("foo::bar("), {}, "without quotes"},
      {{"--", "\"--dry-run\""}, literal("--dry-run"), {"src/app/config.py"}, "an option"},
      {{"--", "--dry-run"}, literal("--dry-run"), {}, "a word that begins with dashes"},
      {{"--", "-run"}, literal("-run"), {}, "with one dash, inside of it"},
      {{"--", "--verbose", "NOT", "kwsearch"},
       all({literal("--verbose"), none(word("kwsearch"))}),
       {"docs/guide/search.md"},
       "beside other words"},
      {{"\"a.b.c\""}, literal("a.b.c"), {"docs/guide/keywords.md"}, "dots"},
      {{"a.b.c"}, literal("a.b.c"), {}, "without quotes"},
      {{"\"1 << 31\""}, literal("1 << 31"), {"docs/guide/numbers.md"}, "blanks are asked for"},
      {{"\"1<<31\""}, literal("1<<31"), {kStack}, "none are"},
      {{"\"<< 31\""}, literal("<< 31"), {}, "an operator first"},
      {{"1 << 31"}, all({word("1"), literal("<<"), word("31")}), {}, "three words"},
      {{"\"#include <vector>\""}, literal("#include <vector>"), {}, "a directive"},
      {{"--as", "text", "#include <vector>"}, literal("#include <vector>"), {}, "without quotes"},
      {{"<vector>"}, literal("<vector>"), {}, "brackets"},
      {{"foo::bar"},
       literal("foo::bar").with_lines({{kFoo, "int bar("}}),
       {kHeader},
       "a name in a scope"},
      {{"a/b.py"}, literal("a/b.py"), {"names/abc_def.txt"}, "a path in a text"},
      {{"src/foo.h"}, literal("src/foo.h"), {}, "a path itself"},
      {{"--as", "text", "stack.py"}, literal("stack.py"), {}, "a file's name"},
      {{"foo.cc"}, literal("foo.cc"), {}, "a source and its page"},
      {{"x->y"}, literal("x->y"), {"src/loop.cc"}, "an arrow"},
      {{"x->next"}, literal("x->next"), {}, "another"},
      {{"C++17"}, literal("C++17"), {}, "a name with operators"},
      {{"c++17"}, literal("c++17"), {}, "folded"},
      {{"i++"}, literal("i++"), {}, "an operator at the end"},
      {{"j++"}, literal("j++"), {"src/loop.cc"}, "another letter"},
      {{".gitignore"}, literal(".gitignore"), {}, "a dot in front"},
      {{"$HOME"}, literal("$HOME"), {"src/app/main.py"}, "a dollar in front"},
      {{"@decorator"}, literal("@decorator"), {}, "an at sign; not @decorators"},
      {{"@generated"}, literal("@generated"), {}, "a mark"},
      {{"\"HOME\""}, literal("HOME"), {}, "a word as a literal"},
      {{"\"foo::bar*\""},
       literal("foo::bar", false, true).with_lines({{kFoo, "int bar("}}),
       {},
       "open at the end: foo::barber"},
      {{"\"*foo::bar\""},
       literal("foo::bar", true, false).with_lines({{kFoo, "int bar("}}),
       {},
       "open in front: afoo::bar"},
      {{"\"*oo::ba*\""}, literal("oo::ba", true, true), {}, "open on both sides"},
      {{"\"*a.b.c*\""}, literal("a.b.c", true, true), {}, "a.b.cd and aa.b.c"},
      {{"\"oo::ba\""}, literal("oo::ba"), {kFoo}, "closed: nothing"},
      {{"\"exact text\""}, literal("exact text"), {}, "blanks and line ends are one"},
      {{"\"frame back\""}, literal("frame back"), {kStack}, "over a line's end, of a page alone"},
      {{"\"exact  \t text that runs\""}, literal("exact text that runs"), {}, "both ways"},
      {{"\"hi there\""}, literal("hi there"), {}, "in quotes of both kinds"},
      {{"\"\\\"hi there\\\"\""}, literal("\"hi there\""), {}, "with its quotes"},
      {{"f(x)"}, literal("f(x)"), {}, "a call"},
      {{"a[0]"}, literal("a[0]"), {}, "an index"},
      {{"{braces}"}, literal("{braces}"), {}, "braces"},
      {{"100%"}, literal("100%"), {}, "per cent"},
      {{"\"a & b\""}, literal("a & b"), {}, "one operator that is no term"},
      {{"back\\slash"}, literal("back\\slash"), {}, "a backslash"},
      {{"3.14"}, literal("3.14"), {}, "a number with a dot"},
      {{"http://a.b"}, literal("http://a.b"), {}, "an address"},
      {{"nofield:x"}, literal("nofield:x"), {}, "an unknown prefix is text"},
      {{"--as", "text", "word:x"},
       literal("word:x"),
       {"scripts/word.sh"},
       "so is a field that cannot be asked"},
      {{"\"==\""}, literal("=="), {"web/app.js"}, "an operator alone, inside of === too"},
      {{"\"!==\""}, literal("!=="), {"src/loop.cc"}, "a longer one"},
      {{"\"->\""}, literal("->"), {}, "an arrow alone"},
      {{"|"}, literal("|"), {}, "a sign that is in no term"},
      {{"→"}, literal("→"), {}, "one that is not ASCII"},
      {{"dash—there"}, literal("dash—there"), {}, "a dash that is not ASCII"},
      {{"“Quoted words”"}, all({literal("“Quoted"), literal("words”")}), {}, "typographic quotes"},
      {{"\"View: and; mutation, meta!\""}, literal("View: and; mutation, meta!"), {}, "signs"},
      {{"\"last_token\""}, literal("last_token"), {}, "at the end of a file"},
      {{"\"first line exact\""}, literal("first line exact"), {}, "over CR LF"},
      {{"\"def:Name\""}, literal("def:Name"), {}, "a field in quotes is text"},
  });
}

TEST_F(QueryTable, Patterns) {
  check({
      {{"word*"}, pattern("word*"), {"data/noeol.txt"}, "any end"},
      {{"*word"}, pattern("*word"), {"scripts/build.sh"}, "any start"},
      {{"*word*"}, pattern("*word*"), {}, "both"},
      {{"w?rd"}, pattern("w?rd"), {"web/util.js"}, "one letter"},
      {{"w?rd*"}, pattern("w?rd*"), {}, "and an end"},
      {{"mutation*"},
       pattern("mutation*"),
       {"tests/test_stack.py"},
       "the whole name must fit, in prose the whole word and not its stem"},
      {{"*mutation*"}, pattern("*mutation*"), {}, "anywhere inside"},
      {{"mutat??n"}, pattern("mutat??n"), {}, "two letters"},
      {{"mutation?"}, pattern("mutation?"), {}, "the stemmer cuts more than the sign"},
      {{"*ing"}, pattern("*ing"), {"scripts/word.sh"}, "an ending that stems do not have"},
      {{"hop*ing"}, pattern("hop*ing"), {}, "a stem inside"},
      {{"hopp*"}, pattern("hopp*"), {}, "the stem is shorter"},
      {{"hopefulness*"}, pattern("hopefulness*"), {}, "two endings are cut off"},
      {{"generalization*"}, pattern("generalization*"), {}, "three are"},
      {{"generalization?"}, pattern("generalization?"), {}, "and a plural"},
      {{"*alization"}, pattern("*alization"), {}, "the stem holds none of it"},
      {{"happ?"}, pattern("happ?"), {}, "the stem ends otherwise"},
      {{"happy*"}, pattern("happy*"), {}, "so it does"},
      {{"d?ing"}, pattern("d?ing"), {}, "die"},
      {{"sk?es"}, pattern("sk?es"), {}, "sky"},
      {{"View*"}, pattern("View*"), {}, "capitals do not count"},
      {{"view_*"}, pattern("view_*"), {}, "an underscore does"},
      {{"*_frame"}, pattern("*_frame"), {}, "in the middle"},
      {{"*_*_total"}, pattern("*_*_total"), {kStack}, "three parts, there are two"},
      {{"__*__"}, literal("__*__"), {"names/spellings.py"}, "without a letter it is text"},
      {{"__in*"}, pattern("__in*"), {}, "underscores first"},
      {{"test_*"}, pattern("test_*"), {}, "a name and a path"},
      {{"conv?d"}, pattern("conv?d"), {}, "a digit"},
      {{"3?"}, pattern("3?"), {"docs/guide/edges.md"}, "a number"},
      {{"größ*"}, pattern("größ*"), {}, "letters of two bytes"},
      {{"gr?sse"}, pattern("gr?sse"), {}, "folded, with an accent and without"},
      {{"gross?"}, pattern("gross?"), {}, "an accent need not be asked"},
      {{"grose?"}, pattern("grose?"), {"unicode/german.md"}, "one s is not two"},
      {{"слов*"}, pattern("слов*"), {}, "Russian"},
      {{"zzz*"}, pattern("zzz*"), {}, "nothing"},
      {{"stack", "pop*"}, all({word("stack"), pattern("pop*")}), {}, "beside a word"},
  });
}

TEST_F(QueryTable, Combined) {
  check({
      {{"stack", "NOT", "tests"},
       all({word("stack"), none(word("tests"))}),
       {"tests/test_stack.py"},
       "a negation"},
      {{"NOT", "stack"}, none(word("stack")), {"tests/test_stack.py"}, "alone"},
      {{"NOT", "NOT", "stack"}, word("stack"), {}, "twice"},
      {{"stack", "NOT", "\"pop_frame()\""},
       all({word("stack"), none(literal("pop_frame()"))}),
       {"tests/test_stack.py"},
       "of a text"},
      {{"mutation", "NOT", "\"of a\""},
       all({word("mutation"), none(literal("of a"))}),
       {},
       "of a text of common words"},
      {{"\"return\"", "NOT", "mutation"},
       all({literal("return"), none(word("mutation"))}),
       {kStack},
       "`mutations` in code is not `mutation`, though the text is looked at"},
      {{"stack", "NOT", "pop*"}, all({word("stack"), none(pattern("pop*"))}), {}, "of a pattern"},
      {{"walk", "OR", "skies"}, either({word("walk"), word("skies")}), {}, "either"},
      {{"skies", "OR", "twice", "return"},
       either({word("skies"), all({word("twice"), word("return")})}),
       {},
       "a blank binds more"},
      {{"(skies OR twice) return"},
       all({either({word("skies"), word("twice")}), word("return")}),
       {"docs/guide/happy.md"},
       "brackets"},
      {{"(walk OR (skies OR twice)) NOT (lang:markdown OR lang:c)"},
       all({either({word("walk"), word("skies"), word("twice")}),
            none(either({language("markdown"), language("c")}))}),
       {"docs/guide/happy.md"},
       "nested"},
      {{"walk OR \"1 << 31\""}, either({word("walk"), literal("1 << 31")}), {}, "a word or a text"},
      {{"skies OR NOT return"},
       either({word("skies"), none(word("return"))}),
       {kStack},
       "or a negation"},
      {{"skies OR NOT \"return 0\""},
       either({word("skies"), none(literal("return 0"))}),
       {"src/app/main.py"},
       "of a text"},
      {{"walk OR \"\""}, word("walk"), {kStack}, "an empty text is nothing"},
      {{"walk OR (skies NOT path:guide)"},
       either({word("walk"), all({word("skies"), none(path_word("guide"))})}),
       {"docs/guide/happy.md"},
       "inside brackets"},
      {{"return NOT (twice OR run_app)"},
       all({word("return"), none(either({word("twice"), word("run_app")}))}),
       {kFoo, "src/app/main.py"},
       "of either"},
      {{"return NOT (stack frame)"},
       all({word("return"), none(all({word("stack"), word("frame")}))}),
       {kStack},
       "of both together"},
      {{"\"1 << 31\" OR lang:sql"},
       either({literal("1 << 31"), language("sql")}),
       {"docs/guide/numbers.md"},
       "a text or a filter"},
      {{"stack NOT (lang:markdown \"pop_frame\")"},
       all({word("stack"), none(all({language("markdown"), literal("pop_frame")}))}),
       {},
       "a filter and a text together, negated"},
      {{"lang:python OR lang:shell"},
       either({language("python"), language("shell")}),
       {kFoo},
       "filters alone"},
      {{"not every"}, all({word("not"), word("every")}), {}, "keywords are capitals"},
      {{"\"NOT\""}, literal("NOT"), {}, "in quotes it is text"},
      {{"OR"}, word("OR"), {}, "alone it is a word"},
  });
}

TEST_F(QueryTable, Fields) {
  check({
      {{"def:Stack"},
       places({{kStack, "class Stack:"}, {"docs/src/stack.py_docs.md", "class Stack:"}}),
       {"tests/test_stack.py", "src/app/main.py"},
       "where it is defined"},
      {{"def:stack"},
       places({{kStack, "class Stack:"}, {"docs/src/stack.py_docs.md", "class Stack:"}}),
       {},
       "folded"},
      {{"def:pop_frame"},
       places({{kStack, "def pop_frame"}, {"docs/src/stack.py_docs.md", "def pop_frame"}}),
       {"tests/test_stack.py"},
       "a method"},
      {{"def:mutation"},
       places({{kStack, "class ViewAnd"},
               {kStack, "def count_mut"},
               {"docs/src/stack.py_docs.md", ""},
               {"names/spellings.py", "iewAndM"},
               {"names/spellings.py", "view_"},
               {"names/spellings.py", "VIEW_"}}),
       {"names/README.txt"},
       "words inside a defined name"},
      {{"def:operator=="},
       places({{kFoo, "bool operator=="}, {"docs/src/foo.cc_docs.md", ""}}),
       {"docs/guide/search.md", kHeader},
       "an operator"},
      {{"def:render*"},
       places({{"web/app.js", "function renderPage"}, {"web/app.js", "  render() {"}}),
       {},
       "a pattern"},
      {{"def:foo::bar"},
       places({{kFoo, "int bar("}, {"docs/src/foo.cc_docs.md", ""}}),
       {"docs/guide/edges.md", kHeader},
       "in a scope"},
      {{"def:build_all"}, places({{"scripts/build.sh", "build_all() {"}}), {}, "a shell function"},
      {{"def:walk", "def:Node"},
       places({{"src/loop.cc", "int walk("}, {"src/loop.cc", "struct Node {"}}),
       {},
       "two"},
      {{"def:Node"},
       places(
           {{"src/loop.cc", "struct Node {"}, {"third_party/jsonlib/json.cc", "struct JsonNode"}}),
       {},
       "a name, and one that holds it"},
      {{"def:skies"}, places({}), {"docs/guide/happy.md"}, "nothing"},
      {{"ident:ViewAndMutationMeta"}, ident("ViewAndMutationMeta"), {}, "an identifier"},
      {{"ident:bar"}, ident("bar"), {"docs/guide/edges.md"}, "not where prose has it"},
      {{"ident:mutations"}, ident("mutations"), {kStack, "docs/guide/mutation.md"}, "not by stem"},
      {{"ident:mutation"}, ident("mutation"), {}, "not by part"},
      {{"section:overview"}, section("overview"), {kFoo}, "a heading"},
      {{"section:operator"}, section("operator"), {kFoo}, "by stem"},
      {{"section:original"}, section("original"), {}, "of pages"},
      {{"section:i++"},
       places({{"docs/guide/start.md", "### The i++ loop"}}),
       {"src/loop.cc"},
       "a text"},
      {{"section:\"exact text\""},
       places({{"docs/guide/start.md", "## Exact text"}}),
       {"data/dos.txt"},
       "a text of two words"},
      {{"section:key*"},
       places({{"docs/guide/start.md", "## Writing keywords"}}),
       {"docs/guide/keywords.md"},
       "a pattern"},
      {{"section:skies"}, section("skies"), {"docs/guide/happy.md"}, "not in prose"},
      {{"path:stack"}, path_word("stack"), {"src/app/main.py"}, "a word of the path"},
      {{"path:def"}, path_word("def"), {kStack}, "inside a name of it"},
      {{"path:src/foo"}, path_literal("src/foo"), {kStack}, "two names"},
      {{"path:foo.h"}, path_literal("foo.h"), {kFoo}, "a file's name"},
      {{"path:sta*"},
       places({{kStack, ""}, {"docs/src/stack.py_docs.md", ""}, {"docs/guide/start.md", ""}}),
       {"tests/test_stack.py"},
       "a pattern"},
      {{"path:\"*tack.p*\""},
       places({{kStack, ""}, {"docs/src/stack.py_docs.md", ""}, {"tests/test_stack.py", ""}}),
       {},
       "open on both sides"},
      {{"lang:python"}, language("python"), {kFoo}, "files, and pages by their fences"},
      {{"lang:c++"}, language("c++"), {}, "with signs; of a header by what it holds"},
      {{"lang:Python"}, language("python"), {}, "folded"},
      {{"lang:cobol"}, language("cobol"), {kFoo}, "none"},
      {{"ext:md", "stack"}, all({extension("md"), word("stack")}), {kStack}, "by extension"},
      {{"ext:sh"}, extension("sh"), {}, "alone"},
      {{"ext:MD", "skies"}, all({extension("md"), word("skies")}), {}, "folded"},
      {{"folder:src", "return"}, all({folder("src"), word("return")}), {"web/app.js"}, "a folder"},
      {{"folder:src/app/"}, folder("src/app"), {kStack}, "with a slash at the end"},
      {{"folder:docs", "NOT", "folder:docs/guide"},
       all({folder("docs"), none(folder("docs/guide"))}),
       {"docs/guide/start.md"},
       "without one inside"},
      {{"origin:test"}, places({{"tests/test_stack.py", ""}}), {kStack}, "tests"},
      {{"origin:vendored"}, places({{"third_party/jsonlib/json.cc", ""}}), {}, "vendored"},
      {{"origin:generated"}, places({{"generated/tables.py", ""}}), {}, "generated"},
      {{"def:"}, literal("def:"), {}, "a field without a word is text"},
  });
}

TEST_F(QueryTable, Scripts) {
  check({
      {{"größe"}, word("größe"), {}, "German"},
      {{"grosse"}, word("grosse"), {}, "without the accent, which also finds that with it"},
      {{"GRÖSSE"}, word("grösse"), {}, "capitals"},
      {{"straße"}, word("straße"), {}, "a sharp s"},
      {{"strasse"}, word("strasse"), {}, "which is two"},
      {{"ärger"}, word("ärger"), {}, "a capital that is not ASCII"},
      {{"arger"}, word("arger"), {}, "without its accent"},
      {{"größe_max"}, word("größe_max"), {}, "an identifier"},
      {{"GROSSE_MAX"}, word("grosse_max"), {}, "folded, without accents"},
      {{"zähle_größe"}, word("zähle_größe"), {}, "two accents"},
      {{"zahle"}, word("zahle"), {}, "a part"},
      {{"считать_слова"}, word("считать_слова"), {}, "Russian"},
      {{"слова"}, word("слова"), {}, "a part, and prose"},
      {{"ДЛИНАСЛОВА"}, word("длинаслова"), {}, "folded"},
      {{"длина"}, word("длина"), {}, "inside capitals of another script"},
      {{"μήκος"}, word("μήκος"), {}, "Greek"},
      {{"μηκος"}, word("μηκος"), {}, "without accents"},
      {{"λόγοσ"}, word("λόγοσ"), {}, "a final sigma"},
      {{"μήκος_λέξης"}, word("μήκος_λέξης"), {}, "an identifier"},
      {{"数据"}, word("数据"), {}, "two characters of a run"},
      {{"数据库"}, word("数据库"), {}, "three"},
      {{"据数"}, word("据数"), {"unicode/cjk.md"}, "the other way"},
      {{"検索"}, word("検索"), {}, "Japanese"},
      {{"エンジン"}, word("エンジン"), {}, "Katakana"},
      {{"데이터"}, word("데이터"), {}, "Korean"},
      {{"\"全文搜索\""}, literal("全文搜索"), {}, "a text"},
      {{"\"*文搜*\""}, literal("文搜", true, true), {}, "inside a run"},
      {{"café"}, word("café"), {}, "composed and decomposed"},
      {{"cafe\xcc\x81"}, word("café"), {}, "asked decomposed"},
      {{"cafe"}, word("cafe"), {}, "without the accent"},
      {{"über"}, word("über"), {}, "at the start of a line's middle"},
      {{"naïve"}, word("naïve"), {}, "a diaeresis"},
      {{"resume"}, word("resume"), {}, "two accents"},
      {{"ünder"}, word("ünder"), {}, "a part with an accent"},
  });
}

TEST_F(QueryTable, OptionsThatChangeWhatMatches) {
  const std::string page = "docs/src/stack.py_docs.md";
  check({
      {{"-s", "viewAndMutationMeta"},
       places({{"names/spellings.py", "viewAnd"}}),
       {kStack},
       "this spelling alone"},
      {{"-s", "VIEW_AND_MUTATION_META"}, places({{"names/spellings.py", "VIEW_"}}), {}, "capitals"},
      {{"-s", "\"Frame back\""}, places({}), {page}, "texts, too"},
      {{"-s", "Skies"}, places({{"docs/guide/happy.md", "Skies"}}), {}, "a word of prose"},
      {{"-s", "skies"}, places({}), {"docs/guide/happy.md"}, "another spelling"},
      {{"-s", "Page"},
       places({{"web/app.js", "renderPage"}, {"web/app.js", "PageView"}}),
       {},
       "a part of a name"},
      {{"-s", "page"}, places({{"web/app.js", "front page"}}), {}, "in small letters"},
      {{"-s", "render*"},
       places({{"web/app.js", "renderPage"}, {"web/app.js", "  render()"}}),
       {},
       "a pattern"},
      {{"-s", "Render*"}, places({}), {"web/app.js"}, "of another spelling"},
      {{"-s", "def:Stack"}, places({{kStack, "class Stack:"}, {page, ""}}), {}, "a definition"},
      {{"-s", "def:stack"}, places({}), {kStack}, "of another spelling"},
      {{"-s", "def:run*"}, places({{"src/app/main.py", "def run_"}}), {}, "by pattern"},
      {{"-s", "section:Overview"}, section("overview"), {}, "a heading"},
      {{"-s", "section:overview"}, places({}), {page}, "of another spelling"},
      {{"-e", "class \\w+Meta"},
       places({{kStack, "class View"}, {page, ""}}),
       {"tests/test_stack.py"},
       "an expression"},
      {{"-e", "^import"},
       places({{kStack, "import"}, {page, ""}, {"src/app/main.py", "import os"}}),
       {"tests/test_stack.py"},
       "at a line's start"},
      {{"-e", "i\\+\\+;$"},
       places({{"src/loop.cc", "i++;"}}),
       {"docs/guide/edges.md"},
       "at its end"},
      {{"-e", "(?i)SKIES|hopefulness"},
       places({{"docs/guide/happy.md", "Skies"}, {"docs/guide/happy.md", "hopefulness"}}),
       {},
       "case and either"},
      {{"-e", "Hoppin[g]"}, places({{"docs/guide/happy.md", "Hopping"}}), {}, "a class"},
      {{"-e", "opefulnes"}, places({{"docs/guide/happy.md", "hopefulness"}}), {}, "inside a word"},
      {{"-e", "colou?r_of_nothing"}, places({}), {}, "nothing"},
      {{"stack", "-e", "assert .* == 1"},
       all({word("stack"), places({{"tests/test_stack.py", "== 1"}})}),
       {kStack},
       "beside a word"},
      {{"-e", "count_mut(ations)?\\("},
       places({{kStack, "def count_"}, {page, ""}}),
       {},
       "a group"},
      {{"-e", "\\x3d\\x3d 0"}, places({{"tests/test_stack.py", "== 0"}}), {}, "codes"},
      {{"-e", "[[:digit:]]{10}"},
       places({{"docs/guide/numbers.md", "2147483648"}}),
       {},
       "a named class"},
      {{"-e", "Größe|Straße"},
       places({{"unicode/german.md", "Größe"}}),
       {},
       "letters of all scripts"},
  });
}

}  // namespace
}  // namespace kw::test
