// SPDX-License-Identifier: GPL-2.0-or-later
// kill -9 at each moment of a run: the index then is the one of before or the one of after, and the
// next run makes it equal to a fresh build.
#include <fmt/format.h>

#include <chrono>
#include <functional>
#include <random>

#include "tests/integration/kwindex_fixture.h"
#include "tests/support/effort.h"

namespace kw::test {
namespace {

class KwindexCrash : public KwindexTest {
 protected:
  KwindexCrash() {
    make_tree(root(), {{"a.md", "# A\n\nOne `OldName`.\n"},
                       {"b.py", "class Kept:\n    pass\n"},
                       {"c/d.md", "# D\n"}});
  }

  void SetUp() override {
#if defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "calls of the thread sanitizer itself count as points to crash at";
#endif
  }

  /// Runs until its crash point; true if it came to its end.
  bool survives(int crash_at, const std::vector<std::string>& words) const {
    CommandOptions options;
    options.environment = {"LD_PRELOAD=" KW_FAULT_LAYER, fmt::format("KW_CRASH_AT={}", crash_at),
                           "ASAN_OPTIONS=verify_asan_link_order=0"};
    const CommandResult result = run(words, options);
    EXPECT_THAT(result.exit_code, testing::AnyOf(0, 137)) << result.err;
    return result.exit_code == 0;
  }

  /// Each crash point of `kwindex tree WORDS`, from the state that `prepare` makes. `before` is the
  /// dump of that state, empty if there is no index.
  void crash_everywhere(const std::vector<std::string>& words, const std::string& before,
                        const std::function<void()>& prepare) {
    const std::string after = fresh_dump();
    std::vector<std::string> command{"tree"};
    command.insert(command.end(), words.begin(), words.end());
    int points = 0;
    for (int at = 1; !HasFailure(); at += stride(3)) {
      SCOPED_TRACE(fmt::format("killed before call {}", at));
      prepare();
      const bool survived = survives(at, command);
      const CommandResult now = run_command({"kwdump", database().string()});
      if (now.exit_code == 0)
        EXPECT_THAT(now.out, testing::AnyOf(before, after));
      else
        EXPECT_EQ(before, "") << "an index was there: " << now.err;
      const CommandResult next = run({"tree"});
      EXPECT_EQ(next.exit_code, 0);
      EXPECT_THAT(next.err, testing::Not(testing::HasSubstr("no record"))) << "each index has one";
      EXPECT_EQ(dump(database()), after);
      for (const auto& entry : fs::directory_iterator(database()))
        EXPECT_NE(entry.path().extension(), ".tmp") << "left behind: " << entry.path();
      if (survived) break;
      ++points;
    }
    EXPECT_GT(points, 3) << "else nothing was tried";
  }
};

TEST_F(KwindexCrash, FirstBuild) {
  crash_everywhere({}, "", [&] { fs::remove_all(database()); });
}

TEST_F(KwindexCrash, Rebuild) {
  index();
  const std::string before = dump(database());
  save_index();
  write_file(root() / "a.md", "# A\n\nAnother `NewName`.\n");
  crash_everywhere({"--rebuild"}, before, [&] { restore_index(); });
}

TEST_F(KwindexCrash, Update) {
  index();
  const std::string before = dump(database());
  save_index();
  write_file(root() / "a.md", "# A\n\nAnother `NewName`.\n");
  write_file(root() / "e.md", "# E\n");
  fs::remove(root() / "c/d.md");
  crash_everywhere({}, before, [&] { restore_index(); });
}

/// A tree that changes, and kwindex that is killed at times of chance: in the middle of its own
/// work, of ctags' and of the system's, not only before a call. Half of the time the next run finds
/// what the last one left.
class KwindexKill : public KwindexTest {
 protected:
  static constexpr int kFiles = 48;

  KwindexKill() {
    std::printf("seed %d\n", seed_);
    for (int i = 0; i < kFiles; ++i) edit(i);
  }

  int pick(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }

  void edit(int i) {
    std::string text =
        fmt::format("# Page {}\n\nCommonName, `Name{}`\n\n```python\n", i, pick(999));
    for (int n = pick(40); n > 0; --n)
      text += fmt::format("class Made{}:\n    def run_{}(self): pass\n", pick(999), n);
    write_file(root() / fmt::format("{}/{}.md", i % 4, i), text + "```\n");
  }

