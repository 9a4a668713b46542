// SPDX-License-Identifier: GPL-2.0-or-later
// The manual pages: they list the options, fields, terms and keys that there are, and are clean.
#include <gmock/gmock.h>

#include <map>

#include "schema/index/fields.h"
#include "schema/index/metadata.h"
#include "tests/support/help_options.h"
#include "tests/support/temp_dir.h"

namespace kw::test {
namespace {

namespace fs = std::filesystem;

const fs::path kManual = fs::path(KW_SOURCE_DIR) / "docs/man";

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::string without(std::string text, const std::string& characters) {
  std::erase_if(text, [&](char c) { return characters.find(c) != std::string::npos; });
  return text;
}

/// Lines between a heading and the next one of its level, without markup.
std::vector<std::string> section(const std::string& page, const std::string& heading) {
  std::vector<std::string> lines;
  bool inside = false;
  for (const std::string& line : lines_of(read_text(kManual / page))) {
    if (line.starts_with("# ")) inside = line == "# " + heading;
    if (inside) lines.push_back(without(line, "*_\\"));
  }
  return lines;
}

std::string one_line(const HelpOption& option) {
  std::string line;
  for (const std::string& name : option.names) line += (line.empty() ? "" : ", ") + name;
  return line + (option.value.empty() ? "" : " " + option.value);
}

TEST(Manual, ListsTheOptionsOfHelpInItsOrder) {
  for (const std::string program : {"kwindex", "kwsearch", "kwexport"}) {
    std::vector<std::string> in_help, in_page;
    for (const HelpOption& option : help_options(program)) in_help.push_back(one_line(option));
    for (const std::string& line : section(program + ".1.scd", "OPTIONS"))
      if (line.starts_with("-")) in_page.push_back(line);
    EXPECT_EQ(in_page, in_help) << program;
  }
}

TEST(Manual, HelpIsGroupedShortAndHasExamples) {
  for (const char* program : {"kwindex", "kwsearch", "kwexport"}) {
    const std::string help = run_command({program, "--help"}).out;
    const auto lines = lines_of(help);
    EXPECT_LE(lines.size(), 70u) << program;
    for (const std::string& line : lines) EXPECT_LE(line.size(), 100u) << line;
    EXPECT_THAT(help, testing::HasSubstr("\nExamples:\n"));
    EXPECT_THAT(help, testing::HasSubstr("\nCommon:\n"));
  }
}

TEST(Manual, ListsTheFieldsOfQueries) {
  std::vector<std::string> expected, listed;
  for (const FieldRow& row : kFields)
    if (row.query) expected.push_back(std::string(row.name) + ":");
  for (const std::string& line : section("kwsearch-query.7.scd", "FIELDS"))
    if (line.ends_with(":") && line.find(' ') == std::string::npos) listed.push_back(line);
  EXPECT_THAT(listed, testing::UnorderedElementsAreArray(expected));
}

TEST(Manual, ListsTermsAndKeysOfTheDatabase) {
  std::vector<std::string> expected, listed;
  for (const FieldRow& row : kFields)
    if (row.kind != TermKind::None)
      expected.push_back(row.prefix.empty() ? "(none)" : std::string(row.prefix));
  for (const std::string& line : section("kwsearch-database.5.scd", "DOCUMENTS"))
    if (line.starts_with("|  ")) listed.push_back(line.substr(3));
  EXPECT_THAT(listed, testing::UnorderedElementsAreArray(expected));

  expected.clear();
  listed.clear();
  for (const MetaRow& row : kMetadata) expected.emplace_back(row.key);
  for (const std::string& line : section("kwsearch-database.5.scd", "METADATA"))
    if (line.starts_with("kw.")) {
      std::istringstream words(without(line, ","));
      for (std::string word; words >> word;) listed.push_back(word);
    }
  EXPECT_EQ(listed, expected);
}

TEST(Manual, IsClean) {
  if (run_command({"scdoc", "-v"}).exit_code == 127) GTEST_SKIP() << "there is no scdoc";
  const TempDir dir;
  int pages = 0;
  for (const auto& entry : fs::directory_iterator(kManual)) {
    ++pages;
    const std::string name = entry.path().stem().string();
    CommandOptions options;
    options.input = read_text(entry.path());
    const CommandResult made = run_command({"scdoc"}, options);
    ASSERT_EQ(made.exit_code, 0) << name << ": " << made.err;
    write_file(dir / name, made.out);
    // What groff says, if it is there, and mandoc. Of the latter's complaints one is about scdoc's
    // own habit of a paragraph before and after each block.
    const CommandResult man = run_command({"sh", "-c",
                                           "LC_ALL=C.UTF-8 man --warnings -E UTF-8 -l -Tutf8 -Z '" +
                                               (dir / name).string() + "' 2>&1 >/dev/null"});
    if (man.exit_code != 127) {
      EXPECT_EQ(man.out, "") << name;
    }
    const CommandResult lint =
        run_command({"mandoc", "-T", "lint", "-W", "warning", (dir / name).string()});
    if (lint.exit_code == 127) continue;
    for (const std::string& line : lines_of(lint.out + lint.err))
      EXPECT_THAT(line, testing::HasSubstr("skipping paragraph macro: PP")) << name;
  }
  EXPECT_EQ(pages, 5);
}

}  // namespace
}  // namespace kw::test
