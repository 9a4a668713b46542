// SPDX-License-Identifier: GPL-2.0-or-later
// The table of docs/trust.md, a test a row: what kwindex does with an index that it did not write.
// Another user's record is another state folder; where it matters who owns a file, there are two
// users, which only root can have.
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "schema/base/bounds.h"
#include "tests/integration/kwindex_fixture.h"

namespace kw::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr const char* kSecret = "topsecretname";

class KwindexTrust : public KwindexTest {
 protected:
  KwindexTrust() {
    make_tree(root(), {{"a.md", "# A\n"}, {"sub/b.md", "# B\n"}, {".hidden.md", "# Hidden\n"}});
    make_tree(dir_ / "private", {{"key.md", std::string("`") + kSecret + "`\n"}});
    fs::create_symlink(dir_ / "private", root() / "link");
  }

  /// The user whose record of indexes lies in dir_/NAME.
  CommandResult run_as(const std::string& name, std::vector<std::string> words,
                       const std::string& folder = "") const {
    CommandOptions options;
    options.folder = folder.empty() ? dir_.str() : folder;
    options.environment = {"XDG_STATE_HOME=" + (dir_ / name).string()};
    return run(std::move(words), options);
  }

  void plant(std::vector<std::string> words) const {
    const CommandResult result = run_as("author", std::move(words));
    ASSERT_EQ(result.exit_code, 0) << result.err;
  }

  static bool holds_secret(const fs::path& database) {
    return dump(database).find(kSecret) != std::string::npos;
  }
};

TEST_F(KwindexTrust, AClonesOptionsAreNotTakenOver) {
  plant({"tree", "--hidden", "--follow", "--exclude", "o'ld", "--exclude", "x\x1by"});
  ASSERT_TRUE(holds_secret(database()));
  for (const bool dry : {true, false}) {
    const CommandResult result = run_as(
        "me", dry ? std::vector<std::string>{".", "--dry-run"} : std::vector<std::string>{"."},
        root().string());
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_THAT(result.err, AllOf(HasSubstr("there is no record that you wrote it"),
                                  HasSubstr("not taken over: --hidden --follow"),
                                  HasSubstr(R"(--exclude 'o'\''ld')"), HasSubstr("--trust"),
                                  Not(HasSubstr("\x1b"))));
    EXPECT_THAT(result.out, HasSubstr("2 new"));
  }
  EXPECT_FALSE(holds_secret(database()));
  const CommandResult again = run_as("me", {}, root().string());
  EXPECT_THAT(again.out, HasSubstr("2 unchanged"));
  EXPECT_THAT(again.err, IsEmpty()) << "it is mine now";
}

TEST_F(KwindexTrust, AnIndexThatWasOnlyFoundIsLeftAlone) {
  plant({"tree", "--follow"});
  const auto before = index_files();
  for (const char* option : {"--quiet", "--rebuild", "--reset", "--dry-run", "--watch"})
    for (const char* folder : {"tree", "tree/sub"}) {
      SCOPED_TRACE(std::string(option) + " in " + folder);
      const CommandResult result = run_as("me", {option}, (dir_ / folder).string());
      EXPECT_EQ(result.exit_code, 2);
      EXPECT_THAT(result.err, AllOf(HasSubstr("no record"), HasSubstr("hint: kwindex .\n")));
      EXPECT_THAT(result.out, IsEmpty());
    }
  EXPECT_EQ(index_files(), before);
  EXPECT_EQ(run_as("me", {"--status"}, root().string()).exit_code, 0) << "it may be looked at";
  EXPECT_EQ(run_as("me", {"."}, (root() / "sub").string()).exit_code, 0);
}

TEST_F(KwindexTrust, AStoredRootIsNotObeyed) {
  make_tree(dir_ / "clone", {{"c.md", "# C\n"}});
  plant({"private", "--db", "clone/.kwsearch"});
  EXPECT_EQ(run_as("me", {}, (dir_ / "clone").string()).exit_code, 2);
  EXPECT_EQ(run_as("me", {"--db", "clone"}).exit_code, 2);
  EXPECT_EQ(run_as("me", {"clone"}).exit_code, 0);
  EXPECT_FALSE(holds_secret(dir_ / "clone"));
}

TEST_F(KwindexTrust, TrustTakesOverWhatAnIndexStores) {
  plant({"tree", "--hidden"});
  const CommandResult result = run_as("me", {"--trust"}, root().string());
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, HasSubstr("3 unchanged"));
  EXPECT_THAT(result.err, IsEmpty());
  EXPECT_THAT(run_as("me", {}, root().string()).out, HasSubstr("3 unchanged")) << "from now on";
  write_file(root() / ".kwsearch.toml", "trust = true\n");
  EXPECT_EQ(run_as("me", {"."}, root().string()).exit_code, 2) << "a tree may not say so";
}

