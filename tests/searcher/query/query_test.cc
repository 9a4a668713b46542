// SPDX-License-Identifier: GPL-2.0-or-later
#include "searcher/query/query.h"

#include <gmock/gmock.h>

#include <random>

namespace kw::search {
namespace {

struct Case {
  const char* query;
  const char* tree;
  const char* why;
};

class QueryTree : public testing::TestWithParam<Case> {};

TEST_P(QueryTree, IsAsExpected) {
  const auto parsed = parse_query(GetParam().query);
  ASSERT_TRUE(parsed);
  EXPECT_EQ(to_string(parsed->root), GetParam().tree) << GetParam().why;
}

INSTANTIATE_TEST_SUITE_P(
    Table, QueryTree,
    testing::Values(
        Case{"word", "word", "one word"}, Case{"two words", "(two AND words)", "all must match"},
        Case{"  two \t words\n", "(two AND words)", "blanks of all kinds"},
        Case{"foo::bar", "\"foo::bar\"", "punctuation inside makes it literal"},
        Case{"a/b.py", "\"a/b.py\"", "a path"}, Case{"x->y", "\"x->y\"", "an arrow"},
        Case{"i++", "\"i++\"", "an operator at the end"},
        Case{"C++17", "\"C++17\"", "letters, operator, digits"},
        Case{".gitignore", "\".gitignore\"", "a dot in front"},
        Case{"__init__", "__init__", "underscores are word characters"},
        Case{"$HOME", "\"$HOME\"", "a shell variable"},
        Case{"@decorator", "\"@decorator\"", "a decorator"},
        Case{"--dry-run", "\"--dry-run\"", "dashes are text, not an option"},
        Case{"-x", "\"-x\"", "one dash too"},
        Case{"operator==", "\"operator==\"", "an operator's name"},
        Case{"\"exact text\"", "\"exact text\"", "quotes"},
        Case{"\"  exact \t text \"", "\"exact text\"", "blanks are folded"},
        Case{"\"*edge\"", "\"*edge\"", "a star opens the edge"},
        Case{"\"edge*\"", "\"edge*\"", "at the end too"},
        Case{"\"a * b\"", "\"a * b\"", "a star inside is itself"},
        Case{"\"say \\\"hi\\\"\"", "\"say \"hi\"\"", "an escaped quote"},
        Case{"\"never closed", "\"never closed\"", "runs to the end"},
        Case{"say\"x", "\"say\"x\"", "a quote inside a word is text"},
        Case{"\"word\"", "\"word\"", "one word in quotes is literal"},
        Case{"view*", "view*", "a pattern"}, Case{"*view", "*view", "open in front"},
        Case{"w?rd", "w?rd", "one character"}, Case{"*", "\"*\"", "a star alone is text"},
        Case{"**kwargs", "**kwargs", "only word characters and stars: a pattern"},
        Case{"a*b+", "\"a*b+\"", "other punctuation makes it literal"},
        Case{"_*", "\"_*\"", "no letter, no pattern"},
        Case{"std::vec*", "\"std::vec*\"", "a star at the end of a word with signs opens it"},
        Case{"path:*.css", "path:\"*.css\"", "in a field, too"},
        Case{"\u6771\u4eac*", "\"\u6771\u4eac*\"", "Chinese: part of a longer run"},
        Case{"a\u00a0b", "(a AND b)", "blanks of typography separate words"},
        Case{"NOT x", "NOT x", "negation"},
        Case{"a NOT b", "(a AND NOT b)", "negation of one word"},
        Case{"NOT NOT x", "x", "twice is nothing"},
        Case{"NOT", "NOT", "a keyword with nothing after it is a word"},
        Case{"a NOT", "(a AND NOT)", "at the end too"},
        Case{"not x", "(not AND x)", "keywords are capitals"}, Case{"a OR b", "(a OR b)", "either"},
        Case{"a b OR c", "((a AND b) OR c)", "OR binds weaker than a blank"},
        Case{"OR a", "(OR AND a)", "nothing before it"},
        Case{"a OR", "(a AND OR)", "nothing after it"},
        Case{"a OR \"\"", "a", "an empty text is no side"},
        Case{"\"\" OR a", "(OR AND a)", "and OR without a first side is a word"},
        Case{"a OR OR b", "(a OR (OR AND b))", "the second is a word"},
        Case{"(a OR b) c", "((a OR b) AND c)", "brackets group"},
        Case{"( a OR b )", "(a OR b)", "with blanks inside"},
        Case{"((a))", "a", "brackets around one word"},
        Case{"NOT (a b)", "NOT (a AND b)", "of a group"},
        Case{"(a", "\"(a\"", "never closed: text"}, Case{"a)", "\"a)\"", "never opened: text"},
        Case{"foo()", "\"foo()\"", "a call is no group"},
        Case{"(foo() OR b)", "(\"foo()\" OR b)", "its own brackets stay with it"},
        Case{"()", "\"()\"", "nothing inside: text"}, Case{"def:Name", "def:Name", "a field"},
        Case{"def:\"operator ==\"", "def:\"operator ==\"", "of exact text"},
        Case{"def:run*", "def:run*", "of a pattern"},
        Case{"path:a/b.py", "path:\"a/b.py\"", "punctuation in a field's text"},
        Case{"lang:c++", "lang:c++", "a filter's text is taken as it is"},
        Case{"ext:tar.gz", "ext:tar.gz", "likewise"},
        Case{"nofield:x", "\"nofield:x\"", "an unknown prefix is text"},
        Case{"def:", "\"def:\"", "a field with nothing after it is text"},
        Case{"path::join", "\"path::join\"", "two colons are C++"},
        Case{"word:x", "\"word:x\"", "a field that is not asked by name"},
        Case{"http://a.b", "\"http://a.b\"", "an address"},
        Case{"\"\"", "\"\"\"\"", "syntax alone is text"},
        Case{"a \"\"", "a", "beside a word it is nothing"},
        Case{"größe", "größe", "letters of all scripts"},
        Case{"函数", "函数", "scripts without blanks"},
        Case{"1 << 31", "(1 AND \"<<\" AND 31)", "numbers are words, an operator is literal"},
        Case{"#include <vector>", "(\"#include\" AND \"<vector>\")", "each is literal"},
        Case{"\"#include <vector>\"", "\"#include <vector>\"", "together in quotes"}));

TEST(Query, BlanksAloneAreNone) {
  EXPECT_FALSE(parse_query(""));
  EXPECT_FALSE(parse_query(" \t\n"));
}

// Bound: a query
TEST(Query, ItsBounds) {
  std::string words = "w";
  for (std::size_t i = 1; i < kMaxLeaves; ++i) words += " w";
  EXPECT_FALSE(parse_query(words)->truncated);
  EXPECT_TRUE(parse_query(words + " w")->truncated);
  const std::string text(kMaxQueryBytes, 'a');
  EXPECT_FALSE(parse_query(text)->truncated);
  EXPECT_TRUE(parse_query(text + "a")->truncated);
  EXPECT_EQ(to_string(parse_query(text + "a")->root), text);
}

TEST(Query, ManyWordsAreBoundedAndSaid) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "w" + std::to_string(i) + " ";
  const auto parsed = parse_query(text);
  ASSERT_TRUE(parsed);
  EXPECT_TRUE(parsed->truncated);
  EXPECT_EQ(parsed->root.children.size(), kMaxLeaves);
}

TEST(Query, NegatedWordsAndSidesCount) {
  std::string negated, sides;
  for (int i = 0; i < 1000; ++i) {
    negated += "NOT w" + std::to_string(i) + " ";
    sides += "w" + std::to_string(i) + " OR ";
  }
  for (const std::string& text : {negated, sides + "x"}) {
    const auto parsed = parse_query(text);
    ASSERT_TRUE(parsed);
    EXPECT_TRUE(parsed->truncated);
    const QueryNode& root = parsed->root;
    EXPECT_EQ((root.children.size() == 1 ? root.children[0] : root).children.size(), kMaxLeaves);
  }
}

TEST(Query, DeepBracketsAreBounded) {
  const std::string text = std::string(100'000, '(') + "x" + std::string(100'000, ')');
  ASSERT_TRUE(parse_query(text));
}

std::size_t depth(const QueryNode& node) {
  std::size_t most = 0;
  for (const QueryNode& child : node.children) most = std::max(most, depth(child));
  return most + 1;
}

TEST(Query, EveryStringIsLegal) {
  std::mt19937 random(7);
  const std::string_view pieces[] = {"(", ")",   "\"", " ",  "OR", "NOT",  "def:", "*", "?",
                                     "a", "B_c", "::", "\\", "-",  "\xff", "é",    "\n"};
  for (int i = 0; i < 20'000; ++i) {
    std::string text;
    for (std::size_t n = random() % 24; n > 0; --n) text += pieces[random() % std::size(pieces)];
    const auto parsed = parse_query(text);
    const bool blank = text.find_first_not_of(" \n") == std::string::npos;
    ASSERT_EQ(parsed.has_value(), !blank) << text;
    if (parsed) {
      ASSERT_LE(depth(parsed->root), kMaxDepth + 4) << text;
    }
  }
}

}  // namespace
}  // namespace kw::search
