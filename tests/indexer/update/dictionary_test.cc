// SPDX-License-Identifier: GPL-2.0-or-later
#include "indexer/update/dictionary.h"

#include <gmock/gmock.h>

#include <random>

#include "schema/index/record.h"

namespace kw::indexer {
namespace {

std::vector<std::string> alike_pages() {
  std::vector<std::string> samples;
  for (int i = 0; i < 200; ++i)
    samples.push_back("# Documentation: file " + std::to_string(i * 7919) +
                      "\n\nThe licence, the imports and the headings are the same in each.\n" +
                      std::string(40, static_cast<char>('a' + i % 26)) + "\n");
  return samples;
}

TEST(Dictionary, MakesAlikeRecordsSmaller) {
  const auto samples = alike_pages();
  const auto dictionary = train_dictionary(samples);
  ASSERT_TRUE(dictionary);
  ASSERT_FALSE(dictionary->empty());
  const RecordCodec codec(*dictionary);
  FileRecord record;
  record.path = "a.md";
  record.text = samples[3];
  record.definitions = {{"Point", "class", 6, ""}};
  EXPECT_LT(codec.encode(record).size(), RecordCodec().encode(record).size());
  const auto decoded = codec.decode(codec.encode(record));
  ASSERT_TRUE(decoded);
  EXPECT_EQ(*decoded, record);
  const auto head = codec.decode(codec.encode(record), RecordParts::WithoutText);
  ASSERT_TRUE(head);
  EXPECT_EQ(head->definitions, record.definitions);
  EXPECT_FALSE(RecordCodec().decode(codec.encode(record))) << "not without it";
}

TEST(Dictionary, SamplesOfEveryShapeAreTrainedOrLeftOut) {
  struct Case {
    const char* why;
    std::size_t number;
    std::string (*sample)(std::size_t);
  };
  const Case cases[] = {
      {"none", 0, [](std::size_t) { return std::string(); }},
      {"all empty", 400, [](std::size_t) { return std::string(); }},
      {"one byte each", 400, [](std::size_t i) { return std::string(1, static_cast<char>(i)); }},
      {"all empty but the last", 100,
       [](std::size_t i) { return std::string(i == 99 ? 15 : 0, 'x'); }},
      {"the first three quarters hold 7 bytes", 100,
       [](std::size_t i) {
         return std::string(i < 7 ? 1 : i < 75 ? 0 : 4000, 'x');
       }},
      {"all equal", 400,
       [](std::size_t) { return std::string("the same words in each of them\n\n"); }},
      {"all at the bound", 100,
       [](std::size_t i) { return std::string(32, static_cast<char>(i)); }},
      {"under and over the bound", 200, [](std::size_t i) { return std::string(31 + i % 2, 'x'); }},
      {"one too few", 99, [](std::size_t i) { return std::string(4000, static_cast<char>(i)); }},
      {"large, of one byte", 400, [](std::size_t) { return std::string(8 << 10, 'x'); }},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.why);
    std::vector<std::string> samples;
    for (std::size_t i = 0; i < c.number; ++i) samples.push_back(c.sample(i));
    const auto once = train_dictionary(samples), twice = train_dictionary(samples);
    ASSERT_TRUE(once) << once.error().message;
    EXPECT_EQ(*once, *twice) << "the same samples, the same bytes";
    EXPECT_LE(once->size(), kMaxDictionaryBytes);
  }
}

TEST(Dictionary, SamplesOfRandomLengthsAreTrained) {
  std::mt19937 random(20);
  for (int round = 0; round < 20; ++round) {
    std::vector<std::string> samples(100 + random() % 300);
    const unsigned longest = 1u << (random() % 13);
    for (std::string& sample : samples) {
      sample.resize(random() % longest);
      for (char& c : sample) c = static_cast<char>(random() % (round % 2 ? 256 : 3));
    }
    const auto trained = train_dictionary(samples);
    EXPECT_TRUE(trained) << "round " << round << ": " << trained.error().message;
  }
}

}  // namespace
}  // namespace kw::indexer
