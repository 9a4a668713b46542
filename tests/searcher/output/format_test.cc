// SPDX-License-Identifier: GPL-2.0-or-later
#include "searcher/output/format.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "schema/text/text.h"

namespace kw::search {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

Hit make_hit(std::string text, std::vector<LineMatch> lines) {
  Hit hit;
  hit.rank = 3;
  hit.score = 12.5;
  hit.path = "src/a.py";
  hit.record.path = hit.path;
  hit.record.text = std::move(text);
  hit.match.matches = true;
  hit.match.lines = std::move(lines);
  hit.match.line_starts = line_starts(hit.record.text);
  return hit;
}

LineMatch line(std::uint32_t number, std::uint32_t begin, std::uint32_t end, int strength = 1) {
  return {number, {{begin, end}}, strength};
}

nlohmann::json as_json(const Hit& hit, const FormatOptions& options = {}) {
  const std::string out = format_json(hit, false, options);
  EXPECT_EQ(std::count(out.begin(), out.end(), '\n'), 1) << "one result a line";
  return nlohmann::json::parse(out);
}

std::vector<std::string> keys_of(const nlohmann::json& json) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : json.items()) keys.push_back(key);
  return keys;
}

TEST(Json, HasTheFieldsThatArePromised) {
  Hit hit = make_hit("class A:\n  pass\n", {line(1, 6, 7)});
  hit.record.title = "A title";
  hit.record.language = "python";
  hit.record.sections = {{"Head", 1, 1, 2, "head"}};
  hit.match.definitions = {{"A", "class", 1, "m.n"}};
  hit.also = {"docs/a.py_docs.md"};
  const auto json = as_json(hit);
  EXPECT_THAT(keys_of(json), ElementsAre("also", "definitions", "language", "matches", "passage",
                                         "path", "rank", "reading", "score", "title"));
  EXPECT_EQ(json["rank"], 3);
  EXPECT_EQ(json["path"], "src/a.py");
  EXPECT_EQ(json["score"], 12.5);
  EXPECT_EQ(json["title"], "A title");
  EXPECT_EQ(json["language"], "python");
  EXPECT_EQ(json["also"], nlohmann::json({"docs/a.py_docs.md"}));
  EXPECT_EQ(
      json["definitions"],
      nlohmann::json::parse(R"([{"name": "A", "kind": "class", "line": 1, "scope": "m.n"}])"));
  EXPECT_EQ(json["matches"], nlohmann::json::parse(
                                 R"([{"line": 1, "column": 7, "section": "Head", "anchor": "head",
                     "enclosing": {"name": "Head", "kind": "section", "line": 1, "scope": ""},
                     "text": "class A:"}])"));
}

TEST(Json, WhatIsEmptyIsThere) {
  const auto json = as_json(make_hit("", {}));
  EXPECT_TRUE(json["also"].is_array() && json["also"].empty());
  EXPECT_TRUE(json["definitions"].is_array() && json["definitions"].empty());
  EXPECT_TRUE(json["matches"].is_array() && json["matches"].empty());
  EXPECT_EQ(json["title"], "");
}

TEST(Json, SectionIsEmptyBeforeTheFirstHeading) {
  Hit hit = make_hit("a\n# H\n", {line(1, 0, 1), line(2, 2, 3)});
  hit.record.sections = {{"H", 1, 2, 2, "h"}};
  const auto matches = as_json(hit)["matches"];
  EXPECT_EQ(matches[0]["section"], "");
  EXPECT_EQ(matches[1]["section"], "H");
}

TEST(Json, TreeOnlyAmongSeveral) {
  FormatOptions several;
  several.tree = "/x";
  EXPECT_EQ(as_json(make_hit("", {}), several)["tree"], "/x");
  EXPECT_THAT(format_text(make_hit("", {}), "p", false, several), StartsWith("p   in /x"));
  EXPECT_FALSE(as_json(make_hit("", {})).contains("tree"));
}

TEST(Json, BytesThatAreNotUtf8) {
  Hit hit = make_hit("", {});
  hit.path = "a\xff\n\x1b\".py";
  hit.also = {"b\xfe.md"};
  const auto json = as_json(hit);
  EXPECT_EQ(from_base64(json["path_bytes"].get<std::string>()), hit.path);
  EXPECT_EQ(json["path"], "a\xEF\xBF\xBD\n\x1b\".py");
  EXPECT_EQ(json["also"][0], "b\xEF\xBF\xBD.md");
}

