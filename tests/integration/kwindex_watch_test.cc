// SPDX-License-Identifier: GPL-2.0-or-later
// kwindex --watch, as a process beside a tree that changes.
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <optional>

#include "schema/base/descriptor.h"
#include "tests/integration/kwindex_fixture.h"

namespace kw::test {
namespace {

using std::chrono::steady_clock;

/// A kwindex that watches, and what it says.
class WatchProcess {
 public:
  WatchProcess(const std::string& folder, std::vector<std::string> words,
               std::vector<std::string> environment = {}) {
    words.insert(words.begin(), std::string(KW_BINARY_DIR) + "/bin/kwindex");
    words.insert(words.begin(), {"env", "-C", folder});
    words.insert(words.begin() + 3, environment.begin(), environment.end());
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return;
    output_ = Descriptor(ends[0]);
    const Descriptor write_end(ends[1]);
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_adddup2(&actions, write_end.get(), 1);
    ::posix_spawn_file_actions_adddup2(&actions, write_end.get(), 2);
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    posix_spawnattr_t attributes;
    ::posix_spawnattr_init(&attributes);
    sigset_t
        unignored;  // a shell ignores SIGINT for what it runs behind `&`, and children inherit it
    ::sigemptyset(&unignored);
    ::sigaddset(&unignored, SIGINT);
    ::posix_spawnattr_setsigdefault(&attributes, &unignored);
    // A group of its own.
    ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
    if (::posix_spawnp(&process_, "env", &actions, &attributes, argv.data(), environ) != 0)
      process_ = -1;
    ::posix_spawnattr_destroy(&attributes);
    ::posix_spawn_file_actions_destroy(&actions);
  }
  WatchProcess(const WatchProcess&) = delete;
  WatchProcess& operator=(const WatchProcess&) = delete;
  ~WatchProcess() {
    if (process_ > 0) ::kill(process_, SIGKILL);
    wait();
  }

  void send(int signal) const { ::kill(process_, signal); }
  /// As Ctrl-Z does: to the process that works and the one that waits for it.
  void send_to_group(int signal) const { ::kill(-process_, signal); }