TEST_F(KwindexTrust, AnIndexElsewhere) {
  plant({"tree", "--db", "whole", "--hidden"});
  plant({"tree", "--db", "part", "--shard", "1/2"});
  struct Case {
    const char* why;
    std::vector<std::string> words;
    int code;
    const char* said;
  };
  const Case cases[] = {
      {"no root", {"--db", "whole"}, 2, "hint: kwindex ROOT --db "},
      {"another root", {"private", "--db", "whole"}, 2, "is of another folder"},
      {"its root", {"tree", "--db", "whole"}, 0, "not taken over: --hidden"},
      {"a part, not named", {"tree", "--db", "part"}, 2, "name the part"},
      {"another part", {"tree", "--db", "part", "--shard", "2/2"}, 2, "is of another part"},
      {"its part", {"tree", "--db", "part", "--shard", "1/2"}, 0, "no record"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.why);
    const CommandResult result = run_as("me", c.words);
    EXPECT_EQ(result.exit_code, c.code);
    EXPECT_THAT(result.err, HasSubstr(c.said));
  }
  EXPECT_THAT(run_as("me", {"--db", "part"}).err, IsEmpty());
}

TEST_F(KwindexTrust, MovedAndCopiedTrees) {
  plant({"tree", "--hidden"});
  fs::rename(root(), dir_ / "moved");
  EXPECT_THAT(run_as("author", {}, (dir_ / "moved").string()).out, HasSubstr("3 unchanged"));
  fs::copy(dir_ / "moved", dir_ / "copy",
           fs::copy_options::recursive | fs::copy_options::copy_symlinks);
  EXPECT_EQ(run_as("author", {}, (dir_ / "copy").string()).exit_code, 2);
  EXPECT_THAT(run_as("author", {"copy"}).err, HasSubstr("not taken over: --hidden"));
  EXPECT_THAT(run_as("author", {}, (dir_ / "copy").string()).out, HasSubstr("2 unchanged"));
  EXPECT_THAT(run_as("author", {}, (dir_ / "moved").string()).out, HasSubstr("3 unchanged"))
      << "the original is known as before";
}

// A deployment swaps a link. The same path as before is the same root; another path is not, and
// neither is the folder of another user's index.
TEST_F(KwindexTrust, ARootThatIsALink) {
  make_tree(dir_ / "next", {{"n.md", "# Next\n"}});
  fs::create_directory_symlink(root(), dir_ / "current");
  plant({"current", "--db", "index"});
  fs::remove(dir_ / "current");
  fs::create_directory_symlink(dir_ / "next", dir_ / "current");
  EXPECT_THAT(run_as("author", {"--db", "index"}).out, HasSubstr("2 unchanged"))
      << "without ROOT, the folder of before";
  EXPECT_EQ(run_as("me", {"current", "--db", "index"}).exit_code, 2);
  EXPECT_EQ(run_as("author", {"next", "--db", "index"}).exit_code, 2);
  const CommandResult swapped = run_as("author", {"./current/", "--db", "index"});
  EXPECT_EQ(swapped.exit_code, 0) << swapped.err;
  EXPECT_THAT(swapped.out, AllOf(HasSubstr("1 new"), HasSubstr("2 removed")));
  EXPECT_THAT(run_as("author", {"next", "--db", "index"}).out, HasSubstr("1 unchanged"));
}

