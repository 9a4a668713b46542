// SPDX-License-Identifier: GPL-2.0-or-later
// Inputs that once took minutes or gigabytes: each ends soon, with an answer or a message.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include <algorithm>
#include <set>

#include "schema/base/bounds.h"
#include "schema/base/descriptor.h"
#include "schema/base/xapian_api.h"
#include "schema/index/index_options.h"
#include "schema/index/metadata.h"
#include "tests/integration/kwindex_fixture.h"
#include "tests/support/child_usage.h"

namespace kw::test {
namespace {

constexpr double kMaxSeconds = kSanitized ? 150 : 10;

std::uintmax_t size_of_folder(const fs::path& folder) {
  std::uintmax_t bytes = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file()) bytes += entry.file_size();
  return bytes;
}

/// Folders `d` in each other, with a file in those of `depths`.
void make_deep_files(const fs::path& root, int folders, const std::set<int>& depths) {
  Descriptor folder(::open(root.c_str(), O_DIRECTORY | O_CLOEXEC));
  for (int i = 1; i <= folders; ++i) {
    ::mkdirat(folder.get(), "d", 0700);
    folder = Descriptor(::openat(folder.get(), "d", O_DIRECTORY | O_CLOEXEC));
    if (!depths.contains(i)) continue;
    const Descriptor file(::openat(folder.get(), "deep.py", O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
    ASSERT_EQ(::write(file.get(), "def deep():\n", 12), 12);
  }
}

class Bounded : public KwindexTest {
 protected:
  /// TempDir cannot: they lie deeper than a path may be. A disk that others use takes its time.
  void remove_deep_files() const {
    CommandOptions options;
    options.timeout_seconds = 1000;
    EXPECT_EQ(run_command({"rm", "-rf", root().string()}, options).exit_code, 0);
    fs::create_directory(root());
  }

  CommandResult ask(const std::vector<std::string>& words, const std::string& input = {}) const {
    CommandOptions options;
    options.folder = root().string();
    options.timeout_seconds = 10 * kMaxSeconds;
    options.input = input;
    const double before = child_seconds();
    const CommandResult result = run_command(words, options);
    EXPECT_LT(child_seconds() - before, kMaxSeconds) << words[0] << " " << words[1].substr(0, 40);
    EXPECT_THAT(result.exit_code, testing::AnyOf(0, 1, 2, 3)) << result.err;
    if (!kSanitized) {
      EXPECT_LT(child_peak_mb(), 500);
    }
    return result;
  }
};

TEST_F(Bounded, APatternOfAnyLength) {
  make_tree(root(), {{"a.md", "# A\n\nwords walking\n"}});
  index();
  EXPECT_EQ(ask({"kwsearch", "*" + std::string(20'000, 'a')}).exit_code, 1);
  EXPECT_EQ(ask({"kwsearch", std::string(20'000, 'a') + "*"}).exit_code, 1);
  EXPECT_EQ(ask({"kwsearch", "walk*"}).exit_code, 0);
}

// Its letters are two bytes of UTF-8: the text is nearly as large as a record's may be.
// Bound: a file of the tree
TEST_F(Bounded, AFileOfTheLargestSize) {
  const std::string line = std::string(1023, '\xe9') + "\n";
  std::string text;
  while (text.size() < kMaxFileSizeLimit) text += line;
  ASSERT_EQ(text.size(), kMaxFileSizeLimit);
  write_file(root() / "at-it.txt", text);
  write_file(root() / "over.txt", text + "x");
  EXPECT_EQ(ask({"kwindex", ".", "--max-file-size", "33M"}).exit_code, 2);
  EXPECT_EQ(ask({"kwindex", ".", "-q", "--max-file-size", "32M"}).exit_code, 0);
  EXPECT_EQ(ask({"kwindex", "--skipped"}).out, "too large  over.txt\n");
  EXPECT_EQ(ask({"kwsearch", "-l", "path:txt"}).out, "at-it.txt\n");
  EXPECT_EQ(ask({"kwindex", "--check"}).exit_code, 0);
}

// Each character and each mark of a word was kept in several forms at once, and marks were put in
// order in the square of their number.
TEST_F(Bounded, AFileOfOneWord) {
  const std::size_t size = kSanitized ? 2u << 20 : kMaxFileSizeLimit;
  for (const std::string letter : {"a", "\u044f", "\u4e2d", "\u0301\u0323"}) {
    SCOPED_TRACE(letter);
    std::string text = "x";
    while (text.size() + letter.size() <= size) text += letter;
    write_file(root() / "word.md", text);
    EXPECT_EQ(ask({"kwindex", ".", "-q", "--max-file-size", "32M"}).exit_code, 0);
    EXPECT_EQ(ask({"kwsearch", "-l", "x*"}).out, "word.md\n");
    EXPECT_EQ(ask({"kwsearch", "-e", "x" + letter, "--json"}).exit_code, 0);
  }
  EXPECT_EQ(ask({"kwexport", "--format", "html", "--out", "out"}).exit_code, 0);
}

// A small index had 8 s and 400 MB: these take more time, and of eight were more pages in memory.
TEST_F(Bounded, LargeFilesWithSmallRecords) {
  std::string text = "x";
  while (text.size() + 4 <= (kSanitized ? 2u << 20 : kMaxFileSizeLimit)) text += "\u0301\u0323";
  for (const std::string name : {"a", "b", "c", "d"}) write_file(root() / (name + ".md"), text);
  EXPECT_EQ(run_command({"kwindex", root(), "-q", "--max-file-size", "32M"}).exit_code, 0);
  CommandOptions options;
  options.folder = root().string();
  options.timeout_seconds = 600;
  const CommandResult site = run_command({"kwexport", "--format", "html", "--out", "out"}, options);
  EXPECT_EQ(site.exit_code, 0) << site.err;
  if (!kSanitized) {
    EXPECT_LT(child_peak_mb(), 500);
  }
}

// The text was decoded again for each of them.
TEST_F(Bounded, ManyLinksIntoALargeFile) {
  std::string links = "# Links\n\n", text;
  for (int i = 0; i < 2000; ++i) links += fmt::format("- [line](big.txt#L{})\n", i + 1);
  for (int i = 0; i < 2000; ++i)
    text += std::string(i % 2 ? 0 : (kSanitized ? 500 : 4000), 'a') + "\n";
  make_tree(root(), {{"links.md", links}, {"big.txt", text}});
  index();
  EXPECT_EQ(ask({"kwexport", "--format", "html", "--out", "out"}).exit_code, 0);
  const std::string page = read_text(root() / "out/links.md.html");
  EXPECT_THAT(page, testing::HasSubstr("big.txt.html#L1\""));
  EXPECT_THAT(page, testing::Not(testing::HasSubstr("big.txt.html#L2\""))) << "an empty line";
  EXPECT_THAT(page, testing::HasSubstr("big.txt.html#L1999\""));
}

TEST_F(Bounded, EqualDefinitions) {
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += "int f;\n";
  make_tree(root(), {{"a.c", text}});
  index();
  EXPECT_EQ(ask({"kwsearch", "def:f"}).exit_code, 0);
  EXPECT_EQ(ask({"kwsearch", "f", "--json"}).exit_code, 0);
}

// Deeper than is looked into, with files above and below that.
TEST_F(Bounded, FoldersThatLieFifteenThousandDeep) {
  make_tree(root(), {{"top.md", "# Top\n"}});
  make_deep_files(root(), 15'000, {500, 8000, 15'000});
  EXPECT_EQ(ask({"kwindex", ".", "-q"}).exit_code, 0);
  const std::string skipped = ask({"kwindex", "--skipped"}).out;
  EXPECT_TRUE(skipped.starts_with("too deep   d/d/")) << skipped.substr(0, 40);
  EXPECT_EQ(std::count(skipped.begin(), skipped.end(), '\n'), 1);
  const CommandResult found = ask({"kwsearch", "def:deep", "-c"});
  EXPECT_EQ(found.out, "2\n");
  EXPECT_THAT(found.err, testing::HasSubstr("1 too deep"));
  EXPECT_EQ(ask({"kwexport", "--format", "html", "--out", "out"}).exit_code, 3);
  EXPECT_EQ(ask({"kwindex", "--check"}).exit_code, 0);
  EXPECT_EQ(ask({"kwindex", ".", "-q"}).exit_code, 0);
  remove_deep_files();
}

// The paths of all pages above, and the links up from each, grew with the cube of the depth.
TEST_F(Bounded, AFileThatLiesDeep) {
  make_tree(root(), {{"top.md", "# Top\n"}});
  make_deep_files(root(), 3000, {1200, 3000});
  index();
  EXPECT_EQ(ask({"kwsearch", "def:deep", "-c"}).out, "2\n");
  for (const std::string format : {"html", "md"}) {
    const CommandResult run = ask({"kwexport", "--format", format, "--out", "out-" + format});
    EXPECT_EQ(run.exit_code, 3) << run.err;
    EXPECT_THAT(run.err, testing::HasSubstr("the path has 6007 bytes"));
  }
  EXPECT_LT(size_of_folder(root() / "out-html"), 100 << 20);
  remove_deep_files();
}

// Bound: --include, --exclude
TEST_F(Bounded, GlobsOfAConfiguration) {
  make_tree(root(), {{"a.md", "# A\n"}});
  std::string globs;
  for (std::size_t i = 0; i < kMaxGlobs; ++i) globs += fmt::format("\"x*{}\",", i);
  write_file(root() / ".kwsearch.toml", "exclude = [" + globs + "]\n");
  EXPECT_EQ(ask({"kwindex", ".", "-q"}).exit_code, 0);
  write_file(root() / ".kwsearch.toml", "exclude = [" + globs + "\"one-more\"]\n");
  const CommandResult over = ask({"kwindex", ".", "-q"});
  EXPECT_EQ(over.exit_code, 2);
  EXPECT_THAT(over.err, testing::HasSubstr("1001 globs of one kind, 1000 are taken"));
}

// Bound: kw.vocabulary.added
TEST_F(Bounded, AVocabularyThatUnfolds) {
  make_tree(root(), {{"a.md", "# A\n\nwords\n"}});
  index();
  std::string text(kMaxAddedBytes + 1, 'a');
  text += "\n\n\n\n\n\n\n";
  std::string frame(ZSTD_compressBound(text.size()), '\0');
  frame.resize(ZSTD_compress(frame.data(), frame.size(), text.data(), text.size(), 1));
  {
    Xapian::WritableDatabase db((database() / "gen-1").string(), Xapian::DB_OPEN);
    db.set_metadata(std::string(key_of(Meta::AddedVocabulary)), frame);
  }
  const CommandResult searched = ask({"kwsearch", "w*"});
  EXPECT_EQ(searched.exit_code, 2);
  EXPECT_THAT(searched.err, testing::HasSubstr("the vocabulary is damaged"));
  write_file(root() / "b.md", "# B\n\nothers\n");
  EXPECT_EQ(ask({"kwindex", "."}).exit_code, 2);
  EXPECT_EQ(ask({"kwindex", ".", "--rebuild"}).exit_code, 0);
  EXPECT_EQ(ask({"kwsearch", "w*"}).exit_code, 0);
}

}  // namespace
}  // namespace kw::test