TEST(Json, TextIsAtMostAThousandBytesAroundTheMatch) {
  const std::string wide = std::string(5000, 'x') + "MATCH" + std::string(5000, 'y');
  const auto match = as_json(make_hit(wide, {line(1, 5000, 5005)}))["matches"][0];
  EXPECT_EQ(match["column"], 5001) << "of the whole line";
  EXPECT_THAT(match["text"].get<std::string>(), HasSubstr("MATCH"));
  EXPECT_LE(match["text"].get<std::string>().size(), 1000u);
  std::string umlauts;
  for (int i = 0; i < 3000; ++i) umlauts += "ä";
  for (std::uint32_t at : {0u, 1000u, 1002u, 5990u}) {
    const std::string text =
        as_json(make_hit(umlauts, {line(1, at, at + 2)}))["matches"][0]["text"];
    EXPECT_LE(text.size(), 1000u);
    EXPECT_TRUE(is_utf8(text)) << "cut between characters";
    EXPECT_THAT(text, Not(HasSubstr("\xEF\xBF\xBD")));
  }
}

TEST(Json, LinesAsManyAsAsked) {
  Hit hit = make_hit("a\nb\nc\nd\n",
                     {line(1, 0, 1, 1), line(2, 0, 1, 9), line(3, 0, 1, 1), line(4, 0, 1, 5)});
  const auto numbers = [&](std::size_t most) {
    FormatOptions options;
    options.lines_per_file = most;
    std::vector<int> numbers;
    const auto json = as_json(hit, options);
    for (const auto& m : json["matches"]) numbers.push_back(m["line"]);
    return numbers;
  };
  EXPECT_THAT(numbers(1), ElementsAre(2));
  EXPECT_THAT(numbers(3), ElementsAre(1, 2, 4));
  EXPECT_THAT(numbers(0), ElementsAre(1, 2, 3, 4)) << "all";
}

TEST(CutLine, KeepsTheFocusAndWholeCharacters) {
  const std::string text = "aäöü€𝄞zaäöü€𝄞zaäöü€𝄞z";
  for (std::size_t limit = 12; limit < text.size() + 2; ++limit)
    for (std::size_t focus = 0; focus < text.size(); ++focus) {
      if ((static_cast<unsigned char>(text[focus]) & 0xC0) == 0x80) continue;
      const Excerpt cut = cut_line(text, focus, limit);
      ASSERT_LE(cut.begin, focus);
      ASSERT_GT(cut.end, focus) << "limit " << limit;
      ASSERT_LE(cut.end - cut.begin, limit);
      ASSERT_TRUE(is_utf8(std::string_view(text).substr(cut.begin, cut.end - cut.begin)));
    }
}

TEST(Text, LooksLikeThis) {
  Hit hit = make_hit("one\nclass A:\n    def run(self):\n", {line(2, 6, 7), line(3, 8, 11)});
  hit.match.definitions = {{"A", "class", 2, ""}, {"run", "method", 3, "A"}};
  hit.record.sections = {{"Original Source", 2, 2, 3, "original-source"}};
  EXPECT_EQ(format_text(hit, "src/a.py", false, {}),
            "src/a.py   defines class A (+1)\n"
            "  2  Original Source   class A:\n"
            "  3  Original Source   def run(self):\n");
  hit.match.definitions = {{"run", "method", 3, "A"}};
  hit.also = {"b", "c"};
  EXPECT_THAT(
      format_text(hit, "src/a.py", true, {}),
      testing::StartsWith(
          "src/a.py   defines method run in A   also b (+1)   (changed since it was indexed)\n"));
}

TEST(Text, Context) {
  const Hit hit =
      make_hit("1\n2\n3\n4\n5\n6\n7\n8\n9\n", {line(2, 0, 1), line(3, 0, 1), line(9, 0, 1)});
  FormatOptions options;
  options.context = 1;
  EXPECT_EQ(format_text(hit, "p", false, options),
            "p\n   1  1\n   2  2\n   3  3\n   4  4\n  --\n   8  8\n   9  9\n");
  options.context = 100;
  EXPECT_EQ(format_text(hit, "p", false, options),
            "p\n   1  1\n   2  2\n   3  3\n   4  4\n   5  5\n   6  6\n   7  7\n   8  8\n"
            "   9  9\n");
}

