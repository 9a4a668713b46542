// SPDX-License-Identifier: GPL-2.0-or-later
// kwexport as a process: exit codes, what it says where, which index it takes.
#include <gmock/gmock.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/support/index_builder.h"
#include "tests/support/run_command.h"
#include "tests/support/temp_dir.h"

namespace fs = std::filesystem;

namespace kw::test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

CommandOptions in_folder(std::string folder) {
  CommandOptions options;
  options.folder = std::move(folder);
  return options;
}

CommandOptions with_environment(std::string setting) {
  CommandOptions options;
  options.environment = {std::move(setting)};
  return options;
}

class Kwexport : public testing::Test {
 protected:
  Kwexport() {
    build_index(tmp_ / "tree/.kwsearch",
                {{"docs/orbit.py_docs.md", "# Orbit\n\nThe Orbit class.\n"}, {"a.c", "int A;\n"}});
  }

  CommandResult run(std::vector<std::string> words, CommandOptions options = {}) {
    words.insert(words.begin(), "kwexport");
    if (options.folder.empty()) options.folder = (tmp_ / "tree").string();
    options.environment.insert(options.environment.begin(), "KWSEARCH_DB=");
    return run_command(words, options);
  }

  const TempDir tmp_;
};

TEST_F(Kwexport, PrintsCountsAsJson) {
  CommandResult result = run({"--out", "docs", "--json"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, IsEmpty());
  auto json = nlohmann::json::parse(result.out);
  EXPECT_EQ(json.size(), 6u);
  EXPECT_EQ(json["pages"], 2);
  EXPECT_EQ(json["written"], 2);
  EXPECT_EQ(json["unchanged"], 0);
  EXPECT_EQ(json["removed"], 0);
  EXPECT_GT(json["bytes"], 500);
  EXPECT_TRUE(json["seconds"].is_number());
  json = nlohmann::json::parse(run({"--out", "docs", "--json"}).out);
  EXPECT_EQ(json["written"], 0);
  EXPECT_EQ(json["unchanged"], 2);
}

TEST_F(Kwexport, SaysWhatItDid) {
  const CommandResult result = run({"--out", "docs"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, HasSubstr("2 pages"));
  EXPECT_THAT(result.out, HasSubstr("2 written, 0 unchanged, 0 removed"));
  EXPECT_THAT(run({"--out", "docs", "-q"}).out, IsEmpty());
}

TEST_F(Kwexport, DryRunListsAndChangesNothing) {
  const CommandResult result = run({"--out", "docs", "--dry-run"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out,
              testing::StartsWith("write a.c_kw.md\nwrite docs/orbit.py_docs.md_kw.md\ndry run: "));
  EXPECT_FALSE(fs::exists(tmp_ / "tree/docs"));
  run({"--out", "docs"});
  build_index(tmp_ / "tree/.kwsearch", {{"b\x1b.c", "int B;\n"}});
  EXPECT_THAT(run({"--out", "docs", "--dry-run"}).out,
              testing::StartsWith("remove a.c_kw.md\nremove docs/orbit.py_docs.md_kw.md\n"
                                  "write b\\x1b.c_kw.md\n"));
  EXPECT_TRUE(fs::exists(tmp_ / "tree/docs/a.c_kw.md"));
}

TEST_F(Kwexport, AFileInTheWayEndsWith3) {
  write_file(tmp_ / "tree/docs/a.c_kw.md", "mine\n");
  CommandResult result = run({"--out", "docs", "--json"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, HasSubstr("a.c_kw.md"));
  EXPECT_EQ(nlohmann::json::parse(result.out)["written"], 1);
  EXPECT_EQ(read_text(tmp_ / "tree/docs/a.c_kw.md"), "mine\n");

  write_file(tmp_ / "tree/docs/a.c_kw.md", "# Keyword Index: `a.c`\n");
  result = run({"--out", "docs"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, HasSubstr("hint: take it over with --adopt"));
  EXPECT_EQ(run({"--out", "docs", "--adopt"}).exit_code, 0);
  EXPECT_THAT(read_text(tmp_ / "tree/docs/a.c_kw.md"), HasSubstr("`A`"));
}

TEST_F(Kwexport, FindsItsIndex) {
  build_index(tmp_ / "other/.kwsearch", {{"other.c", "int O;\n"}});
  fs::create_directories(tmp_ / "tree/sub");
  fs::create_directories(tmp_ / "nowhere");
  const auto exports = [&](std::vector<std::string> words, CommandOptions options) {
    words.insert(words.end(), {"--out", (tmp_ / "out").string(), "--dry-run"});
    const CommandResult result = run(words, options);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.out;
  };
  const std::string here = tmp_.str();
  EXPECT_THAT(exports({}, in_folder(here + "/tree/sub")), HasSubstr("a.c_kw.md")) << "above";
  EXPECT_THAT(exports({"--db", "../other"}, {}), HasSubstr("other.c_kw.md")) << "a tree";
  EXPECT_THAT(exports({"--db", "../other/.kwsearch"}, {}), HasSubstr("other.c_kw.md"))
      << "the folder";
  const std::string other = "KWSEARCH_DB=" + here + "/other";
  EXPECT_THAT(exports({}, with_environment(other)), HasSubstr("other.c_kw.md")) << "environment";
  EXPECT_THAT(exports({"--db", here + "/tree"}, with_environment(other)), HasSubstr("a.c_kw.md"))
      << "the command line before the environment";

  const CommandResult none = run({"--out", "x"}, in_folder(here + "/nowhere"));
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_THAT(none.err, HasSubstr("hint: "));
  EXPECT_FALSE(fs::exists(tmp_ / "nowhere/x"));
}

TEST_F(Kwexport, FatalErrorsEndWith2) {
  write_file(tmp_ / "file", "x");
  write_file(tmp_ / "hostile/.kwexport", "kwexport 1\n../file\n");
  const struct {
    const char* why;
    std::vector<std::string> words;
    const char* said;
  } rows[] = {
      {"no place to write to", {}, "--out"},
      {"html is for later", {"--out", "docs", "--format", "html"}, "html"},
      {"no such index", {"--out", "docs", "--db", "../missing"}, "missing"},
      {"a file is no folder", {"--out", "../file"}, "../file"},
      {"a manifest that leads outside", {"--out", "../hostile"}, "outside its folder"},
  };
  for (const auto& row : rows) {
    const CommandResult result = run(row.words);
    EXPECT_EQ(result.exit_code, 2) << row.why;
    EXPECT_THAT(result.out, IsEmpty()) << row.why;
    EXPECT_THAT(result.err, HasSubstr(row.said)) << row.why;
  }
  EXPECT_EQ(read_text(tmp_ / "file"), "x");
}

TEST_F(Kwexport, NeedsNothingButTheIndex) {
  run({"--out", "docs"});
  const std::string page = read_text(tmp_ / "tree/docs/a.c_kw.md");
  fs::rename(tmp_ / "tree/.kwsearch", tmp_ / "kept");
  fs::remove_all(tmp_ / "tree");
  fs::create_directories(tmp_ / "tree");
  fs::rename(tmp_ / "kept", tmp_ / "tree/.kwsearch");
  EXPECT_EQ(run({"--out", "docs"}).exit_code, 0);
  EXPECT_EQ(read_text(tmp_ / "tree/docs/a.c_kw.md"), page);
}

TEST_F(Kwexport, ItsPagesAreNotIndexedAgain) {
  make_tree(tmp_ / "sky", {{"docs/orbit.md", "# Orbit\n"}, {"moon.c", "int Moon;\n"}});
  const auto in_sky = in_folder((tmp_ / "sky").string());
  const std::vector<std::string> index{"kwindex", ".", "--json", "--symbols", "none"};
  ASSERT_EQ(run_command(index, in_sky).exit_code, 0);
  ASSERT_EQ(run({"--out", "docs"}, in_sky).exit_code, 0);
  const CommandResult again = run_command(index, in_sky);
  EXPECT_EQ(nlohmann::json::parse(again.out)["indexed"], 0);
  EXPECT_EQ(nlohmann::json::parse(again.out)["files"], 2);
  const CommandResult second = run({"--out", "docs", "--json"}, in_sky);
  EXPECT_EQ(nlohmann::json::parse(second.out)["written"], 0);
  EXPECT_EQ(nlohmann::json::parse(second.out)["unchanged"], 2);
}

TEST_F(Kwexport, HelpAndVersion) {
  const CommandResult help = run({"--help"});
  EXPECT_EQ(help.exit_code, 0);
  for (const char* option :
       {"--out", "--db", "--limit", "--project", "--page-suffix", "--path", "--adopt", "--dry-run",
        "--json", "--format", "--profile", "--forge", "--source-url"})
    EXPECT_THAT(help.out, HasSubstr(option));
  EXPECT_THAT(run({"--version"}).out, testing::StartsWith("kwexport "));
}

}  // namespace
}  // namespace kw::test
