// SPDX-License-Identifier: GPL-2.0-or-later
// tools/affected_tests: what a change chooses, in a build of two test programs made for it. The
// second one runs a program `app`.
#include <gmock/gmock.h>

#include "tests/support/run_command.h"
#include "tests/support/temp_dir.h"

namespace kw::test {
namespace {

class AffectedTests : public ::testing::Test {
 protected:
  AffectedTests() {
    // A test program lists where its tests are, as those of GoogleTest do.
    const std::string lists =
        R"(#!/bin/sh
for a in "$@"; do case $a in --gtest_output=json:*) cat >"${a#*json:}" <<END
{"testsuites": [{"name": "Whole", "testsuite": [
 {"name": "Fast", "file": "/x/tests/fast_test.cc"}, {"name": "Slow", "file": "/x/tests/slow_test.cc"}]}]}
END
esac; done
)";
    make_tree(dir_.path(),
              {{"src/low.cc", "#include \"low.h\"\n"},
               {"src/low.h", ""},
               {"src/app.cc", ""},
               {"tests/fast_test.cc", ""},
               {"build/lists", lists},
               {"build/CMakeCache.txt", "CMAKE_HOME_DIRECTORY:INTERNAL=" + dir_.str() + "\n"},
               {"build/CTestTestfile.cmake",
                // Unit.Fast is number 1, Whole.Fast 2, Whole.Slow 3.
                "add_test(Unit.Fast \"" + dir_.str() + "/build/unit\")\n" +
                    "add_test(Whole.Fast \"" + dir_.str() +
                    "/build/whole\" --gtest_filter=Whole.Fast)\n" + "add_test(Whole.Slow \"" +
                    dir_.str() + "/build/whole\" --gtest_filter=Whole.Slow)\n"},
               {"build/junit.xml",
                "<testsuite><testcase name=\"Unit.Fast\" time=\"0.1\"/><testcase "
                "name=\"Whole.Fast\" time=\"0.2\"/>"
                "<testcase name=\"Whole.Slow\" time=\"9\"/></testsuite>\n"},
               {"build/build.ninja",
                "rule cc\n command = c++ -fsyntax-only -MMD -MF $out.d $in && touch $out\n"
                " deps = gcc\n depfile = $out.d\n"
                "rule link\n command = cp lists $out && chmod +x $out\n"
                "build low.o: cc ../src/low.cc\nbuild app.o: cc ../src/app.cc\n"
                "build fast.o: cc ../tests/fast_test.cc\n"
                "build app: link app.o\n"
                "build unit: link low.o\n"
                "build whole: link fast.o || app\n"}});
  }

  void SetUp() override {
    ASSERT_EQ(run_command({"ninja", "-C", dir_.str() + "/build"}).exit_code, 0);
  }

  CommandResult choose(const std::string& changed, const std::string& seconds = "100") {
    const CommandResult result =
        run_command({KW_SOURCE_DIR "/tools/affected_tests", dir_.str() + "/build", seconds},
                    {.input = changed});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result;
  }

  TempDir dir_;
};

TEST_F(AffectedTests, AreThoseOfTheProgramsThatReadTheChange) {
  const CommandResult header = choose("src/low.h\n");
  EXPECT_EQ(header.out, "0,0,0,1\n");
  EXPECT_EQ(header.err, "left out: 2 tests of programs that read no changed file\n");
  // Of a program that a test program runs.
  EXPECT_EQ(choose("src/app.cc\n").out, "0,0,0,2,3\n");
  EXPECT_EQ(choose("src/app.cc\nsrc/low.cc\n").out, "0,0,0,1,2,3\n");
}

TEST_F(AffectedTests, AFileThatNoObjectReadsAffectsAll) {
  const CommandResult result = choose("docs/guide.md\n");
  EXPECT_EQ(result.out, "0,0,0,1,2,3\n");
  EXPECT_EQ(result.err, "");
}

TEST_F(AffectedTests, NothingChangedNothingAffected) { EXPECT_EQ(choose("").out, "0,0,0\n"); }

TEST_F(AffectedTests, TheSlowestAreLeftOutAndNamed) {
  const CommandResult result = choose("docs/guide.md\n", "1");
  EXPECT_EQ(result.out, "0,0,0,1,2\n");
  EXPECT_EQ(result.err, "left out: the slowest, 1: Whole.Slow\n");
}

TEST_F(AffectedTests, TestsOfAChangedSourceFileAlwaysRun) {
  EXPECT_EQ(choose("tests/fast_test.cc\n", "0.01").out, "0,0,0,2\n");
}

TEST_F(AffectedTests, WithoutTimesNoneIsLeftOut) {
  std::filesystem::remove(dir_ / "build/junit.xml");
  EXPECT_EQ(choose("docs/guide.md\n", "0").out, "0,0,0,1,2,3\n");
}

}  // namespace
}  // namespace kw::test
