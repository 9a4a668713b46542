// SPDX-License-Identifier: GPL-2.0-or-later
#include "exporter/command/options.h"

#include <gmock/gmock.h>

namespace kw::exporter {
namespace {

std::variant<KwexportOptions, ExitCode> parse(std::vector<const char*> words) {
  words.insert(words.begin(), "kwexport");
  return parse_kwexport_options(static_cast<int>(words.size()), words.data());
}

TEST(KwexportOptions, Defaults) {
  const auto parsed = parse({"--out", "docs"});
  const auto& o = std::get<KwexportOptions>(parsed);
  EXPECT_EQ(o.out, "docs");
  EXPECT_EQ(o.database, "");
  EXPECT_EQ(o.limit, 100u);
  EXPECT_FALSE(o.project);
  EXPECT_EQ(o.format, Format::Markdown);
  EXPECT_EQ(o.page_suffix, "_kw.md");
  EXPECT_EQ(o.path_prefix, "");
  EXPECT_FALSE(o.adopt || o.dry_run || o.json);
}

TEST(KwexportOptions, AllGiven) {
  const auto parsed = parse({"--out=o", "--db", "d", "--format", "md", "--profile", "classic",
                             "--limit", "7", "--project", "P Q", "--page-suffix", ".kw.md",
                             "--path", "a/b", "--adopt", "--dry-run", "--json", "-q"});
  const auto& o = std::get<KwexportOptions>(parsed);
  EXPECT_EQ(o.database, "d");
  EXPECT_EQ(o.limit, 7u);
  EXPECT_EQ(o.project, "P Q");
  EXPECT_EQ(o.page_suffix, ".kw.md");
  EXPECT_EQ(o.path_prefix, "a/b");
  EXPECT_TRUE(o.adopt && o.dry_run && o.json && o.common.quiet);
}

TEST(KwexportOptions, ASite) {
  const auto parsed = parse({"--out", "o", "--format", "html", "--base-url", "https://h/d"});
  const auto& o = std::get<KwexportOptions>(parsed);
  EXPECT_EQ(o.format, Format::Html);
  EXPECT_EQ(o.base_url, "https://h/d");
}

TEST(KwexportOptions, TheLastOfSeveralCounts) {
  const auto parsed = parse({"--out", "a", "--limit", "1", "--out", "b", "--limit", "2", "-vv"});
  const auto& o = std::get<KwexportOptions>(parsed);
  EXPECT_EQ(o.out, "b");
  EXPECT_EQ(o.limit, 2u);
  EXPECT_EQ(o.common.verbose, 2);
}

TEST(KwexportOptions, AnEmptyValueIsOneHoweverItIsWritten) {
  const auto parsed = parse({"--out", "o", "--project=", "--folder-page=", "--path=", "--json"});
  ASSERT_TRUE(std::holds_alternative<KwexportOptions>(parsed));
  const auto& o = std::get<KwexportOptions>(parsed);
  EXPECT_EQ(o.project, "");
  EXPECT_EQ(o.folder_page, "");
  EXPECT_EQ(o.path_prefix, "");
  EXPECT_TRUE(o.json);
}

TEST(KwexportOptions, PrefixesAsTheyStandInTheIndex) {
  const std::pair<const char*, const char*> rows[] = {
      {"a/b", "a/b"}, {"a/b/", "a/b"}, {"./a", "a"}, {".", ""}, {"./", ""}, {"././/a//", "a"}};
  for (const auto& [given, kept] : rows) {
    const auto parsed = parse({"--out", "o", "--path", given});
    ASSERT_TRUE(std::holds_alternative<KwexportOptions>(parsed)) << given;
    EXPECT_EQ(std::get<KwexportOptions>(parsed).path_prefix, kept) << given;
  }
}

TEST(KwexportOptions, RefusedWithTheUsageCode) {
  const struct {
    const char* why;
    std::vector<const char*> words;
    const char* said;
  } rows[] = {
      {"no place", {}, "--out"},
      {"an empty place", {"--out", ""}, "folder"},
      {"a site is a whole", {"--out", "o", "--format", "html", "--path", "a"}, "no --path"},
      {"classic pages are Markdown",
       {"--out", "o", "--format", "html", "--profile", "classic"},
       "classic"},
      {"only a site has a map", {"--out", "o", "--base-url", "https://h/"}, "--format html"},
      {"only a site has a date", {"--out", "o", "--date", "2026-03-01"}, "--format html"},
      {"only a site has robots", {"--out", "o", "--robots", "all"}, "--format html"},
      {"no date", {"--out", "o", "--format", "html", "--date", "1 May"}, "no date"},
      {"no such robots", {"--out", "o", "--robots", "some"}, "none of all, none"},
      {"a place that is no URL",
       {"--out", "o", "--format", "html", "--base-url", "h/x"},
       "no URL of http"},
      {"no such format", {"--out", "o", "--format", "pdf"}, "none of md, html"},
      {"no such profile", {"--out", "o", "--profile", "x"}, "none of full, classic"},
      {"a folder's page elsewhere", {"--out", "o", "--folder-page", "a/b"}, "no name of a file"},
      {"a folder's list elsewhere", {"--out", "o", "--list-page", ".."}, "no name of a file"},
      {"no such forge", {"--out", "o", "--forge", "x"}, "none of github, gitlab"},
      {"a script is no URL", {"--out", "o", "--source-url", "javascript:x"}, "no URL of http"},
      {"a URL that would end its link",
       {"--out", "o", "--source-url", "https://h/a)b"},
       "brackets"},
      {"a negative limit", {"--out", "o", "--limit", "-1"}, "--limit"},
      {"a limit in words", {"--out", "o", "--limit", "ten"}, "--limit"},
      {"an empty index", {"--out", "o", "--db=", "x"}, "name a folder"},
      {"an empty limit", {"--out", "o", "--limit=", "5"}, "'' is no number"},
      {"an empty place by a sign", {"--out=", "o"}, "name a folder"},
      {"no suffix: the page would be the file", {"--out", "o", "--page-suffix", ""}, "suffix"},
      {"a suffix that could make another file's name",
       {"--out", "o", "--page-suffix", "rc"},
       "the suffix begins with"},
      {"a page that direnv runs", {"--out", "o", "--folder-page", ".envrc"}, "no dot"},
      {"a page in the place of git's", {"--out", "o", "--list-page", ".git"}, "no dot"},
      {"a suffix with a folder", {"--out", "o", "--page-suffix", "/../x"}, "suffix"},
      {"a path outside", {"--out", "o", "--path", "../x"}, "../x"},
      {"an absolute path", {"--out", "o", "--path", "/x"}, "/x"},
      {"a word too many", {"--out", "o", "x"}, "x"},
  };
  for (const auto& row : rows) {
    testing::internal::CaptureStderr();
    const auto parsed = parse(row.words);
    const std::string said = testing::internal::GetCapturedStderr();
    ASSERT_TRUE(std::holds_alternative<ExitCode>(parsed)) << row.why;
    EXPECT_EQ(std::get<ExitCode>(parsed), ExitCode::Fatal) << row.why;
    EXPECT_THAT(said, testing::HasSubstr(row.said)) << row.why;
    EXPECT_THAT(said, testing::HasSubstr("hint: ")) << row.why;
  }
}

}  // namespace
}  // namespace kw::exporter
