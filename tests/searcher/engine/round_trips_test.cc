// SPDX-License-Identifier: GPL-2.0-or-later
// How often a search waits for its servers: what it asks of all, it asks of all at once. That the
// answers are those of one index: tests/integration/shards_test.cc.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "searcher/engine/search.h"
#include "searcher/mcp/open_index.h"
#include "tests/support/index_builder.h"
#include "tests/support/lockstep_proxies.h"
#include "tests/support/run_command.h"
#include "tests/support/served_index.h"
#include "tests/support/temp_dir.h"

namespace kw::search {
namespace {

using test::LockstepProxies;
using testing::AllOf;
using testing::Field;

class RoundTrips : public testing::Test {
 protected:
  static constexpr int kServers = 4;

  void SetUp() override {
    if (test::run_command({"sh", "-c", "command -v xapian-tcpsrv"}).exit_code != 0)
      GTEST_SKIP() << "xapian-tcpsrv (Debian package xapian-tools) is missing";
    std::vector<std::uint16_t> ports;
    for (int i = 0; i < kServers; ++i) {
      std::vector<test::IndexedFile> files;
      for (int k = 0; k < 5; ++k)
        files.push_back(
            {fmt::format("{}{}.py", i, k),
             fmt::format("def view_input():\n  plan_{}{}(LossGraph, walking, walked)\n", i, k)});
      const std::string folder = (dir_ / std::to_string(i)).string();
      test::build_index(folder, std::move(files));
      servers_.push_back(std::make_unique<test::ServedIndex>(folder));
      ports.push_back(servers_.back()->port());
    }
    proxies_.emplace(ports);
    std::vector<DatabaseLocation> places;
    std::string stub;
    for (const std::uint16_t port : proxies_->ports()) {
      places.emplace_back("127.0.0.1", port);
      stub += fmt::format("remote 127.0.0.1:{}\n", port);
    }
    test::write_file(dir_ / "stub", stub);
    // Who asks one server after the other waits so long, and then fails.
    auto searcher = Searcher::open(places, {.timeout_seconds = 20});
    ASSERT_TRUE(searcher) << searcher.error().message;
    searcher_.emplace(*std::move(searcher));
    proxies_->reset();
  }

  /// How many results, of which the first `most` are asked for.
  std::size_t search(const std::string& text, std::size_t most, bool with_lines) {
    SearchOptions options;
    options.results = most;
    options.with_lines = with_lines;
    const auto query = parse_query(text);
    const auto result = searcher_->search(*query, options);
    EXPECT_TRUE(result) << result.error().message;
    return result ? result->hits.size() : 0;
  }

  std::optional<LockstepProxies> proxies_;
  test::TempDir dir_;

 private:
  std::vector<std::unique_ptr<test::ServedIndex>> servers_;
  std::optional<Searcher> searcher_;
};

TEST_F(RoundTrips, ANameTakesThree) {
  // Its spellings; how many files have each term of the query; what it finds.
  EXPECT_EQ(search("view_input", 10, false), 10u);
  EXPECT_EQ(proxies_->counts().rounds, 3u);
  // Other files of the groups, in the indexes that have these.
  EXPECT_EQ(proxies_->counts().others, 2u);
}

TEST_F(RoundTrips, OpeningTakesOneForEachFact) {
  const auto opened = Searcher::open(*places_of((dir_ / "stub").string()), {.timeout_seconds = 20});
  ASSERT_TRUE(opened) << opened.error().message;
  EXPECT_EQ(proxies_->counts().others, 5u);  // version, root, partition, options, fields
  EXPECT_EQ(proxies_->counts().rounds, 0u);
}

TEST_F(RoundTrips, AProgramThatStaysKeepsTheConnections) {
  SearchRequest request;
  request.databases = {(dir_ / "stub").string()};
  request.timeout_seconds = 20;
  OpenIndex index(request);
  for (int i = 0; i < 3; ++i) {
    const auto searcher = index.searcher();
    ASSERT_TRUE(searcher) << searcher.error().message;
    const auto result = (*searcher)->search(*parse_query("view_input"), {});
    ASSERT_TRUE(result) << result.error().message;
    EXPECT_EQ(result->hits.size(), 10u);
  }
  EXPECT_EQ(proxies_->counts().connections, 1u);
}

TEST_F(RoundTrips, LinesTakeOneForEachResultOfAServer) {
  EXPECT_EQ(search("view_input", 3, true), 3u);
  // As above, and two in which each server may take part: the dictionary of the texts, and a text.
  EXPECT_LE(proxies_->counts().rounds, 3u + 2);
  // As above, and the dictionary and three texts, if one server has all.
  EXPECT_LE(proxies_->counts().others, 2u + 1 + 3);
}

TEST_F(RoundTrips, AWordThatMayBePartsOfNamesTakesEight) {
  // Three as above, and names of the same stem; which parts of the word are words of names (two);
  // what has them side by side (two).
  EXPECT_EQ(search("LossGraph", 30, false), 20u);
  EXPECT_EQ(proxies_->counts().rounds, 8u);
}

// Asked one server after the other, each would wait for ever: that these end is what counts.
TEST_F(RoundTrips, SentencesAndPatternsAskAllAtOnce) {
  search("the walking of a graph with the input of a view", 10, false);
  EXPECT_LE(proxies_->counts().rounds, 24u);
  proxies_->reset();
  search("plan_*", 30, false);
  EXPECT_LE(proxies_->counts().rounds, 12u);
}

}  // namespace
}  // namespace kw::search