  void change_the_tree() {
    for (int n = 1 + pick(12); n > 0; --n) {
      const int i = pick(kFiles);
      if (pick(4) > 0)
        edit(i);
      else
        fs::remove(root() / fmt::format("{}/{}.md", i % 4, i));
    }
    edit(0);  // so that there is something to do
  }

  enum Kind { kFirstBuild, kRebuild, kUpdate };

  CommandResult run_kind(Kind kind, double timeout_seconds) {
    if (kind == kFirstBuild) fs::remove_all(database());
    CommandOptions options;
    options.timeout_seconds = timeout_seconds;
    return run({"tree", "-q", kind == kRebuild ? "--rebuild" : "--shared"}, options);
  }

  /// How long each kind of run takes when it is left alone.
  std::array<double, 3> measure() {
    std::array<double, 3> seconds{};
    for (const Kind kind : {kFirstBuild, kRebuild, kUpdate}) {
      change_the_tree();
      const auto begin = std::chrono::steady_clock::now();
      EXPECT_EQ(run_kind(kind, 120).exit_code, 0);
      seconds[kind] =
          std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    }
    return seconds;
  }

  /// What a killed run left must be one of the two states, and a search answers from all of it.
  std::string expect_whole(const std::string& before, const std::string& after) const {
    const CommandResult dumped = run_command({"kwdump", database().string()});
    if (dumped.exit_code != 0) {
      EXPECT_EQ(before, "") << "an index was there: " << dumped.err;
      return {};
    }
    EXPECT_TRUE(dumped.out == before || dumped.out == after) << "neither the old nor the new state";
    int files = 0;
    for (std::size_t at = 0; (at = dumped.out.find("\nfile ", at)) != std::string::npos; ++at)
      ++files;
    EXPECT_EQ(run_command({"kwsearch", "--db", root().string(), "-c", "CommonName"}).out,
              fmt::format("{}\n", files));
    return dumped.out;
  }

  const int seed_ = seed_or(1);
  std::mt19937 random_{static_cast<unsigned>(seed_)};
};

TEST_F(KwindexKill, AtRandomMoments) {
  const int wanted = 20 * effort() / stride(3);
  const std::array<double, 3> seconds = measure();
  std::string before = dump(database());
  std::array<int, 3> killed{};
  int runs = 0, old_states = 0;
  for (int kills = 0; kills < wanted && runs < 4 * wanted && !HasFailure(); ++runs) {
    change_the_tree();
    const std::string after = fresh_dump();
    const Kind kind = static_cast<Kind>(pick(3));
    if (kind == kFirstBuild) before.clear();
    const double moment = 1.2 * seconds[kind] * pick(1'000'000) / 1e6;
    SCOPED_TRACE(fmt::format("run {} of kind {}, killed after {:.6f} s of some {:.6f} s", runs,
                             static_cast<int>(kind), moment, seconds[kind]));
    const CommandResult result = run_kind(kind, moment);
    ASSERT_THAT(result.exit_code, testing::AnyOf(0, 124)) << result.err;
    const std::string now = expect_whole(before, after);
    if (result.exit_code == 124) {
      ++kills;
      ++killed[kind];
      old_states += now == before;
    } else {
      EXPECT_EQ(now, after);
    }
    before = now;
    if (pick(2)) continue;
    EXPECT_EQ(run({"tree"}).exit_code, 0);
    EXPECT_EQ(before = dump(database()), after) << "repaired";
    for (const auto& entry : fs::directory_iterator(database()))
      EXPECT_NE(entry.path().extension(), ".tmp") << "left behind: " << entry.path();
  }
  std::printf("killed %d first builds, %d rebuilds, %d updates in %d runs; %d left the old state\n",
              killed[kFirstBuild], killed[kRebuild], killed[kUpdate], runs, old_states);
  EXPECT_EQ(killed[0] + killed[1] + killed[2], wanted);
  EXPECT_EQ(run({"tree", "-q"}).exit_code, 0);
  EXPECT_EQ(run({"tree", "--check"}).exit_code, 0);
}

}  // namespace
}  // namespace kw::test