TEST(Text, ContextIsNotRepeated) {
  const Hit hit = make_hit("1\n2\n3\n4\n5\n", {line(2, 0, 1), line(4, 0, 1)});
  FormatOptions options;
  options.context = 2;
  EXPECT_EQ(format_text(hit, "p", false, options), "p\n  1  1\n  2  2\n  3  3\n  4  4\n  5  5\n");
}

TEST(Text, ColourMarksTheMatch) {
  const Hit hit = make_hit("an apple a day", {{1, {{3, 8}, {11, 14}}, 1}});
  FormatOptions options;
  options.color = true;
  const std::string out = format_text(hit, "p", false, options);
  EXPECT_THAT(out, HasSubstr("an \x1b[1;31mapple\x1b[0m a \x1b[1;31mday\x1b[0m\n"));
  options.color = false;
  EXPECT_THAT(format_text(hit, "p", false, options), Not(HasSubstr("\x1b")));
}

TEST(Text, NothingOfAFileReachesATerminalsControls) {
  const std::string bad = "x\x1b]0;title\x07y\x9b z\xc2\x9b\x7f\xe2\x80\xae\xff";
  Hit hit = make_hit(bad, {line(1, 0, 1)});
  hit.match.definitions = {{bad, bad, 1, bad}};
  hit.record.sections = {{bad, 1, 1, 1, ""}};
  hit.also = {bad};
  for (const std::string& out :
       {format_text(hit, bad, true, {}), format_vimgrep(hit, bad, false, {})}) {
    EXPECT_TRUE(is_utf8(out));
    EXPECT_THAT(out, Not(HasSubstr("\xc2\x9b")));
    EXPECT_THAT(out, Not(HasSubstr("\xe2\x80\xae")));
    for (const char c : out)
      EXPECT_TRUE(static_cast<signed char>(c) < 0 || (c >= 0x20 && c != 0x7f) || c == '\n') << out;
  }
}

TEST(Text, LongLinesAreCutAroundTheMatch) {
  std::string wide = std::string(1000, 'x') + " MATCH " + std::string(1000, 'y');
  const Hit hit = make_hit(wide, {line(1, 1001, 1006)});
  FormatOptions options;
  options.width = 60;
  const std::string out = format_text(hit, "p", false, options);
  EXPECT_THAT(out, HasSubstr("MATCH"));
  const std::string shown = out.substr(2);
  EXPECT_LE(display_width(shown), 61u) << shown;
  EXPECT_THAT(shown, HasSubstr("…"));
}

TEST(Text, WidthIsThatOfTheScreen) {
  std::string wide;
  for (int i = 0; i < 300; ++i) wide += "数";
  wide += "MATCH";
  for (int i = 0; i < 300; ++i) wide += "据";
  const Hit hit = make_hit(wide, {line(1, 900, 905)});
  FormatOptions options;
  options.width = 60;
  const std::string out = format_text(hit, "p", false, options);
  EXPECT_THAT(out, HasSubstr("MATCH"));
  EXPECT_LE(display_width(out.substr(2)), 61u) << "wide characters take two columns";
  EXPECT_TRUE(is_utf8(out));
}

TEST(Vimgrep, PathLineColumnText) {
  EXPECT_EQ(format_vimgrep(make_hit("  größe x\ny\n", {line(1, 10, 11), line(2, 0, 1)}), "a b",
                           false, {}),
            "a b:1:11:  größe x\na b:2:1:y\n");
}

TEST(Vimgrep, TheBytesOfANameForPrograms) {
  const Hit hit = make_hit("x", {line(1, 0, 1)});
  EXPECT_EQ(format_vimgrep(hit, "caf\xe9", true, {}), "caf\xe9:1:1:x\n");
  EXPECT_EQ(format_vimgrep(hit, "caf\xe9", false, {}), "caf\\xe9:1:1:x\n");
}

TEST(Text, TheDefinitionIsFirst) {
  Hit hit = make_hit("use A\nuse A\nclass A\n", {line(1, 4, 5), line(2, 4, 5), line(3, 6, 7)});
  hit.match.definitions = {{"A", "class", 3, ""}};
  EXPECT_EQ(format_text(hit, "p", false, {}),
            "p   defines class A\n  3  class A\n  1  use A\n  2  use A\n");
}

