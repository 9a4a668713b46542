// SPDX-License-Identifier: GPL-2.0-or-later
#include "exporter/site/search_chunks.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <map>
#include <nlohmann/json.hpp>

#include "exporter/site/packed_text.h"
#include "tests/support/index_builder.h"
#include "tests/support/temp_dir.h"

namespace kw::exporter::site {
namespace {

using test::build_index;
using test::TempDir;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

std::string digits_of(std::uint64_t number) {
  std::string out;
  put_number(out, number);
  return out;
}

TEST(ShardText, NumbersAreDigitsOfBase45) {
  struct {
    std::uint64_t number;
    const char* text;
  } const cases[] = {
      {0, "#"},     // the first digit
      {44, "O"},    // the last that ends a number
      {45, "P$"},   // 0 and more, then 1
      {46, "Q$"},   // the digits go from least to most
      {56, "[$"},   // the last before the backslash
      {57, "]$"},   // which is left out
      {2024, "}O"}  // the largest of two digits
  };
  for (const auto& c : cases) EXPECT_EQ(digits_of(c.number), c.text) << c.number;
}

TEST(ShardText, SignedNumbersGoByTheirDistanceFromZero) {
  struct {
    std::int64_t number;
    std::uint64_t as;
  } const cases[] = {{0, 0}, {-1, 1}, {1, 2}, {-2, 3}, {1000, 2000}, {-1000, 1999}};
  for (const auto& c : cases) {
    std::string out;
    put_signed(out, c.number);
    EXPECT_EQ(out, digits_of(c.as)) << c.number;
  }
}

TEST(ShardText, StringsAreThoseOfJson) {
  for (const std::string text :
       {"plain", "\"quotes\" and \\", "line\nline", "\x01\x7f", "größe 函数 😀", "</script>"})
    EXPECT_EQ(nlohmann::json::parse(js_string(text)), text);
  EXPECT_EQ(js_string("a\xff"), "\"a\xEF\xBF\xBD\"");
}

TEST(PackedText, PartsAreWholeLines) {
  const auto parts_of = [](std::string_view text, std::size_t most, std::size_t most_parts = 9) {
    std::vector<std::pair<std::uint32_t, std::string>> parts;
    for (const TextPart& part : text_parts(text, most, most_parts))
      parts.emplace_back(part.first_line, part.text);
    return parts;
  };
  using Parts = std::vector<std::pair<std::uint32_t, std::string>>;
  EXPECT_EQ(parts_of("", 10), (Parts{{1, ""}}));
  EXPECT_EQ(parts_of("one\ntwo\n", 10), (Parts{{1, "one\ntwo\n"}}));
  EXPECT_EQ(parts_of("one\ntwo\nthree\nfour\n", 10),
            (Parts{{1, "one\ntwo\n"}, {3, "three\n"}, {4, "four\n"}}));
  EXPECT_EQ(parts_of("one\ntwo\nthree\nfour\n", 10, 2), (Parts{{1, "one\ntwo\n"}, {3, "three\n"}}));
  EXPECT_EQ(parts_of("123456789012\nnext\n", 10), (Parts{{1, "1234567890"}, {2, "next\n"}}));
  EXPECT_EQ(parts_of("12345678é0123", 9), (Parts{{1, "12345678"}}));
}

TEST(ChunkCutter, CutsMoveOnlyWhereEntriesChange) {
  std::vector<std::string> names;
  for (int i = 0; i < 3000; ++i) names.push_back("name" + std::to_string(i));
  const auto cuts = [&] {
    ChunkCutter cutter(1000, 4000);
    std::vector<std::string> first;
    for (const std::string& name : names)
      if (cutter.begins(name, 20)) first.push_back(name);
    return first;
  };
  const std::vector<std::string> before = cuts();
  EXPECT_GT(before.size(), 10u);
  names.insert(names.begin() + 100, "another");
  const std::vector<std::string> after = cuts();
  ASSERT_GT(after.size(), 10u);
  EXPECT_EQ(std::vector(before.end() - 8, before.end()), std::vector(after.end() - 8, after.end()));
}

TEST(ChunkCutter, NoShardIsOverTheMostButOneOfOneEntry) {
  ChunkCutter cutter(10, 100);
  EXPECT_FALSE(cutter.begins("first", 500));
  EXPECT_TRUE(cutter.begins("second", 60));
  EXPECT_TRUE(cutter.begins("third", 41));
}

std::map<std::string, std::string> shards_of(const std::vector<test::IndexedFile>& files) {
  const TempDir dir;
  const DatabaseFolder database = build_index(dir.path() / "db", files);
  auto reader = IndexReader::open(database);
  EXPECT_TRUE(reader);
  auto stored = reader->stored_files();
  EXPECT_TRUE(stored);
  const FileTable catalogue(*stored);
  const auto spool = build_search_chunks(
      *reader, catalogue, [&](std::size_t i) { return catalogue.paths()[i] + ".html"; });
  EXPECT_TRUE(spool);
  std::map<std::string, std::string> shards;
  for (std::size_t i = 0; i < spool->size(); ++i) shards[spool->name(i)] = *spool->read(i);
  return shards;
}

/// The first chunk of a kind, by its name in the head; of one that the head holds, the head from it
/// on.
std::string chunk_of(const std::map<std::string, std::string>& shards, const std::string& kind) {
  const std::string& head = shards.at("head.js");
  const std::string mark = kind + ":\"";
  const std::size_t at = head.find(mark, head.find("chunks:{")) + mark.size();
  const std::string name = head.substr(at, kChunkNameLength);
  const std::size_t held = head.find("\"" + name + "\":", at);
  return held == std::string::npos ? shards.at(name + ".js") : head.substr(held);
}

TEST(SearchShards, ANameStandsForItsBytes) {
  EXPECT_EQ(chunk_name("a"), chunk_name("a"));
  EXPECT_NE(chunk_name("a"), chunk_name("b"));
  const std::vector<test::IndexedFile> files{{"a.py", "alpha\n"}, {"b.py", "beta\n"}};
  auto edited = files;
  edited[0].text = "gamma\n";
  auto before = shards_of(files), after = shards_of(edited);
  std::size_t changed = 0;
  for (const auto& [name, bytes] : after) {
    const auto old = before.find(name);
    changed += old == before.end() ? 1 : 0;
    const bool is_other = old != before.end() && old->second != bytes;
    EXPECT_FALSE(is_other && name != "head.js") << name << " stood for other bytes";
  }
  EXPECT_EQ(changed, 3u)
      << "words, texts and, as they name these, details; lengths are as they were";
}

TEST(SearchShards, SmallTree) {
  const auto shards =
      shards_of({{"a.py", "def make_term(): pass\n", {{"make_term", "function", 1, "Outer"}}},
                 {"docs/b.md", "# Title\n\nSome words.\n", {}}});
  ASSERT_EQ(shards.size(), 5u) << "lengths, their rests and filters are in the head";
  EXPECT_THAT(shards.at("head.js"),
              AllOf(StartsWith("/* Keyword Index: search */\nkwShard(\"head\",{script:\""),
                    HasSubstr("\",files:2,")));
  // "maketerm" behind "make", and the words themselves.
  EXPECT_THAT(chunk_of(shards, "t"),
              AllOf(HasSubstr("#make "), HasSubstr("'term "), HasSubstr("#word ")));
  EXPECT_THAT(chunk_of(shards, "f"), HasSubstr("\"#a.py//#docs/b.md\""));
  const std::string texts =
      js_string(*pack_text(R"(["def make_term(): pass\n","# Title\n\nSome words.\n"])"));
  const std::string text_name = chunk_name(texts);
  EXPECT_THAT(shards.at(text_name + ".js"), HasSubstr(texts));
  const std::string details = fmt::format(
      "[[\"a.py\",0,\"\",[1,\"make_term\",\"function\",\"Outer\"],[],[0,\"{0}\"]],"
      "[\"docs/b.md\",0,\"Title\",[],[1,\"Title\"],[1,\"{0}\"]]]",
      text_name);
  EXPECT_EQ(chunk_of(shards, "d"), "/* Keyword Index: search */\nkwShard(\"" + chunk_name(details) +
                                       "\"," + details + ");\n");
  // Runs of files: those left out before each, and how many follow but one.
  EXPECT_THAT(chunk_of(shards, "l"),
              AllOf(HasSubstr("[\"ext\",\"md\",\"$#\"]"), HasSubstr("[\"ext\",\"py\",\"##\"]"),
                    HasSubstr("[\"folder\",\"docs\",\"$#\"]")));
}

TEST(SearchShards, LengthsAreRoundedAndHaveRests) {
  std::string words;
  for (int i = 0; i < 99; ++i) words += "word ";
  const auto shards = shards_of({{"a.md", "word\n", {}}, {"b.md", words, {}}});
  const std::string data = chunk_of(shards, "n"), rests = chunk_of(shards, "r");
  const auto number = [](std::uint64_t value) {
    std::string text;
    put_number(text, value);
    return text;
  };
  // Beside its words each file has two of its path. 101 has seven binary digits: the first six, and
  // how many follow.
  EXPECT_THAT(data, HasSubstr("\"" + number(1 + 2) + number(32 + (101 >> 1)) + " \"")) << data;
  EXPECT_THAT(rests, HasSubstr("\"" + number(101 & 1) + "\"")) << rests;
}

TEST(SearchShards, TheOnlyChunkOfAKindIsInTheHeadIfItIsSmall) {
  const auto of = [](int files, int folders) {
    std::vector<test::IndexedFile> tree;
    for (int i = 0; i < files; ++i)
      tree.push_back({fmt::format("folder{}/{}.md", i % folders, i), "word\n", {}});
    return shards_of(tree);
  };
  const std::string small = of(9, 9).at("head.js"), folders = of(300, 150).at("head.js");
  const auto held = [](const std::string& head) { return head.substr(head.find("held:{")); };
  EXPECT_THAT(held(small), AllOf(HasSubstr("[\"folder\",\"folder8\""), HasSubstr("\":\"")));
  EXPECT_THAT(held(folders), AllOf(Not(HasSubstr("\"folder\"")), HasSubstr("\":\"")));
  EXPECT_THAT(of(2'049, 1).at("head.js"), HasSubstr("held:{\""));
  EXPECT_THAT(chunk_of(of(2'049, 1), "n"), StartsWith("/* Keyword Index: search */\nkwShard("));
}

TEST(SearchShards, AnEmptyIndexHasAHead) {
  const auto shards = shards_of({});
  ASSERT_EQ(shards.size(), 1u);
  EXPECT_THAT(shards.at("head.js"), HasSubstr("files:0,length:0,"));
}

TEST(SearchShards, OneFileWithEverythingStaysUnderTheBound) {
  std::vector<Definition> definitions;
  std::string text;
  for (std::uint32_t i = 1; i <= 5000; ++i) {
    definitions.push_back({"function_number_" + std::to_string(i), "function", i, "some::scope"});
    text += "void " + definitions.back().name + "();\n";
  }
  for (const auto& [name, bytes] : shards_of({{"big.cc", text, definitions}}))
    EXPECT_LE(bytes.size(), 65'000u) << name;
}

}  // namespace
}  // namespace kw::exporter::site
