// SPDX-License-Identifier: GPL-2.0-or-later
#include "searcher/match/occurrences.h"

#include <gmock/gmock.h>

#include <random>
#include <string>

#include "searcher/query/query.h"
#include "tests/support/effort.h"

namespace kw::search {
namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;

std::vector<std::string> described(const std::vector<Occurrence>& occurrences) {
  std::vector<std::string> all;
  for (const Occurrence& o : occurrences)
    all.push_back(std::to_string(o.begin) + "-" + std::to_string(o.end) + " of " +
                  std::to_string(o.leaf) + ", " + std::to_string(static_cast<int>(o.strength)));
  return all;
}

class Asked {
 public:
  explicit Asked(std::string_view query)
      : parsed_(*parse_query(query)),
        prepared_(*PreparedQuery::create(parsed_.root, false, true)) {}

  std::vector<std::string> in(std::string_view text) const {
    return described(find_occurrences(prepared_, text));
  }
  std::vector<std::string> in_rendered(std::string_view text, const EditedText& rendered) const {
    return described(find_in_rendered(prepared_, rendered, find_occurrences(prepared_, text)).all);
  }

 private:
  ParsedQuery parsed_;
  PreparedQuery prepared_;
};

TEST(FindInRendered, WordsThatMarksKeepApartAndThoseBesideThem) {
  const std::string text = "a cache, the **ca**che and (cache) end";
  const EditedText rendered(text, {{13, 2, ""}, {17, 2, ""}});
  ASSERT_EQ(rendered.view(), "a cache, the cache and (cache) end");
  const Asked asked("cache end");
  EXPECT_EQ(asked.in_rendered(text, rendered).size(), 4u);
  EXPECT_THAT(asked.in_rendered(text, rendered), ElementsAreArray(asked.in(rendered.view())));
}

TEST(FindInRendered, ABlankThatComesOrGoesMakesOtherWords) {
  const Asked asked("cache");
  const std::string joined = "cac he x";
  const EditedText without(joined, {{3, 1, ""}});
  EXPECT_THAT(asked.in_rendered(joined, without), ElementsAre("0-5 of 0, 3"));
  const std::string apart = "xcache y";
  const EditedText with(apart, {{1, 0, " "}});
  EXPECT_THAT(asked.in_rendered(apart, with), ElementsAreArray(asked.in("x cache y")));
}

/// Random texts with random changes, against a search of the whole rendered text.
TEST(FindInRendered, EqualsASearchOfTheRenderedText) {
  const char* const queries[] = {"cache",      "ab cache_dir",         "a*",      "\"a b\"",
                                 "re:a.?b",    "getUserName cache",    "ß ab",    "調用 cache",
                                 "cache -dir", "section:cache path:a", "def:ab a"};
  const std::string_view pieces[] = {"cache",     "ab",  "a",      "b",  " ",    "\n",
                                     "_",         "dir", "\u00a0", "ß",  "調用", "getUserName",
                                     "**",        "\t",  "A",      ".",  "::",   "e\u0301",
                                     "operator ", "==",  "\r\n",   "ca", "che"};
  std::mt19937 random(1);
  const auto pick = [&](std::size_t most) {
    std::string text;
    for (std::size_t n = random() % (most + 1); n > 0; --n)
      text += pieces[random() % std::size(pieces)];
    return text;
  };
  for (int round = 0; round < 3000 * test::effort(); ++round) {
    std::vector<std::string> kept;
    std::vector<TextEdit> edits;
    std::string text;
    for (std::size_t n = random() % 5; n > 0; --n) {
      text += pick(8);
      const std::string removed = pick(2);
      edits.push_back({static_cast<std::uint32_t>(text.size()),
                       static_cast<std::uint32_t>(removed.size()), pick(2)});
      text += removed;
    }
    text += pick(8);
    const EditedText rendered(text, edits);
    const Asked asked(queries[random() % std::size(queries)]);
    ASSERT_THAT(asked.in_rendered(text, rendered), ElementsAreArray(asked.in(rendered.view())))
        << text << "\n---\n"
        << rendered.view();
  }
}

}  // namespace
}  // namespace kw::search
