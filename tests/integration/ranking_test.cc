// SPDX-License-Identifier: GPL-2.0-or-later
// The order of results on the sample tree, frozen: tests/golden/ranking.tsv holds questions with
// the page that defines the name, ranking.txt what kwsearch lists for each. A change of ranking
// changes ranking.txt: look at the difference, then write it anew with KW_UPDATE_GOLDEN=1.
#include <gmock/gmock.h>

#include <cstdlib>
#include <sstream>

#include "tests/support/run_command.h"
#include "tests/support/temp_dir.h"

namespace kw::test {
namespace {

const std::string kQuestions = KW_SOURCE_DIR "/tests/golden/ranking.tsv";
const std::string kOrder = KW_SOURCE_DIR "/tests/golden/ranking.txt";

class Ranking : public testing::Test {
 protected:
  void SetUp() override {
    const auto made = run_command({"kwindex", KW_SOURCE_DIR "/tools/sample", "--db", database()});
    ASSERT_EQ(made.exit_code, 0) << made.err;
  }
  std::string database() const { return (dir_ / "index").string(); }

  TempDir dir_;
};

TEST_F(Ranking, OfTheSampleTreeIsAsItWas) {
  std::ostringstream order;
  std::istringstream questions(read_text(kQuestions));
  for (std::string line; std::getline(questions, line);) {
    const std::string query = line.substr(0, line.find('\t'));
    order << query << '\n';
    const auto found = run_command({"kwsearch", "--db", database(), "-l", "-n", "5", "--", query});
    std::istringstream paths(found.out);
    for (std::string path; std::getline(paths, path);) order << "  " << path << '\n';
  }
  if (std::getenv("KW_UPDATE_GOLDEN")) write_file(kOrder, order.str());
  EXPECT_EQ(order.str(), read_text(kOrder));
}

TEST_F(Ranking, TheDefiningPageIsFirst) {
  std::istringstream out(run_command({"rank_eval", database(), kQuestions}).out);
  int kinds = 0;
  for (std::string line; std::getline(out, line);) {
    EXPECT_TRUE(line.starts_with("|")) << "a question that fails: " << line;
    kinds += line.find("| 1.000 | 1.000 | 1.000 |") != std::string::npos;
  }
  EXPECT_EQ(kinds, 3) << "exact, folded, parts";
}

TEST_F(Ranking, EvaluationCountsRanks) {
  const std::string meta = "docs/skein/meta.py_docs.md";
  std::istringstream list(
      run_command({"kwsearch", "--db", database(), "-l", "ViewAndMutationMeta"}).out);
  std::string first, second;
  std::getline(list, first);
  std::getline(list, second);
  ASSERT_EQ(first, meta);
  write_file(dir_ / "q.tsv", "ViewAndMutationMeta\t" + meta + "\ta\n" +  // rank 1
                                 "ViewAndMutationMeta\t" + second + "\ta\n" +
                                 "ViewAndMutationMeta\tnowhere.md\ta\n" + "no tabs\n");
  const auto result = run_command({"rank_eval", database(), (dir_ / "q.tsv").string(), "1"});
  EXPECT_THAT(result.out, testing::HasSubstr("expected " + second + " at 2\tfirst " + meta));
  EXPECT_THAT(result.out, testing::Not(testing::HasSubstr("nowhere")));
  // (1 + 1/2 + 0) / 3 is the mean of the reciprocal ranks.
  EXPECT_THAT(result.out, testing::HasSubstr("| a | 3 | 0.333 | 0.500 | 0.667 |"));
}

}  // namespace
}  // namespace kw::test
