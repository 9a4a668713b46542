// SPDX-License-Identifier: GPL-2.0-or-later
// kwindex on a schedule: the systemd units, --then, runs that overlap.
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <thread>

#include "tests/integration/kwindex_fixture.h"

namespace kw::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class KwindexSchedule : public KwindexTest {
 protected:
  KwindexSchedule() { make_tree(root(), {{"a.md", "# A\n"}, {"b.md", "# B\n"}}); }

  std::string said() const { return read_text(dir_ / "said"); }

  static std::string replaced(std::string text, const std::string& what, const std::string& by) {
    for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
      text.replace(at, what.size(), by);
    return text;
  }

  static std::string unit(const std::string& name) {
    return replaced(read_text(fs::path(KW_SOURCE_DIR) / "tools/systemd" / name), "/usr/local/bin/",
                    std::string(KW_BINARY_DIR) + "/bin/");
  }
};

TEST_F(KwindexSchedule, ThenRunsWhereSomethingChanged) {
  const std::vector<std::string> words{"tree", "--json", "--then", "echo said; echo x >> said"};
  const CommandResult first = run(words);
  EXPECT_EQ(first.exit_code, 0) << first.err;
  EXPECT_TRUE(nlohmann::json::accept(first.out)) << "the object stays alone: " << first.out;
  EXPECT_THAT(first.err, HasSubstr("said"));
  EXPECT_EQ(said(), "x\n");
  run(words);
  EXPECT_EQ(said(), "x\n") << "nothing changed";
  fs::last_write_time(root() / "a.md", fs::file_time_type::clock::now());
  run(words);
  EXPECT_EQ(said(), "x\n") << "the content is the same";
  fs::remove(root() / "b.md");
  run(words);
  EXPECT_EQ(said(), "x\nx\n");
  write_file(root() / "c.md", "# C\n");
  run({"tree", "--dry-run", "--then", "echo x >> said"});
  EXPECT_EQ(said(), "x\nx\n") << "a dry run runs nothing";
  run({"tree"});
  run(words);
  EXPECT_EQ(said(), "x\nx\nx\n") << "a run without --then is made up for";
}

TEST_F(KwindexSchedule, ThenIsDueUntilItSucceeds) {
  const CommandResult failed = run({"tree", "--then", "exit 7"});
  EXPECT_EQ(failed.exit_code, 3);
  EXPECT_THAT(failed.out, HasSubstr("indexed 2 of 2"));
  EXPECT_THAT(failed.err, AllOf(HasSubstr("--then failed: exit code 7"), HasSubstr("\nhint: ")));
  EXPECT_EQ(run({"tree", "--then", "kill -9 $$"}).exit_code, 3);
  EXPECT_EQ(run({"tree", "--then", "echo x >> said"}).exit_code, 0);
  EXPECT_EQ(run({"tree", "--then", "echo x >> said"}).exit_code, 0);
  EXPECT_EQ(said(), "x\n");
}

TEST_F(KwindexSchedule, ThenMayUseTheIndex) {
  const std::string bin = std::string(KW_BINARY_DIR) + "/bin/";
  const CommandResult result = run(
      {"tree", "-q", "--then",
       bin + "kwexport --db tree --profile classic --out tree && " + bin + "kwindex tree --check"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, AllOf(HasSubstr("2 written"), HasSubstr("no fault")));
}

TEST_F(KwindexSchedule, AnEmptiedRootChangesNothingAndRunsNothing) {
  ASSERT_EQ(run({"tree", "--db", "index"}).exit_code, 0);
  const std::string before = dump(dir_ / "index");
  fs::remove_all(root());
  fs::create_directory(root());
  const CommandResult result = run({"--db", "index", "-q", "--then", "echo x > said"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(dump(dir_ / "index"), before);
  EXPECT_FALSE(fs::exists(dir_ / "said"));
}

TEST_F(KwindexSchedule, RunsThatOverlap) {
  for (int i = 0; i < 60; ++i)
    write_file(root() / fmt::format("many/{}.md", i), fmt::format("# Page {}\n", i));
  std::array<CommandResult, 6> results;
  std::vector<std::thread> runs;
  for (std::size_t i = 0; i < results.size(); ++i)
    runs.emplace_back([&, i] {
      results[i] = run(i % 2 ? std::vector<std::string>{"tree", "-q", "--rebuild"}
                             : std::vector<std::string>{"tree", "-q", "--wait", "100"});
    });
  for (std::thread& thread : runs) thread.join();
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (i % 2 && results[i].exit_code == 75) {
      EXPECT_THAT(results[i].err, HasSubstr("is locked by"));
      continue;
    }
    EXPECT_EQ(results[i].exit_code, 0) << results[i].err;
  }
  EXPECT_EQ(dump(database()), fresh_dump());
}

TEST_F(KwindexSchedule, TheServiceRunsAsWritten) {
  std::istringstream lines(unit("kwindex@.service"));
  std::string command;
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("ExecStart=")) command = line.substr(10);
  ASSERT_THAT(command, HasSubstr(" %f "));
  command = replaced(command, "%f", root().string());
  // What systemd gives a service: no terminal, next to no environment, no new privileges.
  std::vector<std::string> words{"env", "-i", "PATH=/usr/local/sbin:/usr/local/bin:/usr/bin:/bin",
                                 "STATE_DIRECTORY=" + (dir_ / "state").string(),
                                 "KWINDEX_OPTIONS=--exclude b.md"};
  if (::geteuid() == 0)
    words.insert(words.end(), {"setpriv", "--no-new-privs",
                               "--bounding-set=-all,+dac_override,+dac_read_search", "--"});
  words.insert(words.end(), {"sh", "-c", "umask 0077; exec " + command});
  CommandOptions options;
  options.folder = root().string();
  for (int i = 0; i < 2; ++i) {
    const CommandResult result = run_command(words, options);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_THAT(result.out + result.err, IsEmpty()) << "nothing for the journal";
  }
  EXPECT_EQ(dump(database()), fresh_dump({"--exclude", "b.md"}));
}

TEST_F(KwindexSchedule, SystemdAcceptsTheUnits) {
  if (run_command({"sh", "-c", "command -v systemd-analyze"}).exit_code != 0)
    GTEST_SKIP() << "systemd-analyze is not installed";
  for (const char* name : {"kwindex@.service", "kwindex@.timer", "kwsearch-shard@.service"})
    write_file(dir_ / name, unit(name));
  CommandOptions options;
  options.environment = {"SYSTEMD_UNIT_PATH=" + dir_.str() + ":"};
  const CommandResult result = run_command(
      {"systemd-analyze", "verify", "--man=no", (dir_ / "kwindex@srv-docs.service").string(),
       (dir_ / "kwindex@srv-docs.timer").string(),
       (dir_ / "kwsearch-shard@srv-docs.service").string()},
      options);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, AllOf(Not(HasSubstr("kwindex@")), Not(HasSubstr("kwsearch-shard@"))));
}

TEST_F(KwindexSchedule, TheServiceIsExposedLittle) {
  if (run_command({"sh", "-c", "command -v systemd-analyze"}).exit_code != 0)
    GTEST_SKIP() << "systemd-analyze is not installed";
  const fs::path service = dir_ / "kwindex@srv-docs.service";
  write_file(service, unit("kwindex@.service"));
  // Of 10, in tenths: it fails above.
  const CommandResult result = run_command({"systemd-analyze", "security", "--offline=true",
                                            "--threshold=17", "--no-pager", service.string()});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_THAT(result.out, HasSubstr("Overall exposure level for kwindex@srv-docs.service: 1."));
}

}  // namespace
}  // namespace kw::test
