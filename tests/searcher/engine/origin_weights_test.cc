// SPDX-License-Identifier: GPL-2.0-or-later
// Our list of origins weighs as the query does that servers understand, however it is walked.
#include "searcher/engine/origin_weights.h"

#include <gtest/gtest.h>

#include <iterator>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "schema/index/terms.h"
#include "searcher/engine/session.h"
#include "searcher/engine/xapian_query.h"
#include "tests/support/index_builder.h"
#include "tests/support/temp_dir.h"

namespace kw::search {
namespace {

std::map<Xapian::docid, double> weights(const Xapian::Database& database,
                                        const Xapian::Query& query) {
  Xapian::Enquire enquire(database);
  enquire.set_query(query);
  enquire.set_weighting_scheme(Xapian::BoolWeight());
  const Xapian::doccount all = database.get_doccount();
  const Xapian::MSet found = enquire.get_mset(0, all, all);
  std::map<Xapian::docid, double> weights;
  for (auto it = found.begin(); it != found.end(); ++it) weights[*it] = it.get_weight();
  return weights;
}

TEST(OriginWeights, AreThoseOfServers) {
  static constexpr const char* kFolders[] = {"", "", "tests/", "third_party/", "generated/"};
  std::mt19937 random(11);
  std::vector<test::IndexedFile> files;
  for (int i = 0; i < 300; ++i) {
    std::string text = "some text\n";
    if (random() % 3 == 0) text += "odd\n";
    if (random() % 20 == 0) text += "rare\n";
    files.push_back({kFolders[random() % std::size(kFolders)] + std::to_string(i) + ".md", text});
  }
  // Two databases, whose documents interleave.
  const test::TempDir dir;
  const std::vector<test::IndexedFile> first(files.begin(), files.begin() + 120);
  files.erase(files.begin(), files.begin() + 120);
  auto session = Session::open({test::build_index(dir / "a/.kwsearch", first).path(),
                                test::build_index(dir / "b/.kwsearch", std::move(files)).path()},
                               {});
  ASSERT_TRUE(session) << session.error().message;
  const Xapian::Database& database = session->database();
  const Xapian::Query ours = origin_weights(2, false), of_servers = origin_weights(2, true);
  const auto expected = weights(database, of_servers);
  EXPECT_GT(expected.size(), 200u);
  EXPECT_LT(expected.size(), 300u) << "generated files have no weight";
  EXPECT_EQ(weights(database, ours), expected);
  using Q = Xapian::Query;
  for (const Q& query : {everything(), Q(make_term(Field::Word, "odd")),
                         Q(make_term(Field::Word, "rare")), Q(make_term(Field::Word, "nothing"))})
    for (const auto op : {Q::OP_AND_MAYBE, Q::OP_AND, Q::OP_OR, Q::OP_FILTER}) {
      EXPECT_EQ(weights(database, Q(op, query, ours)), weights(database, Q(op, query, of_servers)))
          << query.get_description() << " " << op;
      EXPECT_EQ(weights(database, Q(op, ours, query)), weights(database, Q(op, of_servers, query)))
          << query.get_description() << " " << op;
    }
}

}  // namespace
}  // namespace kw::search
