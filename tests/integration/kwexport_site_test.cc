// SPDX-License-Identifier: GPL-2.0-or-later
// A site made by the real programs from the sample tree.
#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/support/run_command.h"
#include "tests/support/site_check.h"
#include "tests/support/temp_dir.h"

namespace fs = std::filesystem;

namespace kw::test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

class SampleSite : public testing::Test {
 protected:
  SampleSite() {
    fs::copy(fs::path(KW_SOURCE_DIR) / "tools/sample", tmp_ / "skein", fs::copy_options::recursive);
    options_.folder = (tmp_ / "skein").string();
    options_.environment = {"KWSEARCH_DB="};
    run({"kwindex", "."});
  }

  CommandResult run(std::vector<std::string> words) {
    CommandResult result = run_command(std::move(words), options_);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result;
  }

  nlohmann::json export_site(std::vector<std::string> more = {}) {
    std::vector<std::string> words = {"kwexport", "--format", "html", "--project",
                                      "Skein",    "--out",    "site", "--json"};
    words.insert(words.end(), more.begin(), more.end());
    return nlohmann::json::parse(run(std::move(words)).out);
  }

  const TempDir tmp_;
  const fs::path site_ = tmp_ / "skein/site";
  CommandOptions options_;
};

TEST_F(SampleSite, HoldsTogether) {
  const auto counts = export_site({"--base-url", "https://h/"});
  EXPECT_EQ(counts["pages"], 18 + 6 + 6) << "files, folders, and the lists of their names";
  EXPECT_GT(counts["written"], 30 + 4) << "and the shards of the search";
  EXPECT_THAT(site_faults(site_), IsEmpty());
  EXPECT_EQ(export_site({"--base-url", "https://h/"})["written"], 0);

  const std::string page = read_text(site_ / "docs/skein/meta.py_docs.md.html");
  EXPECT_THAT(page, HasSubstr("<li><a href=#L73>ViewAndMutationMeta</a> 73 "));
  EXPECT_THAT(page, HasSubstr("<li id=L73><u>class</u> <b id=d.ViewAndMutationMeta>"));
  EXPECT_THAT(page, HasSubstr("<h2 id=original-source>"));
  EXPECT_THAT(
      read_text(site_ / "docs/skein/collect.py_docs.md.html"),
      HasSubstr("<a href=meta.py_docs.md.html#d.ViewAndMutationMeta>ViewAndMutationMeta</a>"));
}

TEST_F(SampleSite, TheSameBytesWhateverIsThere) {
  export_site();
  std::string first, second;
  for (const char* name : {"index.html", "docs/skein/meta.py_docs.md.html", ".kwexport"})
    first += read_text(site_ / name);
  fs::remove_all(site_);
  export_site();
  for (const char* name : {"index.html", "docs/skein/meta.py_docs.md.html", ".kwexport"})
    second += read_text(site_ / name);
  EXPECT_EQ(first, second);
}

TEST_F(SampleSite, TheSameFromOneCore) {
  const std::string program = KW_BINARY_DIR "/bin/kwexport";
  for (const char* format : {"md", "html"}) {
    const CommandResult one =
        run({"taskset", "-c", "0", program, "--format", format, "--out", "one", "-v"});
    const CommandResult all = run({program, "--format", format, "--out", "all", "-v"});
    const auto listed = [](const std::string& out) { return out.substr(0, out.rfind(" pages (")); };
    EXPECT_EQ(listed(one.out), listed(all.out)) << "in this order";
    EXPECT_THAT(one.out, HasSubstr("write docs/skein/meta.py_docs.md"));
    EXPECT_EQ(run({"diff", "-r", "one", "all"}).out, "");
    for (const char* folder : {"one", "all"}) fs::remove_all(tmp_ / "skein" / folder);
  }
}

TEST_F(SampleSite, IsLeftOutOfTheIndex) {
  export_site();
  const auto again = nlohmann::json::parse(run({"kwindex", ".", "--json"}).out);
  EXPECT_EQ(again["files"], 18);
  EXPECT_EQ(again["indexed"], 0);
}

TEST(Site, OfAnEmptyIndexHasAHome) {
  const TempDir dir;
  std::filesystem::create_directories(dir / "tree");
  EXPECT_EQ(run_command({"kwindex", (dir / "tree").string()}).exit_code, 0);
  EXPECT_EQ(run_command({"kwexport", "--db", (dir / "tree").string(), "--format", "html", "--out",
                         (dir / "site").string()})
                .exit_code,
            0);
  EXPECT_THAT(read_text(dir / "site/index.html"), testing::HasSubstr("<h1"));
}

TEST_F(SampleSite, IsValidHtml) {
  if (std::system("command -v tidy >/dev/null") != 0) GTEST_SKIP() << "tidy is not installed";
  write_file(tmp_ / "skein/hostile/a<b>&\"'.md",
             "# <script>\n\n| a |\n|---|\n| `x\\|y` |\n\n- \n-\n\n> \n\n<div>\n\n![](x)[]()\n");
  write_file(tmp_ / "skein/hostile/empty.py", "");
  write_file(tmp_ / "skein/hostile/odd.c", "\"\x1b\x0c \u202e\" /*\n\n   \n*/ int x;\r\n");
  run({"kwindex", "."});
  export_site();
  std::vector<std::string> words = {"tidy", "-e", "-q"};
  for (const auto& entry : fs::recursive_directory_iterator(site_))
    if (entry.path().extension() == ".html") words.push_back(entry.path().string());
  const CommandResult result = run_command(words, options_);
  EXPECT_EQ(result.exit_code, 0) << "1: warnings, 2: errors";
  EXPECT_THAT(result.err, IsEmpty());
}

}  // namespace
}  // namespace kw::test
