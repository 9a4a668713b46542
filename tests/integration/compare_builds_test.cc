// SPDX-License-Identifier: GPL-2.0-or-later
// tools/compare_builds: a build equals itself, and each kind of difference is found in a build made
// for it, whose programs are scripts around the real ones.
#include <gmock/gmock.h>

#include "tests/support/run_command.h"
#include "tests/support/temp_dir.h"

namespace kw::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kTool = KW_SOURCE_DIR "/tools/compare_builds";
constexpr const char* kPrograms = KW_BINARY_DIR "/bin";

class CompareBuilds : public ::testing::Test {
 protected:
  CompareBuilds() {
    make_tree(dir_ / "tree",
              {{"guide.md", "# Ring buffers\n\nA `RingBuffer` drops the oldest entry.\n"},
               {"src/ring.py", "class RingBuffer:\n    def push(self, entry):\n        pass\n"}});
  }

  /// Replaces one program of the other build by a script. `$real` is the folder of the real ones.
  void replace(const std::string& program, const std::string& script) {
    const auto other = dir_ / "other";
    std::filesystem::create_directories(other);
    for (const char* name : {"kwindex", "kwsearch", "kwexport"}) {
      if (name != program)
        std::filesystem::create_symlink(kPrograms / std::filesystem::path(name), other / name);
    }
    std::filesystem::create_symlink(KW_BINARY_DIR "/kwdump", other / "kwdump");
    write_file(other / program, std::string("#!/bin/sh\nreal=") + kPrograms + "\n" + script + "\n");
    std::filesystem::permissions(other / program, std::filesystem::perms::owner_all);
  }

  CommandResult compare(const std::string& other) {
    return run_command(
        {kTool, "--names", "1", "--tree", (dir_ / "tree").string(), kPrograms, other});
  }
  CommandResult compare() { return compare((dir_ / "other").string()); }

  TempDir dir_;
};

TEST_F(CompareBuilds, ABuildEqualsItself) {
  const CommandResult result = compare(kPrograms);
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_THAT(result.out, Not(HasSubstr("differs")));
  for (const char* what : {"index:", "keyword pages:", "classic pages:", "site:", "answers:",
                           "part 1 of 2:", "part 2 of 2:", "parts' answers:"}) {
    EXPECT_THAT(result.out, HasSubstr(what));
  }
  EXPECT_THAT(result.out, HasSubstr("\nall the same\n"));
}

TEST_F(CompareBuilds, AnOtherAnswerIsFound) {
  replace("kwsearch", R"(exec "$real/kwsearch" "$@" | sed 's/"line":2/"line":3/')");
  const CommandResult result = compare();
  EXPECT_EQ(result.exit_code, 1) << result.err;
  EXPECT_THAT(result.out, HasSubstr("answers:          differs: kwsearch --json "));
  EXPECT_THAT(result.out, HasSubstr(R"("line":3)"));
  EXPECT_THAT(result.out, HasSubstr("index:            same"));
  EXPECT_THAT(result.out, HasSubstr("\n2 of these differ\n"));
}

TEST_F(CompareBuilds, AnOtherIndexIsFound) {
  replace("kwindex", R"(exec "$real/kwindex" "$@" --exclude '*.py')");
  const CommandResult result = compare();
  EXPECT_EQ(result.exit_code, 1) << result.err;
  EXPECT_THAT(result.out, HasSubstr("index:            differs: line "));
  EXPECT_THAT(result.out, HasSubstr("is written by the old build only"));
}

TEST_F(CompareBuilds, AnOtherPageIsFound) {
  replace("kwexport",
          R"("$real/kwexport" "$@" && for page in out/*_kw.md; do echo more >>"$page"; done)");
  const CommandResult result = compare();
  EXPECT_EQ(result.exit_code, 1) << result.err;
  EXPECT_THAT(result.out, HasSubstr("keyword pages:    differs: guide.md_kw.md, line "));
  EXPECT_THAT(result.out, HasSubstr("new: more\n"));
}

TEST_F(CompareBuilds, AProgramThatFailsIsNamed) {
  replace("kwindex", "echo broken >&2; exit 7");
  const CommandResult result = compare();
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("ended with 7: broken\n"));
}

TEST_F(CompareBuilds, AFolderWithoutProgramsIsRefused) {
  const CommandResult result = compare((dir_ / "tree").string());
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("compare_builds: there is no kwindex in '"));
}

}  // namespace
}  // namespace kw::test
