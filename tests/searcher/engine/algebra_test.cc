// SPDX-License-Identifier: GPL-2.0-or-later
// The algebra of queries over a random index: OR is the union, NOT the difference, whatever decides
// the sides: terms alone, or the text that is checked.
#include <gmock/gmock.h>

#include <algorithm>
#include <iterator>
#include <random>
#include <set>

#include "searcher/engine/search.h"
#include "tests/support/effort.h"
#include "tests/support/index_builder.h"
#include "tests/support/temp_dir.h"

namespace kw::search {
namespace {

using Files = std::set<std::string>;

constexpr const char* kWords[] = {"widget", "widgets", "panel", "Panel", "open", "opened", "draw"};

std::string random_text(std::mt19937& random) {
  static constexpr const char* kBetween[] = {" ", "_", "(", "::", ".", "\n", " - ", "\u2019"};
  std::string text;
  for (std::size_t n = 1 + random() % 5; n > 0; --n)
    text += std::string(kWords[random() % std::size(kWords)]) +
            kBetween[random() % std::size(kBetween)];
  return text + "\n";
}

std::string random_leaf(std::mt19937& random) {
  const std::string word = kWords[random() % std::size(kWords)],
                    other = kWords[random() % std::size(kWords)];
  switch (random() % 5) {
    case 0:
      return "\"" + word + " " + other + "\"";
    case 1:
      return word + "::" + other;
    case 2:
      return word.substr(0, 3) + "*";
    default:
      return word;
  }
}

class Algebra : public testing::Test {
 protected:
  Files find(const std::string& query) {
    SearchOptions all;
    all.results = 0;
    all.with_lines = false;
    // Beside operators a word with signs is exact text. Alone it is read as a qualified name first.
    if (query.find_first_of(" (*") == std::string::npos && query.find("::") != std::string::npos)
      all.read_as = ReadAs::Text;
    const auto result = searcher_->search(*parse_query(query), all);
    EXPECT_TRUE(result) << query;
    Files files;
    for (const Hit& hit : result->hits) files.insert(hit.path);
    if (result->any) return {};  // files with some of the words are no answer to a NOT
    return files;
  }

  void build(std::mt19937& random) {
    static constexpr const char* kEnds[] = {"py", "md", "txt", "c"};
    std::vector<test::IndexedFile> files;
    for (int i = 0; i < 60; ++i)
      files.push_back({"f" + std::to_string(i) + "." + kEnds[random() % std::size(kEnds)],
                       random_text(random)});
    auto opened = Searcher::open(
        {DatabaseLocation{test::build_index(dir_ / ".kwsearch", std::move(files)).path()}});
    ASSERT_TRUE(opened);
    searcher_ = *std::move(opened);
  }

  test::TempDir dir_;
  std::optional<Searcher> searcher_;
};

TEST_F(Algebra, OrIsTheUnionAndNotTheDifference) {
  std::mt19937 random(static_cast<std::mt19937::result_type>(test::seed_or(17)));
  ASSERT_NO_FATAL_FAILURE(build(random));
  for (int i = 0; i < 100 * test::effort(); ++i) {
    const std::string a = random_leaf(random), b = random_leaf(random);
    const Files in_a = find(a), in_b = find(b);
    Files both, either, only_a;
    std::set_union(in_a.begin(), in_a.end(), in_b.begin(), in_b.end(),
                   std::inserter(either, either.end()));
    std::set_difference(in_a.begin(), in_a.end(), in_b.begin(), in_b.end(),
                        std::inserter(only_a, only_a.end()));
    EXPECT_EQ(find(a + " OR " + b), either) << a << " OR " << b;
    EXPECT_EQ(find(a + " NOT " + b), only_a) << a << " NOT " << b;
    EXPECT_EQ(find("(" + a + " OR " + b + ") NOT " + b), only_a) << a << ", " << b;
  }
}

}  // namespace
}  // namespace kw::search
