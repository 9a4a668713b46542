// SPDX-License-Identifier: GPL-2.0-or-later
// tools/bench --save and --against: what counts as worse, and which runs are not compared. Stored
// runs are written here; one is measured, on a small tree.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tests/support/run_command.h"
#include "tests/support/temp_dir.h"

namespace kw::test {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kTool = KW_SOURCE_DIR "/tools/bench";

json measure(const std::string& name, bool ours, const std::vector<double>& seconds) {
  return {{"name", name},
          {"ours", ours},
          {"seconds", seconds},
          {"cpu_seconds", seconds},
          {"peak_mb", 100}};
}

json stored_run() {
  return {{"machine", "2 cores of X"},
          {"kernel", "6.1"},
          {"tree", "PyTorch 2.6.0"},
          {"index_bytes", 1000},
          {"missed", json::array()},
          {"results",
           {measure("find", false, {1, 1, 1}), measure("first build", true, {10, 10.1, 10.2})}}};
}

class BenchAgainst : public ::testing::Test {
 protected:
  CommandResult compare(const json& before, const json& now) {
    write_file(dir_ / "before.json", before.dump());
    write_file(dir_ / "now.json", now.dump());
    return run_command({kTool, "--against", (dir_ / "before.json").string(), "--run",
                        (dir_ / "now.json").string()});
  }

  TempDir dir_;
};

TEST_F(BenchAgainst, WhatIsWorseBeyondItsSpreadIsNamed) {
  const struct {
    const char* name;
    const char* measure;
    std::vector<double> seconds;
    std::string worse;
  } cases[] = {
      {"the same", "first build", {10, 10.1, 10.2}, ""},
      {"better", "first build", {8, 8, 8}, ""},
      {"two in a hundred", "first build", {10.2, 10.3, 10.4}, ""},
      {"more, and steadily",
       "first build",
       {11, 11.1, 11.2},
       "first build: time, first build: CPU time"},
      {"more, within the spread", "first build", {9, 11.1, 14}, ""},
      {"another program shows the machine", "find", {2, 2, 2}, ""},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    json now = stored_run();
    for (json& result : now["results"]) {
      if (result["name"] == c.measure) result["seconds"] = result["cpu_seconds"] = c.seconds;
    }
    const CommandResult result = compare(stored_run(), now);
    EXPECT_EQ(result.err,
              c.worse.empty() ? "" : "bench: worse by more than 3 %: " + c.worse + "\n");
    EXPECT_EQ(result.exit_code, c.worse.empty() ? 0 : 1);
  }
}

TEST_F(BenchAgainst, EachRatioHasItsSpread) {
  json now = stored_run();
  now["results"][1]["seconds"] = {5, 5.05, 5.1};
  const CommandResult result = compare(stored_run(), now);
  EXPECT_THAT(
      result.out,
      HasSubstr("| first build | 0.50 (0.50-0.50) | 1.00 (0.99-1.01) | 1.00 (1.00-1.00) |"));
  EXPECT_THAT(result.out, HasSubstr("| (find) | 1.00 (1.00-1.00) |"));
  EXPECT_THAT(result.out, HasSubstr("| index on disk | 1.00 (1.00-1.00) |"));
}

TEST_F(BenchAgainst, MemoryAndSizeCountToo) {
  json now = stored_run();
  now["results"][1]["peak_mb"] = 110;
  now["index_bytes"] = 1100;
  const CommandResult result = compare(stored_run(), now);
  EXPECT_EQ(result.err, "bench: worse by more than 3 %: first build: peak memory, index on disk\n");
  EXPECT_EQ(result.exit_code, 1);
}

TEST_F(BenchAgainst, ARunOfAnotherMachineKernelOrTreeIsRefused) {
  for (const char* what : {"machine", "kernel", "tree"}) {
    json before = stored_run();
    before[what] = "another";
    const CommandResult result = compare(before, stored_run());
    EXPECT_THAT(result.err,
                HasSubstr(std::string("is of another ") + what + ": 'another', and this is '"));
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(result.exit_code, 1);
  }
}

TEST_F(BenchAgainst, AFileThatIsNoRunIsRefused) {
  for (const char* text : {"", "[]", "{\"results\": [{}]}"}) {
    write_file(dir_ / "x.json", text);
    const CommandResult result = run_command({kTool, "--against", (dir_ / "x.json").string()});
    EXPECT_THAT(result.err, HasSubstr("x.json' is no stored run: "));
    EXPECT_EQ(result.exit_code, 1);
  }
}

TEST_F(BenchAgainst, AMeasuredRunIsStored) {
  const std::string run = (dir_ / "run.json").string();
  make_tree(dir_ / "tree", {{"a.md", "# Ring buffers\n"}});
  const CommandResult measured =
      run_command({kTool, (dir_ / "tree").string(), "--bin", KW_BINARY_DIR "/bin", "--no-peers",
                   "--runs", "1", "--only", "first build, --symbols none", "--save", run});
  ASSERT_EQ(measured.exit_code, 0) << measured.err;
  const CommandResult result = run_command({kTool, "--against", run, "--run", run});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("| first build, --symbols none | 1.00 (1.00-1.00) |"));
  EXPECT_THAT(result.out, Not(HasSubstr("worse")));
}

}  // namespace
}  // namespace kw::test
