// SPDX-License-Identifier: GPL-2.0-or-later
// kill -9 at each moment of a run: the index then is the one of before or the one of after, and the
// next run makes it equal to a fresh build.
#include <fmt/format.h>

#include <functional>

#include "tests/cli/kwindex_fixture.h"

namespace kw::test {
namespace {

class KwindexCrash : public KwindexTest {
 protected:
  KwindexCrash() {
    make_tree(root(), {{"a.md", "# A\n\nOne `OldName`.\n"},
                       {"b.py", "class Kept:\n    pass\n"},
                       {"c/d.md", "# D\n"}});
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
    for (int at = 1; !HasFailure(); ++at) {
      SCOPED_TRACE(fmt::format("killed before call {}", at));
      prepare();
      const bool survived = survives(at, command);
      const CommandResult now = run_command({"kwdump", database().string()});
      if (now.exit_code == 0)
        EXPECT_THAT(now.out, testing::AnyOf(before, after));
      else
        EXPECT_EQ(before, "") << "an index was there: " << now.err;
      EXPECT_EQ(run({"tree"}).exit_code, 0);
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
  fs::copy(database(), dir_ / "saved", fs::copy_options::recursive);
  write_file(root() / "a.md", "# A\n\nAnother `NewName`.\n");
  crash_everywhere({"--rebuild"}, before, [&] {
    fs::remove_all(database());
    fs::copy(dir_ / "saved", database(), fs::copy_options::recursive);
  });
}

TEST_F(KwindexCrash, Update) {
  index();
  const std::string before = dump(database());
  fs::copy(database(), dir_ / "saved", fs::copy_options::recursive);
  write_file(root() / "a.md", "# A\n\nAnother `NewName`.\n");
  write_file(root() / "e.md", "# E\n");
  fs::remove(root() / "c/d.md");
  crash_everywhere({}, before, [&] {
    fs::remove_all(database());
    fs::copy(dir_ / "saved", database(), fs::copy_options::recursive);
  });
}

}  // namespace
}  // namespace kw::test
