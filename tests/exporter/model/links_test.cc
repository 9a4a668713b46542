// SPDX-License-Identifier: GPL-2.0-or-later
#include "exporter/model/links.h"

#include <gmock/gmock.h>

namespace kw::exporter {
namespace {

using ::testing::ElementsAre;

TEST(Links, RelativePath) {
  const struct {
    const char* from;
    const char* to;
    const char* path;
  } rows[] = {
      {"", "a.md", "a.md"},          {"a", "a/x.md", "x.md"},   {"a/b", "a/c/x", "../c/x"},
      {"a/b", "ab/x", "../../ab/x"}, {"a", "ab", "../ab"},      {"ab", "a/x", "../a/x"},
      {"a/b/c", "a/x", "../../x"},   {"a", "a/b/c/x", "b/c/x"}, {"a", "x", "../x"},
  };
  for (const auto& row : rows)
    EXPECT_EQ(relative_path(row.from, row.to), row.path) << row.from << " to " << row.to;
}

// The examples of GitLab's own handbook, and of its tests.
TEST(Links, AnchorsOfGitLab) {
  std::vector<Section> sections;
  for (const char* const title :
       {"This header has spaces in it", "This header has Unicode in it: 한글",
        "This header has spaces in it", "This header has spaces in it",
        "This---header     is poorly-formatted", "This, header! is, filled. with @ punctuation?",
        "123", "snake_case"})
    sections.push_back({title, 1, 1, 1, "of-github"});
  EXPECT_THAT(section_anchors(sections, Forge::GitLab),
              ElementsAre("this-header-has-spaces-in-it", "this-header-has-unicode-in-it-한글",
                          "this-header-has-spaces-in-it-1", "this-header-has-spaces-in-it-2",
                          "this-header-is-poorly-formatted",
                          "this-header-is-filled-with-punctuation", "anchor-123", "snake_case"));
  EXPECT_EQ(section_anchors(sections, Forge::GitHub).front(), "of-github");
}

}  // namespace
}  // namespace kw::exporter
