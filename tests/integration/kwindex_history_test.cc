// SPDX-License-Identifier: GPL-2.0-or-later
// A tree lives through a random history, and is indexed again after every few steps: each time the
// index must be the one that a fresh build makes. Two seeds are tried, or $KW_SEED alone; the seed
// is printed.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <random>
#include <thread>

#include "tests/integration/kwindex_fixture.h"
#include "tests/support/effort.h"

namespace kw::test {
namespace {

constexpr int kSteps = 300;

class KwindexHistory : public KwindexTest {
 protected:
  void live(unsigned seed) {
    random_.seed(seed);
    options_.clear();
    given_.clear();
    fs::remove_all(root());
    fs::create_directories(root());
    git({"init", "-q", "-b", "main"});
    whole_seconds_ = seed % 4 >= 2;
    set_option("--symbols", seed % 2 ? "ctags" : "none");
    for (int i = 0; i < 12; ++i) create();
    reindex();
    for (int step = 0; step < kSteps && !HasFailure();) {
      for (int n = 1 + pick(7); n > 0 && step < kSteps; --n) {
        ++step;
        take_step();
      }
      SCOPED_TRACE(fmt::format("seed {}, step {}\n{}", seed, step, log_));
      reindex();
      log_.clear();
    }
    const CommandResult checked = run({"tree", "--check"});
    EXPECT_EQ(checked.exit_code, 0) << checked.out;
  }

