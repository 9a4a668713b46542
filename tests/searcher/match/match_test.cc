// SPDX-License-Identifier: GPL-2.0-or-later
#include "searcher/match/match.h"

#include <gmock/gmock.h>

#include "tests/support/index_builder.h"

namespace kw::search {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

FileRecord record_of(std::string text, std::vector<Definition> definitions = {},
                     std::string path = "a.txt") {
  FileRecord record;
  record.path = std::move(path);
  record.text = std::move(text);
  record.definitions = std::move(definitions);
  return record;
}

FileMatch match(std::string_view query, const FileRecord& record, bool case_sensitive = false,
                bool any = false) {
  const auto parsed = parse_query(query);
  auto matcher = Matcher::create(parsed->root, case_sensitive, any);
  EXPECT_TRUE(matcher) << query;
  const FileMatch found = matcher->match(record);
  EXPECT_TRUE(!found.matches || matcher->is_match(record)) << query << ": the quick way differs";
  return found;
}

std::vector<std::uint32_t> lines_of(const FileMatch& found) {
  std::vector<std::uint32_t> lines;
  for (const LineMatch& m : found.lines) lines.push_back(m.line);
  return lines;
}

/// "1:3-6 2:0-4": lines and the bytes that are marked in them.
std::string spans_of(const FileMatch& found) {
  std::string out;
  for (const LineMatch& m : found.lines)
    for (const Span& s : m.spans)
      out += (out.empty() ? "" : " ") + std::to_string(m.line) + ":" + std::to_string(s.begin) +
             "-" + std::to_string(s.end);
  return out;
}

TEST(Matcher, MarksWhatMatched) {
  struct {
    const char *query, *text, *spans, *why;
  } const cases[] = {
      {"word", "a word\nno\nword word", "1:2-6 3:0-4 3:5-9", "each place of each line"},
      {"word", "größe word", "1:8-12", "columns are bytes"},
      {"word", "word\r\nword\r\n", "1:0-4 2:0-4", "lines that end in CR LF"},
      {"meta", "ViewMeta", "1:0-8", "the whole name around a part"},
      {"mutation", "mutations", "1:0-9", "a stem"},
      {"dying", "dying dies die", "1:0-5 1:6-10 1:11-14", "a stem with other letters"},
      {"view meta", "ViewMeta or view", "1:0-8 1:12-16", "the joined name once"},
      {"\"b c\"", "a b\nc d", "1:2-3", "a text over a line's end is marked in its first line"},
      {"\"b c\"", "a b \t c d", "1:2-7", "blanks are folded"},
      {"i++", "i++ ii++ i++;", "1:0-3 1:9-12", "on the edges of words"},
      {"\"*i++\"", "ii++", "1:1-4", "but for an open end"},
      {"\"aa\"", "aaaa aa aaa", "1:5-7", "not inside a longer word"},
      {"\"- -\"", "- - -", "1:0-3", "what was marked is not marked again"},
      {"w?rd*", "words ward wrd", "1:0-5 1:6-10", "a pattern"},
      {"foo NOT bar", "foo\nbaz", "1:0-3", "a negation marks nothing"},
      {"foo OR (baz NOT bar)", "foo bar", "1:0-3", "not even where another side holds"},
      {"数据", "数据库 数", "1:0-9", "pairs: the run that has them"},
      {"café", "cafe\xcc\x81 caf\xc3\xa9 cafe", "1:0-6 1:7-12", "composed or not; cafe is another"},
      {"cafe", "caf\xc3\xa9", "1:0-5", "accents need not be asked"},
      {"path:a", "a b", "", "a field of the path marks no text"},
      {"x", "", "", "an empty file"},
  };
  for (const auto& c : cases)
    EXPECT_EQ(spans_of(match(c.query, record_of(c.text))), c.spans) << c.query << ": " << c.why;
}

TEST(Matcher, Holds) {
  struct {
    const char *query, *text;
    bool holds;
    const char* why;
  } const cases[] = {
      {"foo bar", "foo bar", true, "both"},
      {"foo bar", "foo", false, "one"},
      {"foo OR bar", "bar", true, "either"},
      {"foo (bar OR baz)", "foo baz", true, "nested"},
      {"foo (bar OR baz)", "bar baz", false, "the one that must"},
      {"foo NOT \"b c\"", "foo b d", true, "without it"},
      {"foo NOT \"b c\"", "foo b\nc", false, "with it, over a line's end"},
      {"NOT \"b c\"", "", true, "a negation alone"},
      {"foo OR NOT bar", "bar", false, "the only way that is left"},
      {"foo OR NOT bar", "baz", true, "neither"},
      {"NOT (foo \"b c\")", "foo b", true, "not both together"},
      {"ident:foo", "foobar", false, "not a part"},
      {"ident:foos", "foo", false, "not by stem"},
      {"section:foo", "foo", false, "no heading"},
      {"path:foo", "foo", false, "not the path"},
      {"\"a.txt\"", "nothing", true, "a text may stand in the path"},
      {"a", "nothing", true, "so may a word"},
      {"def:foo", "foo", false, "not defined"},
  };
  for (const auto& c : cases)
    EXPECT_EQ(match(c.query, record_of(c.text)).matches, c.holds)
        << c.query << " in " << c.text << ": " << c.why;
}

TEST(Matcher, CaseSensitive) {
  struct {
    const char *query, *text, *spans, *why;
  } const cases[] = {
      {"Foo", "foo Foo FOO", "1:4-7", "this spelling"},
      {"Meta", "ViewMeta metadata_meta Metal", "1:0-8", "as a part, not inside a word"},
      {"in", "printing plug_in", "1:9-16", "likewise"},
      {"foo*", "foobar Foobar", "1:0-6", "a pattern"},
      {"\"a B\"", "a b\na B", "2:0-3", "a text"},
      {"view meta", "ViewMeta", "", "words are not joined to another spelling"},
  };
  for (const auto& c : cases)
    EXPECT_EQ(spans_of(match(c.query, record_of(c.text), true)), c.spans)
        << c.query << ": " << c.why;
}

TEST(Matcher, AnyWordIsEnoughButNotWithoutFilters) {
  EXPECT_TRUE(match("foo bar", record_of("bar"), false, true).matches);
  EXPECT_FALSE(match("foo bar", record_of("baz"), false, true).matches);
  EXPECT_FALSE(match("foo bar NOT \"b c\"", record_of("foo b c"), false, true).matches);
  EXPECT_FALSE(match("\"f g\" bar (lang:c OR ext:h)", record_of("baz"), false, true).matches)
      << "filters are no words";
}

TEST(Matcher, FiltersAreAsked) {
  const auto parsed = parse_query("\"a b\" OR lang:c");
  auto matcher = Matcher::create(parsed->root, false, false);
  ASSERT_TRUE(matcher);
  const FileRecord record = record_of("a\nc b");
  EXPECT_FALSE(matcher->match(record, [](const QueryNode&) { return false; }).matches);
  EXPECT_TRUE(matcher->match(record, [](const QueryNode&) { return true; }).matches);
}

TEST(Matcher, Definitions) {
  const std::vector<Definition> definitions{{"Stack", "class", 1, ""},
                                            {"push", "method", 2, "Stack"},
                                            {"ViewMeta", "class", 3, ""},
                                            {"view_count", "function", 4, ""},
                                            {"operator ==", "function", 5, "kw"}};
  const FileRecord record = record_of(
      "class Stack\n  push\nclass ViewMeta\nview_count\noperator==\nview Stack\n", definitions);
  struct {
    const char* query;
    std::vector<std::string> names;
    std::vector<std::uint32_t> lines;
    const char* why;
  } const cases[] = {
      {"Stack", {"Stack"}, {1, 6}, "the name"},
      {"stack", {"Stack"}, {1, 6}, "folded"},
      {"def:stack", {"Stack"}, {1}, "its definition alone"},
      {"view", {"ViewMeta", "view_count"}, {3, 4, 6}, "names that hold the word"},
      {"view meta", {"ViewMeta"}, {3, 4, 6}, "the joined name alone"},
      {"view NOT \"none such\"", {"ViewMeta", "view_count"}, {3, 4, 6}, "a negation asks nothing"},
      {"Stack.push", {"push"}, {2}, "in its scope"},
      {"Stack::push", {"push"}, {2}, "as C++ says it"},
      {"tack.push", {}, {}, "not in the middle of a name"},
      {"operator==", {"operator =="}, {5}, "an operator"},
      {"def:operator==",
       {
           "operator ==",
       },
       {5},
       "asked as a definition"},
      {"def:view*", {"ViewMeta", "view_count"}, {3, 4}, "a pattern"},
      {"def:operator*", {"operator =="}, {5}, "beside a sign"},
      {"def:*or==", {}, {}, "of the name as it is defined"},
      {"def:meta def:count", {"ViewMeta", "view_count"}, {3, 4}, "two"},
      {"path:a", {}, {}, "another field"},
  };
  for (const auto& c : cases) {
    const FileMatch found = match(c.query, record);
    std::vector<std::string> names;
    for (const Definition& d : found.definitions) names.push_back(d.name);
    EXPECT_EQ(names, c.names) << c.query << ": " << c.why;
    EXPECT_EQ(lines_of(found), c.lines) << c.query << ": " << c.why;
  }
}

TEST(Matcher, Sections) {
  FileRecord record = record_of("intro\n# First one\ntext\n## Two words\nmore\n");
  record.sections = {{"First one", 1, 2, 3, "first-one"}, {"Two words", 2, 4, 5, "two-words"}};
  EXPECT_EQ(section_at(record, 1), nullptr) << "before the first heading";
  EXPECT_EQ(section_at(record, 2)->title, "First one") << "its own line";
  EXPECT_EQ(section_at(record, 3)->title, "First one");
  EXPECT_EQ(section_at(record, 4)->title, "Two words");
  EXPECT_EQ(section_at(record, 99)->title, "Two words") << "to the end";
  EXPECT_THAT(lines_of(match("section:word", record)), ElementsAre(4)) << "by stem";
  EXPECT_THAT(lines_of(match("section:\"two words\"", record)), ElementsAre(4));
  EXPECT_THAT(lines_of(match("section:text", record)), IsEmpty());
}

TEST(Matcher, BestLines) {
  const FileRecord record = record_of("one\none two\ntwo\none\none\nclass one\none two three\n",
                                      {{"one", "class", 6, ""}});
  const FileMatch found = match("one two three", record);
  EXPECT_THAT(lines_of(found), ElementsAre(1, 2, 3, 4, 5, 6, 7));
  const auto best = [&](std::size_t most) {
    FileMatch kept = found;
    kept.lines = best_lines(found, most);
    return lines_of(kept);
  };
  EXPECT_THAT(best(1), ElementsAre(6)) << "the definition, always";
  EXPECT_THAT(best(2), ElementsAre(6, 7)) << "then most words";
  EXPECT_THAT(best(3), ElementsAre(6, 2, 7)) << "then fewer, in the order of the file";
  EXPECT_THAT(best(4), ElementsAre(6, 2, 3, 7)) << "then the rarer word";
  EXPECT_THAT(best(99), ElementsAre(6, 1, 2, 3, 4, 5, 7));
  const auto named = best_lines(found, 2, {4, 99});
  EXPECT_EQ(named[0].line, 6u);
  EXPECT_EQ(named[1].line, 4u) << "a line that the query named; there is no line 99";
}

TEST(Matcher, WhatAPageShows) {
  const std::string text =
      "# Pool\\_size of it\n\nCompare AT&amp;T and vector&lt;int&gt;.\nSet the **max** *rate* "
      "[of all](x/y.md) calls.\n\n```\nfoo &amp; bar\n```\n> a semi**auto**\n> matic one_two "
      "rule\n";
  FileRecord record = test::make_entry({"a.md", text}).record;
  const auto lines = [&](const char* query) { return lines_of(match(query, record)); };
  EXPECT_THAT(lines("AT&T"), ElementsAre(3));
  EXPECT_THAT(lines("vector<int>"), ElementsAre(3));
  EXPECT_THAT(lines("\"Pool_size of\""), ElementsAre(1));
  EXPECT_THAT(lines("pool_size"), ElementsAre(1)) << "a name";
  EXPECT_THAT(lines("semiauto"), ElementsAre(9)) << "a word";
  EXPECT_THAT(lines("\"semiauto matic\""), ElementsAre(9)) << "over a line of a quote";
  EXPECT_THAT(lines("\"the max rate of all calls\""), ElementsAre(4));
  EXPECT_THAT(lines("\"x/y.md\""), ElementsAre(4)) << "the stored text, too";
  EXPECT_THAT(lines("\"Pool\\_size\""), ElementsAre(1)) << "as it is typed";
  EXPECT_THAT(lines("\"foo & bar\""), IsEmpty()) << "code is shown as it is";
  EXPECT_EQ(spans_of(match("pool_size", record)), "1:2-12") << "columns of the stored line";
  EXPECT_EQ(spans_of(match("\"max rate\"", record)), "4:10-21");
  EXPECT_EQ(spans_of(match("calls", record)), "4:40-45") << "once";
  record = test::make_entry({"a.txt", text}).record;
  EXPECT_THAT(lines("AT&T"), IsEmpty());
}

TEST(Matcher, TheRarestWordIsTheFocus) {
  const FileMatch found = match("of zebra", record_of("of of of zebra\nof\nof\n"));
  EXPECT_EQ(found.lines[0].begin(), 9u) << "not the first 'of'";
}

TEST(Matcher, EnclosingDefinition) {
  const FileRecord record = record_of(
      "import x\nclass A:\n  y = 1\n  def run(self):\n    z = 2\n\n    w = 3\n  v = 4\nend()\n",
      {{"A", "class", 2, ""}, {"y", "member", 3, "A"}, {"run", "method", 4, "A"}});
  const std::vector<std::size_t> starts = match("x", record).line_starts;
  const auto enclosing = [&](std::uint32_t line) {
    const Definition* const d = enclosing_definition(record, starts, line);
    return d ? d->name : "";
  };
  EXPECT_EQ(enclosing(1), "");
  EXPECT_EQ(enclosing(2), "A") << "its own line";
  EXPECT_EQ(enclosing(3), "A") << "a member encloses nothing";
  EXPECT_EQ(enclosing(5), "run");
  EXPECT_EQ(enclosing(7), "run") << "behind a blank line";
  EXPECT_EQ(enclosing(8), "A") << "behind the method";
  EXPECT_EQ(enclosing(9), "") << "behind the class";
}

TEST(Matcher, Expressions) {
  const auto lines = [](const char* regex, const char* text, bool ok = true) {
    QueryNode root, leaf;
    leaf.kind = QueryNode::Kind::Regex;
    leaf.text = regex;
    root.children.push_back(leaf);
    auto matcher = Matcher::create(root, false, false);
    EXPECT_EQ(static_cast<bool>(matcher), ok) << regex;
    if (!matcher) {
      EXPECT_EQ(matcher.error().code, ErrorCode::Usage);
      return std::vector<std::uint32_t>{};
    }
    return lines_of(matcher->match(record_of(text)));
  };
  EXPECT_THAT(lines("^b", "a\nb\nab\n"), ElementsAre(2)) << "lines begin";
  EXPECT_THAT(lines("a$", "a\nba\nab"), ElementsAre(1, 2)) << "and end";
  EXPECT_THAT(lines("A", "a\n"), IsEmpty()) << "case counts";
  EXPECT_THAT(lines("(?i)A", "a\n"), ElementsAre(1)) << "unless it is said";
  EXPECT_THAT(lines("a\\nb", "a\nb\n"), ElementsAre(1)) << "over a line's end";
  EXPECT_THAT(lines("x*", "ab\n\nc\n"), ElementsAre(1, 2, 3)) << "empty matches, in lines only";
  EXPECT_THAT(lines("^", ""), IsEmpty()) << "an empty file has no line";
  EXPECT_THAT(lines("a.txt", "b"), IsEmpty()) << "the path is no line";
  EXPECT_THAT(lines("(", "", false), IsEmpty()) << "no expression";
  EXPECT_THAT(lines("a{1001}", "", false), IsEmpty()) << "too large for RE2";
}

TEST(Matcher, AsManyWordsAsThereMayBe) {
  std::string query, text;
  for (int i = 0; i < 100; ++i) {
    query += "w" + std::to_string(i) + " NOT n" + std::to_string(i) + " ";
    text += "w" + std::to_string(i) + "\n";
  }
  auto parsed = parse_query(query);
  EXPECT_TRUE(parsed->truncated);
  QueryNode leaf;
  leaf.kind = QueryNode::Kind::Regex;
  leaf.text = "w1$";
  parsed->root.children.push_back(leaf);
  auto matcher = Matcher::create(parsed->root, false, false);
  ASSERT_TRUE(matcher);
  const FileMatch found = matcher->match(record_of(text));
  EXPECT_TRUE(found.matches);
  EXPECT_EQ(found.lines.size(), (kMaxLeaves + 1) / 2) << "half of them are negated";
}

TEST(Matcher, LongRunsEndInTime) {
  std::string text(2'000'000, 'a');
  EXPECT_FALSE(match("\"aaaa\" foo", record_of(text)).matches);
  for (std::size_t i = 1; i < text.size(); i += 2) text[i] = '.';
  EXPECT_TRUE(match("\"a.a.a\"", record_of(text)).matches);
}

}  // namespace
}  // namespace kw::search