TEST_F(KwindexTrust, ARestoredCache) {
  plant({"tree"});
  const std::string before = dump(database());
  save_index();
  fs::remove_all(database());
  fs::rename(dir_ / "saved", database());
  const CommandResult trusted = run_as("runner", {"tree", "--trust"});
  EXPECT_THAT(trusted.out, HasSubstr("2 unchanged"));
  EXPECT_THAT(trusted.err, IsEmpty());
  const CommandResult result = run_as("another runner", {"tree"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.err,
              AllOf(HasSubstr("copied or restored"), HasSubstr("in place: kwindex tree --trust")));
  EXPECT_EQ(dump(database()), before);
}

TEST_F(KwindexTrust, TablesThatWereExchangedInTheSameFolder) {
  plant({"tree", "--db", "other", "--follow"});
  ASSERT_EQ(run_as("me", {"tree"}).exit_code, 0);
  fs::remove_all(database() / "gen-1");
  fs::copy(dir_ / "other/gen-1", database() / "gen-1", fs::copy_options::recursive);
  EXPECT_EQ(run_as("me", {}, root().string()).exit_code, 2);
  EXPECT_EQ(run_as("me", {"tree"}).exit_code, 0);
  EXPECT_FALSE(holds_secret(database()));
}

TEST_F(KwindexTrust, WhereNoRecordCanBeKept) {
  write_file(dir_ / "file", "");
  const auto run_without = [&](std::vector<std::string> words) {
    return run_as("file/state", std::move(words));
  };
  for (int i = 0; i < 2; ++i) {
    const CommandResult result = run_without({"tree"});
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_THAT(result.err, AllOf(HasSubstr("no record of this index could be kept"),
                                  HasSubstr("XDG_STATE_HOME")));
    EXPECT_THAT(result.out, HasSubstr("2 new"));
  }
  const CommandResult trusted = run_without({"tree", "--trust"});
  EXPECT_THAT(trusted.out, HasSubstr("2 unchanged"));
  EXPECT_THAT(trusted.err, IsEmpty());
}

TEST_F(KwindexTrust, ARecordThatOthersMayWriteIsNone) {
  plant({"tree"});
  fs::permissions(dir_ / "author/kwsearch", fs::perms::all);
  EXPECT_EQ(run_as("author", {}, root().string()).exit_code, 2);
  fs::permissions(dir_ / "author/kwsearch", fs::perms::owner_all);
  for (const auto& file : fs::directory_iterator(dir_ / "author/kwsearch"))
    write_file(file.path(), "{");
  EXPECT_EQ(run_as("author", {}, root().string()).exit_code, 2) << "nor one that is damaged";
}

// Bound: kwindex's record of an index
TEST_F(KwindexTrust, ARecordHasABound) {
  std::vector<std::string> words{"tree", "-q"};
  for (std::size_t i = 0; i < kMaxGlobs; ++i)  // as many options as a command line has room for
    words.insert(words.end(), {"--exclude", fmt::format("{:\x01>1500}", i)});
  plant(words);
  EXPECT_THAT(run_as("author", {}, root().string()).out, HasSubstr("2 unchanged"));
  fs::path file;
  for (const auto& entry : fs::directory_iterator(dir_ / "author/kwsearch")) file = entry.path();
  std::string record = read_text(file);
  EXPECT_GT(record.size(), std::size_t{8} << 20);
  record.resize(kMaxIndexRecordBytes, '\n');
  write_file(file, record);
  EXPECT_EQ(run_as("author", {"--dry-run"}, root().string()).exit_code, 0);
  write_file(file, record + "\n");
  EXPECT_EQ(run_as("author", {"--dry-run"}, root().string()).exit_code, 2) << "counts as none";
}

// A machine may, when it is started again, number its devices in another way; inodes stay.
TEST_F(KwindexTrust, DevicesWithOtherNumbers) {
  plant({"tree"});
  fs::path file;
  for (const auto& entry : fs::directory_iterator(dir_ / "author/kwsearch")) file = entry.path();
  const auto change = [&](const char* number) {
    auto record = nlohmann::json::parse(read_text(file));
    record[number] = record[number].get<std::uint64_t>() + 1;
    write_file(file, record.dump());
  };
  change("device");
  EXPECT_THAT(run_as("author", {}, root().string()).out, HasSubstr("2 unchanged"));
  change("inode");
  EXPECT_EQ(run_as("author", {}, root().string()).exit_code, 2) << "a copy in its place";
}

// It is there and need not be created or rebuilt.
TEST_F(KwindexTrust, AnIndexThatMayNotBeRead) {
  ASSERT_EQ(run_as("me", {"tree"}).exit_code, 0);
  for (const char* path :
       {"tree", "tree/.kwsearch", "tree/.kwsearch/XAPIANDB", "tree/.kwsearch/gen-1",
        "tree/.kwsearch/gen-1/iamglass", "tree/.kwsearch/gen-1/postlist.glass"}) {
    const fs::perms before = fs::status(dir_ / path).permissions();
    fs::permissions(dir_ / path, fs::perms::none);
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"kwsearch", "--db", "tree", "A"},
          {"kwexport", "--db", "tree", "--out", "out"},
          {"kwindex", "tree", "--status"},
          {"kwindex", "tree", "--check"}}) {
      SCOPED_TRACE(fmt::format("{}: {}", path, fmt::join(words, " ")));
      std::vector<std::string> command = words;
      command[0] = std::string(KW_BINARY_DIR) + "/bin/" + words[0];
      if (::geteuid() == 0)
        command.insert(command.begin(),
                       {"setpriv", "--bounding-set=-dac_override,-dac_read_search"});
      CommandOptions options;
      options.folder = dir_.str();
      const CommandResult result = run_command(command, options);
      if (words.back() == "--status" && result.exit_code == 0) continue;  // it reads no table
      EXPECT_EQ(result.exit_code, 2);
      EXPECT_THAT(result.err, AllOf(testing::ContainsRegex("[Pp]ermission denied"),
                                    HasSubstr("hint: its owner may share it with: kwindex")));
    }
    fs::permissions(dir_ / path, before);
  }
}

