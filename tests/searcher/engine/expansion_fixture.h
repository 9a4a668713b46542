// SPDX-License-Identifier: GPL-2.0-or-later
// A small index, and the files that hold what a leaf of a query stands for.
#pragma once

#include <gmock/gmock.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "searcher/engine/session.h"
#include "searcher/engine/term_lookup.h"
#include "searcher/query/query.h"
#include "tests/support/index_builder.h"
#include "tests/support/temp_dir.h"

namespace kw::search {

class ExpansionFixture : public testing::Test {
 protected:
  void index(std::vector<test::IndexedFile> files) {
    const auto folder = test::build_index(dir_ / ".kwsearch", std::move(files));
    auto session = Session::open({folder.path()}, {});
    ASSERT_TRUE(session) << session.error().message;
    session_.emplace(*std::move(session));
  }

  TermLookup lookup(bool case_sensitive = false) {
    return {session_->terms(), [this]() -> const Vocabulary& { return session_->vocabulary(); },
            case_sensitive};
  }

  /// The only leaf of a query as it is typed.
  static QueryNode leaf(std::string_view query) {
    const auto parsed = parse_query(query);
    EXPECT_EQ(parsed->root.children.size(), 1u) << query;
    return parsed->root.children[0];
  }

  std::vector<std::string> files(const Xapian::Query& query) {
    Xapian::Enquire enquire(session_->database());
    enquire.set_query(query);
    std::vector<std::string> paths;
    const Xapian::MSet found = enquire.get_mset(0, session_->database().get_doccount());
    for (auto it = found.begin(); it != found.end(); ++it)
      paths.push_back(session_->shards()[0].reader.record(*it, RecordParts::WithoutText)->path);
    return paths;
  }
  std::vector<std::string> files(const TermExpansion& expansion, Tier tier) {
    return files(any_of(expansion.at(tier)));
  }
  /// In any tier.
  std::vector<std::string> files(const TermExpansion& expansion) {
    return files(any_of(expansion.at_least(1)));
  }

 private:
  test::TempDir dir_;
  std::optional<Session> session_;
};

}  // namespace kw::search
