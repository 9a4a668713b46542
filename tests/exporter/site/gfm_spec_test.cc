// SPDX-License-Identifier: GPL-2.0-or-later
// The examples of GitHub's specification of its Markdown, as tools/fetch_gfm_spec gets them from
// Debian's source of cmark-gfm. The text is not ours and no part of this tree; without it the test
// is skipped.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>
#include <map>

#include "exporter/site/html.h"
#include "exporter/site/markdown_html.h"
#include "tests/support/html_outline.h"
#include "tests/support/index_builder.h"
#include "tests/support/temp_dir.h"

namespace kw::exporter::site {
namespace {

/// KW_GFM_SPEC, else where the tool puts it.
std::filesystem::path spec_file() {
  if (const char* const given = std::getenv("KW_GFM_SPEC")) return given;
  const char* const caches = std::getenv("XDG_CACHE_HOME");
  const char* const home = std::getenv("HOME");
  if (caches && *caches == '/') return std::filesystem::path(caches) / "kwsearch/gfm-spec.txt";
  return std::filesystem::path(home ? home : "/nowhere") / ".cache/kwsearch/gfm-spec.txt";
}

struct Example {
  int number = 0;
  std::string section, markdown, html;
};

std::string with_tabs(std::string text) {
  constexpr std::string_view kArrow = "→";
  for (std::size_t at = 0; (at = text.find(kArrow, at)) != std::string::npos; ++at)
    text.replace(at, kArrow.size(), "\t");
  return text;
}

/// Blocks that a fence of 32 backquotes and "example" begins, a line of one dot divides, and the
/// same fence ends.
std::vector<Example> examples_of(const std::string& spec) {
  const std::string fence(32, '`');
  std::vector<Example> examples;
  std::istringstream lines(spec);
  std::string section;
  enum { Text, Markdown, Html } state = Text;
  for (std::string line; std::getline(lines, line);) {
    if (state == Text && line.starts_with(fence + " example")) {
      examples.push_back({static_cast<int>(examples.size()) + 1, section, {}, {}});
      state = Markdown;
    } else if (state == Text && line.starts_with('#')) {
      section = line.substr(std::min(line.find_first_not_of("# "), line.size()));
    } else if (state == Markdown && line == ".") {
      state = Html;
    } else if (state == Html && line == fence) {
      state = Text;
    } else if (state != Text) {
      (state == Markdown ? examples.back().markdown : examples.back().html) += line + "\n";
    }
  }
  for (Example& example : examples) {
    example.markdown = with_tabs(std::move(example.markdown));
    example.html = with_tabs(std::move(example.html));
  }
  return examples;
}

/// As a page of the site has it, but that all links and images are let through.
std::string rendered(const std::string& markdown) {
  const FileRecord record = test::make_entry({"x.md", markdown}).record;
  LineIds ids(record.text);
  CodeHtml code(record, ids, [](std::string_view, std::string_view) { return std::string(); });
  const auto as_it_is = [](std::string_view url) {
    std::string shown = attribute(url);
    return shown.starts_with('"') ? shown.substr(1, shown.size() - 2) : shown;
  };
  std::string out;
  append_markdown(out, record, ids, code, {as_it_is, as_it_is}, {});
  return out;
}

/// Where a page of ours differs, by the numbers of version 0.29, and why.
const std::map<int, std::string_view>& exceptions() {
  constexpr std::string_view kOpenTag = "a tag that does not end is shown, and hides nothing";
  constexpr std::string_view kEnd =
      "an instruction or CDATA ends where CommonMark ends it, where a "
      "browser ends it at the first `>`";
  constexpr std::string_view kNowhere = "a link without a destination is its text";
  constexpr std::string_view kEntity = "entities by name stay in the destinations of raw tags";
  constexpr std::string_view kExtended =
      "the extension of autolinks, which these examples are "
      "without, reads it as a link";
  static const std::map<int, std::string_view> kExceptions = {
      {126, kOpenTag},
      {127, kOpenTag},
      {128, kOpenTag},
      {149, kEnd},
      {169, kNowhere},
      {204, "a cell too many is shown: no text is lost"},
      {327, kEntity},
      {495, kNowhere},
      {496, kNowhere},
      {575, kNowhere},
      {614, kExtended},
      {616, kExtended},
      {619, kExtended},
      {620, kExtended},
      {628, "ftp is no link: browsers do not open it"},
      {649, kEnd},
      {650, kEntity},
      {653, "elements that act are left out with what they hold, not shown"}};
  return kExceptions;
}

TEST(GfmSpec, EachExampleIsReadAsGitHubReadsIt) {
  const std::filesystem::path file = spec_file();
  if (!std::filesystem::exists(file))
    GTEST_SKIP() << "there is no " << file << "; tools/fetch_gfm_spec gets it";
  const std::string spec = test::read_text(file);
  ASSERT_THAT(spec, testing::HasSubstr("\nversion: 0.29\n")) << "the numbers of exceptions are its";
  const std::vector<Example> examples = examples_of(spec);
  ASSERT_EQ(examples.size(), 673u);
  for (const Example& example : examples) {
    const std::string ours = test::html_outline(rendered(example.markdown));
    const std::string wanted = test::html_outline(example.html);
    const bool is_exception = exceptions().contains(example.number);
    if (is_exception)
      EXPECT_NE(ours, wanted) << example.number
                              << " is no exception any more: " << exceptions().at(example.number);
    else
      EXPECT_EQ(ours, wanted) << example.number << ", " << example.section << "\n"
                              << example.markdown;
  }
}

}  // namespace
}  // namespace kw::exporter::site
