// SPDX-License-Identifier: GPL-2.0-or-later
#include "schema/index/terms.h"

#include <gmock/gmock.h>

#include <random>

#include "schema/text/splitter.h"

namespace kw {
namespace {

TEST(Terms, IdentifiersComeBackAsTheyWereSpelled) {
  for (const std::string name : {"tensor",
                                 "Tensor",
                                 "TENSOR",
                                 "make_term",
                                 "ViewAndMutationMeta",
                                 "__init__",
                                 "_x",
                                 "x_",
                                 "_",
                                 "__",
                                 "a",
                                 "A",
                                 "HTTPServer_v2",
                                 "conv2d",
                                 "Größe",
                                 "größe_x",
                                 "ПРИВЕТ",
                                 "函数_x",
                                 "İstanbul",
                                 "ﬁle",
                                 "e\u0301_x"}) {
    const std::string term = make_ident_term(name);
    const auto parsed = parse_ident_term(term);
    ASSERT_TRUE(parsed) << term;
    EXPECT_EQ(parsed->spelling, name);
    EXPECT_EQ(parsed->key, name_key(name));
    EXPECT_TRUE(term.starts_with(ident_range(name_key(name)))) << term;
  }
}

TEST(Terms, EverySpellingOfLettersAndUnderscoresComesBack) {
  std::mt19937 random(3);
  for (int i = 0; i < 5000; ++i) {
    std::string name;
    for (std::size_t n = 1 + random() % 30; n > 0; --n) name += "abzABZ_09"[random() % 9];
    const std::string term = make_ident_term(name);
    const auto parsed = parse_ident_term(term);
    ASSERT_TRUE(parsed);
    ASSERT_EQ(parsed->spelling, name);
    ASSERT_LE(term.size(), 245u);
  }
}

TEST(Terms, DifferentSpellingsAreDifferentTerms) {
  EXPECT_NE(make_ident_term("FooBar"), make_ident_term("foo_bar"));
  EXPECT_NE(make_ident_term("Foobar"), make_ident_term("fooBar"));
  EXPECT_NE(make_ident_term("_foo"), make_ident_term("foo_"));
  EXPECT_NE(make_ident_term("_"), make_ident_term("__"));
}

TEST(Terms, LongNamesKeepTheirHeadAndDiffer) {
  const std::string a = std::string(1000, 'a') + "x", b = std::string(1000, 'a') + "y";
  for (const std::string& term :
       {make_ident_term(a), make_definition_term(a, DefinitionClass::Type),
        make_term(Field::Path, a), make_term(Field::Word, a)})
    EXPECT_LE(term.size(), 245u);
  EXPECT_NE(make_ident_term(a), make_ident_term(b));
  EXPECT_NE(make_term(Field::Path, a), make_term(Field::Path, b));
  const std::string term = make_ident_term(a);
  EXPECT_EQ(parse_ident_term(term)->spelling, term_spelling(a));
}

TEST(Terms, AKeyIsReadFromATermUnlessItIsShortened) {
  EXPECT_EQ(whole_key_of(make_ident_term("View_And")), "viewand");
  EXPECT_EQ(whole_key_of(make_ident_term("Größe")), "grosse");
  EXPECT_EQ(whole_key_of(make_ident_term("__")), "__");
  EXPECT_EQ(whole_key_of(make_ident_term(std::string(200, 'a'))), "");
  EXPECT_EQ(whole_key_of("noprefix"), "");
  EXPECT_EQ(whole_key_of(""), "");
}

TEST(Terms, DefinitionsSayTheirNameAndRank) {
  const std::string term = make_definition_term("ViewAndMutationMeta", DefinitionClass::Type);
  const auto parsed = parse_definition_term(term);
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->name, "ViewAndMutationMeta");
  EXPECT_EQ(parsed->rank, DefinitionClass::Type);
  EXPECT_TRUE(term.starts_with(definition_range("ViewAndMutationMeta")));
  EXPECT_EQ(definition_name("operator =="), "operator==") << "no identifier: by its key";
}

TEST(Terms, OtherFieldsAreNotTaken) {
  EXPECT_FALSE(parse_ident_term("XP:view"));
  EXPECT_FALSE(parse_ident_term("XI:noblank"));
  EXPECT_FALSE(parse_definition_term("XD:name"));
  EXPECT_FALSE(parse_definition_term("XD:name 9"));
}

}  // namespace
}  // namespace kw
