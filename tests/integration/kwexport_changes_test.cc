// SPDX-License-Identifier: GPL-2.0-or-later
// Which pages an edit changes: a site in git must have small differences. The expected ones are by
// hand, from what the pages say.
#include <gmock/gmock.h>

#include <filesystem>
#include <map>
#include <sstream>

#include "tests/support/index_builder.h"
#include "tests/support/run_command.h"
#include "tests/support/temp_dir.h"

namespace kw::test {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAreArray;
using ::testing::IsEmpty;

const std::map<std::string, IndexedFile> kTree{
    {"sky/orbit.c",
     {"",
      "struct orbit_t {};\nint orbit_of(star_t s);\n",
      {{"orbit_t", "struct", 1, ""}, {"orbit_of", "prototype", 2, ""}}}},
    {"sky/star.c", {"", "struct star_t {};\n", {{"star_t", "struct", 1, ""}}}},
    {"sea/ship.c", {"", "orbit_of(star_t);\n"}},
    {"sea/crew.c", {"", "crew_name; crew_size;\n"}},
};

class KwexportChanges : public testing::Test {
 protected:
  /// Indexes and exports; the pages that were written or removed, by name.
  std::vector<std::string> changed(const std::map<std::string, IndexedFile>& tree) {
    std::vector<IndexedFile> files;
    for (auto [path, file] : tree) {
      file.path = path;
      files.push_back(std::move(file));
    }
    build_index(tmp_ / ".kwsearch", files);
    CommandOptions here;
    here.folder = tmp_.str();
    const CommandResult result = run_command({"kwexport", "-v", "--out", "kw"}, here);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    std::vector<std::string> pages;
    std::istringstream lines(result.out);
    for (std::string line; std::getline(lines, line);)
      if (line.starts_with("write ") || line.starts_with("remove "))
        pages.push_back(line.substr(line.find(' ') + 1));
    std::sort(pages.begin(), pages.end());
    return pages;
  }

  const TempDir tmp_;
};

TEST_F(KwexportChanges, OfOneEdit) {
  const struct {
    const char* why;
    const char* path;
    IndexedFile file;
    std::vector<std::string> pages;
  } rows[] = {
      {"nothing", "sky/star.c", kTree.at("sky/star.c"), {}},
      {"words behind all names", "sea/crew.c", {"", "crew_name; crew_size;\n// quiet words\n"}, {}},
      {"names that move down: no list has lines",
       "sky/star.c",
       {"", "\nstruct star_t {};\n", {{"star_t", "struct", 2, ""}}},
       {"sky/star.c_kw.md"}},
      {"a name of this file alone: no list has it",
       "sea/crew.c",
       {"", "crew_name; crew_size;\nnew_name;\n"},
       {"sea/crew.c_kw.md", "sea/index.md"}},
      {"a definition by another name: whoever uses it, and the lists above",
       "sky/star.c",
       {"", "struct sun_t {};\n", {{"sun_t", "struct", 1, ""}}},
       {"sea/ship.c_kw.md", "sky/index.md", "sky/orbit.c_kw.md", "sky/star.c_kw.md", "sky/sub.md",
        "sub.md"}},
      {"a second file for a name: another is now more telling of the first",
       "sea/ship.c",
       {"", "orbit_of(star_t); crew_name;\n"},
       {"sea/crew.c_kw.md", "sea/index.md", "sea/ship.c_kw.md", "sea/sub.md", "sub.md"}},
      {"one of a name's files less, and the rounded count stays",
       "sky/orbit.c",
       {"",
        "struct orbit_t {};\nint orbit_of(int s);\n",
        {{"orbit_t", "struct", 1, ""}, {"orbit_of", "prototype", 2, ""}}},
       {"sky/index.md", "sky/orbit.c_kw.md", "sky/sub.md", "sub.md"}},
      {"a new file: the folders above count it",
       "sea/mast.c",
       {"", "mast;\n"},
       {"index.md", "sea/index.md", "sea/mast.c_kw.md"}},
  };
  for (const auto& row : rows) {
    changed(kTree);
    std::map<std::string, IndexedFile> tree = kTree;
    tree[row.path] = row.file;
    EXPECT_THAT(changed(tree), ElementsAreArray(row.pages)) << row.why;
    EXPECT_THAT(changed(tree), IsEmpty()) << "the second time: " << row.why;
  }
}

TEST_F(KwexportChanges, ALongListChangesInOnePart) {
  std::map<std::string, IndexedFile> tree = kTree;
  for (const char letter : {'a', 'b', 'c', 'd'})
    for (int i = 1000; i < 1400; ++i)
      tree["sky/star.c"].definitions.push_back({letter + std::to_string(i), "function", 1, ""});
  changed(tree);
  ASSERT_TRUE(fs::exists(tmp_ / "kw/sub-b.md"));
  tree["sky/star.c"].definitions.push_back({"b1400", "function", 1, ""});
  EXPECT_THAT(changed(tree), testing::ElementsAre("sky/star.c_kw.md", "sky/sub-b.md", "sub-b.md"));
}

}  // namespace
}  // namespace kw::test
