// SPDX-License-Identifier: GPL-2.0-or-later
// Random trees with random ignore files: a walk must find what `rg --files` lists.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "indexer/walk/walker.h"
#include "tests/support/run_command.h"
#include "tests/support/temp_dir.h"

namespace kw::indexer {
namespace {

namespace fs = std::filesystem;
using test::run_command;
using test::TempDir;
using test::write_file;

using Paths = std::vector<std::string>;

/// The same on every machine, unlike the distributions of <random>.
class Dice {
 public:
  explicit Dice(unsigned seed) : engine_(seed) {}
  std::size_t below(std::size_t n) { return engine_() % n; }
  bool percent(std::size_t chance) { return below(100) < chance; }
  template <class List>
  auto any_of(const List& list) {
    return list[below(std::size(list))];
  }

 private:
  std::mt19937 engine_;
};

// Few, so that patterns and paths often meet. None ends in a dot: ripgrep 13 matches such names
// wrongly.
constexpr const char* kNames[] = {"a",  "b",   "ab",   "a.md",     "b.md",  "a.b.md", ".a",
                                  ".b", "x y", "x  ",  "[a]",      "{a,b}", "#a",     "!a",
                                  "a*", "a-b", "c\\d", "\xc3\xa9", "\xff"};

std::string random_glob(Dice& dice) {
  constexpr const char* kPieces[] = {"a",    "b",    "ab",    "*",   "*",     "?",        ".",
                                     "*.md", "[ab]", "[!ab]", "**",  "[a-c]", "{a,b}",    "{a*,.b}",
                                     "x y",  "\\#",  "\\*",   "\\[", "\\{",   "\xc3\xa9", "a.b"};
  std::string glob;
  const std::size_t names = 1 + (dice.percent(40) ? 1 + dice.below(2) : 0);
  for (std::size_t i = 0; i < names; ++i) {
    if (i > 0) glob += '/';
    if (dice.percent(names > 1 ? 25 : 5)) {
      glob += "**";
      continue;
    }
    for (std::size_t n = 1 + dice.below(2); n > 0; --n) glob += dice.any_of(kPieces);
  }
  return glob;
}

std::string random_line(Dice& dice) {
  constexpr const char* kLines[] = {
      "",     "# a", "!",       "/",     "//",    "**",       "**/",         "/**",
      "!*/",  "*",   "\\#a",    "\\!a",  "a  ",   "x\\ y",    "x \\ ",       "x\\  ",
      "[]",   "[!]", "{a",      "a\\",   "a/**/", "!.a",      "!.*",         ".*",
      "a/**", "***", "**/**/a", "[]a]",  "[a-]",  "[a-c-e]*", "[^a]",        "{,a}",
      "\t",   " a",  "*.md",    "!*.md", "/*",    "!/a",      "[[:alpha:]]", "a\t"};
  if (dice.percent(20)) return dice.any_of(kLines);
  std::string line;
  if (dice.percent(30)) line += '!';
  if (dice.percent(25)) line += '/';
  line += random_glob(dice);
  if (dice.percent(20)) line += '/';
  return line;
}

std::string random_rules(Dice& dice) {
  std::string rules;
  for (std::size_t n = 1 + dice.below(5); n > 0; --n)
    rules += random_line(dice) + (dice.percent(15) ? "\r\n" : "\n");
  return rules;
}

void add_rules(Dice& dice, const fs::path& folder, std::size_t chance) {
  for (const char* name : {".gitignore", ".ignore", ".kwignore"}) {
    if (!dice.percent(chance)) continue;
    const std::string rules = random_rules(dice);
    write_file(folder / name, rules);
    // ripgrep's own name for what .kwignore is to us
    if (name == std::string_view(".kwignore")) write_file(folder / ".rgignore", rules);
  }
}

void add_work_tree(Dice& dice, const fs::path& folder) {
  fs::create_directories(folder / ".git");
  if (dice.percent(50)) write_file(folder / ".git/info/exclude", random_rules(dice));
}

void fill(Dice& dice, const fs::path& folder, int depth) {
  fs::create_directories(folder);
  add_rules(dice, folder, depth == 0 ? 45 : 20);
  if (dice.percent(depth == 0 ? 40 : 8)) add_work_tree(dice, folder);
  for (std::size_t n = 2 + dice.below(6); n > 0; --n) {
    const fs::path path = folder / dice.any_of(kNames);
    if (fs::exists(path)) continue;
    if (depth < 3 && dice.percent(45))
      fill(dice, path, depth + 1);
    else
      write_file(path, "");
  }
}

/// What ripgrep lists, without what is in `.git`, which a walk never enters.
Paths list_by_ripgrep(const std::string& root, const IndexOptions& options) {
  std::vector<std::string> command = {"rg",     "--no-config",   "--files",
                                      "--null", "--no-messages", "--no-ignore-global"};
  if (options.hidden) command.push_back("--hidden");
  if (!options.use_ignore_files) command.push_back("--no-ignore");
  test::CommandOptions where;
  where.folder = root;
  const std::string out = run_command(command, where).out;
  Paths paths;
  for (std::size_t at = 0; at < out.size();) {
    const std::size_t end = out.find('\0', at);
    const std::string path = out.substr(at, end - at);
    if (("/" + path + "/").find("/.git/") == std::string::npos) paths.push_back(path);
    at = end + 1;
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

/// All ignore files of a tree, to show with a failure.
std::string describe(const fs::path& tree) {
  std::string text;
  for (const auto& entry : fs::recursive_directory_iterator(tree)) {
    const std::string name = entry.path().filename().string();
    if (name.ends_with("ignore") || name == "exclude" || name == ".git")
      text += entry.path().lexically_relative(tree).string() + ":\n" +
              (entry.is_regular_file() ? test::read_text(entry.path()) : "");
  }
  return text;
}

TEST(Ripgrep, ListsTheSameFiles) {
  if (run_command({"rg", "--version"}).exit_code != 0)
    GTEST_SKIP() << "ripgrep (rg) is not in PATH; it is the oracle of this test";
  std::size_t listed = 0;
  for (unsigned seed = 1; seed <= 200; ++seed) {
    Dice dice(seed);
    TempDir dir;
    const fs::path above = dir / "above";
    const fs::path root = above / "a";
    fill(dice, root, 0);
    add_rules(dice, above, 20);
    if (dice.percent(25)) add_work_tree(dice, above);
    IndexOptions options;
    options.hidden = dice.percent(50);
    options.use_ignore_files = !dice.percent(5);

    const Result<WalkResult> result = walk(root.string(), "", options);
    ASSERT_TRUE(result);
    Paths found;
    for (const FoundFile& file : result->files) found.push_back(file.path);
    ASSERT_TRUE(std::is_sorted(found.begin(), found.end())) << "seed " << seed;
    ASSERT_EQ(found, list_by_ripgrep(root.string(), options))
        << "seed " << seed << (options.hidden ? ", hidden" : "") << "\n"
        << describe(dir.path());
    listed += found.size();
  }
  EXPECT_GT(listed, 500u) << "the trees are too empty to show anything";
}

}  // namespace
}  // namespace kw::indexer
