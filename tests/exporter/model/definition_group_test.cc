// SPDX-License-Identifier: GPL-2.0-or-later
#include "exporter/model/definition_group.h"

#include <gmock/gmock.h>

#include <set>

namespace kw::exporter {
namespace {

using enum DefinitionGroup;

TEST(DefinitionGroup, OfEachDefinition) {
  const struct {
    const char* why;
    Definition definition;
    const char* language;
    DefinitionGroup group;
  } rows[] = {
      {"a class", {"A", "class", 1, ""}, "python", Classes},
      {"a struct", {"a", "struct", 1, ""}, "c", Classes},
      {"a function", {"f", "function", 1, ""}, "c", Functions},
      {"one in a class that the file defines", {"f", "function", 1, "T"}, "cpp", Methods},
      {"one in a namespace's class", {"f", "function", 1, "ns::T"}, "cpp", Methods},
      {"one in a namespace", {"f", "function", 1, "ns"}, "cpp", Functions},
      {"a class in a module of that name", {"f", "function", 1, "T.inner"}, "python", Functions},
      {"Python's member is a method", {"f", "member", 1, "T"}, "python", Methods},
      {"so it is in a fence", {"f", "member", 1, "T"}, "py", Methods},
      {"C's is a field", {"f", "member", 1, "T"}, "c", Fields},
      {"nobody's is a field", {"f", "member", 1, "T"}, "", Fields},
      {"a macro", {"M", "macro", 1, ""}, "c", Macros},
      {"a typedef", {"t", "typedef", 1, ""}, "c", Types},
      {"an enumerator", {"E", "enumerator", 1, "T"}, "c", Constants},
      {"a variable", {"limit", "variable", 1, ""}, "python", Variables},
      {"a loud one is a constant", {"MAX_SIZE2", "variable", 1, ""}, "python", Constants},
      {"not in a class", {"MAX_SIZE", "variable", 1, "T"}, "python", Variables},
      {"one letter is not loud", {"N", "variable", 1, ""}, "python", Variables},
      {"nor are digits and underscores", {"_2", "variable", 1, ""}, "python", Variables},
      {"a namespace", {"n", "namespace", 1, ""}, "cpp", Namespaces},
      {"a kind that nobody knows", {"x", "flibbet", 1, ""}, "c", Others},
      {"no kind", {"x", "", 1, ""}, "c", Others},
      {"kinds are whole words", {"x", "clas", 1, ""}, "c", Others},
  };
  for (const auto& row : rows)
    EXPECT_EQ(group_of(row.definition, row.language, {"T"}), row.group) << row.why;
}

TEST(DefinitionGroup, EachHasATitleOfItsOwn) {
  std::set<std::string_view> titles;
  for (int i = 0; i < kDefinitionGroups; ++i)
    titles.insert(title_of(static_cast<DefinitionGroup>(i)));
  EXPECT_EQ(titles.size(), 10u);
  EXPECT_FALSE(titles.contains(""));
}

}  // namespace
}  // namespace kw::exporter