TEST(Text, TitlesBesideThePath) {
  Hit hit = make_hit("x\n", {line(1, 0, 1)});
  hit.record.title = "All of it";
  EXPECT_THAT(format_text(hit, "p", false, {}), StartsWith("p   All of it\n"));
  hit.match.definitions = {{"A", "class", 1, ""}};
  EXPECT_THAT(format_text(hit, "p", false, {}), StartsWith("p   defines class A\n"));
  hit.match.definitions.clear();
  hit.record.path = "docs/src/a.py_docs.md";
  hit.record.title = "Documentation: src/a.py";
  EXPECT_THAT(format_text(hit, "p", false, {}), StartsWith("p\n")) << "the path says that";
}

TEST(Text, APassageStandsForTheLines) {
  Hit hit = make_hit("one *two*\nthree\nfour\n", {line(1, 0, 3), line(3, 0, 4)});
  hit.match.passage = Passage{1, 2, "one two three", {{0, 3}}};
  hit.record.sections = {{"S", 1, 1, 3, "s"}};
  EXPECT_EQ(format_text(hit, "p", false, {}), "p\n  1  S   one two three\n");
  FormatOptions narrow;
  narrow.width = 30;
  hit.match.passage->text = "one two three and many more words that fill some rows of it";
  EXPECT_EQ(format_text(hit, "p", false, narrow),
            "p\n  1  S   one two three and\n         many more words\n"
            "         that fill some…\n");
  FormatOptions all;
  all.lines_per_file = 0;
  EXPECT_EQ(format_text(hit, "p", false, all), "p\n  1  S   one *two*\n  3  S   four\n");
  EXPECT_EQ(as_json(hit)["passage"], hit.match.passage->text);
}

TEST(Text, UsesAreWithoutTheDefinition) {
  Hit hit = make_hit("def go():\n  pass\ndef run():\n  go()\ngo()\n",
                     {line(1, 4, 6), line(4, 2, 4), line(5, 0, 2)});
  hit.record.definitions = {{"go", "function", 1, ""}, {"run", "function", 3, ""}};
  hit.match.definitions = {{"go", "function", 1, ""}};
  FormatOptions options;
  options.uses = "go";
  EXPECT_EQ(format_text(hit, "p", false, options),
            "p   defines function go\n  4  function run   go()\n  5                 go()\n");
  hit.match.lines.resize(1);
  EXPECT_EQ(format_text(hit, "p", false, options), "") << "nothing but the definition";
  EXPECT_EQ(format_json(hit, false, options), "");
}

TEST(Text, ColumnsAreThoseOfTheScreen) {
  struct {
    std::string line;
    std::size_t focus;
    const char* why;
  } const cases[] = {
      {std::string(200, '\t') + "x" + std::string(200, '\t'), 200, "tabs"},
      {std::string(200, '\x1b') + "x" + std::string(200, '\x01'), 200, "control characters"},
      {std::string(200, 'a') + "x" + std::string(200, 'b'), 200, "letters"},
      {std::string(200, '\xff') + "x" + std::string(200, '\xfe'), 200, "bytes"},
  };
  for (const auto& c : cases) {
    const auto at = static_cast<std::uint32_t>(c.focus);
    FormatOptions options;
    options.width = 60;
    const std::string out =
        format_text(make_hit(c.line, {line(1, at, at + 1)}), "p", false, options);
    EXPECT_LE(display_width(out.substr(2)), 61u) << c.why;
    EXPECT_THAT(out, HasSubstr("x")) << c.why;
    EXPECT_THAT(out, Not(HasSubstr("\t"))) << c.why;
  }
}

TEST(ExplainScore, SaysWhatItIsMadeOf) {
  EXPECT_EQ(explain_score(7 * 1e7 + 1e6 + 3e5 + 3e4 + 12.3456),
            "tier 7 (definition), spelled as asked, original, type, bm25 12.346");
  EXPECT_EQ(explain_score(1e7), "tier 1 (prose), generated, bm25 0.000");
  EXPECT_EQ(explain_score(0), "tier 0, generated, bm25 0.000");
}

}  // namespace
}  // namespace kw::search
