// SPDX-License-Identifier: GPL-2.0-or-later
#include "indexer/extract/definition_class.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "schema/text/language_table.h"

namespace kw::indexer {
namespace {

using enum DefinitionClass;

TEST(DefinitionClass, OfKinds) {
  struct Row {
    const char *language, *kind;
    DefinitionClass expected;
    const char* why;
  };
  const Row rows[] = {
      {"python", "class", Type, "a type"},
      {"python", "function", Function, "a function"},
      {"python", "member", Member, "a method"},
      {"ruby", "module", Type, "is included as a class is inherited"},
      {"python", "module", Minor, "opened in many files"},
      {"typescript", "alias", Type, "a type"},
      {"c++", "alias", Minor, "of a namespace"},
      {"ruby", "alias", Member, "of a method"},
      {"javascript", "import", Minor, "require()"},
      {"c#", "using", Minor, "using A = B"},
      {"go", "anonMember", Minor, "an embedded type"},
      {"c", "declaration", Minor, "typedef struct a a"},
      {"c", "typedef", Type, "a type of its own"},
      {"javascript", "key", Minor, "data"},
      {"javascript", "property", Member, "of a class"},
      {"kotlin", "object", Type, "a singleton's class"},
      {"c#", "delegate", Type, "a function's type"},
      {"", "no such kind", Function, "unknown"},
  };
  for (const Row& row : rows)
    EXPECT_EQ(class_of_kind(row.language, row.kind), row.expected) << row.why;
}

TEST(DefinitionClass, OfDefinitionsInTheirFile) {
  struct Row {
    const char *path, *text;
    std::vector<Definition> definitions;
    std::vector<DefinitionClass> expected;
    const char* why;
  };
  const Row rows[] = {
      {"a.py",
       "",
       {{"A", "class", 1, ""}, {"f", "function", 2, "A"}, {"B", "class", 3, "A"}},
       {Type, Member, Type},
       "a function in a type is a method; a type in a type is one"},
      {"a.cpp",
       "",
       {{"A", "class", 1, ""}, {"value_type", "typedef", 2, "n::A"}},
       {Type, Member},
       "another name for a type, in a type"},
      {"a.py",
       "",
       {{"f", "function", 1, ""}, {"g", "function", 2, "f"}, {"x", "variable", 3, "f"}},
       {Function, Member, Minor},
       "local to a function"},
      {"a.py",
       "f = cached(f)\ng = h(1)\nk = a.k(k=1)\n",
       {{"f", "variable", 1, ""}, {"g", "variable", 2, ""}, {"k", "variable", 3, ""}},
       {Minor, Function, Function},
       "a name bound again"},
      {"a.pyi", "", {{"A", "class", 1, ""}}, {Member}, "stubs"},
      {"a.d.ts", "", {{"A", "class", 1, ""}}, {Member}, "the same"},
      {"guide.md", "", {{"A", "class", 1, ""}}, {Minor}, "an example"},
      {"a.php",
       "",
       {{"C", "class", 1, "A\\B"}, {"f", "function", 2, "A\\B::C"}},
       {Type, Member},
       "names of PHP"},
  };
  for (const Row& row : rows) {
    FileRecord record;
    record.path = row.path;
    record.language = language_of_path(row.path).name;
    record.text = row.text;
    record.definitions = row.definitions;
    EXPECT_EQ(rank_definitions(record, row.path), row.expected) << row.path << ": " << row.why;
  }
}

TEST(DefinitionClass, OfAPageIsThatOfItsSource) {
  FileRecord record;
  record.path = "docs/a.py_docs.md";
  record.definitions = {{"A", "class", 1, ""}};
  EXPECT_EQ(rank_definitions(record, "docs/a.py"), std::vector{Type});
}

}  // namespace
}  // namespace kw::indexer
