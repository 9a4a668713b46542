// SPDX-License-Identifier: GPL-2.0-or-later
#include "searcher/engine/compile.h"
#include "searcher/match/regex_literals.h"
#include "searcher/match/stem_pattern.h"

#include <gmock/gmock.h>

namespace kw::search {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Pattern, Matches) {
  struct {
    const char *pattern, *text;
    bool matches;
    const char* why;
  } const cases[] = {
      {"view*", "viewandmutation", true, "any end"},
      {"view*", "view", true, "an empty end"},
      {"view*", "preview", false, "anchored in front"},
      {"*view", "preview", true, "any start"},
      {"*view", "previews", false, "anchored at the end"},
      {"w?rd", "word", true, "one character"},
      {"w?rd", "wrd", false, "not none"},
      {"w?rd", "wörd", true, "a character of two bytes is one"},
      {"*a*a*a*b", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", false, "ends in time"},
      {"**", "", true, "nothing at all"},
  };
  for (const auto& c : cases)
    EXPECT_EQ(matches_pattern(c.pattern, c.text), c.matches)
        << c.pattern << " " << c.text << ": " << c.why;
}

TEST(RequiredLiterals, AreConservative) {
  EXPECT_THAT(required_literals("class \\w+Meta"), ElementsAre("class ", "Meta"));
  EXPECT_THAT(required_literals("foo.*bar"), ElementsAre("foo", "bar"));
  EXPECT_THAT(required_literals("colou?r"), ElementsAre("colo"));
  EXPECT_THAT(required_literals("ab{0,1}c"), IsEmpty())
      << "b may be missing, single letters say little";
  EXPECT_THAT(required_literals("a|b"), IsEmpty()) << "either";
  EXPECT_THAT(required_literals("(foo)?"), IsEmpty()) << "a group may be optional";
  EXPECT_THAT(required_literals("\\.txt$"), ElementsAre(".txt"));
  EXPECT_THAT(required_literals("[abc]def"), ElementsAre("def"));
  EXPECT_THAT(required_literals("fo+bar"), ElementsAre("fo", "bar"));
  EXPECT_THAT(required_literals("[^]abc]def"), ElementsAre("def"))
      << "a bracket that is first in a class is in it";
  EXPECT_THAT(required_literals("[]abc]def"), ElementsAre("def"));
  EXPECT_THAT(required_literals("café?x"), ElementsAre("caf")) << "all bytes of é may be missing";
}

}  // namespace
}  // namespace kw::search
