// SPDX-License-Identifier: GPL-2.0-or-later
// A tree made to break an indexer: what becomes of each file, and that memory stays bounded.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <map>

#include "schema/base/descriptor.h"
#include "schema/text/text.h"
#include "tests/integration/kwindex_fixture.h"
#include "tests/support/child_usage.h"

namespace kw::test {
namespace {

constexpr int kDeep = 5000;
// As much as is indexed; under a sanitizer what ends in time.
constexpr int kLarge = kSanitized ? 1'000'000 : 8'000'000;
constexpr double kMaxSeconds = 5;  // of processor time, for one file
constexpr long kMaxMegabytes = 700;

std::string times(int n, const std::string& text) {
  std::string all;
  for (int i = 0; i < n; ++i) all += text;
  return all;
}

class HostileTree : public KwindexTest {
 protected:
  HostileTree() { fs::create_directories(root()); }
  ~HostileTree() override { run_command({"rm", "-rf", root().string()}); }  // deeper than a path

  void add(const std::string& name, const std::string& bytes, const std::string& outcome = "new") {
    write_file(root() / name, bytes);
    expected_[printable(name)] = outcome;
  }

  void add_sparse(const std::string& name, std::uint64_t size, const std::string& outcome) {
    add(name, "", outcome);
    fs::resize_file(root() / name, size);
  }

