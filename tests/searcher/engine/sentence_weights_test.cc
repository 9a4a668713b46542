// SPDX-License-Identifier: GPL-2.0-or-later
// Our list of what files hold of a sentence weighs as the query does that servers understand.
#include "searcher/engine/sentence_weights.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "schema/index/terms.h"
#include "searcher/engine/scoring.h"
#include "searcher/engine/session.h"
#include "tests/support/index_builder.h"
#include "tests/support/temp_dir.h"

namespace kw::search {
namespace {

using Q = Xapian::Query;

std::map<Xapian::docid, double> weights(const Xapian::Database& database, const Q& query) {
  Xapian::Enquire enquire(database);
  enquire.set_query(query);
  enquire.set_weighting_scheme(sentence_bm25());
  const Xapian::doccount all = database.get_doccount();
  const Xapian::MSet found = enquire.get_mset(0, all, all);
  std::map<Xapian::docid, double> weights;
  for (auto it = found.begin(); it != found.end(); ++it) weights[*it] = it.get_weight();
  return weights;
}

void expect_same(const std::map<Xapian::docid, double>& found,
                 const std::map<Xapian::docid, double>& expected, const std::string& what) {
  ASSERT_EQ(found.size(), expected.size()) << what;
  for (const auto& [id, weight] : expected) {
    ASSERT_TRUE(found.contains(id)) << what << " " << id;
    EXPECT_NEAR(found.at(id), weight, kSameScore / 10) << what << " " << id;
  }
}

class SentenceWeights : public ::testing::Test {
 protected:
  // Words from what every file has to what one in a hundred has, in texts of 1 to 60 words; two
  // databases, whose documents interleave.
  static std::string word(int i) { return "word" + std::string(1, static_cast<char>('a' + i)); }

  void SetUp() override {
    std::vector<test::IndexedFile> files;
    for (int i = 0; i < 300; ++i) {
      std::string text = "# Page " + word(static_cast<int>(random_() % 8)) + "\n\n";
      const int length = 1 + static_cast<int>(random_() % 60);
      for (int k = 0; k < length; ++k)
        text += word(static_cast<int>(std::min(random_() % 8, random_() % 8))) + " ";
      files.push_back({std::to_string(i) + ".md", text + "\n"});
    }
    const std::vector<test::IndexedFile> first(files.begin(), files.begin() + 120);
    files.erase(files.begin(), files.begin() + 120);
    auto session = Session::open({test::build_index(dir_ / "a/.kwsearch", first).path(),
                                  test::build_index(dir_ / "b/.kwsearch", std::move(files)).path()},
                                 {});
    ASSERT_TRUE(session) << session.error().message;
    session_.emplace(*std::move(session));
  }

  static Q field(Field of, int i) { return Q(make_term(of, word(i))); }

  Q random_field() {
    const int i = static_cast<int>(random_() % 9), k = static_cast<int>(random_() % 9);
    switch (random_() % 6) {
      case 0:
        return field(Field::Title, i);
      case 1:
        return Q(Q::OP_AND, field(Field::Word, i), field(Field::Word, k));
      case 2:
        return Q(Q::OP_OR, field(Field::Word, i), field(Field::Section, k));
      case 3:
        return Q(Q::OP_OR, Q(Q::OP_AND, field(Field::Word, i), field(Field::Title, k)),
                 field(Field::Section, i));
      default:
        return field(Field::Word, i);
    }
  }

  std::vector<WeightedWord> random_words() {
    std::vector<WeightedWord> words(1 + random_() % 5);
    for (WeightedWord& word : words) {
      word.held = 1e5 * static_cast<double>(1 + random_() % 20);
      const std::size_t fields = 1 + random_() % 3;
      for (std::size_t i = 0; i < fields; ++i)
        word.fields.push_back({random_field(), 0.5 * static_cast<double>(1 + random_() % 4)});
    }
    return words;
  }

  const test::TempDir dir_;
  std::mt19937 random_{7};
  std::optional<Session> session_;
};

TEST_F(SentenceWeights, AreThoseOfServers) {
  const Xapian::Database& database = session_->database();
  std::size_t total = 0;
  for (int round = 0; round < 60; ++round) {
    const std::vector<WeightedWord> words = random_words();
    Queries fillers;
    if (round % 2) fillers = {random_field(), random_field()};
    const Q ours = sentence_weights(database, words, fillers, 0, false),
            of_servers = sentence_weights(database, words, fillers, 0, true);
    const auto expected = weights(database, of_servers);
    total += expected.size();
    expect_same(weights(database, ours), expected, of_servers.get_description());
    for (const Q& other : {field(Field::Word, 6), field(Field::Title, 1), field(Field::Word, 20)})
      for (const auto op : {Q::OP_AND_MAYBE, Q::OP_AND, Q::OP_OR, Q::OP_FILTER})
        for (const bool is_first : {false, true}) {
          const auto with = [&](const Q& query) {
            return is_first ? Q(op, query, other) : Q(op, other, query);
          };
          expect_same(weights(database, with(ours)), weights(database, with(of_servers)),
                      with(of_servers).get_description());
        }
  }
  EXPECT_GT(total, 5000u);
}

TEST_F(SentenceWeights, LeaveOutWhatHoldsLess) {
  const Xapian::Database& database = session_->database();
  for (int round = 0; round < 100; ++round) {
    const std::vector<WeightedWord> words = random_words();
    const double least = 1e5 * static_cast<double>(random_() % 30);
    auto expected = weights(database, sentence_weights(database, words, {}, 0, true));
    std::erase_if(expected, [&](const auto& one) { return one.second < least; });
    expect_same(weights(database, sentence_weights(database, words, {}, least, false)), expected,
                std::to_string(least));
  }
}

TEST_F(SentenceWeights, NeedWords) {
  EXPECT_TRUE(
      sentence_weights(session_->database(), {}, {field(Field::Word, 0)}, 0, false).empty());
  EXPECT_TRUE(sentence_weights(session_->database(), {}, {field(Field::Word, 0)}, 0, true).empty());
}

}  // namespace
}  // namespace kw::search
