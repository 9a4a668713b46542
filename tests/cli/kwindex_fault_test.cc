// SPDX-License-Identifier: GPL-2.0-or-later
// A disk that is full or broken at every moment of a run, and readers that never notice a writer:
// a clear message, the old index or the new one whole, and the next good run repairs.
#include <fmt/format.h>
#include <sys/stat.h>

#include <atomic>
#include <cerrno>
#include <functional>
#include <set>
#include <thread>

#include "tests/cli/kwindex_fixture.h"
#include "tests/support/effort.h"

namespace kw::test {
namespace {

using testing::AnyOf;
using testing::HasSubstr;

class KwindexFault : public KwindexTest {
 protected:
  KwindexFault() {
    make_tree(root(), {{"a.md", "# A\n\nOne `OldName`.\n"},
                       {"b.py", "class Kept:\n    pass\n"},
                       {"c/d.md", "# D\n"}});
  }

  static CommandResult run_with(std::vector<std::string> command, std::vector<std::string> faults,
                                const std::string& folder) {
    CommandOptions options;
    options.folder = folder;
    options.environment = std::move(faults);
    options.environment.insert(
        options.environment.end(),
        {"LD_PRELOAD=" KW_FAULT_LAYER, "ASAN_OPTIONS=verify_asan_link_order=0:detect_leaks=0"});
    return run_command(std::move(command), options);
  }

  void save() const {
    fs::remove_all(dir_ / "saved");
    fs::copy(database(), dir_ / "saved", fs::copy_options::recursive);
  }
  void restore() const {
    fs::remove_all(database());
    fs::copy(dir_ / "saved", database(), fs::copy_options::recursive);
  }

  struct Fault {
    const char* at;                   ///< the variable that says when
    std::vector<std::string> others;  ///< of the fault layer
    const char* said;                 ///< by each run that fails
  };

  /// `kwindex tree WORDS` with the fault at each call, from the state that was saved.
  void fail_everywhere(std::vector<std::string> words, const Fault& fault) {
    words.insert(words.begin(), {"kwindex", "tree"});
    restore();
    const std::string before = dump(database());
    const std::string after = fresh_dump();
    int failed = 0, unharmed = 0;
    // A run may go on after a fault (to clean up, or without definitions), so the end is where
    // several in a row have done nothing.
    for (int at = 1; unharmed < 3 && !HasFailure(); ++at) {
      SCOPED_TRACE(fmt::format("{}={} {}", fault.at, at, words.back()));
      restore();
      std::vector<std::string> faults = fault.others;
      faults.push_back(fmt::format("{}={}", fault.at, at));
      const CommandResult result = run_with(words, faults, dir_.str());
      EXPECT_THAT(result.exit_code, AnyOf(0, 2, 3)) << result.err;
      if (result.exit_code == 2) {
        EXPECT_THAT(result.err, testing::ContainsRegex(fault.said));
        EXPECT_THAT(result.err, HasSubstr("error: "));
        ++failed;
      }
      unharmed = result.exit_code == 0 && result.err.empty() ? unharmed + 1 : 0;
      const std::string now = dump(database());
      if (result.exit_code == 0) {
        EXPECT_EQ(now, after);
      } else if (result.exit_code == 2) {
        EXPECT_THAT(now, AnyOf(before, after));
      }
      const CommandResult searched =
          run_command({"kwsearch", "--db", root().string(), "-c", "Kept OR OldName"});
      EXPECT_THAT(searched.exit_code, result.exit_code == 3 ? AnyOf(0, 1) : AnyOf(0, 0))
          << searched.err;
      EXPECT_EQ(run({"tree"}).exit_code, 0);
      EXPECT_EQ(dump(database()), after);
      for (const auto& entry : fs::directory_iterator(database()))
        EXPECT_NE(entry.path().extension(), ".tmp") << "left behind: " << entry.path();
    }
    EXPECT_GT(failed, 3) << "else nothing was tried";
  }