TEST_F(KwindexTrust, TheSummaryNamesTheRoot) {
  EXPECT_THAT(run_as("me", {"tree"}).out, HasSubstr(" of tree in "));
  EXPECT_THAT(run_as("me", {}, root().string()).out, Not(HasSubstr(" of tree")));
  EXPECT_THAT(run_as("me", {}, (root() / "sub").string()).out,
              HasSubstr(" of " + root().string() + " in "));
  EXPECT_THAT(run_as("me", {"tree", "--json"}).out, Not(HasSubstr("root")));
}

/// Two users without rights, and what they may reach.
class KwindexTwoUsers : public KwindexTrust {
 protected:
  static constexpr int kPlanter = 60'001, kVictim = 60'002;

  void SetUp() override {
    if (::geteuid() != 0) GTEST_SKIP() << "only root can be two users";
    fs::permissions(dir_.path(), fs::perms::others_exec | fs::perms::others_read,
                    fs::perm_options::add);
    for (const int user : {kPlanter, kVictim}) {
      const fs::path home = home_of(user);
      fs::create_directories(home);
      own(home, user);
    }
    if (as(kVictim, {"--version"}, dir_.path()).exit_code != 0)
      GTEST_SKIP() << "other users may not run the program in " << KW_BINARY_DIR;
  }

  fs::path home_of(int user) const { return dir_ / fmt::format("home{}", user); }

  static void own(const fs::path& path, int user) {
    const CommandResult result =
        run_command({"chown", "-R", fmt::format("{}:{}", user, user), path.string()});
    ASSERT_EQ(result.exit_code, 0) << result.err;
  }

  CommandResult as(int user, std::vector<std::string> words, const fs::path& folder,
                   const std::string& program = "kwindex",
                   const std::vector<std::string>& before = {}) const {
    std::vector<std::string> command;
    if (user != 0)
      command = {"setpriv", fmt::format("--reuid={}", user), fmt::format("--regid={}", user),
                 "--clear-groups", "--"};
    command.insert(command.end(), {"env", "-u", "XDG_STATE_HOME",
                                   "HOME=" + (user ? home_of(user) : dir_ / "root").string()});
    command.insert(command.end(), before.begin(), before.end());
    command.push_back(std::string(KW_BINARY_DIR) + "/bin/" + program);
    command.insert(command.end(), words.begin(), words.end());
    CommandOptions options;
    options.folder = folder.string();
    return run_command(command, options);
  }
};

TEST_F(KwindexTwoUsers, AnIndexPlantedInASharedFolder) {
  const fs::path shared = dir_ / "shared";
  fs::create_directories(shared / "sub");
  fs::permissions(shared, fs::perms::all | fs::perms::sticky_bit);
  own(shared / "sub", kVictim);
  write_file(shared / "sub/mine.md", "# Mine\n");
  write_file(home_of(kVictim) / ".ssh/key.md", std::string("`") + kSecret + "`\n");
  own(home_of(kVictim), kVictim);
  fs::permissions(home_of(kVictim) / ".ssh", fs::perms::owner_all);
  ASSERT_EQ(as(kPlanter,
               {home_of(kVictim).string(), "--db", (shared / ".kwsearch").string(), "--hidden",
                "--shared", "--allow-empty"},
               home_of(kPlanter))
                .exit_code,
            3)
      << "what the planter may not read is not there yet";
  run_command({"chmod", "-R", "a+rwX", (shared / ".kwsearch").string()});

  for (const std::vector<std::string>& words :
       {std::vector<std::string>{}, {"--rebuild"}, {shared.string()}, {"--watch"}}) {
    SCOPED_TRACE(testing::PrintToString(words));
    const CommandResult result = as(kVictim, words, shared / "sub");
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.err, AllOf(HasSubstr("belongs to another user"), HasSubstr("hint: ")));
  }
  EXPECT_FALSE(holds_secret(shared));
  EXPECT_EQ(as(kVictim, {"."}, shared / "sub").exit_code, 0);
  EXPECT_THAT(as(kVictim, {"Mine"}, shared / "sub", "kwsearch").out, HasSubstr("mine.md"));
}

