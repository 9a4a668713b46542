// SPDX-License-Identifier: GPL-2.0-or-later
#include "searcher/engine/word_expansion.h"

#include "tests/searcher/engine/expansion_fixture.h"

namespace kw::search {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

class WordExpansion : public ExpansionFixture {
 protected:
  void SetUp() override {
    index({{"define.py", "class Orbit: pass\n", {{"Orbit", "class", 1, ""}}},
           {"part.py", "def orbit_speed(): pass\n", {{"orbit_speed", "function", 1, ""}}},
           {"use.py", "x = orbit\n"},
           {"many.py", "x = orbits\n"},
           {"heading.md", "# The orbit\n\nText.\n"},
           {"prose.md", "# Other\n\nThey orbited it in 2024.\n"},
           {"page.md", "---\ntitle: Planets\ndescription: comets\n---\n# Other\n\nText.\n"},
           {"orbit/path.md", "# Other\n\nText.\n"},
           {"marked.py", "größe = 1\n"},
           {"chinese.md", "# Other\n\n行星轨道\n"},
           {"cut.py", "my_sql = parse_html5 = 1\n"},
           {"operator.cc", "bool operator==(A, B);\n", {{"operator==", "function", 1, ""}}},
           {"module.cc", "namespace sky {}\n", {{"sky", "namespace", 1, ""}}}});
  }
};

TEST_F(WordExpansion, IsFoundInEachTier) {
  const TermExpansion m = expand_word(lookup(), leaf("orbit"));
  EXPECT_THAT(files(m, Tier::Definition), ElementsAre("define.py"));
  EXPECT_THAT(files(m, Tier::Heading), UnorderedElementsAre("heading.md", "orbit/path.md"));
  EXPECT_THAT(files(m, Tier::Ident), UnorderedElementsAre("define.py", "use.py"));
  EXPECT_THAT(files(m, Tier::DefinitionPart), UnorderedElementsAre("define.py", "part.py"));
  EXPECT_THAT(files(m, Tier::Part), ElementsAre("part.py"));
  EXPECT_THAT(files(m, Tier::Prose), UnorderedElementsAre("heading.md", "prose.md", "many.py"))
      << "names of one word are found by its inflections, too";
  EXPECT_FALSE(m.is_truncated());
}

TEST_F(WordExpansion, ItsSpellingComesFirstAndCaseMayMatter) {
  EXPECT_THAT(files(any_of(expand_word(lookup(), leaf("Orbit")).exact_spelling)),
              ElementsAre("define.py"));
  EXPECT_THAT(expand_word(lookup(), leaf("orbit")).exact_spelling, IsEmpty())
      << "small letters ask for no spelling";
  const TermLookup exact = lookup(/*case_sensitive=*/true);
  EXPECT_THAT(files(expand_word(exact, leaf("orbit")), Tier::Ident), ElementsAre("use.py"));
  EXPECT_THAT(files(expand_word(exact, leaf("orbit")), Tier::Definition), IsEmpty());
}

TEST_F(WordExpansion, AFieldNarrows) {
  const struct {
    const char* query;
    std::vector<std::string> files;
  } cases[] = {
      {"def:orbit", {"define.py", "part.py"}}, {"ident:orbit", {"define.py", "use.py"}},
      {"section:orbit", {"heading.md"}},       {"path:orbit", {"orbit/path.md"}},
      {"folder:orbit", {"orbit/path.md"}},     {"def:sky", {"module.cc"}},
      {"ident:grosse", {"marked.py"}},         {"ident:größe", {"marked.py"}},
  };
  for (const auto& c : cases)
    EXPECT_THAT(files(expand_word(lookup(), leaf(c.query))),
                testing::UnorderedElementsAreArray(c.files))
        << c.query;
}

TEST_F(WordExpansion, ANamespaceSaysNoMoreThanItsUse) {
  const TermExpansion m = expand_word(lookup(), leaf("sky"));
  EXPECT_THAT(files(m, Tier::Definition), IsEmpty());
  EXPECT_THAT(files(m, Tier::Ident), ElementsAre("module.cc"));
}

TEST_F(WordExpansion, AScriptWithoutBlanksIsFoundByPairs) {
  EXPECT_THAT(files(expand_word(lookup(), leaf("轨道")), Tier::Prose), ElementsAre("chinese.md"));
  EXPECT_THAT(files(expand_word(lookup(), leaf("道轨"))), IsEmpty());
}

TEST_F(WordExpansion, FieldsOfAWordOfASentence) {
  const WordFields orbit = fields_of(lookup(), "orbit");
  EXPECT_THAT(files(orbit.heading), ElementsAre("heading.md"));
  EXPECT_THAT(files(orbit.path), ElementsAre("orbit/path.md"));
  EXPECT_THAT(files(orbit.definition), UnorderedElementsAre("define.py", "part.py"));
  EXPECT_THAT(files(orbit.name), UnorderedElementsAre("define.py", "part.py", "use.py"));
  EXPECT_THAT(files(orbit.body), UnorderedElementsAre("heading.md", "prose.md"));
  EXPECT_THAT(files(fields_of(lookup(), "planet").title), ElementsAre("page.md"));
  EXPECT_THAT(files(fields_of(lookup(), "comet").description), ElementsAre("page.md"));
  EXPECT_THAT(files(fields_of(lookup(), "2024").body), ElementsAre("prose.md"));
  EXPECT_THAT(fields_of(lookup(), "nowhere").all(), IsEmpty());
}

TEST_F(WordExpansion, ATokenOfATextStandsAsANameOrAWord) {
  EXPECT_THAT(files(expand_token(lookup(), "orbit", TokenKind::Name)),
              UnorderedElementsAre("define.py", "use.py", "heading.md", "prose.md"));
  EXPECT_THAT(files(expand_token(lookup(), "2024", TokenKind::Number)), ElementsAre("prose.md"));
}

TEST_F(WordExpansion, NeighbouringSubwordsMakeAWord) {
  EXPECT_THAT(files(neighbouring_subwords(lookup(), "mysql")), ElementsAre("cut.py"));
  EXPECT_THAT(files(neighbouring_subwords(lookup(), "html")), ElementsAre("cut.py"))
      << "with digits behind it";
  EXPECT_TRUE(neighbouring_subwords(lookup(), "mysqls").empty());
  EXPECT_TRUE(neighbouring_subwords(lookup(), "my").empty()) << "too short";
}

}  // namespace
}  // namespace kw::search