  void change_the_tree() const {
    write_file(root() / "a.md", "# A\n\nAnother `NewName`.\n");
    write_file(root() / "e.md", "# E\n");
    fs::remove(root() / "c/d.md");
  }
};

TEST_F(KwindexFault, AFullDisk) {
  index();
  save();
  change_the_tree();
  const Fault full{"KW_FAIL_AT", {fmt::format("KW_ERRNO={}", ENOSPC)}, "[Nn]o space left"};
  fail_everywhere({"-q"}, full);
  fail_everywhere({"--rebuild"}, full);
}

TEST_F(KwindexFault, AWriteThatFailsOnce) {
  index();
  save();
  change_the_tree();
  const Fault once{
      "KW_FAIL_AT", {fmt::format("KW_ERRNO={}", EIO), "KW_FAIL_ONCE=1"}, "[Ii]nput/output error"};
  fail_everywhere({"-q"}, once);
  fail_everywhere({"--rebuild"}, once);
}

TEST_F(KwindexFault, ReadsThatFail) {
  index();
  save();
  change_the_tree();
  for (const char* once : {"KW_FAIL_ONCE=0", "KW_FAIL_ONCE=1"})
    fail_everywhere({"-q"}, {"KW_FAIL_READ_AT", {fmt::format("KW_ERRNO={}", EIO), once}, ""});
}

TEST_F(KwindexFault, ASearchThatCannotRead) {
  index();
  const std::vector<std::string> search{"kwsearch", "--db", root().string(), "Kept"};
  const CommandResult good = run_command(search);
  ASSERT_EQ(good.exit_code, 0);
  int failed = 0, unharmed = 0;
  for (int at = 1; unharmed < 3; ++at) {
    SCOPED_TRACE(at);
    const CommandResult result = run_with(
        search, {fmt::format("KW_FAIL_READ_AT={}", at), fmt::format("KW_ERRNO={}", EIO)}, "/");
    EXPECT_THAT(result.exit_code, AnyOf(0, 2)) << result.err;
    if (result.exit_code == 0) {
      EXPECT_EQ(result.out, good.out) << "all or nothing";
      ++unharmed;
    } else {
      EXPECT_THAT(result.err, HasSubstr("error: "));
      unharmed = 0;
      ++failed;
    }
  }
  EXPECT_GT(failed, 3);
}

/// Four readers in a loop, each answer compared: all files, all in one state.
TEST_F(KwindexFault, ReadersNeverSuffer) {
  constexpr int kFiles = 40;
  const auto write_state = [&](int state) {
    for (int i = 0; i < kFiles; ++i)
      write_file(root() / fmt::format("many/{:02}.md", i),
                 fmt::format("# Page {}\n\nCommonName state{:04}\n", i, state));
  };
  write_state(0);
  index();
  std::atomic<bool> stop{false};
  std::atomic<int> answers{0};
  std::array<std::string, 4> wrong;  // the first fault that each reader saw
  std::vector<std::thread> readers;
  for (std::size_t r = 0; r < wrong.size(); ++r)
    readers.emplace_back([&, r] {
      while (!stop && wrong[r].empty()) {
        const CommandResult result = run_command(
            {"kwsearch", "--db", root().string(), "--json", "-n", "0", "-m", "1", "CommonName"});
        std::set<std::string> texts;
        std::istringstream lines(result.out);
        int hits = 0;
        for (std::string line; std::getline(lines, line); ++hits) {
          const auto hit = nlohmann::json::parse(line);
          for (const auto& match : hit["matches"]) texts.insert(match["text"].get<std::string>());
        }
        if (result.exit_code != 0 || !result.err.empty() || hits != kFiles || texts.size() != 1)
          wrong[r] = fmt::format("exit {}, {} hits, {} states: {}", result.exit_code, hits,
                                 texts.size(), result.err);
        ++answers;
      }
    });
  const int rounds = 25 * effort();
  for (int round = 1; round <= rounds; ++round) {
    write_state(round);
    const bool rebuild = round % 5 == 0;
    EXPECT_EQ(run(rebuild ? std::vector<std::string>{"tree", "-q", "--rebuild"}
                          : std::vector<std::string>{"tree", "-q"})
                  .exit_code,
              0);
  }
  stop = true;
  for (std::thread& reader : readers) reader.join();
  for (const std::string& fault : wrong) EXPECT_EQ(fault, "");
  std::printf("%d answers during %d runs\n", answers.load(), rounds);
  EXPECT_GT(answers, rounds / 2);
}

}  // namespace
}  // namespace kw::test
