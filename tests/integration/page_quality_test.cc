// SPDX-License-Identifier: GPL-2.0-or-later
// What full pages of Python files list, beside what Python itself says of the files:
// tools/page_quality demands 95 % identifiers and every definition.
#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>

#include "tests/support/run_command.h"
#include "tests/support/temp_dir.h"

namespace kw::test {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class PageQuality : public testing::Test {
 protected:
  /// Of a copy of a tree, which is indexed here.
  CommandResult run(const fs::path& tree, std::vector<std::string> pages) {
    fs::copy(tree, tmp_ / "tree", fs::copy_options::recursive);
    const CommandResult indexed = run_command({"kwindex", "-q", (tmp_ / "tree").string()});
    if (indexed.exit_code != 0) return indexed;
    std::vector<std::string> command{KW_SOURCE_DIR "/tools/page_quality",
                                     "--bin",
                                     KW_BINARY_DIR "/bin",
                                     "--db",
                                     (tmp_ / "tree").string(),
                                     (tmp_ / "tree").string()};
    command.insert(command.end(), pages.begin(), pages.end());
    return run_command(command);
  }

  const TempDir tmp_;
};

TEST_F(PageQuality, OfTheSample) {
  std::vector<std::string> pages;
  for (const char* name :
       {"array", "cache", "collect", "functionalize", "graph", "meta", "runtime", "tracer"})
    pages.push_back(std::string("docs/skein/") + name + ".py_docs.md");
  const CommandResult result = run(fs::path(KW_SOURCE_DIR) / "tools/sample", pages);
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  // By hand: 7 classes and functions of the file, among them 3 that begin in upper case.
  EXPECT_THAT(result.out, testing::ContainsRegex("functionalize.* 7 of 7 .* 3 of 7 "));
}

TEST_F(PageQuality, OfRealPages) {
  const char* const data = std::getenv("KWSEARCH_DATA");
  if (!data) GTEST_SKIP() << "KWSEARCH_DATA is not set: no real pages";
  const CommandResult result =
      run(fs::path(data) / "pages/tree",
          {"docs/torch/_functorch/_aot_autograd/graph_capture.py_docs.md"});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
}

TEST_F(PageQuality, APageThatListsOtherThingsFails) {
  make_tree(tmp_ / "source", {{"a.py_docs.md",
                               "```python\ndef f(): return 1\n```\n"
                               "```python\nthis_is = [an, example, of_use]\n```\n"}});
  const CommandResult result = run(tmp_ / "source", {"a.py_docs.md"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out, HasSubstr("| a.py_docs.md | "));
}

/// The words of links to a document, beside its key terms: tools/key_terms.
TEST(KeyTermsTool, SaysWhichWordsOfLinksTheTermsHold) {
  if (run_command({"sh", "-c", "command -v node"}).exit_code != 0)
    GTEST_SKIP() << "there is no node";
  const TempDir dir;
  write_file(dir / "tree/orbits.md", "# Orbits\n\nSee [the wide moons](moons.md).\n");
  write_file(dir / "tree/moons.md", "# Moons\n\nThey are wide, mostly.\n");
  ASSERT_EQ(run_command({"kwindex", "-q", (dir / "tree").string()}).exit_code, 0);
  ASSERT_EQ(run_command({"kwexport", "-q", "--db", (dir / "tree").string(), "--format", "html",
                         "--out", (dir / "site").string()})
                .exit_code,
            0);
  const std::string tool = KW_SOURCE_DIR "/tools/key_terms", site = (dir / "site").string();
  const CommandResult own = run_command({tool, site});
  EXPECT_EQ(own.exit_code, 0) << own.out << own.err;
  EXPECT_THAT(own.out, HasSubstr("1 documents, 1 links, 2 words, of which 100.0 %"));
  write_file(dir / "links", "the comets\tmoons.md\tanchor\nMoons\tmoons.md\ttitle\n");
  const CommandResult given =
      run_command({tool, site, "--links", (dir / "links").string(), "--show", "1"});
  EXPECT_EQ(given.exit_code, 1) << given.err;
  EXPECT_THAT(given.out, HasSubstr("moons.md\n  missing: comet\n"));
}

}  // namespace
}  // namespace kw::test
