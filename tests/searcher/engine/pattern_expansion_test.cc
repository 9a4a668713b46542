// SPDX-License-Identifier: GPL-2.0-or-later
#include "searcher/engine/pattern_expansion.h"

#include <fmt/format.h>

#include "tests/searcher/engine/expansion_fixture.h"

namespace kw::search {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

class PatternExpansion : public ExpansionFixture {
 protected:
  void SetUp() override {
    index({{"define.py", "class OrbitMeta: pass\n", {{"OrbitMeta", "class", 1, ""}}},
           {"use.py", "x = low_orbit\n"},
           {"heading.md", "# Orbiters\n\nText.\n"},
           {"prose.md", "# Other\n\nAn orbiter flew, jumping.\n"},
           {"orbits/path.md", "# Other\n\nText.\n"},
           {"target.cmake", "add(x)\n", {{"orbit-tests", "target", 1, ""}}},
           {"none.py", "x = 1\n"}});
  }
};

TEST_F(PatternExpansion, MatchesInEachTier) {
  const TermExpansion m = expand_pattern(lookup(), leaf("orbit*"));
  EXPECT_THAT(files(m, Tier::Definition), UnorderedElementsAre("define.py", "target.cmake"))
      << "a defined name need not be an identifier";
  EXPECT_THAT(files(m, Tier::Ident), ElementsAre("define.py"));
  EXPECT_THAT(files(m, Tier::Heading), UnorderedElementsAre("heading.md", "orbits/path.md"));
  EXPECT_THAT(files(m, Tier::Prose), UnorderedElementsAre("heading.md", "prose.md"));
}

TEST_F(PatternExpansion, IsOpenWhereAStarIs) {
  const struct {
    const char* query;
    std::vector<std::string> files;
  } cases[] = {
      {"ident:*orbit", {"use.py"}},       {"ident:*rbit*", {"define.py", "use.py"}},
      {"ident:orb?tmeta", {"define.py"}}, {"ident:orb?meta", {}},
      {"def:*meta", {"define.py"}},       {"path:orb*", {"orbits/path.md"}},
      {"section:orbit*", {"heading.md"}},
  };
  for (const auto& c : cases)
    EXPECT_THAT(files(expand_pattern(lookup(), leaf(c.query))),
                testing::UnorderedElementsAreArray(c.files))
        << c.query;
}

TEST_F(PatternExpansion, WhereStemsSayNothingEveryTextIsRead) {
  EXPECT_THAT(files(expand_pattern(lookup(), leaf("*ing")), Tier::Prose), testing::SizeIs(7));
}

TEST_F(PatternExpansion, InTextsKnowsUsesAndWordsOnly) {
  const TermExpansion m = expand_in_texts(lookup(), "orbit*");
  EXPECT_THAT(files(m), UnorderedElementsAre("define.py", "heading.md", "prose.md"));
  EXPECT_THAT(m.at(Tier::Definition), IsEmpty());
  EXPECT_THAT(m.at(Tier::Heading), IsEmpty());
}

TEST_F(PatternExpansion, LettersStandInsideOneWord) {
  const auto m = expand_letters(lookup(), "rbit");
  ASSERT_TRUE(m);
  EXPECT_THAT(files(*m), UnorderedElementsAre("define.py", "use.py", "heading.md", "prose.md"));
  EXPECT_FALSE(expand_letters(lookup(), "ing")) << "an inflection: no stem shows it";
}

TEST_F(PatternExpansion, DefinitionsByTheirBeginning) {
  TermExpansion m;
  add_definitions_from(lookup(), "Orbit-", m);
  EXPECT_THAT(files(m), ElementsAre("target.cmake"));
}

TEST_F(PatternExpansion, EndsAtItsLimit) {
  std::string text;
  for (std::size_t i = 0; i < 2 * kMaxExpansions; ++i) text += fmt::format("star{} ", i);
  index({{"many.py", text}, {"few.py", "moon1 moon2\n"}});
  const TermExpansion many = expand_pattern(lookup(), leaf("star*"));
  EXPECT_TRUE(many.is_truncated());
  EXPECT_EQ(many.at(Tier::Ident).size(), kMaxExpansions);
  const TermExpansion few = expand_pattern(lookup(), leaf("moon*"));
  EXPECT_FALSE(few.is_truncated());
  EXPECT_EQ(few.expansions, 2u);
}

}  // namespace
}  // namespace kw::search
