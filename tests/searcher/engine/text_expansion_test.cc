// SPDX-License-Identifier: GPL-2.0-or-later
#include "searcher/engine/text_expansion.h"

#include <fmt/format.h>

#include "tests/searcher/engine/expansion_fixture.h"

namespace kw::search {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

class TextExpansion : public ExpansionFixture {
 protected:
  TermExpansion literal(std::string_view query) {
    const TermLookup terms = lookup();
    return TextExpander(terms).expand_literal(leaf(query));
  }
  TermExpansion regex(const std::string& pattern) {
    QueryNode node;
    node.kind = QueryNode::Kind::Regex;
    node.text = pattern;
    const TermLookup terms = lookup();
    return TextExpander(terms).expand_regex(node);
  }

  void SetUp() override {
    index({{"define.cc", "void low::orbit() {}\n", {{"orbit", "function", 1, "low"}}},
           {"operator.cc", "bool operator==(A, B);\n", {{"operator==", "function", 1, ""}}},
           {"use.cc", "low::orbit();\n"},
           {"longer.cc", "below::orbits();\n"},
           {"heading.md", "# Low orbit\n\nText.\n"},
           {"escaped.md", "# Other\n\nA path%20name.\n"},
           {"chinese.md", "# Other\n\n行星轨道\n"},
           {"none.cc", "int x;\n"}});
  }
};

TEST_F(TextExpansion, CandidatesHoldAllTokens) {
  EXPECT_THAT(files(literal("\"low::orbit\""), Tier::Ident),
              UnorderedElementsAre("define.cc", "use.cc", "heading.md"))
      << "terms know no order: the text is checked";
  EXPECT_THAT(files(literal("\"orbit nowhere\"")), IsEmpty());
  EXPECT_THAT(files(literal("\"path%20name\""), Tier::Ident), ElementsAre("escaped.md"));
  EXPECT_THAT(files(literal("\"::\""), Tier::Ident), testing::SizeIs(8)) << "no term: every file";
}

TEST_F(TextExpansion, AnOpenEndMayBeInsideAWord) {
  EXPECT_THAT(files(literal("\"*low::orbit*\""), Tier::Ident),
              UnorderedElementsAre("define.cc", "use.cc", "longer.cc", "heading.md"));
  EXPECT_THAT(files(literal("\"*x*\""), Tier::Ident), testing::SizeIs(8)) << "too short to narrow";
  EXPECT_THAT(files(literal("\"*星轨*\""), Tier::Ident), ElementsAre("chinese.md"));
}

TEST_F(TextExpansion, DefinesTheTextOrItsLastName) {
  EXPECT_THAT(files(literal("\"operator==\""), Tier::Definition), ElementsAre("operator.cc"));
  EXPECT_THAT(files(literal("\"low::orbit\""), Tier::Definition), ElementsAre("define.cc"));
  EXPECT_THAT(files(literal("\"nowhere::orbit\""), Tier::Definition), IsEmpty());
  EXPECT_THAT(files(literal("def:\"operator=*\""), Tier::Definition), ElementsAre("operator.cc"));
}

TEST_F(TextExpansion, HeadingsHoldAllNames) {
  EXPECT_THAT(files(literal("\"low orbit\""), Tier::Heading), ElementsAre("heading.md"));
  EXPECT_THAT(files(literal("path:\"heading md\"")), ElementsAre("heading.md"));
}

TEST_F(TextExpansion, ARegularExpressionByItsLiterals) {
  EXPECT_THAT(files(regex("low::orbits?\\(")),
              UnorderedElementsAre("define.cc", "use.cc", "longer.cc", "heading.md"));
  EXPECT_THAT(files(regex("nowhere.*orbit")), IsEmpty());
  EXPECT_THAT(files(regex("a|b")), testing::SizeIs(8)) << "no literal is certain: every file";
}

TEST_F(TextExpansion, APartThatStandsForTooMuchDoesNotNarrow) {
  std::string text;
  for (std::size_t i = 0; i < 2 * kMaxExpansions; ++i) text += fmt::format("star{} ", i);
  index({{"many.cc", text}, {"other.cc", "orbit\n"}});
  EXPECT_THAT(files(literal("\"star*\""), Tier::Ident), testing::SizeIs(2));
  EXPECT_THAT(files(literal("\"orb*\""), Tier::Ident), ElementsAre("other.cc"));
}

}  // namespace
}  // namespace kw::search
