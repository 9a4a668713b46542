// SPDX-License-Identifier: GPL-2.0-or-later
#include "searcher/match/expression.h"

#include <gmock/gmock.h>

#include <random>
#include <sstream>

#include "searcher/match/regex_literals.h"
#include "tests/support/effort.h"

namespace kw::search {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

QueryNode leaf(QueryNode::Kind kind, std::string text) {
  QueryNode node;
  node.kind = kind;
  node.text = std::move(text);
  return node;
}

std::vector<std::string> found(const QueryNode& node, const std::string& text,
                               bool case_sensitive = false) {
  const auto expression = Expression::create(node, case_sensitive);
  EXPECT_TRUE(expression) << node.text;
  std::vector<std::string> places;
  expression->find(text, [&](std::size_t begin, std::size_t end) {
    places.push_back(text.substr(begin, end - begin));
    return true;
  });
  return places;
}
std::vector<std::string> found_text(std::string wanted, const std::string& text,
                                    bool case_sensitive = false) {
  return found(leaf(QueryNode::Kind::Literal, std::move(wanted)), text, case_sensitive);
}
std::vector<std::string> found_regex(std::string regex, const std::string& text) {
  return found(leaf(QueryNode::Kind::Regex, std::move(regex)), text);
}

TEST(Expression, ExactTextInEveryForm) {
  struct {
    const char *query, *text, *why;
  } const cases[] = {
      {"gro\u00df", "gro\u00df", "sharp s finds itself"},
      {"gross", "gro\u00df", "as two letters"},
      {"gro\u00df", "GROSS", "and capitals"},
      {"office", "o\ufb03ce", "a ligature"},
      {"o\ufb03ce", "office", "and without it"},
      {"caf\u00e9", "cafe\u0301", "letter and accent apart"},
      {"cafe\u0301", "caf\u00e9", "or together"},
      {"don't", "don\u2019t", "an apostrophe"},
      {"\u201cq\u201d", "\"q\"", "quotes"},
      {"a-b", "a\u2013b", "a dash"},
      {"a\u2011b", "a-b", "a hyphen that does not break"},
      {"10 km", "10\u00a0km", "a blank that does not break"},
      {"10\u202fkm", "10 km", "either way"},
      {"a b", "a \t\r\n  b", "blanks are any run of them"},
      {"\u6771\u4eac", "\u6771\u4eac", "another script"},
  };
  for (const auto& c : cases)
    EXPECT_THAT(found_text(c.query, c.text), ElementsAre(c.text)) << c.why;
}

TEST(Expression, ExactTextThatDiffers) {
  struct {
    const char *query, *text, *why;
  } const cases[] = {
      {"cafe", "caf\u00e9", "an accent counts"},
      {"cafe", "cafe\u0301", "written apart, too"},
      {"gros", "gro\u00df", "half a character is the inside of a word"},
      {"a b", "ab", "a blank counts"},
      {"ab", "a b", "likewise"},
      {"view", "preview", "the edge of a word"},
  };
  for (const auto& c : cases) EXPECT_THAT(found_text(c.query, c.text), IsEmpty()) << c.why;
  EXPECT_THAT(found_text("Gross", "gro\u00df Gross", true), ElementsAre("Gross"));
  EXPECT_THAT(found_text("\ufb01le", "file File", true), ElementsAre("file"));
}

TEST(Expression, LineByLine) {
  EXPECT_THAT(found_regex("a\\s+b", "a\nb a  b"), ElementsAre("a  b"));
  EXPECT_THAT(found_regex("a[^x]b", "a\nb a b"), ElementsAre("a b"));
  EXPECT_THAT(found_regex("a\\W*b", "a\n\nb"), IsEmpty());
  EXPECT_THAT(found_regex("(?s)a.b", "a\nb"), IsEmpty()) << "whatever flags it has";
  EXPECT_THAT(found_regex("a\\nb", "a\nb"), ElementsAre("a\nb")) << "unless it names the newline";
  EXPECT_THAT(found_regex("a\\x0Ab", "a\nb"), ElementsAre("a\nb"));
  EXPECT_THAT(found_regex("a\\n\\s*b", "a\r\n\n  b"), ElementsAre("a\r\n\n  b"));
  EXPECT_THAT(found_regex("one$", "one\r\ntwo one\n"), ElementsAre("one", "one"));
  EXPECT_THAT(found_regex("^$", "a\r\n\r\nb"), ElementsAre(""));
  EXPECT_THAT(found_regex("one.*", "one x\r\n"), ElementsAre("one x")) << "without its CR";
  EXPECT_THAT(found_regex("e\\r", "one\r\n"), ElementsAre("e\r")) << "unless it names it";
}

TEST(Expression, ClassesOfPosix) {
  for (const char* regex :
       {"[[:alnum:]_-]+: value", "[[:alpha:]_xyz]+_name", "[a-z[:digit:]]+: value",
        "[^[:space:]]+: value", "[[:alnum:][:punct:]xy]+: value", "[]x[:alpha:]]+: value"})
    EXPECT_THAT(found_regex(regex, "my-file_name: value"), testing::SizeIs(1)) << regex;
}

TEST(RequiredLiterals, NothingThatIsOptional) {
  EXPECT_THAT(required_literals("[[:alpha:]_xyz]+foo"), ElementsAre("foo"));
  EXPECT_THAT(required_literals("[[:alpha:]xy]+foo[[:digit:]z]bar"), ElementsAre("foo", "bar"));
  EXPECT_THAT(required_literals("ab?cd*ef{0}gh+ij"), ElementsAre("gh", "ij"));
  EXPECT_THAT(required_literals("(foo)"), IsEmpty());
  EXPECT_TRUE(facts_of_regex("a\\nb").names_newline);
  EXPECT_FALSE(facts_of_regex("a\\\\nb").names_newline);
  EXPECT_TRUE(facts_of_regex("a\\x{d}").names_carriage_return);
}

// --- against a slow scan ------------------------------------------------------------------------

/// A character and its other forms, the first of which it is compared as.
const std::vector<std::vector<std::string>> kForms = {{"a"},
                                                      {"b"},
                                                      {"s"},
                                                      {"ss", "\u00df"},
                                                      {"fi", "\ufb01"},
                                                      {"ffi", "\ufb03"},
                                                      {"\u00e9", "e\u0301"},
                                                      {"e"},
                                                      {"-", "\u2013", "\u2011"},
                                                      {"'", "\u2019"},
                                                      {"_"},
                                                      {"."},
                                                      {" ", "\u00a0", "\n", "\t"},
                                                      {"\u6771"},
                                                      {"("},
                                                      {"1"}};

struct Written {
  std::string text, canonical;
};

/// Some characters at random, each in one of its forms.
Written write_text(std::mt19937& random, std::size_t most) {
  Written out;
  for (std::size_t n = 1 + random() % most; n > 0; --n) {
    const auto& forms = kForms[random() % kForms.size()];
    out.text += forms[random() % forms.size()];
    out.canonical += forms[0];
  }
  return out;
}

bool is_word_byte(char c) {
  return static_cast<signed char>(c) < 0 || std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

bool is_han_byte(char c) { return std::string_view("\u6771").find(c) != std::string_view::npos; }

/// Whether a word goes on between two bytes: both are of words, and of one script.
bool is_inside_word(char before, char after) {
  return is_word_byte(before) && is_word_byte(after) && is_han_byte(before) == is_han_byte(after);
}

/// Runs of blanks are one; the loop compares at every place and looks at the edges.
bool slow_contains(const std::string& text, const std::string& wanted) {
  const auto fold_blanks = [](const std::string& in, bool trim) {
    std::string out;
    for (const char c : in)
      if (c != ' ' || (!(trim && out.empty()) && !out.ends_with(' '))) out += c;
    if (trim && out.ends_with(' ')) out.pop_back();
    return out;
  };
  const std::string t = fold_blanks(text, false), w = fold_blanks(wanted, true);
  if (w.empty()) return false;
  for (std::size_t at = 0; at + w.size() <= t.size(); ++at) {
    if (t.compare(at, w.size(), w) != 0) continue;
    const std::size_t end = at + w.size();
    const bool cuts_start = at > 0 && is_inside_word(t[at - 1], t[at]);
    const bool cuts_end = end < t.size() && is_inside_word(t[end - 1], t[end]);
    if (!cuts_start && !cuts_end) return true;
  }
  return false;
}

TEST(Expression, ExactTextAsASlowScanFindsIt) {
  std::mt19937 random(static_cast<std::mt19937::result_type>(test::seed_or(3)));
  int hits = 0;
  for (int i = 0; i < 300 * test::effort(); ++i) {
    const Written text = write_text(random, 30);
    Written wanted = write_text(random, 4);
    if (random() % 2) {  // a part of the text, in another form
      const Written more = write_text(random, 3);
      wanted = more;
    }
    std::string query;  // as the parser would fold its blanks
    for (const char c : wanted.text) query += c == '\n' || c == '\t' ? ' ' : c;
    const bool expected = slow_contains(text.canonical, wanted.canonical);
    if (wanted.canonical.find_first_not_of(' ') == std::string::npos) continue;
    while (query.starts_with(' ')) query.erase(0, 1);
    while (query.ends_with(' ')) query.pop_back();
    if (query.starts_with("\u00a0") || query.ends_with("\u00a0")) continue;  // the parser's
    hits += expected;
    EXPECT_EQ(!found_text(query, text.text).empty(), expected)
        << "'" << query << "' in '" << text.text << "', round " << i;
  }
  EXPECT_GT(hits, 20) << "the rounds find something";
}

TEST(Expression, RegularExpressionsAsLineByLine) {
  const char* const pieces[] = {
      "a",  "b",    ".",  "[^a]", "\\s",         "\\W",           "^",   "$",
      "a+", "\\s*", "b?", ".*",   "[[:space:]]", "[[:alpha:]x]+", "\\b", "(a|b)"};
  const char* const texts[] = {"a", "b", "ab", " ", "\t", "\n", "\r\n", ".", "\u00e9"};
  std::mt19937 random(static_cast<std::mt19937::result_type>(test::seed_or(5)));
  int hits = 0;
  for (int i = 0; i < 300 * test::effort(); ++i) {
    std::string regex, text;
    for (std::size_t n = 1 + random() % 4; n > 0; --n)
      regex += pieces[random() % std::size(pieces)];
    for (std::size_t n = random() % 12; n > 0; --n) text += texts[random() % std::size(texts)];
    const RE2 slow(regex);
    bool expected = false;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      if (line.ends_with('\r') && !lines.eof()) line.pop_back();
      expected |= RE2::PartialMatch(line, slow);
    }
    hits += expected;
    EXPECT_EQ(!found_regex(regex, text).empty(), expected)
        << regex << " in " << testing::PrintToString(text) << ", round " << i;
  }
  EXPECT_GT(hits, 50);
}

}  // namespace
}  // namespace kw::search
