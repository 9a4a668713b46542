// SPDX-License-Identifier: GPL-2.0-or-later
// Damage by chance: bits, bytes, heads of blocks, ends cut off, files of another generation. Each
// program ends with an answer or a message, soon and in little memory, writes nowhere but where it
// was told to, and --rebuild mends all of it. KW_EFFORT makes it longer, KW_SEED repeats it; how
// the runs ended is in the report of --gtest_output=json:FILE; what a program crashed on is copied
// to the folder KW_KEEP. With TMPDIR in memory a round takes half the time.
#include <fmt/format.h>

#include <map>
#include <random>

#include "schema/index/manifest.h"
#include "tests/integration/kwindex_fixture.h"
#include "tests/support/child_usage.h"
#include "tests/support/effort.h"

namespace kw::test {
namespace {

// Of a run of one program; the limits of the programs themselves are below.
constexpr double kMaxSeconds = kSanitized ? 150 : 60;  // a hang; the machine may have other work
constexpr double kMaxProcessorSeconds = kSanitized ? 150 : 10;
constexpr long kMaxMegabytes = 500;

// Each table has several blocks, the one of postings a dozen.
constexpr int kPages = 16;

class DamagedIndex : public KwindexTest {
 protected:
  DamagedIndex() {
    std::mt19937 words(1);
    for (int i = 0; i < kPages; ++i) {
      std::string text, code;
      for (int line = 0; line < 30; ++line) {
        text += fmt::format("some words w{} and w{} of line {}\n", words() % 3000, words() % 3000,
                            line);
        code += fmt::format("def name_{}_{}():\n    return w{}\n", i, line, words() % 3000);
      }
      write_file(root() / fmt::format("page{}.md", i), "# Page\n\n" + text);
      write_file(root() / fmt::format("code{}.py", i), code);
    }
    index();
    fs::copy(generation(), older());
    write_file(root() / "later.py", "def later_added():\n    pass\n");
    index();  // by an update: free blocks, and blocks of two revisions
    save_index();
  }

  fs::path generation() const { return database() / "gen-1"; }
  /// Its files before the update.
  fs::path older() const { return dir_ / "older"; }

  fs::path out() const { return dir_ / "out"; }
  fs::path site() const { return dir_ / "site"; }

  /// One run; what a program does with a damaged index.
  void expect_told(const std::vector<std::string>& words) {
    SCOPED_TRACE(testing::PrintToString(words));
    CommandOptions options;
    options.folder = root().string();
    options.timeout_seconds = kMaxSeconds;
    // A sanitizer's finding in Xapian is a crash like another.
    options.environment = {
        "ASAN_OPTIONS=abort_on_error=1:detect_leaks=0:new_delete_type_mismatch=0"};
    const double before = child_seconds();
    const CommandResult result = run_command(words, options);
    EXPECT_LT(child_seconds() - before, kMaxProcessorSeconds);
    EXPECT_THAT(result.exit_code, testing::AnyOf(0, 1, 2, 3)) << result.err;
    if (result.exit_code == 2) {
      EXPECT_THAT(result.err + result.out, testing::HasSubstr("hint: "));
    }
    const auto says = [&](const char* text) { return result.err.find(text) != std::string::npos; };
    if (says(" crashed ")) keep(words);
    ++endings_[words[0] + (says(" crashed ")       ? "_crashed"
                           : says(" gave up: ")    ? "_gave_up"
                           : says("out of memory") ? "_out_of_memory"
                           : result.exit_code == 2 ? "_refused"
                                                   : "_answered")];
  }

  /// For a look at what a crash came from, before its run.
  void keep(const std::vector<std::string>& words) const {
    const char* const folder = std::getenv("KW_KEEP");
    if (!folder) return;
    const fs::path kept = fs::path(folder) / fmt::format("crash{}", ::getpid());
    fs::create_directories(kept);
    fs::copy(dir_.path(), kept / std::to_string(std::distance(fs::directory_iterator(kept), {})),
             fs::copy_options::recursive);
    fmt::print("{}: crashed\n", fmt::join(words, " "));
  }

  /// Each runs to its end, and all else in the folder of this test stays as it is.
  void expect_all_told() {
    const auto before = files_elsewhere();
    expect_told({"kwsearch", "later_added"});
    expect_told({"kwsearch", "w1*"});
    expect_told({"kwsearch", "def:later_added"});
    expect_told({"kwsearch", "-e", "later_a", "-n", "0"});
    expect_told({"kwsearch", "--complete", "name_1"});
    expect_told({"kwexport", "--out", out().string()});
    expect_told({"kwexport", "--format", "html", "--out", site().string()});
    expect_told({"kwindex", "--check"});
    expect_told({"kwindex", "--status"});
    write_file(root() / "later.py", "def later_added():\n    changed\n");
    expect_told({"kwindex"});
    fs::remove(root() / "later.py");
    write_file(root() / "later.py", "def later_added():\n    pass\n");
    EXPECT_EQ(files_elsewhere(), before);
  }