  /// A file below so many folders that its path is no argument of a system call any more.
  void add_deep() {
    Descriptor folder(::open(root().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    std::string path;
    for (int i = 0; i < kDeep; ++i) {
      ASSERT_EQ(::mkdirat(folder.get(), "d", 0700), 0);
      folder = Descriptor(::openat(folder.get(), "d", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
      path += "d/";
    }
    const Descriptor file(::openat(folder.get(), "x.md", O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
    ASSERT_EQ(::write(file.get(), "`AtTheBottom`\n", 14), 14);
    expected_[path + "x.md"] = "new";
  }

  /// In a folder of its own, to be indexed alone, too.
  void add_shape(const std::string& name, const std::string& bytes) {
    add(name + ".d/" + name, bytes);
    shapes_.push_back(name + ".d");
  }

  void add_shapes() {
    std::string names;
    for (int i = 0; i < 300'000; ++i) names += fmt::format("distinctName{}\n", i);
    add_shape("names.py", names);
    add_shape("quotes.md", times(kDeep, "> ") + "text\n");
    add_shape("lists.md", times(kDeep, "- ") + "text\n");
    std::string stairs;  // each line one level deeper, as far as indents can go
    for (int i = 0; i < 500; ++i) stairs += times(i, "  ") + "- step\n";
    add_shape("stairs.md", stairs);
    add_shape("brackets.md", times(50'000, "[") + times(50'000, "![a](") + times(50'000, "*_"));
    add_shape("nested.json", times(100'000, "[") + times(100'000, "]"));
    add_shape("objects.json", times(100'000, "{\"a\":") + "1" + times(100'000, "}"));
    add_shape("minified.js", times(125'000, "function f(a,b){return a.b(c)+d};var x=1;"));  // 5 MB
    add_shape("term.py", times(1000, "LongName") + " = 1\n");
    add_shape("terms.md", times(100, std::string(300, 'x') + " "));
    add_shape("fences.md", times(3000, "```c\nint f(void);\n```\n"));
    add_shape("emphasis.md", times(kLarge / 4, "*a* "));
    add_shape("headings.md", times(kLarge / 2, "#\n"));
    add_shape("letters.txt", times(kLarge / 2, "a\n"));
    add_shape("parens.c", times(100'000, "(") + "\n" + times(100'000, "{"));
    add("zeros.bin", std::string(1'000'000, '\0'), "skipped binary");
  }

  void add_names() {
    add(std::string(252, '\xFF') + ".md", "# Not UTF-8\n");
    add("Case.md", "# Upper\n");
    add("case.md", "# Lower\n");
    add("\x1b]0;title\x07.md", "# Escape\n");
    fs::create_symlink("/etc/passwd", root() / "passwd.md");
    fs::create_directory_symlink("/etc", root() / "etc");
    ASSERT_EQ(::mkfifo((root() / "fifo.md").c_str(), 0600), 0);
    expected_["fifo.md"] = "skipped special";
    if (::geteuid() == 0 && ::mknod((root() / "zero.md").c_str(), S_IFCHR | 0600, 0x105) == 0)
      expected_["zero.md"] = "skipped special";
  }

  /// Path to outcome, from --explain.
  static std::map<std::string, std::string> outcomes(const std::string& explanation) {
    std::map<std::string, std::string> found;
    std::istringstream lines(explanation);
    for (std::string line; std::getline(lines, line);) {
      if (line.size() < 10 || line[8] != ' ') continue;
      std::string word = line.substr(0, line.find(' ')), path = line.substr(9);
      if (const std::size_t reason = path.rfind("  ("); reason != std::string::npos) {
        word += " " + path.substr(reason + 3, path.size() - reason - 4);
        path.resize(reason);
      }
      found[path] = word;
    }
    return found;
  }

  std::map<std::string, std::string> expected_;
  std::vector<std::string> shapes_;
};

TEST_F(HostileTree, EveryFileHasItsOutcome) {
  add("good.md", "# Good\n\n`GoodName`\n");
  add_sparse("huge.md", 1ull << 30, "skipped too large");
  add_sparse("huge.py", 1ull << 40, "skipped too large");
  add_shapes();
  add_names();
  add_deep();
  const CommandResult result = run({"tree", "-q", "--explain", "-j", "2"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const auto found = outcomes(result.out);
  EXPECT_EQ(found.size(), expected_.size());
  for (const auto& [path, outcome] : expected_) {
    const auto it = found.find(path);
    EXPECT_EQ(it == found.end() ? "not there" : it->second, outcome) << path.substr(0, 80);
  }
  EXPECT_EQ(run({"tree", "--check"}).exit_code, 0);
  EXPECT_EQ(run({"tree", "-q"}).exit_code, 0);
  for (const char* word : {"AtTheBottom", "distinctName299999", "GoodName", "a"})
    EXPECT_EQ(run_command({"kwsearch", "--db", root().string(), word}).exit_code, 0) << word;
  EXPECT_EQ(dump(database()).find("root:x:0"), std::string::npos) << "links are not followed";
  if (kSanitized) return;

  EXPECT_LT(child_peak_mb(), kMaxMegabytes);
  double most = 0;
  for (const std::string& shape : shapes_) {
    const double before = child_seconds();
    EXPECT_EQ(run({"tree/" + shape, "--db", "alone/" + shape, "-q", "-j", "1"}).exit_code, 0);
    const double took = child_seconds() - before;
    EXPECT_LT(took, kMaxSeconds) << shape;
    most = std::max(most, took);
  }
  std::printf("at most %ld MB, and %.1f s for one file\n", child_peak_mb(), most);
}

TEST_F(HostileTree, FollowedLinksVisitEachFileOnce) {
  write_file(dir_ / "outside/a.md", "# A\n");
  write_file(dir_ / "outside/deep/b.md", "# B\n");
  write_file(root() / "own.md", "# Own\n");
  fs::create_directory_symlink(dir_ / "outside", root() / "first");
  fs::create_directory_symlink(dir_ / "outside/deep", root() / "second");
  fs::create_directory_symlink(root(), dir_ / "outside/back");
  fs::create_symlink(dir_ / "outside/a.md", root() / "again.md");
  fs::create_hard_link(root() / "own.md", root() / "own-too.md");
  EXPECT_EQ(index({"--follow"})["files"], 3);
  EXPECT_EQ(index()["indexed"], 0) << "and the same ones again";
  EXPECT_EQ(dump(database()), fresh_dump({"--follow"}));
  EXPECT_EQ(index({"--follow=false"})["files"], 2);
}

}  // namespace
}  // namespace kw::test
