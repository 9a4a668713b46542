// SPDX-License-Identifier: GPL-2.0-or-later
#include "searcher/engine/path_match.h"

#include <gmock/gmock.h>

#include "searcher/engine/name_plan.h"
#include "searcher/query/path_reference.h"

namespace kw::search {
namespace {

using testing::ElementsAre;

std::size_t agreeing(std::string_view asked, std::string_view path) {
  return agreement(path_parts(asked), path).parts;
}

TEST(PathMatch, CountsTheNamesAtTheEnd) {
  EXPECT_EQ(agreeing("garden/orchard.py", "src/garden/orchard.py"), 2u);
  EXPECT_EQ(agreeing("/usr/lib/garden/orchard.py", "garden/orchard.py"), 3u - 1);
  EXPECT_EQ(agreeing("garden/orchard", "garden/orchard.py"), 2u);
  EXPECT_EQ(agreeing("garden/orchard", "garden/orchard/__init__.py"), 2u);
  EXPECT_EQ(agreeing("garden/Orchard", "garden/orchard.py"), 2u);
  EXPECT_EQ(agreeing("garden/orchard.py", "garden/orchard.pyi"), 0u);
  EXPECT_EQ(agreeing("garden/tree", "garden/orchard.py"), 0u);
  EXPECT_EQ(agreeing("", "garden/orchard.py"), 0u);
}

TEST(PathMatch, SaysWhatElseAgrees) {
  EXPECT_TRUE(agreement({"x", "a.py"}, "x/a.py").whole_path);
  EXPECT_FALSE(agreement({"a.py"}, "x/a.py").whole_path);
  EXPECT_FALSE(agreement({"A.py"}, "x/a.py").exact);
  EXPECT_TRUE(agreement({"x"}, "x/mod.rs").main_file);
}

TEST(PathMatch, DerivesModulesFromPaths) {
  EXPECT_THAT(module_of("garden/trees.py"), ElementsAre("garden", "trees"));
  EXPECT_THAT(module_of("garden/__init__.py"), ElementsAre("garden"));
  EXPECT_THAT(module_of("src/main/java/org/garden/Tree.java"),
              ElementsAre("org", "garden", "Tree"));
}

TEST(ScopeAgreement, OrdersDefinitions) {
  const std::vector<std::string> asked{"garden", "Tree"};
  const int exact = scope_agreement(asked, {"garden", "Tree"}, 1),
            inside = scope_agreement(asked, {"lib", "garden", "Tree"}, 1),
            re_export = scope_agreement(asked, {"garden", "parts", "tree_file", "Tree"}, 1),
            none = scope_agreement(asked, {"pond", "Fish"}, 1);
  EXPECT_GT(exact, inside);
  EXPECT_GT(inside, re_export);
  EXPECT_GT(re_export, none);
  EXPECT_EQ(none, 0);
  // The part nearest to the name decides.
  EXPECT_EQ(scope_agreement(asked, {"garden", "Bush"}, 1), 0);
  EXPECT_THAT(scope_parts("Outer::Inner<int>"), ElementsAre("Outer", "Inner"));
  EXPECT_THAT(scope_parts("pkg.Type"), ElementsAre("pkg", "Type"));
}

}  // namespace
}  // namespace kw::search