  /// Size, time and inode of what no run may touch.
  std::map<std::string, std::vector<std::int64_t>> files_elsewhere() const {
    std::map<std::string, std::vector<std::int64_t>> files;
    for (auto entry = fs::recursive_directory_iterator(dir_.path());
         entry != fs::recursive_directory_iterator(); ++entry) {
      const fs::path& path = entry->path();
      if (path == database() || path == out() || path == site()) {
        entry.disable_recursion_pending();
        continue;
      }
      struct stat st;
      if (path.filename() == "later.py" || ::lstat(path.c_str(), &st) != 0) continue;
      files[path.string()] = {st.st_size, st.st_mtim.tv_sec, st.st_mtim.tv_nsec,
                              static_cast<std::int64_t>(st.st_ino)};
      if (S_ISDIR(st.st_mode)) files[path.string()] = {};  // --rebuild makes and removes files
    }
    return files;
  }

  /// How many runs of each program ended how.
  std::map<std::string, int> endings_;

  void expect_mended() const {
    CommandOptions options;
    options.folder = root().string();
    const CommandResult rebuilt = run_command({"kwindex", "--rebuild"}, options);
    EXPECT_EQ(rebuilt.exit_code, 0) << rebuilt.err;
    const CommandResult found = run_command({"kwsearch", "def:later_added"}, options);
    EXPECT_EQ(found.exit_code, 0) << found.err;
    EXPECT_THAT(found.out, testing::HasSubstr("later.py"));
  }
};

/// What one damage does to a file's bytes. `other` are those of another file, `older` its own
/// before.
std::string damaged(std::string bytes, const std::string& other, const std::string& older,
                    std::mt19937& random) {
  constexpr std::size_t kBlock = 8192, kHead = 40;
  if (bytes.empty()) return "x";
  const std::size_t at = random() % bytes.size();
  switch (random() % 8) {
    case 0:
      bytes[at] = static_cast<char>(bytes[at] ^ (1 << random() % 8));
      return bytes;
    case 1:
      bytes.resize(at);
      return bytes;
    case 2:
      return other;
    case 3:
      return older.empty() ? other : older;
    case 4:
      bytes[at] = static_cast<char>(random());
      return bytes;
    default:  // heads of blocks say most, and are one byte in two hundred
      bytes[std::min(at / kBlock * kBlock + random() % kHead, bytes.size() - 1)] =
          static_cast<char>(random());
      return bytes;
  }
}

/// The files of an index and of exports that a round may damage; the version file, which is small
/// and says most, more often than others.
std::vector<fs::path> damageable(const fs::path& database, const fs::path& generation,
                                 const std::vector<fs::path>& manifests) {
  std::vector<fs::path> files{database / "XAPIANDB", database / "lock", database / "status.json"};
  files.insert(files.end(), manifests.begin(), manifests.end());
  for (const auto& entry : fs::directory_iterator(generation))
    if (entry.path().filename() != "flintlock")
      files.insert(files.end(), entry.path().filename() == "iamglass" ? 4 : 2, entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

TEST_F(DamagedIndex, ByChance) {
  const int seed = seed_or(7);
  std::mt19937 random(static_cast<unsigned>(seed));
  const int rounds = (kSanitized ? 4 : 14) * effort();
  const std::vector<fs::path> manifests{out() / kManifestName, site() / kManifestName};
  expect_told({"kwexport", "--out", out().string()});
  expect_told({"kwexport", "--format", "html", "--out", site().string()});
  const std::vector<std::string> sound{read_text(manifests[0]), read_text(manifests[1])};
  for (int round = 0; round < rounds; ++round) {
    restore_index();
    for (std::size_t i = 0; i < sound.size(); ++i) write_file(manifests[i], sound[i]);
    const std::vector<fs::path> files = damageable(database(), generation(), manifests);
    std::string names;
    for (int damages = random() % 4 == 0 ? 3 : 1; damages > 0; --damages) {
      const fs::path file = files[random() % files.size()];
      const fs::path other = files[random() % files.size()];
      const fs::path before = older() / file.filename();
      names += " " + file.filename().string();
      write_file(file, damaged(read_text(file), read_text(other),
                               fs::exists(before) ? read_text(before) : "", random));
    }
    SCOPED_TRACE(fmt::format("KW_SEED={} round {}:{}", seed, round, names));
    expect_all_told();
    expect_mended();
    if (HasFailure()) return;
  }
  for (const auto& [ending, runs] : endings_) RecordProperty(ending, runs);
  if (!kSanitized) {
    EXPECT_LT(child_peak_mb(), kMaxMegabytes);
  }
}

// Each of these ended every program by a signal, or never.
TEST_F(DamagedIndex, LevelsThatXapianHasNoRoomFor) {
  const std::string version = read_text(generation() / "iamglass");
  int refused = 0;
  for (std::size_t at = 33; at < version.size(); ++at) {
    std::string bytes = version;
    bytes[at] = '\x7f';
    write_file(generation() / "iamglass", bytes);
    CommandOptions options;
    options.folder = root().string();
    const CommandResult result = run_command({"kwsearch", "later_added"}, options);
    EXPECT_THAT(result.exit_code, testing::AnyOf(0, 1, 2)) << at << result.err;
    EXPECT_THAT(result.err, testing::Not(testing::HasSubstr("crashed"))) << at;
    refused += result.err.find("it is damaged") != std::string::npos ? 1 : 0;
  }
  EXPECT_GE(refused, 20);
  expect_mended();
}

TEST_F(DamagedIndex, HeadsOfBlocksAreSeenBeforeXapianReadsThem) {
  for (const std::size_t at : {4, 5, 6, 7, 8, 9, 10, 11, 12}) {
    restore_index();
    std::string bytes = read_text(generation() / "postlist.glass");
    for (std::size_t block = 0; block < bytes.size(); block += 8192)
      bytes[block + at] = static_cast<char>(bytes[block + at] ^ 0x55);
    write_file(generation() / "postlist.glass", bytes);
    write_file(root() / "later.py", "changed\n");
    CommandOptions options;
    options.folder = root().string();
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"kwindex", "--check"},
          {"kwindex"},
          {"kwexport", "--out", (dir_ / "out").string()},
          {"kwexport", "--format", "html", "--out", (dir_ / "site").string()}}) {
      const CommandResult result = run_command(words, options);
      EXPECT_EQ(result.exit_code, 2) << at;
      EXPECT_THAT(result.err, testing::HasSubstr("it is damaged (postlist: block ")) << at;
      EXPECT_THAT(result.err, testing::HasSubstr("hint: rebuild it with: kwindex --rebuild"));
    }
  }
}

TEST_F(DamagedIndex, ARootThatNamesABlockBehindTheEndIsSeenFirst) {
  restore_index();
  std::string bytes = read_text(generation() / "postlist.glass");
  const auto at = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
  int branches = 0;
  for (std::size_t block = 0; block < bytes.size(); block += 8192) {
    const std::size_t first = block + at(block + 11) * std::size_t{256} + at(block + 12);
    if (at(block + 4) != 1 || first + 4 > bytes.size()) continue;  // its level
    bytes.replace(first, 4, "8012");
    ++branches;
  }
  ASSERT_GE(branches, 1);
  write_file(generation() / "postlist.glass", bytes);
  CommandOptions options;
  options.folder = root().string();
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"kwsearch", "later_added"}, {"kwindex"}, {"kwindex", "--check"}}) {
    const CommandResult result = run_command(words, options);
    EXPECT_EQ(result.exit_code, 2) << words[0];
    EXPECT_THAT(result.err,
                testing::HasSubstr("entry 0 names block 942682418, which is not there"));
  }
}