  /// The exit code, or 128 + the signal.
  int wait() {
    if (process_ <= 0) return -1;
    int status = 0;
    ::waitpid(process_, &status, 0);
    process_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

  /// Waits for the next words, a minute at most; false if none came.
  bool hear() {
    pollfd ready{output_.get(), POLLIN, 0};
    char buffer[4096];
    if (::poll(&ready, 1, 60'000) <= 0) return false;
    const ssize_t n = ::read(output_.get(), buffer, sizeof buffer);
    if (n <= 0) return false;
    said_.append(buffer, static_cast<std::size_t>(n));
    return true;
  }
  const std::string& said() const { return said_; }

 private:
  pid_t process_ = -1;
  Descriptor output_;
  std::string said_;
};

class KwindexWatch : public KwindexTest {
 protected:
  KwindexWatch() { make_tree(root(), {{"a.md", "# A\n"}, {"src/b.py", "class B:\n    pass\n"}}); }

  /// Until the index is the one of a fresh build; the watch speaks after each change.
  void expect_fresh(WatchProcess& watch) const {
    const std::string fresh = fresh_dump();
    while (dump(database()) != fresh)
      if (!watch.hear()) {
        ADD_FAILURE() << "the index is not up to date; said: " << watch.said();
        return;
      }
  }

  void expect_end(WatchProcess& watch) const {
    watch.send(SIGTERM);
    EXPECT_EQ(watch.wait(), 0) << watch.said();
    for (const auto& entry : fs::directory_iterator(database()))
      EXPECT_NE(entry.path().extension(), ".tmp") << "left behind: " << entry.path();
    EXPECT_EQ(run({"tree", "--check"}).exit_code, 0);
  }
};

TEST_F(KwindexWatch, AThousandChangesInBursts) {
  WatchProcess watch(dir_.str(), {"tree", "--watch"});
  ASSERT_TRUE(watch.hear());
  int changes = 0;
  for (int burst = 0; burst < 5; ++burst) {
    const fs::path folder = root() / fmt::format("burst{}", burst);
    for (int i = 0; i < 150; ++i, ++changes)
      write_file(folder / fmt::format("{}/{}.md", i % 5, i), fmt::format("# Page {}\n", i));
    for (int i = 0; i < 30; ++i, ++changes)
      write_file(folder / fmt::format("{}/{}.md", i % 5, i), "# Edited\n");
    for (int i = 30; i < 48; ++i, ++changes) fs::remove(folder / fmt::format("{}/{}.md", i % 5, i));
    fs::rename(folder / "4", folder / "renamed");
    write_file(folder / ".ignore", "1?.md\n");
    changes += 2;
    if (burst % 2) expect_fresh(watch);
  }
  EXPECT_EQ(changes, 1000);
  const auto last = steady_clock::now();
  expect_fresh(watch);
  std::printf("up to date %.2f s after the last change, the fresh build among them\n",
              std::chrono::duration<double>(steady_clock::now() - last).count());
  expect_end(watch);
}

TEST_F(KwindexWatch, ATreeOfEmptyFiles) {
  for (int i = 0; i < 120; ++i) write_file(root() / fmt::format("{:03}.txt", i), "");
  WatchProcess watch(dir_.str(), {"tree", "--watch"});
  ASSERT_TRUE(watch.hear());
  expect_fresh(watch);
  write_file(root() / "000.txt", "# some words\n");
  expect_fresh(watch);
  expect_end(watch);
}

TEST_F(KwindexWatch, MoreEventsThanTheQueueHolds) {
  WatchProcess watch(dir_.str(), {"tree", "--watch"});
  ASSERT_TRUE(watch.hear());
  int limit = 16'384;
  std::ifstream("/proc/sys/fs/inotify/max_queued_events") >> limit;
  watch.send_to_group(SIGSTOP);
  for (int i = 0; i < limit + 100; ++i)  // each other than the one before: equal ones are merged
    ::utimensat(AT_FDCWD, (root() / (i % 2 ? "a.md" : "src/b.py")).c_str(), nullptr, 0);
  write_file(root() / "src/new.md", "# New\n");
  watch.send_to_group(SIGCONT);
  expect_fresh(watch);
  while (watch.said().find("changes came faster") == std::string::npos)
    ASSERT_TRUE(watch.hear()) << watch.said();
  expect_end(watch);
}

TEST_F(KwindexWatch, FewerWatchesThanFolders) {
  WatchProcess watch(
      dir_.str(), {"tree", "--watch"},
      {"LD_PRELOAD=" KW_FAULT_LAYER, "KW_MAX_WATCHES=1", "ASAN_OPTIONS=verify_asan_link_order=0"});
  while (watch.said().find("max_user_watches") == std::string::npos) ASSERT_TRUE(watch.hear());
  for (const char* name : {"one", "two"}) {  // the first may be seen by the run after the watches
    write_file(root() / "src" / name, "# Unseen\n");
    expect_fresh(watch);
  }
  EXPECT_EQ(watch.said().find("can be watched"), watch.said().rfind("can be watched")) << "once";
  expect_end(watch);
}

TEST_F(KwindexWatch, AnotherRootInItsPlace) {
  make_tree(dir_ / "next", {{"n.md", "# Next\n"}});
  WatchProcess watch(dir_.str(), {"tree", "--db", "index", "--watch"});
  ASSERT_TRUE(watch.hear());
  fs::rename(root(), dir_ / "before");
  fs::rename(dir_ / "next", root());
  const std::string fresh = fresh_dump();
  while (dump(dir_ / "index") != fresh) ASSERT_TRUE(watch.hear()) << watch.said();
  write_file(root() / "later.md", "# Later\n");
  const std::string later = fresh_dump();
  while (dump(dir_ / "index") != later) ASSERT_TRUE(watch.hear()) << watch.said();
  watch.send(SIGTERM);
  EXPECT_EQ(watch.wait(), 0);
}

// As a deployment does it: mv -T next current.
TEST_F(KwindexWatch, ALinkToTheRootIsFollowedWhereItLeads) {
  make_tree(dir_ / "next", {{"n.md", "# Next\n"}});
  for (const bool elsewhere : {false, true}) {
    SCOPED_TRACE(elsewhere ? "--db index" : "an index in each");
    fs::remove(dir_ / "current");
    fs::create_directory_symlink(root(), dir_ / "current");
    const fs::path index = elsewhere ? dir_ / "index" : dir_ / "next/.kwsearch";
    std::vector<std::string> words{"current", "--watch"};
    if (elsewhere) words.insert(words.end(), {"--db", "index"});
    WatchProcess watch(dir_.str(), words);
    ASSERT_TRUE(watch.hear());
    fs::create_directory_symlink(dir_ / "next", dir_ / "new");
    fs::rename(dir_ / "new", dir_ / "current");
    const auto holds = [&](const char* path) {
      return fs::exists(index / "XAPIANDB") && dump(index).find(path) != std::string::npos;
    };
    while (!holds("n.md")) ASSERT_TRUE(watch.hear()) << watch.said();
    write_file(dir_ / "next/later.md", "# Later\n");
    while (!holds("later.md")) ASSERT_TRUE(watch.hear()) << watch.said();
    EXPECT_FALSE(holds("a.md"));
    EXPECT_THAT(watch.said(), testing::Not(testing::HasSubstr("error")));
    watch.send(SIGTERM);
    EXPECT_EQ(watch.wait(), 0);
    fs::remove(dir_ / "next/later.md");
  }
}

// Where no record can be kept, it remembers what it made.
TEST_F(KwindexWatch, WithoutAStateFolder) {
  write_file(dir_ / "file", "");
  WatchProcess watch(dir_.str(), {"tree", "--watch"},
                     {"XDG_STATE_HOME=" + (dir_ / "file/state").string()});
  ASSERT_TRUE(watch.hear());
  for (int i = 0; i < 2; ++i) {
    write_file(root() / fmt::format("later{}.md", i), "# Later\n");
    expect_fresh(watch);
  }
  EXPECT_THAT(watch.said(), testing::HasSubstr("no record of this index could be kept"));
  EXPECT_THAT(watch.said(), testing::Not(testing::HasSubstr("rebuilt")));
  watch.send(SIGTERM);
  EXPECT_EQ(watch.wait(), 0);
}

TEST_F(KwindexWatch, RulesThatChange) {
  fs::create_directory(dir_ / ".git");
  write_file(root() / "c.md", "# C\n");  // a tree without a file would leave the index as it is
  WatchProcess watch(dir_.str(), {"tree", "--watch"});
  ASSERT_TRUE(watch.hear());
  write_file(root() / ".kwsearch.toml", "exclude = [\"a.md\"]\n");
  expect_fresh(watch);
  write_file(dir_ / ".gitignore", "b.py\n");
  expect_fresh(watch);
  EXPECT_EQ(dump(database()).find("src/b.py"), std::string::npos);
  expect_end(watch);
}

// inotify shows what happens by the names of a folder.
TEST_F(KwindexWatch, AScanFindsWhatWasWrittenThroughAnotherLink) {
  fs::create_hard_link(root() / "a.md", dir_ / "elsewhere.md");
  WatchProcess watch(dir_.str(), {"tree", "--watch", "--scan", "0.3"});
  ASSERT_TRUE(watch.hear());
  std::ofstream(dir_ / "elsewhere.md", std::ios::app) << "more words\n";
  expect_fresh(watch);
  expect_end(watch);
}

TEST_F(KwindexWatch, ARootThatGoesAndComesBack) {
  WatchProcess watch(dir_.str(), {"tree", "--db", "index", "--watch", "--then", "echo done"});
  while (watch.said().find("done") == std::string::npos) ASSERT_TRUE(watch.hear());
  fs::rename(root(), dir_ / "away");
  while (watch.said().find("error: ") == std::string::npos) ASSERT_TRUE(watch.hear());
  write_file(dir_ / "away/c.md", "# C\n");
  fs::rename(dir_ / "away", root());
  const std::string fresh = fresh_dump();
  while (dump(dir_ / "index") != fresh) ASSERT_TRUE(watch.hear()) << watch.said();
  watch.send(SIGINT);
  EXPECT_EQ(watch.wait(), 0);
}

TEST_F(KwindexWatch, ItEndsWhereItCannotBegin) {
  EXPECT_EQ(run({"nowhere", "--watch"}).exit_code, 2);
  index();
  const Descriptor lock(::open((database() / "lock").c_str(), O_RDWR | O_CLOEXEC));
  ASSERT_EQ(::flock(lock.get(), LOCK_EX), 0);
  EXPECT_EQ(run({"tree", "--watch"}).exit_code, 75);
}

}  // namespace
}  // namespace kw::test