TEST_F(KwindexTwoUsers, AnothersIndexMayBeRead) {
  own(root(), kPlanter);
  ASSERT_EQ(as(kPlanter, {".", "--shared"}, root()).exit_code, 0);
  EXPECT_THAT(as(kVictim, {"A", "-l"}, root(), "kwsearch").out, HasSubstr("a.md"));
  EXPECT_EQ(as(kVictim, {"."}, root()).exit_code, 2);
  EXPECT_EQ(as(kVictim, {"--status"}, root()).exit_code, 0);
}

TEST_F(KwindexTwoUsers, RootOnAnothersTree) {
  fs::permissions(dir_ / "private", fs::perms::owner_all);
  own(root(), kPlanter);
  ASSERT_EQ(as(kPlanter, {".", "--follow"}, root()).exit_code, 3) << "root's folder is not theirs";
  fs::create_directories(dir_ / "root");
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{}, {"."}, {".", "--rebuild"}}) {
    const CommandResult result = as(0, words, root());
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.err, HasSubstr("belongs to another user"));
  }
  const std::vector<std::string> sudo{fmt::format("SUDO_UID={}", kPlanter)};
  EXPECT_EQ(as(0, {}, root(), "kwindex", sudo).exit_code, 2) << "it is theirs, without a record";
  EXPECT_FALSE(holds_secret(database()));
  const CommandResult result = as(0, {"."}, root(), "kwindex", sudo);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("not taken over: --follow"));
  EXPECT_FALSE(holds_secret(database()));
  EXPECT_EQ(as(kVictim, {"."}, root(), "kwindex", sudo).exit_code, 2)
      << "others may say what they like";
}

TEST_F(KwindexTwoUsers, RootWithAnothersHomeLeavesNothingThere) {
  CommandOptions options;
  options.folder = dir_.str();
  options.environment = {"XDG_STATE_HOME=" + (home_of(kVictim) / "state").string()};
  EXPECT_THAT(run({"tree"}, options).err, HasSubstr("it is another user's"));
  EXPECT_FALSE(fs::exists(home_of(kVictim) / "state"));
}

TEST_F(KwindexTwoUsers, AFileSystemThatShowsAnotherOwner) {
  own(root(), kVictim);
  ASSERT_EQ(as(kVictim, {"."}, root()).exit_code, 0);
  ASSERT_EQ(run_command({"chmod", "-R", "a+rwX", database().string()}).exit_code, 0);
  own(database(), 65'534);
  EXPECT_EQ(as(kVictim, {}, root()).exit_code, 2);
  EXPECT_THAT(as(kVictim, {"--trust"}, root()).out, HasSubstr("2 unchanged"));
  EXPECT_THAT(as(kVictim, {}, root()).out, HasSubstr("2 unchanged")) << "once is enough";
}

TEST_F(KwindexTwoUsers, AContainerThatMapsIds) {
  own(root(), kVictim);
  ASSERT_EQ(as(kVictim, {"."}, root()).exit_code, 0);
  const std::vector<std::string> inside{"unshare", "--user", "--map-root-user"};
  if (as(kVictim, {"--version"}, root(), "kwindex", inside).exit_code != 0)
    GTEST_SKIP() << "no user namespaces here";
  EXPECT_THAT(as(kVictim, {}, root(), "kwindex", inside).out, HasSubstr("2 unchanged"));
}

TEST_F(KwindexTwoUsers, TheUnitRefusesATreeOfAnotherOwner) {
  std::istringstream lines(read_text(fs::path(KW_SOURCE_DIR) / "tools/systemd/kwindex@.service"));
  std::string command;
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("ExecStartPre=")) command = line.substr(13);
  // As systemd reads it: both doubled signs are one, and what %f and %n stand for is one word.
  for (std::size_t i = 0; i + 1 < command.size(); ++i)
    if ((command[i] == '$' || command[i] == '%') && command[i + 1] == command[i])
      command.erase(i, 1);
  ASSERT_TRUE(command.ends_with(" sh %f %n")) << command;
  command.resize(command.size() - 5);
  command += "'" + root().string() + "' kwindex@srv-docs.service";
  EXPECT_EQ(run_command({"sh", "-c", command}).exit_code, 0) << "root's own";
  own(root(), 33);  // www-data, which every Debian has
  const CommandResult refused = run_command({"sh", "-c", command});
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_THAT(refused.err, AllOf(HasSubstr("belongs to www-data"),
                                 HasSubstr("hint: systemctl edit kwindex@srv-docs.service"),
                                 HasSubstr("\n[Service]\nUser=www-data\n")));
}

}  // namespace
}  // namespace kw::test
