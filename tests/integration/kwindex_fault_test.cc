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

#include "tests/integration/kwindex_fixture.h"
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

  struct Fault {
    const char* at;                   ///< the variable that says when
    std::vector<std::string> others;  ///< of the fault layer
    const char* said;                 ///< by each run that fails
  };

  /// `kwindex tree WORDS` with the fault at each call, from the state that was saved.
  void fail_everywhere(std::vector<std::string> words, const Fault& fault) {
    words.insert(words.begin(), {"kwindex", "tree"});
    restore_index();
    const std::string before = dump(database());
    const std::string after = fresh_dump();
    int failed = 0, unharmed = 0;
    // A run may go on after a fault (to clean up, or without definitions), so the end is where
    // several in a row have done nothing.
    for (int at = 1; unharmed < 3 && !HasFailure(); at += stride(3)) {
      SCOPED_TRACE(fmt::format("{}={} {}", fault.at, at, words.back()));
      restore_index();
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
  save_index();
  change_the_tree();
  const Fault full{"KW_FAIL_AT", {fmt::format("KW_ERRNO={}", ENOSPC)}, "[Nn]o space left"};
  fail_everywhere({"-q"}, full);
  fail_everywhere({"--rebuild"}, full);
  if (effort() == 1) return;
  const Fault quota{"KW_FAIL_AT", {fmt::format("KW_ERRNO={}", EDQUOT)}, "[Qq]uota exceeded"};
  fail_everywhere({"-q"}, quota);
  fail_everywhere({"--rebuild"}, quota);
}

TEST_F(KwindexFault, AWriteThatFailsOnce) {
  index();
  save_index();
  change_the_tree();
  const Fault once{
      "KW_FAIL_AT", {fmt::format("KW_ERRNO={}", EIO), "KW_FAIL_ONCE=1"}, "[Ii]nput/output error"};
  fail_everywhere({"-q"}, once);
  fail_everywhere({"--rebuild"}, once);
}

TEST_F(KwindexFault, ReadsThatFail) {
  index();
  save_index();
  change_the_tree();
  for (const char* once : {"KW_FAIL_ONCE=0", "KW_FAIL_ONCE=1"})
    fail_everywhere({"-q"}, {"KW_FAIL_READ_AT", {fmt::format("KW_ERRNO={}", EIO), once}, ""});
}

TEST_F(KwindexFault, AClockThatJumps) {
  constexpr int kDay = 86'400;
  int state = 0;
  for (const int ahead : {kDay, 0, -kDay, 10 * 365 * kDay, -10 * 365 * kDay, 0}) {
    SCOPED_TRACE(ahead);
    write_file(root() / "a.md", fmt::format("# A\n\nOne `OldName{}`.\n", state++));  // of one size
    write_file(root() / fmt::format("new{}.md", state), "# New\n");
    const std::vector<std::string> clock{fmt::format("KW_CLOCK_AHEAD={}", ahead)};
    const CommandResult result = run_with({"kwindex", "tree", "--json"}, clock, dir_.str());
    ASSERT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(nlohmann::json::parse(result.out)["indexed"], state == 1 ? 4 : 2);
    EXPECT_EQ(dump(database()), fresh_dump());
    EXPECT_EQ(run_with({"kwindex", "tree", "--status"}, clock, dir_.str()).exit_code, 0);
  }
}

// As on some network file systems: what reads goes on, and what would write changes nothing.
TEST_F(KwindexFault, AFileSystemWithoutLocks) {
  index();
  const std::string before = dump(database());
  change_the_tree();
  for (const std::string which : {"1", "2"}) {  // none at all, or none of those that Xapian takes
    const auto without_locks = [&](std::vector<std::string> command) {
      return run_with(std::move(command), {"KW_NO_LOCKS=" + which}, dir_.str());
    };
    for (const std::vector<std::string>& words : {std::vector<std::string>{"tree"},
                                                  {"tree", "--rebuild"},
                                                  {"tree", "--db", "new" + which}}) {
      std::vector<std::string> command{"kwindex", "-q"};
      command.insert(command.end(), words.begin(), words.end());
      const CommandResult refused = without_locks(command);
      EXPECT_EQ(refused.exit_code, 2) << words.back();
      EXPECT_THAT(refused.err, testing::AllOf(HasSubstr("lock"), HasSubstr("\nhint: ")));
    }
    EXPECT_EQ(dump(database()), before);
    for (const std::vector<std::string>& command :
         {std::vector<std::string>{KW_SEARCH_UNDER_FAULTS, "--db", "tree", "OldName"},
          {"kwexport", "--db", "tree", "--out", "md" + which},
          {"kwexport", "--db", "tree", "--format", "html", "--out", "site" + which},
          {"kwindex", "tree", "--check"},
          {"kwindex", "tree", "--status"}}) {
      const CommandResult read = without_locks(command);
      EXPECT_EQ(read.exit_code, 0) << command[0] << " " << command.back() << ": " << read.err;
      EXPECT_EQ(read.err, "");
    }
  }
  index();
  EXPECT_EQ(dump(database()), fresh_dump());
}

// A reader that can take no lock does not make a writer work on a copy: two updates in place may
// take away what it reads. That is an error, and the export can be repeated.
TEST_F(KwindexFault, AnExportWithoutLocksBesideTwoUpdates) {
  for (int i = 0; i < 200; ++i)
    write_file(root() / fmt::format("page{}.md", i), fmt::format("# Page {}\n\nword{}\n", i, i));
  index();
  write_file(dir_ / "updates",
             "set -e\nfor n in 1 2; do\n  for i in $(seq 0 9 199); do\n"
             "    echo \"# Again $n $i $KW_TURN\" >tree/page$i.md\n  done\n"
             "  " KW_BINARY_DIR "/bin/kwindex tree -q\ndone\necho >updated\n");
  const auto export_beside = [&](const std::string& format, int at, const std::string& no_locks) {
    fs::remove(dir_ / "updated");
    return run_with({"kwexport", "--db", "tree", "--format", format, "--out", "out-" + format},
                    {"KW_NO_LOCKS=" + no_locks, fmt::format("KW_RUN_AT={}", at),
                     fmt::format("KW_TURN={}", at), "KW_RUN=sh updates"},
                    dir_.str());
  };
  int failed = 0, tried = 0;
  for (const std::string format : {"md", "html"}) {
    for (int at = 10;; at += 15 * test::stride(4)) {
      SCOPED_TRACE(fmt::format("{} {}", format, at));
      const CommandResult beside = export_beside(format, at, "1");
      if (!fs::exists(dir_ / "updated")) break;
      ++tried;
      EXPECT_THAT(beside.exit_code, AnyOf(0, 2));
      if (beside.exit_code == 2) {
        ++failed;
        EXPECT_THAT(beside.err, testing::AllOf(HasSubstr("it changed while it was read"),
                                               HasSubstr("hint: try again")));
      }
      EXPECT_EQ(export_beside(format, 0, "1").exit_code, 0);
      EXPECT_EQ(export_beside(format, at, "0").exit_code, 0) << "with locks";
    }
  }
  EXPECT_GT(tried, 5);
  EXPECT_GT(failed, 0) << "else nothing was tried";
}

TEST_F(KwindexFault, ASearchThatCannotRead) {
  index();
  const std::vector<std::string> search{KW_SEARCH_UNDER_FAULTS, "--db", root().string(), "Kept"};
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

/// A real file system, which fills up by bytes: no call is failed for us. Each size is tried from
/// what the old index takes up to what the run needs.
class KwindexSmallDisk : public KwindexFault {
 protected:
  static constexpr int kPage = 4096;

  void SetUp() override {
    if (!mounts({"unshare", "-m"}) && !mounts({"unshare", "-rm"}))
      GTEST_SKIP() << "neither root nor a user namespace that may mount";
    fs::create_directory(dir_ / "disk");
  }

  bool mounts(std::vector<std::string> words) {
    namespace_ = words;
    words.insert(words.end(), {"mount", "-t", "tmpfs", "none", dir_.str()});
    return run_command(words).exit_code == 0;
  }

  /// On a disk with `room` bytes beside what is in dir_/saved: the run, what it leaves, and the
  /// next run after the disk has grown. The names are those of files in dir_.
  void run_on_disk(int room, const std::string& words) const {
    const std::string bin = std::string(KW_BINARY_DIR) + "/bin/";
    const std::string script = fmt::format(
        // Xapian leaves memory behind when a disk is full: its own affair, in a program that ends.
        "export ASAN_OPTIONS=detect_leaks=0; cd {0} && mount -t tmpfs -o size=64m,mode=0700 none "
        "disk &&"
        " if [ -d saved ]; then cp -r saved disk/index; fi &&"
        " used=$(df --output=used -B 1 disk | tail -n 1) &&"
        " mount -o remount,size=$((used + {1})) disk || exit 9\n"
        "{2}kwindex tree --db disk/index --trust {3} >out 2>err; echo $? >code\n"
        "{4}/kwdump disk/index >now 2>now.err || echo none >now\n"
        "{2}kwsearch --db disk/index -c 'Kept OR OldName' >found 2>&1\n"
        "mount -o remount,size=64m disk || exit 9\n"
        "{2}kwindex tree --db disk/index --trust -q >again 2>&1; echo $? >>again\n"
        "{4}/kwdump disk/index >later\n"
        "ls disk/index >left\n",
        dir_.str(), room, bin, words, KW_BINARY_DIR);
    std::vector<std::string> command = namespace_;
    command.insert(command.end(), {"sh", "-c", script});
    const CommandResult result = run_command(command);
    ASSERT_EQ(result.exit_code, 0) << result.err;
  }

  std::string said(const std::string& name) const { return read_text(dir_ / name); }

  /// Each amount of room until it is enough. `before` is "none\n" where there is no index.
  void fill_everywhere(const std::string& words, const std::string& before) {
    const std::string after = fresh_dump();
    const int step = std::max(1, 5 / effort()) * kPage;
    int failed = 0;
    bool done = false;
    for (int room = 0; !done && !HasFailure(); room += step) {
      SCOPED_TRACE(fmt::format("{} bytes for {}", room, words));
      // No room at all is a whole disk of one page: a size of 0 has no limit.
      ASSERT_NO_FATAL_FAILURE(run_on_disk(std::max(room, kPage), words));
      done = said("code") == "0\n";
      if (done) {
        EXPECT_EQ(said("now"), after);
      } else {
        ++failed;
        EXPECT_EQ(said("code"), "2\n") << said("err");
        EXPECT_THAT(said("err"), testing::ContainsRegex("error: .*[Nn]o space left"));
        EXPECT_THAT(said("now"), AnyOf(before, after));
      }
      if (said("now") != "none\n") {
        EXPECT_EQ(said("found"), "2\n");
      }
      EXPECT_EQ(said("again"), "0\n");
      EXPECT_EQ(said("later"), after);
      EXPECT_THAT(said("left"), testing::Not(HasSubstr(".tmp")));
    }
    std::printf("%d sizes were too small for %s\n", failed, words.c_str());
    EXPECT_GT(failed, 3);
  }

  std::vector<std::string> namespace_;
};

TEST_F(KwindexSmallDisk, FillsUpAtEveryPoint) {
  const auto write_names = [&](int factor) {
    std::string text = "# E\n";
    for (int i = 0; i < 1000; ++i) text += fmt::format("word{} `Name{}`\n", i * factor, i * factor);
    write_file(root() / "e.md", text);
  };
  write_names(7919);
  fill_everywhere("-q", "none\n");
  ASSERT_EQ(run({"tree", "--db", "saved", "-q"}).exit_code, 0);
  const std::string before = dump(dir_ / "saved");
  write_file(root() / "a.md", "# A\n\nAnother `NewName` beside `OldName`.\n");
  write_names(7907);
  fs::remove(root() / "c/d.md");
  fill_everywhere("-q", before);
  fill_everywhere("--rebuild -q", before);
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
  const int rounds = 25 * effort() / stride(3);
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
