// SPDX-License-Identifier: GPL-2.0-or-later
#include "schema/text/splitter.h"

#include <gmock/gmock.h>

#include <fstream>
#include <functional>
#include <map>
#include <random>
#include <sstream>

#include "schema/text/comparable_text.h"

namespace kw {
namespace {

using testing::ElementsAre;

std::vector<std::string> tokens(std::string_view text) {
  std::vector<std::string> result;
  Tokenizer tokenizer(text);
  for (Token token; tokenizer.next(token);) result.emplace_back(token.text);
  return result;
}

TEST(Tokenizer, Table) {
  struct {
    const char* text;
    std::vector<std::string> tokens;
    const char* why;
  } const cases[] = {
      {"a b", {"a", "b"}, "blanks"},
      {"foo_bar.baz", {"foo_bar", "baz"}, "underscores are inside, dots are not"},
      {"x->y", {"x", "->", "y"}, "an operator"},
      {"a+++b", {"a", "++", "b"}, "longest match; one plus is none"},
      {"operator==(", {"operator", "==", ""}, "an operator's name"},
      {"1 << 31", {"1", "<<", "31"}, "numbers"},
      {"0x1F 3rd", {"0x1F", "3rd"}, "letters in numbers"},
      {"std::vector<int>", {"std", "::", "vector", "int"}, "scopes"},
      {"größe=Ärger", {"größe", "Ärger"}, "letters beyond ASCII"},
      {"a\xff"
       "b",
       {"a", "b"},
       "a bad byte ends a word"},
      {"e\xcc\x81t", {"e\xcc\x81t"}, "a combining mark is part of the word"},
      {"函数 f", {"函数", "f"}, "a run of Han is one token"},
      {"--dry-run", {"--", "dry", "run"}, "a flag"},
      {"", {}, "nothing"},
      {"(){};", {}, "single marks are no tokens"},
  };
  for (const auto& c : cases) {
    std::vector<std::string> expected;
    for (const std::string& t : c.tokens)
      if (!t.empty()) expected.push_back(t);
    EXPECT_EQ(tokens(c.text), expected) << c.why;
  }
}

TEST(Tokenizer, AnyBytesEndAndCoverNoByteTwice) {
  std::mt19937 random(5);
  for (int i = 0; i < 2000; ++i) {
    std::string text;
    for (std::size_t n = random() % 64; n > 0; --n) text.push_back(static_cast<char>(random()));
    Tokenizer tokenizer(text);
    const char* last = text.data();
    for (Token token; tokenizer.next(token);) {
      ASSERT_GE(token.text.data(), last);
      ASSERT_FALSE(token.text.empty());
      last = token.text.data() + token.text.size();
    }
    ASSERT_LE(last, text.data() + text.size());
  }
}

// Bound: a word of a text
TEST(Tokenizer, AWordOverTheBoundIsSeveral) {
  const std::string at_it(kMaxWordBytes, 'a');
  EXPECT_TRUE(tokens(at_it) == std::vector<std::string>{at_it});
  EXPECT_TRUE(tokens(at_it + "bc d") == (std::vector<std::string>{at_it, "bc", "d"}));
  std::string letters = "x";
  while (letters.size() + 2 <= kMaxWordBytes) letters += "\u00e4";
  EXPECT_TRUE(tokens(letters + "\u00e4b") == (std::vector<std::string>{letters, "\u00e4b"}))
      << "no character is cut";
}

TEST(SplitName, Table) {
  struct {
    const char* name;
    std::vector<std::string> words;
    const char* why;
  } const cases[] = {
      {"ViewAndMutationMeta", {"view", "and", "mutation", "meta"}, "capitals begin words"},
      {"HTTPServer_v2",
       {"http", "server", "v2"},
       "the last of several capitals begins the next word"},
      {"make_term", {"make", "term"}, "underscores"},
      {"__init__", {"init"}, "underscores around"},
      {"conv2d", {"conv2d"}, "digits stay with what is before and after"},
      {"Conv2dLayer", {"conv2d", "layer"}, "a capital after a digit's letter"},
      {"MAX_SIZE", {"max", "size"}, "capitals alone are one word"},
      {"parseURL", {"parse", "url"}, "capitals at the end"},
      {"x", {"x"}, "one letter"},
      {"___", {}, "nothing but underscores"},
      {"größeMax", {"grösse", "max"}, "letters beyond ASCII; ß folds to ss"},
      {"ДомФайл", {"дом", "файл"}, "Cyrillic capitals"},
      {"ΔxΑρχείο", {"δx", "αρχείο"}, "Greek capitals"},
      {"函数名", {"函数", "数名"}, "Han in pairs"},
      {"字", {"字"}, "one alone"},
      {"load函数", {"load", "函数"}, "scripts apart"},
  };
  for (const auto& c : cases) EXPECT_EQ(split_name(c.name), c.words) << c.why;
}

TEST(Keys, SpellingsOfOneNameMeet) {
  for (const char* name : {"ViewAndMutationMeta", "view_and_mutation_meta",
                           "VIEW_AND_MUTATION_META", "view and mutation meta"})
    EXPECT_EQ(name_key(name), "viewandmutationmeta");
  EXPECT_EQ(name_key("__"), "__") << "underscores alone";
  EXPECT_EQ(name_key("Größe"), "grosse") << "folded, without marks";
}

TEST(Splitter, AKeyIsComparedWithoutMakingIt) {
  const std::vector<std::string> names = {"",     "_",      "__",  "a",     "A_",     "_a",    "ab",
                                          "a b",  "Ab_",    "abc", "Größe", "grosse", "$a",    "a$",
                                          "ſtop", "\u212a", "k",   "stop",  "a-b",    "__ab__"};
  for (const std::string& name : names)
    for (const std::string& other : names) {
      const std::string key = name_key(other);
      EXPECT_EQ(has_name_key(name, key), name_key(name) == key) << name << ", " << other;
    }
}

TEST(Fold, ComposesAndFolds) {
  EXPECT_EQ(fold("Abc"), "abc");
  EXPECT_EQ(fold("E\u0301"), "\u00e9") << "NFC";
  EXPECT_EQ(fold("ПРИВЕТ"), "привет");
  EXPECT_EQ(fold("Straße"), "strasse");
  EXPECT_EQ(fold("\xff"
                 "A"),
            "\xff"
            "A")
      << "not UTF-8: as it is";
  EXPECT_EQ(strip_marks("é"), "e");
}

// To put them in order took the square of their number: 100,000 some seconds, a megabyte minutes.
TEST(Fold, ARowOfMarksIsPutInOrderPieceByPiece) {
  const std::string above = "\u0301", below = "\u0323";
  EXPECT_EQ(fold("E" + above + below), fold("e" + below + above));
  std::string few = "x", ordered = "x", many = "x";
  for (int i = 0; i < 15; ++i) few += above + below;
  for (int i = 0; i < 15; ++i) ordered += below;
  for (int i = 0; i < 15; ++i) ordered += above;
  EXPECT_EQ(fold(few), ordered);
  for (int i = 0; i < 500'000; ++i) many += above + below;
  const std::string folded = fold(many);
  EXPECT_EQ(folded.size(), many.size()) << "none is lost";
  EXPECT_TRUE(folded.starts_with(ordered));
  EXPECT_TRUE(compose(many) == folded);
  EXPECT_TRUE(comparable(many, TextForm::CaseKept) == folded);
  EXPECT_EQ(strip_marks(folded), "x");
}

TEST(Fold, ALongTextIsFoldedAsItsParts) {
  std::string text, folded;
  for (int i = 0; i < 10'000; ++i) {
    text += i % 7 ? "\u1112\u1161\u11ab" : "STRA\u00dfE\u0301";
    folded += i % 7 ? "\ud55c" : "strass\u00e9";
  }
  EXPECT_TRUE(fold(text) == folded) << "no piece ends within a character";
  EXPECT_TRUE(fold(folded) == folded);
}

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : " ") + word;
  return out;
}

// The script of the site has a splitter of its own; both are held against one table.
TEST(Splitter, TableSharedWithTheSitesScript) {
  const Stemmer stemmer;
  const std::map<std::string, std::function<std::string(const std::string&)>> does{
      {"tokens", [](const std::string& text) { return joined(tokens(text)); }},
      {"fold", [](const std::string& text) { return fold(text); }},
      {"plain", [](const std::string& text) { return strip_marks(fold(text)); }},
      {"key", [](const std::string& text) { return name_key(text); }},
      {"words", [](const std::string& text) { return joined(split_name(text)); }},
      {"stem", [&](const std::string& text) { return stemmer.stem(text); }}};
  std::ifstream table(std::string(KW_SOURCE_DIR) + "/tests/site/splitter_cases.tsv");
  std::size_t cases = 0;
  for (std::string line; std::getline(table, line);) {
    if (line.starts_with('#')) continue;
    std::istringstream columns(line);
    std::string what, text, expected, why;
    std::getline(columns, what, '\t');
    std::getline(columns, text, '\t');
    std::getline(columns, expected, '\t');
    std::getline(columns, why);
    ASSERT_TRUE(does.contains(what)) << line;
    EXPECT_EQ(does.at(what)(text), expected) << what << ' ' << text << ": " << why;
    ++cases;
  }
  EXPECT_GT(cases, 100u);
}

TEST(Splitter, WordsBehindANumber) {
  EXPECT_THAT(words_of_number("3DViewer"), ElementsAre("viewer"));
  EXPECT_THAT(words_of_number("2fa_token_store"), ElementsAre("token", "store"));
  for (const char* none : {"0x1F", "0xDEADBEEF", "3rd", "10ms", "1e9", "1_000_000", "42"})
    EXPECT_TRUE(words_of_number(none).empty()) << none;
}

TEST(Splitter, CompoundWords) {
  struct {
    const char *word, *name;
    bool is;
  } const cases[] = {{"mysql", "MySQLConnectionPool", true},
                     {"github", "parseGitHubUrl", true},
                     {"oauth", "OAuthToken", true},
                     {"ipv4", "IPv4Address", true},
                     {"javascript", "java_script_x", true},
                     {"sqlite", "SQLite3Cursor", true},
                     {"sqlite3", "SQLite3Cursor", true},
                     {"getuserid", "GetUserIdNow", true},
                     {"mysql", "my_fast_sql", false},
                     {"sqlit", "SQLite3", false},
                     {"ysql", "MySQL", false},
                     {"mysqlconnectionpool", "MySQLConnectionPool", false},
                     {"connection", "MySQLConnection", false},
                     {"", "MySQL", false}};
  for (const auto& c : cases)
    EXPECT_EQ(is_compound_word_of(c.word, c.name), c.is) << c.word << ' ' << c.name;
}

TEST(WordChars, Edges) {
  EXPECT_TRUE(is_word_edge("调用", "get"));
  EXPECT_TRUE(is_word_edge("get", "函"));
  EXPECT_TRUE(is_word_edge("a", " b"));
  EXPECT_TRUE(is_word_edge("", "b"));
  EXPECT_FALSE(is_word_edge("a", "b"));
  EXPECT_FALSE(is_word_edge("函", "数"));
  EXPECT_FALSE(is_word_edge("e", "\xcc\x81"));
  EXPECT_FALSE(is_word_edge("用", "_"));
}

TEST(CodeLike, Table) {
  for (const char* yes : {"foo_bar", "fooBar", "_x", "v2", "NaN", "MAX_SIZE", "HTTPServer"})
    EXPECT_TRUE(is_code_like(yes)) << yes;
  for (const char* no : {"word", "Word", "THE", "42", "_", "", "größe"})
    EXPECT_FALSE(is_code_like(no)) << no;
}

TEST(Stemmer, StemsEnglishOnly) {
  const Stemmer stemmer;
  EXPECT_EQ(stemmer.stem("mutations"), stemmer.stem("mutation"));
  EXPECT_EQ(stemmer.stem("v2s"), "v2s") << "no word";
  EXPECT_EQ(stemmer.stem("größen"), "größen") << "no ASCII";
}

TEST(WordChars, AtBothEnds) {
  EXPECT_EQ(word_char_length("é1"), 2u);
  EXPECT_EQ(word_char_length("-"), 0u);
  EXPECT_EQ(word_char_length("\xff"), 0u);
  EXPECT_TRUE(ends_in_word_char("x_"));
  EXPECT_TRUE(ends_in_word_char("xé"));
  EXPECT_FALSE(ends_in_word_char("x "));
  EXPECT_FALSE(ends_in_word_char(""));
  EXPECT_FALSE(ends_in_word_char("\xff\x80"));
}

}  // namespace
}  // namespace kw