 private:
  int pick(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  template <class List>
  auto one_of(const List& list) {
    return list[random_() % std::size(list)];
  }
  void log(const std::string& line) { log_ += line + "\n"; }

  void git(std::vector<std::string> words) const {
    words.insert(words.begin(), {"git", "-C", root().string(), "-c", "user.name=n", "-c",
                                 "user.email=e", "-c", "core.autocrlf=false"});
    CommandOptions options;
    options.environment = {"GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1"};
    run_command(words, options);  // it may have nothing to do, which is a failure for git
  }

  /// Everything below the root that is ours, in order.
  std::vector<fs::path> paths(bool folders) const {
    std::vector<fs::path> found;
    fs::recursive_directory_iterator it(root(), fs::directory_options::skip_permission_denied), end;
    for (; it != end; ++it) {
      const std::string name = it->path().filename().string();
      if (it->is_directory() && !it->is_symlink()) {
        if (name == ".git" || name == ".kwsearch") {
          it.disable_recursion_pending();
          continue;
        }
        if (folders) found.push_back(it->path());
      } else if (!folders && it->is_regular_file() && !it->is_symlink() && name[0] != '.') {
        found.push_back(it->path());
      }
    }
    std::sort(found.begin(), found.end());
    return found;
  }

  fs::path new_path() {
    static const char* const kFolders[] = {"",    "", "docs", "docs/src", "src", "src/deep/er",
                                           ".hid"};
    static const char* const kNames[] = {"alpha", "beta", "gamma", "delta", "eps\xE9", "zeta η"};
    static const char* const kEndings[] = {".md", ".py", ".c", ".txt", ".py_docs.md", ".h", ".bin"};
    return root() / one_of(kFolders) /
           (one_of(kNames) + std::to_string(pick(4)) + one_of(kEndings));
  }

  std::string content() {
    static const char* const kWords[] = {"View",   "mutation", "graph_capture",  "# Title\n",
                                         "\n\n",   "`Code`",   "class Thing:\n", "int f(int n);\n",
                                         "return", "x == y",   "größe",          "```python\n"};
    std::string text;
    for (int n = pick(30); n > 0; --n) text += std::string(one_of(kWords)) + " ";
    if (pick(12) == 0) text += '\0';
    if (pick(12) == 0) text += '\xE9';
    if (pick(15) == 0) text += std::string(3000, 'y');
    if (pick(40) == 0) text = "# Keyword Index: `x`\n" + text;
    return text + std::to_string(pick(1000));
  }

  bool write(const fs::path& path, const std::string& bytes) {
    std::error_code error;
    fs::create_directories(path.parent_path(), error);
    if (error || fs::is_directory(path)) return false;
    fs::remove(path, error);
    write_file(path, bytes);
    return true;
  }

  void create() {
    const fs::path path = new_path();
    log("create " + path.string());
    write(path, content());
  }

  static void set_times(const fs::path& path, const timespec& mtime) {
    const timespec times[2] = {mtime, mtime};
    ::utimensat(AT_FDCWD, path.c_str(), times, AT_SYMLINK_NOFOLLOW);
  }

  /// Other bytes, of the same size, in place: inode and (if `keep`) mtime stay.
  void edit_in_place(const fs::path& path, bool keep) {
    struct stat before;
    if (::lstat(path.c_str(), &before) != 0) return;
    std::string bytes = read_text(path);
    if (bytes.empty()) return;
    bytes[random_() % bytes.size()] = static_cast<char>('a' + pick(26));
    const int fd = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (fd < 0) return;
    [[maybe_unused]] const ssize_t n = ::pwrite(fd, bytes.data(), bytes.size(), 0);
    ::close(fd);
    if (keep) set_times(path, before.st_mtim);
  }

  void change_a_file() {
    const std::vector<fs::path> files = paths(false);
    if (files.empty()) return create();
    const fs::path path = one_of(files);
    static const char* const kNames[] = {"edit",    "edit in place", "keep size and mtime",
                                         "replace", "touch",         "copy over, old times",
                                         "append"};
    const int what = pick(7);
    log(std::string(kNames[what]) + " " + path.string());
    struct stat st;
    ::lstat(path.c_str(), &st);
    std::error_code error;
    switch (what) {
      case 0:
        write(path, content());
        break;
      case 1:
        edit_in_place(path, false);
        break;
      case 2:
        edit_in_place(path, true);
        break;
      case 3:  // as editors save
        write_file(path.string() + "~new", content());
        fs::rename(path.string() + "~new", path, error);
        break;
      case 4: {
        const time_t seconds[] = {0, st.st_mtim.tv_sec - 100, st.st_mtim.tv_sec + 1'000'000};
        set_times(path, {one_of(seconds), pick(2) ? 0 : pick(1'000'000'000)});
        break;
      }
      case 5:
        fs::copy_file(one_of(files), path.string() + "~old", error);
        set_times(path.string() + "~old", st.st_mtim);
        fs::rename(path.string() + "~old", path, error);
        break;
      default:
        std::ofstream(path, std::ios::app) << content();
    }
  }

  void move_or_remove() {
    const bool folders = pick(3) == 0;
    const std::vector<fs::path> all = paths(folders);
    if (all.empty()) return create();
    const fs::path path = one_of(all);
    std::error_code error;
    if (pick(3) == 0) {
      log("remove " + path.string());
      fs::remove_all(path, error);
      return;
    }
    fs::path target = new_path();
    if (folders) target = root() / fmt::format("moved{}", pick(3));
    log("rename " + path.string() + " to " + target.string());
    fs::create_directories(target.parent_path(), error);
    fs::rename(path, target, error);  // it may not work: a folder in the way, into itself
  }

  void change_kind() {
    const std::vector<fs::path> all = paths(pick(2) == 0);
    if (all.empty()) return create();
    const fs::path path = one_of(all);
    const bool was_folder = fs::is_directory(path);
    log("other kind " + path.string());
    fs::remove_all(path);
    if (was_folder)
      write(path, content());
    else if (pick(4) > 0)
      write(path / "inside.md", content());
    else
      fs::create_symlink("/etc/passwd", path);
  }

  void change_mode() {
    const std::vector<fs::path> all = paths(pick(4) == 0);
    if (all.empty()) return create();
    const fs::path path = one_of(all);
    const bool folder = fs::is_directory(path);
    log("chmod " + path.string());
    // A folder without rights could not be listed by this test itself, but by root.
    const mode_t none = folder && ::geteuid() != 0 ? 0755 : 0;
    ::chmod(path.c_str(), pick(2) ? none : folder ? 0755 : 0640);
  }

  void change_ignore_file() {
    static const char* const kFiles[] = {".gitignore", ".ignore", ".kwignore", ".git/info/exclude"};
    static const char* const kRules[] = {"*.txt",  "docs/",   "!*.md", "/src",
                                         "alpha*", "**/deep", "*0.*"};
    std::vector<fs::path> folders = paths(true);
    folders.push_back(root());
    const fs::path path = pick(2) ? root() / one_of(kFiles) : one_of(folders) / kFiles[pick(3)];
    std::string rules;
    for (int n = pick(3); n > 0; --n) rules += std::string(one_of(kRules)) + "\n";
    log("rules in " + path.string() + ": " + rules);
    std::error_code error;
    if (rules.empty())
      fs::remove(path, error);
    else
      write(path, rules);
  }

  void switch_branch() {
    log("branch");
    for (const fs::path& folder : paths(true)) ::chmod(folder.c_str(), 0755);
    for (const fs::path& file : paths(false)) ::chmod(file.c_str(), 0644);
    git({"add", "-A"});
    git({"commit", "-q", "-m", "step"});
    const std::string branch = fmt::format("b{}", pick(3));
    git({"branch", branch});
    git({"checkout", "-q", "-f", branch});
  }

  void edit_while_it_runs() {
    log("edit while kwindex runs");
    std::thread indexing([this] { run_unprivileged({"tree", "-q"}); });
    for (int i = 0; i < 20; ++i) change_a_file();
    indexing.join();
  }

  void change_option() {
    switch (pick(3)) {
      case 0:
        return set_option("--hidden", pick(2) ? "true" : "false");
      case 1:
        return set_option("--max-file-size", pick(2) ? "2K" : "8M");
      default:
        return set_option("--exclude", pick(2) ? "*.h" : "");
    }
  }

  /// Given to the next run; later ones find it in the index.
  void set_option(const std::string& name, const std::string& value) {
    log(name + "=" + value);
    options_[name] = value;
    give(given_, name, value);
  }

  static void give(std::vector<std::string>& words, const std::string& name,
                   const std::string& value) {
    if (value == "true" || value == "false")
      words.push_back(name + "=" + value);
    else
      words.insert(words.end(), {name, value});
  }

  void take_step() {
    const int what = pick(100);
    if (what < 20)
      create();
    else if (what < 60)
      change_a_file();
    else if (what < 74)
      move_or_remove();
    else if (what < 79)
      change_kind();
    else if (what < 85)
      change_mode();
    else if (what < 91)
      change_ignore_file();
    else if (what < 95)
      switch_branch();
    else if (what < 98)
      change_option();
    else
      edit_while_it_runs();
  }

  /// As a user who may not read everything.
  CommandResult run_unprivileged(std::vector<std::string> words) const {
    words.insert(words.begin(), std::string(KW_BINARY_DIR) + "/bin/kwindex");
    if (::geteuid() == 0)
      words.insert(words.begin(),
                   {"setpriv", "--bounding-set=-dac_override,-dac_read_search", "--"});
    CommandOptions options;
    options.folder = dir_.str();
    if (whole_seconds_)
      options.environment = {"LD_PRELOAD=" KW_FAULT_LAYER, "KW_WHOLE_SECONDS=1",
                             "ASAN_OPTIONS=verify_asan_link_order=0"};
    return run_command(words, options);
  }

  void reindex() {
    std::vector<std::string> words{"tree", "--allow-empty"};
    words.insert(words.end(), given_.begin(), given_.end());
    given_.clear();
    if (pick(20) == 0) words.push_back("--rebuild");
    const CommandResult updated = run_unprivileged(words);
    EXPECT_THAT(updated.exit_code, testing::AnyOf(0, 3)) << updated.err;
    std::vector<std::string> fresh{"tree", "--allow-empty", "--db", "fresh"};
    for (const auto& [name, value] : options_) give(fresh, name, value);
    fs::remove_all(dir_ / "fresh");
    EXPECT_EQ(run_unprivileged(fresh).exit_code, updated.exit_code);
    if (const std::string has = dump(database()), wants = dump(dir_ / "fresh"); has != wants)
      ADD_FAILURE() << difference(has, wants);
    else if (++states_ % 3 == 0)
      compare_exports(states_ % 2 == 0 ? "html" : "md");
  }

  /// An export that has followed the index, and one of the fresh index: the same bytes.
  void compare_exports(const std::string& format) const {
    const fs::path followed = dir_ / ("pages-" + format), anew = dir_ / "pages-anew";
    fs::remove_all(anew);
    CommandOptions options;
    options.folder = dir_.str();
    for (const auto& [database, out] : {std::pair("tree", followed), std::pair("fresh", anew)}) {
      const CommandResult exported = run_command(
          {"kwexport", "--db", database, "--format", format, "--out", out.string()}, options);
      EXPECT_THAT(exported.exit_code, testing::AnyOf(0, 3)) << exported.err;
    }
    auto pages = pages_of(followed);
    const auto wanted = pages_of(anew);
    // A site keeps the files that pages of the export before may still ask for.
    std::erase_if(pages, [&](const auto& page) {
      return page.first.starts_with("search/") && !wanted.contains(page.first);
    });
    if (format == "html") pages[".kwexport"] = wanted.at(".kwexport");
    EXPECT_EQ(pages, wanted);
  }

  /// Bytes of all files by their path; of a manifest without its first line, which names the index.
  static std::map<std::string, std::string> pages_of(const fs::path& folder) {
    std::map<std::string, std::string> pages;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      if (!entry.is_regular_file()) continue;
      std::string text = read_text(entry.path());
      if (entry.path().filename() == ".kwexport") text.erase(0, text.find('\n'));
      pages[entry.path().lexically_relative(folder).string()] = std::move(text);
    }
    return pages;
  }

  /// The first lines in which two dumps differ, with the file that they belong to.
  static std::string difference(const std::string& has, const std::string& wants) {
    std::istringstream a(has), b(wants);
    std::string file, left, right;
    while (std::getline(a, left) && std::getline(b, right) && left == right)
      if (left.starts_with("file ")) file = left;
    return fmt::format("in {}\n  has   {}\n  wants {}", file, left, right);
  }

  std::mt19937 random_;
  /// Its runs see times without fractions: most edits then are within the tick of the one before.
  bool whole_seconds_ = false;
  std::string log_;
  std::map<std::string, std::string> options_;
  std::vector<std::string> given_;
  int states_ = 0;  ///< that were compared
};

TEST_F(KwindexHistory, EveryStateEqualsAFreshBuild) {
  const int only = seed_or(0);
  const int last = only ? only : 2 * effort() / stride(2);
  for (int seed = only ? only : 1; seed <= last && !HasFailure(); ++seed) {
    std::printf("seed %d\n", seed);
    std::fflush(stdout);
    live(static_cast<unsigned>(seed));
  }
}

}  // namespace
}  // namespace kw::test
