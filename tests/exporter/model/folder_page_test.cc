// SPDX-License-Identifier: GPL-2.0-or-later
#include "exporter/model/folder_page.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>

#include "exporter/markdown/markdown_links.h"
#include "exporter/markdown/markdown_writer.h"
#include "schema/text/text.h"
#include "tests/support/rendered_markdown.h"

namespace kw::exporter {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

FileTable catalogue_of(std::vector<std::string> paths) {
  std::sort(paths.begin(), paths.end());
  std::vector<StoredFile> files;
  for (const std::string& path : paths)
    files.push_back({static_cast<std::uint32_t>(files.size() + 1), path, {}});
  return FileTable(files);
}

const FileTable kTree = catalogue_of({"a-b/x.c", "a/b/c/deep.c", "a/b/y.c", "a/z.md", "top.c"});
const MarkdownLinks kLinks(0, "", {"_kw.md", "index.md", "sub.md"});

std::string in_words(const FolderPage& page) {
  std::string text = page.path + " <" + page.above.text + " " + page.above.target + "> " +
                     page.keywords.target + ":";
  for (const auto& folder : page.folders)
    text += fmt::format(" {}={} {}", folder.link.text, folder.link.target, folder.files);
  text += ";";
  for (const auto& file : page.files)
    text += fmt::format(" {}={} {}", file.link.text, file.link.target, file.summary.title);
  return text;
}

TEST(FolderPage, FoldersAtAnyDepth) {
  EXPECT_THAT(folders_of(kTree), ElementsAre("", "a", "a-b", "a/b", "a/b/c"));
  EXPECT_THAT(folders_of(FileTable()), IsEmpty());
}

TEST(FolderPage, WhatLiesInIt) {
  const std::vector<FileSummary> summaries{
      {"X", "", {}}, {"Deep", "", {}}, {"Y", "", {}}, {"Z", "", {}}, {"Top", "", {}}};
  const struct {
    const char* folder;
    const char* page;
  } rows[] = {
      {"", ". < > sub.md: a-b=a-b/index.md 1 a=a/index.md 3; top.c=top.c_kw.md Top"},
      {"a", "a <. ../index.md> sub.md: b=b/index.md 2; z.md=z.md_kw.md Z"},
      {"a/b", "a/b <a ../index.md> sub.md: c=c/index.md 1; y.c=y.c_kw.md Y"},
      {"a-b", "a-b <. ../index.md> sub.md:; x.c=x.c_kw.md X"},
  };
  for (const auto& row : rows)
    EXPECT_EQ(in_words(build_folder_page(row.folder, kTree, summaries, kLinks)), row.page);
}

TEST(FolderPage, LeadsDownToTheListOfAFolderThatHasOne) {
  const FileTable tree = catalogue_of({"a/b/c/x.c", "a/b/c/y.c", "z.c"});
  const std::vector<FileSummary> summaries(3);
  EXPECT_EQ(build_folder_page("a", tree, summaries, kLinks).keywords.target, "b/c/sub.md");
  EXPECT_EQ(build_folder_page("a/b/c", tree, summaries, kLinks).keywords.target, "sub.md");
  const MarkdownLinks without(0, "", {"_kw.md", "index.md", ""});
  EXPECT_EQ(build_folder_page("a", tree, summaries, without).keywords, Link());
}

TEST(FolderPage, NoNameBreaksIt) {
  for (const std::string name :
       {"plain",    "a\nb", "a|b",   "`tick`",  "``",           "[x](y)", "]: z",     "*s* _u_",
        "<b>",      "<!--", "-dash", "+ plus",  "1. one",       "# head", "    code", "```",
        "\xff\xfe", "a\\",  "&lt;",  "![i](j)", "javascript:x", "%41",    "~~~",      "--- |"}) {
    const std::string path = name + "/" + name + "/" + name;
    const FileTable tree = catalogue_of({path, name + "/x"});
    FileSummary summary{name, name, {name, name}};
    const FolderPage top = build_folder_page("", tree, {summary, summary}, kLinks),
                     page = build_folder_page(name + "/" + name, tree, {summary, summary}, kLinks);
    const std::string shown = printable(name);
    const auto above = test::rendered(build_markdown(top)),
               blocks = test::rendered(build_markdown(page));
    ASSERT_EQ(above.size(), 9u) << shown;
    ASSERT_EQ(blocks.size(), 10u) << shown;
    EXPECT_THAT(above, Not(Contains(HasSubstr("(BROKEN)")))) << shown;
    EXPECT_THAT(blocks, Not(Contains(HasSubstr("(BROKEN)")))) << shown;
    EXPECT_EQ(blocks[1], "Keyword Index: " + shown + "/" + shown);
    EXPECT_EQ(blocks[3], "Above: [" + shown + "](../index.md)");
    EXPECT_THAT(above[7], testing::StartsWith("[" + shown + "](")) << shown;
    EXPECT_THAT(above[7], testing::EndsWith("/index.md): 2 files")) << shown;
    EXPECT_THAT(blocks[8], testing::StartsWith("[" + shown + "](")) << shown;
    // Blanks at either end of a title are no part of it, and names stand in code.
    EXPECT_THAT(blocks[8],
                testing::EndsWith("_kw.md) (" + shown + ") " + shown + ": " + shown + ", " + shown))
        << shown;
  }
}

}  // namespace
}  // namespace kw::exporter
