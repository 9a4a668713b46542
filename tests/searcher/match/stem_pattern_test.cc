// SPDX-License-Identifier: GPL-2.0-or-later
#include "searcher/match/stem_pattern.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <set>

#include "schema/text/splitter.h"

namespace kw::search {
namespace {

/// All words of the sample tree, in small letters.
std::set<std::string> words_of_the_sample() {
  std::set<std::string> words;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(KW_SOURCE_DIR "/tools/sample")) {
    if (!entry.is_regular_file()) continue;
    std::ifstream file(entry.path());
    std::string word;
    for (char c; file.get(c);) {
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
      if (c >= 'a' && c <= 'z') {
        word += c;
      } else {
        if (word.size() > 2) words.insert(word);
        word.clear();
      }
    }
  }
  return words;
}

// A stem that is passed over would be a file that is not found.
TEST(StemPattern, HoldsTheStemOfEachWordThatThePatternFits) {
  std::set<std::string> words = words_of_the_sample();
  ASSERT_GT(words.size(), 500u);
  for (const char* word :
       {"absolutely", "accompanying", "awareness", "alltoall", "capabilities", "engineered",
        "deserializer", "erroneously", "forcefully", "disagreement", "authenticator", "applying",
        "degenerative", "advantageous", "nationalizations", "dying", "skies", "hopping"})
    words.insert(word);
  std::mt19937 random(3);
  Stemmer stemmer;
  for (const std::string& word : words)
    for (int i = 0; i < 10; ++i) {
      const std::size_t begin = random() % word.size(), size = 1 + random() % (word.size() - begin);
      std::string piece = word.substr(begin, size);
      if (random() % 3 == 0) piece[random() % piece.size()] = '?';
      const std::string pattern =
          (begin > 0 ? "*" : "") + piece + (begin + size < word.size() ? "*" : "");
      ASSERT_TRUE(matches_pattern(pattern, word));
      const std::string stem(stemmer.stem(word));
      const StemPattern stems(pattern);
      EXPECT_TRUE(stems.may_contain(stem)) << pattern << ": " << word << " is stored as " << stem;
      EXPECT_TRUE(stem.starts_with(stems.head())) << pattern << ": " << word;
    }
}

TEST(StemPattern, Narrows) {
  struct {
    const char *pattern, *stem;
    bool holds;
    const char* why;
  } const cases[] = {
      {"*def", "undef", true, "the word's own end"},
      {"*def", "mind", false, "f is no ending"},
      {"*meta*", "metadata", true, "inside"},
      {"*meta*", "mutat", false, "other letters"},
      {"hopp*", "hop", true, "hopping"},
      {"hopp*", "hot", false, "another word"},
      {"*ing", "anything", true, "stems say nothing of an ending"},
  };
  for (const auto& c : cases)
    EXPECT_EQ(StemPattern(c.pattern).may_contain(c.stem), c.holds) << c.pattern << ": " << c.why;
  EXPECT_TRUE(StemPattern("*ing").are_all());
  EXPECT_FALSE(StemPattern("*mutation*").are_all());
}

TEST(Inflections, OfAStem) {
  const Stemmer stemmer;
  const auto of = [&](const char* word) { return inflections(stemmer.stem(word), stemmer); };
  using testing::IsSupersetOf;
  EXPECT_THAT(of("widgets"), IsSupersetOf({"widget", "widgeted", "widgeting", "widgets"}));
  for (const std::string& word : of("widgets")) EXPECT_EQ(stemmer.stem(word), "widget") << word;
  EXPECT_THAT(of("hopping"), IsSupersetOf({"hop", "hopped", "hopping", "hops"}));
  EXPECT_THAT(of("happy"), IsSupersetOf({"happiness", "happy"}));
  EXPECT_THAT(of("dying"), IsSupersetOf({"die", "died", "dies", "dying"}));
  EXPECT_THAT(of("generate"),
              IsSupersetOf({"generate", "generated", "generates", "generating", "generation"}));
}

TEST(Inflections, AreKnownAgain) {
  const Stemmer stemmer;
  for (const char* word :
       {"widgets", "hopping", "happy", "dying", "generate", "ties", "a", "meta"}) {
    const std::string stem = stemmer.stem(word);
    const std::vector<std::string> all = inflections(stem, stemmer);
    for (const std::string& one : all) EXPECT_TRUE(is_inflection(one, stem, stemmer)) << one;
    for (const std::string& base : {stem, start_of_stem(stem), stem + stem.back()})
      for (const std::string end : {"", "s", "ing", "ed", "x", "ingx", "like", "metrics", "ers"}) {
        const std::string tried = base + end;
        EXPECT_EQ(is_inflection(tried, stem, stemmer),
                  std::find(all.begin(), all.end(), tried) != all.end())
            << tried;
      }
  }
  EXPECT_FALSE(is_inflection("", "widget", stemmer));
}

}  // namespace
}  // namespace kw::search
