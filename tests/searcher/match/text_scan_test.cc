// SPDX-License-Identifier: GPL-2.0-or-later
#include "searcher/match/text_scan.h"

#include <gmock/gmock.h>

#include <array>
#include <random>

#include "tests/support/effort.h"

namespace kw::search {
namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::IsEmpty;

std::vector<std::size_t> places(std::string_view text, std::vector<Needle> probes) {
  std::vector<std::size_t> at;
  NeedleFinder finder(text, std::move(probes));
  for (std::size_t i = 0; (i = finder.next(i)) < text.size(); ++i) at.push_back(i);
  return at;
}

TEST(NeedleFinder, FindsProbesInBothCasesAndWhatIsNotAscii) {
  EXPECT_THAT(places("View viewer VI", {{"view"}}), ElementsAre(0, 5));
  EXPECT_THAT(places("a b A", {{"a"}}), ElementsAre(0, 4));
  EXPECT_THAT(places("ab", {{"b"}}), ElementsAre(1)) << "a probe of one byte at the end";
  EXPECT_THAT(places("ab", {{"bc"}}), IsEmpty()) << "cut off by the end";
  EXPECT_THAT(places("x\xc3\xa4y", {{"y"}}), ElementsAre(1, 2, 3));
  EXPECT_THAT(places("__ \x7f\x7f", {{"__"}}), ElementsAre(0))
      << "a byte that differs by 0x20 alone";
  EXPECT_THAT(places("", {{"a"}}), IsEmpty());
  EXPECT_THAT(places("a\x80", {}), ElementsAre(1));
  EXPECT_THAT(places(std::string(63, '.') + "view" + std::string(60, '.') + "VIEW", {{"view"}}),
              ElementsAre(63, 127))
      << "over the edges of blocks";
}

TEST(NeedleFinder, WordsBeginAfterWhatIsNoLetterOrAsCapitals) {
  const Needle probe{"meta", true};
  struct {
    const char* text;
    bool found;
  } const cases[] = {{"meta", true},      {"view_meta", true}, {"viewMeta", true},
                     {"HTTPMETA", true},  {"v2Meta", true},    {"-meta", true},
                     {"viewmeta", false}, {"v2meta", false},   {"METAmeta", true},
                     {" metameta", true}, {"xmetameta", false}};
  for (const auto& c : cases) EXPECT_EQ(!places(c.text, {probe}).empty(), c.found) << c.text;
}

/// What the processor's instructions find, against a look at each byte.
TEST(NeedleFinder, MarksTheSamePlacesByVectors) {
  std::mt19937 random(3);
  for (int round = 0; round < 5000 * test::effort(); ++round) {
    NeedleFinder::Buckets buckets;
    for (auto& [low, high] : buckets)
      for (auto* const half : {&low, &high})
        for (std::uint8_t& set : *half) set = static_cast<std::uint8_t>(random() & random());
    std::array<unsigned char, NeedleFinder::kBlock + 2> bytes;
    for (unsigned char& byte : bytes)
      byte = static_cast<unsigned char>(random() % (round % 2 ? 256 : 128));
    ASSERT_EQ(marks_of_block(bytes.data(), buckets), marks_of_block_slowly(bytes.data(), buckets));
  }
}

/// Random texts, against a search of each place.
TEST(NeedleFinder, EqualsASearchOfEachPlace) {
  std::mt19937 random(1);
  const auto pick = [&](std::string_view letters, std::size_t most) {
    std::string text(random() % (most + 1), ' ');
    for (char& c : text) c = letters[random() % letters.size()];
    return text;
  };
  for (int round = 0; round < 2000 * test::effort(); ++round) {
    const std::string text = pick("aAbB_ \x01!\xc3", 200);
    std::vector<std::string> own;
    for (std::size_t n = random() % (round % 8 ? 4 : 20); n > 0; --n)
      own.push_back("ab_ "[random() % 4] + pick("ab_", 4));
    std::vector<Needle> probes;
    for (const std::string& text_of : own) probes.push_back({text_of});
    std::vector<std::size_t> expected;
    for (std::size_t at = 0; at < text.size(); ++at) {
      bool here = static_cast<unsigned char>(text[at]) >= 0x80;
      for (const std::string& probe : own) {
        std::string there = text.substr(at, probe.size());
        for (char& c : there)
          if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
        here |= there == probe;
      }
      if (here) expected.push_back(at);
    }
    EXPECT_THAT(places(text, probes), ElementsAreArray(expected)) << text;
  }
}

TEST(TextScan, HoldsFolded) {
  EXPECT_TRUE(holds_folded("ViewMeta", {"meta"}));
  EXPECT_TRUE(holds_folded("ViewMeta", {""}));
  EXPECT_FALSE(holds_folded("ViewMet", {"meta"}));
  EXPECT_FALSE(holds_folded("", {"a"}));
  for (const auto name : {"meta", "ViewMeta", "view_meta", "preMetaMeta"})
    EXPECT_TRUE(holds_folded(name, {"meta", true})) << name;
  for (const auto name : {"viewmeta", "2meta", "met"})
    EXPECT_FALSE(holds_folded(name, {"meta", true})) << name;
}

TEST(TextScan, MayHoldKnowsWhatFoldsIntoAscii) {
  EXPECT_TRUE(may_contain("a STAR", "star"));
  EXPECT_TRUE(may_contain("\u017ftar", "star")) << "long s";
  EXPECT_TRUE(may_contain("\u212a", "k")) << "the sign of kelvin";
  EXPECT_FALSE(may_contain("\u017ftar", "bar"));
  EXPECT_FALSE(may_contain("st ar \u00e4", "star"));
}

}  // namespace
}  // namespace kw::search
