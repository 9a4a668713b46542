// SPDX-License-Identifier: GPL-2.0-or-later
#include "exporter/site/site_names.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>

#include "exporter/site/assets.h"
#include "schema/index/manifest.h"
#include "schema/text/splitter.h"
#include "schema/text/text.h"

namespace kw::exporter::site {
namespace {

using ::testing::EndsWith;
using ::testing::IsEmpty;
using ::testing::StartsWith;

FileTable catalogue(std::vector<std::string> paths) {
  std::sort(paths.begin(), paths.end());
  std::vector<StoredFile> files;
  for (std::string& path : paths)
    files.push_back({static_cast<std::uint32_t>(files.size() + 1), std::move(path), {}});
  return FileTable(files);
}

/// The page of one file in a tree of its own.
std::string page_of(const std::string& path) { return SiteNames(catalogue({path})).page(0); }

TEST(SiteNames, APageLiesWhereItsFileLies) {
  for (const char* path : {"a.c", "torch/x.py_docs.md", "a b/c d.md", ".github/x.yml", "ä/日本.md",
                           "_functorch/_x.py", "sub/subject", "a..b/..c", "consul/com10.c"})
    EXPECT_EQ(page_of(path), std::string(path) + ".html");
}

TEST(SiteNames, NamesThatSomeSystemCannotHoldAreChanged) {
  const std::vector<std::pair<std::string, std::string>> rows = {
      {"aux", "_aux-[0-9a-f]{8}\\.html"},
      {"con.py", "_con\\.py-[0-9a-f]{8}\\.html"},
      {"LPT1.txt", "_LPT1\\.txt-[0-9a-f]{8}\\.html"},
      {"a:b?.md", "a_b_\\.md-[0-9a-f]{8}\\.html"},
      {"a<script>.md", "a_script_\\.md-[0-9a-f]{8}\\.html"},
      {"tab\there", "tab_here-[0-9a-f]{8}\\.html"},
      {"end.", "end_-[0-9a-f]{8}\\.html"},
      {"dir./x", "dir_-[0-9a-f]{8}/x\\.html"},
      {"not\xff utf8", "not_ utf8-[0-9a-f]{8}\\.html"},
      {"turn\u202e", "turn_-[0-9a-f]{8}\\.html"},
      {"back\\slash", "back_slash-[0-9a-f]{8}\\.html"},
  };
  for (const auto& [path, expected] : rows)
    EXPECT_THAT(page_of(path), testing::ContainsRegex("^" + expected + "$")) << path;
}

// U+023A has two bytes, and three in lower case, which some file systems keep.
TEST(SiteNames, FitInLowerCaseAsWell) {
  std::string wide, half;
  for (int i = 0; i < 125; ++i) wide += "\u023a";
  for (int i = 0; i < 80; ++i) half += "\u023a";
  for (const std::string& path : {wide, half, "d/" + wide + wide}) {
    const std::string name(file_name_of(page_of(path)));
    EXPECT_LE(name.size(), 255u);
    EXPECT_LE(fold(name).size(), 255u);
    EXPECT_TRUE(is_utf8(name)) << "whole characters";
  }
}

TEST(SiteNames, WhatTheSiteNeedsItselfIsNotGivenAway) {
  for (const char* path :
       {"index", "a/INDEX", "sub", "a/sub-2", ".kwexport/a", ".kwexport.tmp/a", "style.css/a",
        "Search/x", "sitemap.xml/x", "kwsearch.js/x", "kwpage.js/x"}) {
    const std::string page = page_of(path);
    EXPECT_NE(page, std::string(path) + ".html");
    EXPECT_TRUE(stays_inside(page)) << page;
  }
  EXPECT_EQ(page_of("a/search/x"), "a/search/x.html") << "only at the top";
}

TEST(SiteNames, NoTwoAreOneWhereCaseOrNormalFormIsFolded) {
  const FileTable files = catalogue({"A/x", "a/X", "a/x", "Straße", "STRASSE", "caf\u00e9",
                                     "cafe\u0301", "a/index", "b", "b.html/c", "A/y/z", "a/Y/z"});
  const SiteNames names(files);
  std::set<std::string> folded;
  std::size_t pages = 0;
  for (std::size_t i = 0; i < files.paths().size(); ++i, ++pages)
    folded.insert(fold(names.page(i)));
  for (const char* folder : {"", "A", "a", "A/y", "a/Y", "b.html"}) {
    folded.insert(fold(names.folder_page(folder)));
    ++pages;
  }
  EXPECT_EQ(folded.size(), pages);
  // None lies where another needs a folder.
  for (const std::string& page : folded)
    for (const std::string& other : folded) EXPECT_FALSE(other.starts_with(page + "/")) << page;
}

TEST(SiteNames, FoldersHavePages) {
  const SiteNames names(catalogue({"a/b/c.md", "d.md"}));
  EXPECT_EQ(names.folder_page(""), "index.html");
  EXPECT_EQ(names.folder_page("a"), "a/index.html");
  EXPECT_EQ(names.folder_page("a/b"), "a/b/index.html");
  EXPECT_THAT(names.folder_page("a/c"), IsEmpty());
}

TEST(SiteNames, LongNamesKeepTheirHead) {
  const std::string path = "dir/" + std::string(251, 'x');
  const SiteNames names(catalogue({path, path.substr(0, 254) + "y"}));
  for (const std::size_t i : {0, 1}) {
    EXPECT_EQ(names.page(i).size(), 4 + 255u);
    EXPECT_THAT(names.page(i), StartsWith("dir/xxxx"));
    EXPECT_THAT(names.page(i), EndsWith(".html"));
  }
  EXPECT_NE(names.page(0), names.page(1));
}

TEST(SiteNames, DeepFoldersLieBesideEachOther) {
  std::string folder;
  std::vector<std::string> paths;
  for (int i = 0; i < 500; ++i) paths.push_back((folder += "d/") + "x.c");
  const FileTable files = catalogue(paths);
  const SiteNames names(files);
  std::set<std::string> pages;
  for (std::size_t i = 0; i < files.paths().size(); ++i) {
    const std::string& page = names.page(i);
    EXPECT_TRUE(pages.insert(page).second) << page;
    EXPECT_EQ(std::string(folder_of(page)) + "/index.html",
              names.folder_page(folder_of(files.paths()[i])));
    const auto depth = std::count(page.begin(), page.end(), '/');
    const auto in_tree = std::count(files.paths()[i].begin(), files.paths()[i].end(), '/');
    EXPECT_EQ(depth, std::min<std::ptrdiff_t>(in_tree, 64)) << page;
  }
}

TEST(SiteNames, AFolderThatIsGoneGivesItsNameToNoOther) {
  std::string deep;
  for (int i = 0; i < 63; ++i) deep += "d/";
  const std::string first = deep + "a/same/x.c", second = deep + "b/same/x.c";
  const SiteNames both(catalogue({first, second})), one(catalogue({second}));
  EXPECT_NE(both.page(0), both.page(1));
  EXPECT_EQ(both.page(1), one.page(0));
}

TEST(SiteNames, APathThatLeadsOutHasNoPage) {
  for (const char* path : {"../x", "/etc/x", "a/../../x", "a//b", "."})
    EXPECT_THAT(page_of(path), IsEmpty()) << path;
}

TEST(SiteAssets, AreTheirSources) {
  EXPECT_THAT(std::string(kSiteStyle), StartsWith("/* Keyword Index: "));
  EXPECT_THAT(std::string(kSiteScript), StartsWith("/* Keyword Index: "));
}

}  // namespace
}  // namespace kw::exporter::site