// Xapian believes the length of each term in a document's list, and reads on behind the list.
TEST_F(DamagedIndex, LengthsInListsOfTermsAreSeenBeforeXapianReadsThem) {
  const std::string lists = read_text(generation() / "termlist.glass");
  CommandOptions options;
  options.folder = root().string();
  int told = 0;
  for (std::size_t at = 8192 - 7; at > 2048; at -= 8192 / (kSanitized ? 16 : 64)) {
    std::string bytes = lists;
    for (std::size_t block = 0; block + at < bytes.size(); block += 8192)
      bytes[block + at] = static_cast<char>(bytes[block + at] ^ 0x55);
    write_file(generation() / "termlist.glass", bytes);
    const CommandResult result = run_command({"kwindex", "--check"}, options);
    EXPECT_THAT(result.exit_code, testing::AnyOf(0, 2)) << at << ": 0 in free space";
    EXPECT_THAT(result.err, testing::Not(testing::ContainsRegex("crashed|out of memory"))) << at;
    told += result.err.find("is no list of terms") != std::string::npos ? 1 : 0;
  }
  EXPECT_GT(told, 3);
  expect_mended();
}

TEST_F(DamagedIndex, AFileThatEndsEarlyIsTold) {
  const std::string postings = read_text(generation() / "postlist.glass");
  for (std::size_t blocks = 1; blocks < postings.size() / 8192; ++blocks) {
    write_file(generation() / "postlist.glass", postings.substr(0, blocks * 8192));
    CommandOptions options;
    options.folder = root().string();
    const CommandResult result = run_command({"kwsearch", "w1*"}, options);
    EXPECT_EQ(result.exit_code, 2) << blocks;
    EXPECT_THAT(result.err, testing::HasSubstr("it is damaged")) << blocks;
    EXPECT_THAT(result.err, testing::HasSubstr("hint: rebuild it with: kwindex --rebuild"))
        << blocks;
  }
}

TEST_F(DamagedIndex, RebuildWorksWhateverTheStubSays) {
  for (const char* stub : {"", "auto ../../elsewhere\n", "remote :evil\n", "auto gen-99\n"}) {
    write_file(database() / "XAPIANDB", stub);
    expect_mended();
  }
  fs::remove_all(generation());
  for (const auto& entry : fs::directory_iterator(database()))
    if (fs::is_directory(entry)) fs::remove_all(entry.path());
  expect_mended();
}

}  // namespace
}  // namespace kw::test
