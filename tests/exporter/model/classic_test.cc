// SPDX-License-Identifier: GPL-2.0-or-later
#include "exporter/model/classic.h"

#include <gmock/gmock.h>

#include <map>
#include <random>

namespace kw::exporter {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;

TEST(ClassicMatches, FollowTheRegularExpression) {
  const struct {
    const char* why;
    std::string text;
    std::vector<std::string_view> matches;
  } rows[] = {
      {"nothing", "", {}},
      {"a name alone", "Name", {"Name"}},
      {"one letter is enough", "a C b", {"C"}},
      {"digits and underscores go on", "AT_PER_OP2 X_", {"AT_PER_OP2", "X_"}},
      {"no boundary inside a word", "aName _Name 9Name", {}},
      {"punctuation is a boundary", "at::Tensor.X(Y)->Z", {"Tensor", "X", "Y", "Z"}},
      {"each occurrence", "A B A", {"A", "B", "A"}},
      {"a letter of another script before it", "\u00e9Name", {}},
      {"a letter of another script behind it", "Name\u00e9 Caf\u00e9", {}},
      {"a capital of another script begins none", "\u00c9cole \u0416X", {}},
      {"ideographs are letters", "\u6f22Name Name\u6f22", {}},
      {"a dash or quote of Unicode is none", "\u201cName\u201d\u2014Other", {"Name", "Other"}},
      {"a combining mark is no word character", "Cafe\u0301 \u0301Name", {"Cafe", "Name"}},
      {"numbers of all kinds are: superscript, Roman, Arabic-Indic", "A\u00b2 B\u2163 C\u0663", {}},
      {"connectors other than _ are none", "A\u203fB", {"A", "B"}},
      {"a symbol is none", "A\u20acB \U0001f600Name", {"A", "B", "Name"}},
      {"beyond the first plane", "\U00010400Name \U0001d400X", {}},
      {"a byte that is not UTF-8 is none", "\xffName\xc3 X\xe2\x82", {"Name", "X"}},
      {"a zero byte is none", std::string("A\0B", 3), {"A", "B"}},
      {"line ends", "A\r\nB\n", {"A", "B"}},
  };
  for (const auto& row : rows)
    EXPECT_THAT(classic_matches(row.text), ElementsAreArray(row.matches)) << row.why;
}

/// The expression by its definition, over characters whose class is known by hand.
std::vector<std::string> matches_by_definition(const std::vector<std::string>& chars,
                                               const std::map<std::string, bool>& words) {
  const auto is_word = [&](std::size_t i) { return i < chars.size() && words.at(chars[i]); };
  const auto boundary = [&](std::size_t i) { return (i > 0 && is_word(i - 1)) != is_word(i); };
  const auto in = [&](std::size_t i, bool first) {
    const std::string& c = chars[i];
    if (c.size() != 1) return false;
    return (c[0] >= 'A' && c[0] <= 'Z') ||
           (!first &&
            ((c[0] >= 'a' && c[0] <= 'z') || (c[0] >= '0' && c[0] <= '9') || c[0] == '_'));
  };
  std::vector<std::string> found;
  for (std::size_t begin = 0; begin < chars.size(); ++begin) {
    if (!boundary(begin) || !in(begin, true)) continue;
    std::size_t end = begin + 1;
    while (end < chars.size() && in(end, false)) ++end;
    while (end > begin && !boundary(end)) --end;  // the star gives back
    if (end == begin) continue;
    std::string match;
    for (std::size_t i = begin; i < end; ++i) match += chars[i];
    found.push_back(match);
    begin = end - 1;
  }
  return found;
}

TEST(ClassicMatches, AgreeWithTheDefinitionOnRandomText) {
  const std::map<std::string, bool> words{
      {"A", true},       {"Z", true},      {"b", true},       {"7", true},       {"_", true},
      {" ", false},      {"-", false},     {"\n", false},     {"\u00e9", true},  {"\u00c9", true},
      {"\u6f22", true},  {"\u00b2", true}, {"\u0301", false}, {"\u2014", false}, {"\u203f", false},
      {"\u20ac", false}, {"\xff", false},  {"\u0663", true},  {"\u2163", true},  {"`", false},
  };
  std::vector<std::string> alphabet;
  for (const auto& [c, word] : words) alphabet.push_back(c);
  std::mt19937 random(20240607);
  for (int round = 0; round < 20000; ++round) {
    std::vector<std::string> chars;
    std::string text;
    for (unsigned n = random() % 12; n > 0; --n) {
      chars.push_back(alphabet[random() % alphabet.size()]);
      text += chars.back();
    }
    ASSERT_THAT(classic_matches(text), ElementsAreArray(matches_by_definition(chars, words)))
        << text;
  }
}

FileRecord record_of(std::string text, std::vector<Definition> definitions = {}) {
  FileRecord record;
  record.text = std::move(text);
  record.definitions = std::move(definitions);
  return record;
}

TEST(ClassicKeywords, AreDistinctAndSortedByBytes) {
  EXPECT_THAT(classic_keywords(record_of("The Zoo A_b AB The Aa"), 100),
              ElementsAre("AB", "A_b", "Aa", "The", "Zoo"));
  EXPECT_THAT(classic_keywords(record_of("nothing here"), 100), ElementsAre());
}

TEST(ClassicKeywords, KeepTheMostTelling) {
  const FileRecord record = record_of("The The The Often Often Rare Able FooBar HTTP_X Plain",
                                      {{"Plain", "class", 1, ""}});
  const struct {
    const char* why;
    std::size_t limit;
    std::vector<std::string> kept;
  } rows[] = {
      {"what the file defines comes first, however plain", 1, {"Plain"}},
      {"then what looks like code, by bytes where counts are equal", 2, {"FooBar", "Plain"}},
      {"all that looks like code before any plain word", 3, {"FooBar", "HTTP_X", "Plain"}},
      {"then the most frequent", 4, {"FooBar", "HTTP_X", "Plain", "The"}},
      {"and the next", 5, {"FooBar", "HTTP_X", "Often", "Plain", "The"}},
      {"equal counts by bytes", 6, {"Able", "FooBar", "HTTP_X", "Often", "Plain", "The"}},
      {"as many as there are", 7, {"Able", "FooBar", "HTTP_X", "Often", "Plain", "Rare", "The"}},
      {"zero is no limit", 0, {"Able", "FooBar", "HTTP_X", "Often", "Plain", "Rare", "The"}},
  };
  for (const auto& row : rows)
    EXPECT_THAT(classic_keywords(record, row.limit), ElementsAreArray(row.kept)) << row.why;
}

}  // namespace
}  // namespace kw::exporter
