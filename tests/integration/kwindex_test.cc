// SPDX-License-Identifier: GPL-2.0-or-later
// kwindex as a process: what it counts, what it writes, what it refuses.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <thread>

#include "schema/base/descriptor.h"
#include "schema/base/xapian_api.h"
#include "schema/index/fields.h"
#include "schema/index/metadata.h"
#include "tests/integration/kwindex_fixture.h"

namespace kw::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

class Kwindex : public KwindexTest {
 protected:
  Kwindex() {
    make_tree(root(), {{"docs/core.py_docs.md",
                        "# Core\n\n## Source\n\n```python\nclass ViewMeta:\n    pass\n```\n"},
                       {"docs/guide.md", "# Guide\n\nHow a `ViewMeta` is used.\n"},
                       {"src/core.py", "class ViewMeta:\n    def run_it(self):\n        pass\n"},
                       {"src/util.c", "int twice(int n) { return 2 * n; }\n"},
                       {"notes.txt", "Plain notes about graph_capture.\n"}});
  }

  void expect_counts(const nlohmann::json& json, int indexed, int removed, int files) {
    EXPECT_EQ(json["indexed"], indexed);
    EXPECT_EQ(json["unchanged"], files - indexed);
    EXPECT_EQ(json["removed"], removed);
    EXPECT_EQ(json["files"], files);
  }

  void set_metadata(Meta meta, const std::string& value) {
    Xapian::WritableDatabase db((database() / "gen-1").string(), Xapian::DB_OPEN);
    db.set_metadata(std::string(key_of(meta)), value);
    db.commit();
  }
};

TEST_F(Kwindex, CountsAndEqualsAFreshBuild) {
  struct Step {
    const char* what;
    std::function<void()> change;
    int indexed, removed, files;
  };
  const auto touch = [&](const char* name) {
    const fs::path path = root() / name;
    fs::last_write_time(path, fs::last_write_time(path) + std::chrono::hours(1));
  };
  const Step steps[] = {
      {"first build", [] {}, 5, 0, 5},
      {"nothing", [] {}, 0, 0, 5},
      {"touch: the content is the same", [&] { touch("src/core.py"); }, 0, 0, 5},
      {"edit", [&] { write_file(root() / "src/util.c", "int thrice(int n);\n"); }, 1, 0, 5},
      {"edit, same size", [&] { write_file(root() / "src/util.c", "int thrive(int n);\n"); }, 1, 0,
       5},
      {"add", [&] { write_file(root() / "new/more.md", "# More\n"); }, 1, 0, 6},
      {"delete", [&] { fs::remove(root() / "docs/guide.md"); }, 0, 1, 5},
      {"rename", [&] { fs::rename(root() / "notes.txt", root() / "memo.txt"); }, 1, 1, 5},
      {"rename a folder", [&] { fs::rename(root() / "src", root() / "lib"); }, 2, 2, 5},
      {"all at once",
       [&] {
         write_file(root() / "a.md", "# A\n");
         write_file(root() / "memo.txt", "Other notes.\n");
         fs::remove(root() / "lib/util.c");
         touch("lib/core.py");
       },
       2, 1, 5},
      {"it becomes binary", [&] { write_file(root() / "a.md", std::string("x\0y", 3)); }, 0, 1, 4},
      {"it stays binary", [] {}, 0, 0, 4},
      {"and text again", [&] { write_file(root() / "a.md", "# A\n"); }, 1, 0, 5},
  };
  for (const Step& step : steps) {
    SCOPED_TRACE(step.what);
    step.change();
    expect_counts(index(), step.indexed, step.removed, step.files);
    EXPECT_EQ(dump(root()), fresh_dump());
  }
}

TEST_F(Kwindex, SummaryIsOneObject) {
  const CommandResult result = run({"tree", "--json"});
  EXPECT_THAT(result.err, IsEmpty());
  const auto json = nlohmann::json::parse(result.out);
  std::uint64_t bytes = 0;
  for (const auto& entry : fs::recursive_directory_iterator(root()))
    if (entry.is_regular_file() && entry.path().string().find(".kwsearch") == std::string::npos)
      bytes += entry.file_size();
  EXPECT_EQ(json["bytes"], bytes);
  EXPECT_EQ(json["skipped"], 0);
  EXPECT_TRUE(json["seconds"].is_number());
  EXPECT_EQ(json.size(), 7u);
}

TEST_F(Kwindex, ForPeople) {
  EXPECT_THAT(run({"tree"}).out, StartsWith("indexed 5 of 5 files ("));
  write_file(root() / "x.bin", std::string(3, '\0'));
  EXPECT_THAT(run({"tree"}).out, HasSubstr("5 unchanged\nskipped 1 file: 1 binary\n"));
  EXPECT_THAT(run({"tree", "-q"}).out, IsEmpty());
}

TEST_F(Kwindex, ARunThatChangesNothingWritesNothing) {
  index();
  const auto before = index_files();
  EXPECT_TRUE(before.contains("gen-1/postlist.glass"));
  for (int i = 0; i < 3; ++i) {
    index();
    EXPECT_EQ(index_files(), before);
  }
  EXPECT_EQ(nlohmann::json::parse(read_text(database() / "status.json"))["files"], 5);
}

TEST_F(Kwindex, AFolderOfItsOwn) {
  index();
  EXPECT_EQ(read_text(database() / "XAPIANDB"), "auto gen-1\n");
  EXPECT_EQ(read_text(database() / ".gitignore"), "*\n");
  struct stat st;
  ASSERT_EQ(::stat(database().c_str(), &st), 0);
  EXPECT_EQ(st.st_mode & 0777, 0700u);
  ASSERT_EQ(run({"tree", "--db", "shared", "--shared"}).exit_code, 0);
  ASSERT_EQ(::stat((dir_ / "shared").c_str(), &st), 0);
  const mode_t mask = ::umask(0);
  ::umask(mask);
  EXPECT_EQ(st.st_mode & 0777, 0777 & ~mask);
  index({"--rebuild"});
  EXPECT_EQ(read_text(database() / "XAPIANDB"), "auto gen-2\n");
  EXPECT_TRUE(fs::exists(database() / "gen-1")) << "for readers that still hold it";
  index();
  EXPECT_FALSE(fs::exists(database() / "gen-1")) << "until the next run";
}

TEST_F(Kwindex, AnyNumberOfThreadsMakesTheSameIndex) {
  for (int i = 0; i < 700; ++i)  // several batches
    write_file(root() / fmt::format("many/{:03}.md", i),
               fmt::format("# Page {}\n\n`name_{}` and `Shared`.\n", i, i % 50));
  const std::string one = fresh_dump({"--jobs", "1"});
  EXPECT_EQ(one, fresh_dump({"--jobs", "4"}));
  const auto docids = [&] {
    Xapian::Database db((dir_ / "fresh/gen-1").string());
    std::vector<std::string> paths;
    for (auto it = db.valuestream_begin(slot_of(Field::Path));
         it != db.valuestream_end(slot_of(Field::Path)); ++it)
      paths.push_back(*it);
    return paths;
  }();
  EXPECT_EQ(docids.size(), 705u);
  EXPECT_TRUE(std::is_sorted(docids.begin(), docids.end())) << "documents are numbered by path";
}

TEST_F(Kwindex, ManyAndMostFilesChanged) {
  const auto write_some = [&](int count, const char* name) {
    for (int i = 0; i < count; ++i)
      write_file(root() / fmt::format("many/{:04}.py", i),
                 fmt::format("def {}_{}(): 0\n", name, i));
  };
  write_some(1500, "first");
  expect_counts(index(), 1505, 0, 1505);

  write_some(700, "second");  // more than are read at a time
  const CommandResult update = run({"tree", "--json"});
  EXPECT_THAT(update.err, IsEmpty()) << "no ctags is lost on the way";
  expect_counts(nlohmann::json::parse(update.out), 700, 0, 1505);
  EXPECT_EQ(dump(root()), fresh_dump());

  write_some(1100, "third");  // most: built anew, and counted alike
  fs::remove(root() / "many/1400.py");
  expect_counts(index(), 1100, 1, 1504);
  EXPECT_EQ(dump(root()), fresh_dump());
}

TEST_F(Kwindex, ExplainsEachFile) {
  index();
  write_file(root() / "src/util.c", "int x;\n");
  write_file(root() / "new\n\x1b[31m.md", "# N\n");
  write_file(root() / "x.bin", std::string(3, '\0'));
  write_file(root() / ".ignore", "notes.txt\n");
  fs::remove(root() / "docs/guide.md");
  const fs::path core = root() / "src/core.py";
  fs::last_write_time(core, fs::last_write_time(core) + std::chrono::hours(1));
  const std::string expected =
      "same     docs/core.py_docs.md\n"
      "gone     docs/guide.md\n"
      "new      new\\n\\x1b[31m.md\n"
      "gone     notes.txt  (left out by ignore rules or options)\n"
      "same     src/core.py  (touched, same content: mtime)\n"
      "changed  src/util.c  (size 35 -> 7)\n"
      "skipped  x.bin  (binary)\n";
  const auto without_racy = [](std::string text) {
    const std::string racy = "  (racy: changed in the tick it was recorded; same content)";
    for (std::size_t at; (at = text.find(racy)) != std::string::npos;) text.erase(at, racy.size());
    return text;
  };
  const auto before = index_files();
  const CommandResult dry = run({"tree", "--dry-run", "--explain"});
  EXPECT_THAT(without_racy(dry.out), AllOf(StartsWith(expected), HasSubstr("would index 2 of 4")));
  EXPECT_EQ(index_files(), before);
  const CommandResult json = run({"tree", "--explain", "--json"});
  EXPECT_EQ(without_racy(json.err), expected);
  EXPECT_EQ(nlohmann::json::parse(json.out)["indexed"], 2);
}

TEST_F(Kwindex, DryRunCreatesNothing) {
  const CommandResult result = run({"tree", "--dry-run", "--json"});
  EXPECT_EQ(nlohmann::json::parse(result.out)["indexed"], 5);
  EXPECT_FALSE(fs::exists(database()));
}

TEST_F(Kwindex, OptionsAreStored) {
  index({"--exclude", "docs"});
  expect_counts(index(), 0, 0, 3);
  expect_counts(index({"--exclude", "src"}), 2, 2, 3);  // replaces the stored one
  EXPECT_EQ(dump(root()), fresh_dump({"--exclude", "src"}));
  expect_counts(index({"--reset"}), 2, 0, 5);
  EXPECT_EQ(dump(root()), fresh_dump());
  index({"--hidden"});
  EXPECT_THAT(dump(root()), HasSubstr(R"("hidden":true)")) << "though no file came or went";
}

TEST_F(Kwindex, OptionsThatChangeEntriesRebuild) {
  index();
  const CommandResult result = run({"tree", "--symbols", "none", "--json"});
  EXPECT_THAT(result.err, HasSubstr("rebuilt"));
  expect_counts(nlohmann::json::parse(result.out), 5, 0, 5);
  EXPECT_EQ(dump(root()), fresh_dump({"--symbols", "none"}));
  EXPECT_THAT(dump(root()), Not(HasSubstr("\n definition ")));
  expect_counts(index(), 0, 0, 5);
  expect_counts(index({"--doc-suffix", ".md"}), 5, 0, 5);
  EXPECT_EQ(dump(root()), fresh_dump({"--symbols", "none", "--doc-suffix", ".md"}));
}

TEST_F(Kwindex, FindsTheNearestIndex) {
  index();
  write_file(root() / "b.md", "# B\n");
  CommandOptions inside;
  inside.folder = (root() / "src").string();
  EXPECT_THAT(run({}, inside).out, StartsWith("indexed 1 of 6"));
  CommandOptions outside;
  outside.folder = "/";
  const CommandResult none = run({}, outside);
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_EQ(none.err,
            "kwindex: error: no index here: there is no .kwsearch in this folder or above\n"
            "hint: kwindex .\n");
  const CommandResult sub = run({"tree/src"});
  EXPECT_THAT(sub.err, HasSubstr("note: "));
  EXPECT_THAT(sub.err, HasSubstr("covers it"));
  EXPECT_EQ(sub.exit_code, 0);
}

TEST_F(Kwindex, ATreeMayMove) {
  index();
  const std::string before = dump(root());
  fs::rename(root(), dir_ / "moved");
  const CommandResult result = run({"moved", "--json"});
  EXPECT_EQ(nlohmann::json::parse(result.out)["indexed"], 0) << result.err;
  EXPECT_EQ(dump(dir_ / "moved"), before);
}

TEST_F(Kwindex, ADatabaseBelongsToOneRootAndPart) {
  write_file(dir_ / "other/x.md", "# X\n");
  ASSERT_EQ(run({"tree", "--db", "index"}).exit_code, 0);
  EXPECT_THAT(run({"--db", "index"}).out, StartsWith("indexed 0 of 5")) << "it knows its root";
  write_file(dir_ / "full/readme.txt", "mine");
  struct Case {
    const char* why;
    std::vector<std::string> words;
    const char* said;
  };
  const Case cases[] = {
      {"another root", {"other", "--db", "index"}, "is of another folder"},
      {"another part", {"tree", "--db", "index", "--shard", "1/2"}, "is of another part"},
      {"a folder with other content", {"tree", "--db", "full"}, "it holds 'readme.txt'"},
      {"no such root", {"missing"}, "cannot index"},
      {"a file as root", {"tree/notes.txt"}, "not a folder"},
      {"no such index", {"--db", "missing"}, "no index at"},
      {"a file as index", {"tree", "--db", "tree/notes.txt"}, "notes.txt"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.why);
    const CommandResult result = run(c.words);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.err, HasSubstr(c.said));
    EXPECT_THAT(result.out, IsEmpty());
  }
  EXPECT_EQ(read_text(dir_ / "full/readme.txt"), "mine");
  EXPECT_FALSE(fs::exists(dir_ / "missing"));
}

TEST_F(Kwindex, PartsMakeTheWhole) {
  int files = 0;
  for (const char* part : {"1", "2", "3"}) {
    const std::string db = std::string("part") + part;
    const CommandResult result =
        run({"tree", "--db", db, "--shard", std::string(part) + "/3", "--json"});
    ASSERT_EQ(result.exit_code, 0) << result.err;
    files += nlohmann::json::parse(result.out)["files"].get<int>();
    EXPECT_EQ(nlohmann::json::parse(run({"--db", db, "--json"}).out)["indexed"], 0)
        << "the part is stored";
    const std::string text = dump(dir_ / db);
    EXPECT_EQ(text.find("\n pair core.py\n") == std::string::npos,
              text.find("docs/core.py_docs.md") == std::string::npos);
  }
  EXPECT_EQ(files, 5);
}

TEST_F(Kwindex, RulesThatExcludeAllFilesAreObeyed) {
  index({"--db", "index"});
  EXPECT_EQ(run({"tree", "--db", "index", "--include", "*.none"}).exit_code, 2) << "a slip";
  write_file(root() / ".ignore", "*\n");
  fs::rename(root(), dir_ / "away");
  fs::create_directories(root() / "node_modules");
  write_file(root() / ".ignore", "*\n");
  EXPECT_EQ(run({"tree", "--db", "index"}).exit_code, 2) << "none of the files is there";
  fs::remove_all(root());
  fs::rename(dir_ / "away", root());
  expect_counts(index({"--db", "index"}), 0, 5, 0);
}

TEST_F(Kwindex, AnEmptyRootIsNotBelieved) {
  index({"--db", "index"});
  fs::rename(root(), dir_ / "away");
  for (const bool there : {false, true}) {
    if (there) fs::create_directory(root());  // as a mount point that is not mounted
    const CommandResult result = run({"tree", "--db", "index"});
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.err, AllOf(HasSubstr("holds 5"), HasSubstr("--allow-empty")));
    EXPECT_THAT(dump(dir_ / "index"), HasSubstr("files 5\n"));
  }
  expect_counts(index({"--db", "index", "--allow-empty"}), 0, 5, 0);
  EXPECT_THAT(dump(dir_ / "index"), HasSubstr("files 0\n"));
  EXPECT_EQ(run({"tree", "--db", "index"}).exit_code, 0) << "an empty index of an empty folder";
}

TEST_F(Kwindex, AMissingRootEmptiesARebuiltIndexIfAllowed) {
  index({"--db", "index"});
  fs::rename(root(), dir_ / "away");
  EXPECT_EQ(run({"tree", "--db", "index", "--rebuild"}).exit_code, 2);
  expect_counts(index({"--db", "index", "--rebuild", "--allow-empty"}), 0, 5, 0);
}

TEST_F(Kwindex, LockedByAnother) {
  index();
  const Descriptor lock(::open((database() / "lock").c_str(), O_RDWR | O_CLOEXEC));
  ASSERT_EQ(::flock(lock.get(), LOCK_EX), 0);
  ASSERT_EQ(::ftruncate(lock.get(), 0), 0);
  ASSERT_EQ(::pwrite(lock.get(), "4711\n", 5, 0), 5);
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"tree"}, {"tree", "--wait", "0.1"}, {"tree", "--rebuild"}}) {
    const CommandResult result = run(words);
    EXPECT_EQ(result.exit_code, 75);
    EXPECT_THAT(result.err, AllOf(HasSubstr("process 4711"), HasSubstr("--wait")));
  }
  EXPECT_EQ(run({"tree", "--dry-run"}).exit_code, 0) << "looking needs no lock";
  std::thread waiting([&] { EXPECT_EQ(run({"tree", "--wait", "60"}).exit_code, 0); });
  ASSERT_EQ(::flock(lock.get(), LOCK_UN), 0);  // before it waits, or while: it gets it
  waiting.join();
}

TEST_F(Kwindex, OlderIsRebuiltNewerIsRefused) {
  struct Case {
    const char* why;
    Meta meta;
    const char* value;
    const char* said;
    int code;
  };
  const Case cases[] = {
      {"older", Meta::Version, "0", "note: the index is rebuilt: it has schema version 0", 0},
      {"another table", Meta::Fingerprint, "0123", "note: the index is rebuilt: it has another", 0},
      {"newer", Meta::Version, "999", "it has schema version 999, this program", 2},
      {"none of ours", Meta::Version, "", "none of kwindex", 2},
      {"damaged", Meta::Version, "x", "its version is damaged", 2},
      {"damaged at its end", Meta::Version, "4\xff", "its version is damaged", 2},
      {"options that do not decode", Meta::Options, "{", "do not decode", 2},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.why);
    fs::remove_all(database());
    index({"--exclude", "docs"});
    const std::string expected = dump(root());
    set_metadata(c.meta, c.value);
    CommandOptions inside;
    inside.folder = root().string();  // without ROOT: it is in the index
    const auto before = index_files();
    const CommandResult result = run({}, inside);
    EXPECT_EQ(result.exit_code, c.code) << result.err;
    EXPECT_THAT(result.err, HasSubstr(c.said));
    if (c.code == 0) {
      EXPECT_EQ(dump(root()), expected) << "with the stored options";
      EXPECT_THAT(run({"tree"}).out, StartsWith("indexed 0 of 3"));
    } else {
      EXPECT_THAT(result.err, HasSubstr("\nhint: "));
      EXPECT_THAT(result.err, HasSubstr("kwindex --rebuild"));
      EXPECT_EQ(index_files(), before);
      EXPECT_EQ(run({"--rebuild"}, inside).exit_code, 0) << "as the hint says";
      EXPECT_EQ(dump(root()), expected);
    }
  }
}

TEST_F(Kwindex, ADamagedVersionHasAHintThatWorks) {
  index();
  save_index();
  const std::string expected = dump(root());
  CommandOptions inside;
  inside.folder = root().string();
  for (const std::vector<std::string>& reader : {std::vector<std::string>{"kwsearch", "words"},
                                                 {"kwexport", "--out", "../pages"},
                                                 {"kwindex", "--check"}})
    for (const char* version : {"x", "4\xff", ""}) {
      SCOPED_TRACE(reader[0] + " " + version);
      set_metadata(Meta::Version, version);
      const CommandResult told = run_command(reader, inside);
      EXPECT_EQ(told.exit_code, 2);
      EXPECT_THAT(told.err, HasSubstr("\nhint: "));
      EXPECT_THAT(told.err, HasSubstr("kwindex --rebuild"));
      EXPECT_EQ(run({"--rebuild"}, inside).exit_code, 0);
      EXPECT_EQ(dump(root()), expected);
      restore_index();  // set_metadata() knows this generation
    }
}

TEST_F(Kwindex, ADamagedIndexIsAnErrorUntilRebuilt) {
  index();
  const std::string expected = dump(root());
  fs::resize_file(database() / "gen-1/iamglass", 3);
  const CommandResult result = run({"tree"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("--rebuild"));
  EXPECT_EQ(run({"tree", "--rebuild"}).exit_code, 0);
  EXPECT_EQ(dump(root()), expected);
  fs::remove(database() / "status.json");
  EXPECT_EQ(index()["indexed"], 0) << "status.json is no part of it";
}

TEST_F(Kwindex, AHostileDatabaseFolderRunsNothing) {
  const std::string touch = "remote :sh -c 'touch " + (dir_ / "pwned").string() + "'\n";
  index({"--db", "elsewhere"});
  struct Case {
    const char* why;
    std::function<void()> make;
  };
  const auto stub = [&](const std::string& text) {
    return [this, text] { write_file(database() / "XAPIANDB", text); };
  };
  const Case cases[] = {
      {"a program", stub(touch)},
      {"ours and a program", stub("auto gen-1\n" + touch)},
      {"a folder outside", stub("auto ../../elsewhere/gen-1\n")},
      {"a server", stub("remote localhost:1\n")},
      {"a link as stub",
       [&] { fs::create_symlink(dir_ / "elsewhere/XAPIANDB", database() / "XAPIANDB"); }},
      {"a link as generation",
       [&] {
         fs::create_directory_symlink(dir_ / "elsewhere/gen-1", database() / "gen-1");
         write_file(database() / "XAPIANDB", "auto gen-1\n");
       }},
      {"a link as folder",
       [&] {
         fs::remove(database());
         fs::create_directory_symlink(dir_ / "elsewhere", database());
       }},
  };
  const std::string elsewhere = dump(dir_ / "elsewhere");
  for (const Case& c : cases) {
    for (const char* option : {"--json", "--rebuild"}) {
      SCOPED_TRACE(std::string(c.why) + " " + option);
      fs::remove_all(database());
      fs::create_directory(database());
      c.make();
      const CommandResult result = run({"tree", option});
      // A rebuild takes nothing from what is there, and replaces it; a link it does not follow.
      const bool is_replaced =
          std::string(option) == "--rebuild" && std::string(c.why) != "a link as folder";
      EXPECT_EQ(result.exit_code, is_replaced ? 0 : 2);
      if (!is_replaced) {
        EXPECT_THAT(result.err, HasSubstr("\nhint: "));
      }
      EXPECT_FALSE(fs::exists(dir_ / "pwned"));
      EXPECT_EQ(dump(dir_ / "elsewhere"), elsewhere);
    }
  }
}

TEST_F(Kwindex, WithoutCtags) {
  write_file(dir_ / "bin/ctags", "#!/bin/sh\nexit 1\n");
  fs::permissions(dir_ / "bin/ctags", fs::perms::owner_all);
  CommandOptions without;
  without.environment = {"PATH=" + (dir_ / "bin").string()};
  const CommandResult result = run({"tree"}, without);
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.err, AllOf(HasSubstr("warning: "), HasSubstr("universal-ctags")));
  EXPECT_EQ(result.err.find("warning: "), result.err.rfind("warning: ")) << "once";
  EXPECT_THAT(dump(root()), Not(HasSubstr("\n definition ")));
  EXPECT_THAT(run({"tree"}, without).out, StartsWith("indexed 0 of 5"));
  const CommandResult again = run({"tree"});
  EXPECT_THAT(again.err, HasSubstr("note: the index is rebuilt: ctags changed: none -> "));
  EXPECT_EQ(dump(root()), fresh_dump());

  // It goes missing: what is indexed stays, and the next run with it makes all right.
  EXPECT_THAT(run({"tree"}, without).out, StartsWith("indexed 0 of 5"));
  EXPECT_EQ(dump(root()), fresh_dump());
  write_file(root() / "src/util.c", "int changed(int n) { return n; }\n");
  EXPECT_THAT(run({"tree"}, without).out, StartsWith("indexed 1 of 5"));
  EXPECT_THAT(run({"tree"}).err, HasSubstr("rebuilt"));
  EXPECT_EQ(dump(root()), fresh_dump());
}

TEST_F(Kwindex, CtagsStartsOnlyWhereItIsNewOrFilesAreRead) {
  const fs::path program = dir_ / "bin/ctags", log = dir_ / "starts";
  const auto put_program = [&](const std::string& note) {
    write_file(program, "#!/bin/sh\n# " + note + "\necho start >>" + log.string() +
                            "\nPATH=${PATH#*:} exec ctags \"$@\"\n");
    fs::permissions(program, fs::perms::owner_all);
  };
  CommandOptions with;
  with.environment = {"PATH=" + (dir_ / "bin").string() + ":" + std::getenv("PATH")};
  const auto starts_of = [&](const std::vector<std::string>& arguments) {
    fs::remove(log);
    const CommandResult result = run(arguments, with);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(result.err, "");
    return fs::exists(log);
  };
  put_program("one");
  EXPECT_TRUE(starts_of({"tree"}));
  run({"tree"}, with);  // reads what was written in the tick of the run before
  EXPECT_FALSE(starts_of({"tree"})) << "nothing changed";
  write_file(root() / "src/util.c", "int added(int n) { return n; }\n");
  EXPECT_TRUE(starts_of({"tree"}));
  EXPECT_EQ(dump(root()), fresh_dump());
  fs::remove(root() / "src/util.c");
  EXPECT_FALSE(starts_of({"tree"})) << "what is gone needs none";
  put_program("another one");
  EXPECT_TRUE(starts_of({"tree"})) << "it may be of another version";
  EXPECT_TRUE(starts_of({"tree", "--rebuild"}));
  EXPECT_EQ(dump(root()), fresh_dump());
}

TEST_F(Kwindex, ASwollenIndexIsCompacted) {
  // Text that does not compress, so that the index is large enough to matter.
  const auto noise = [](unsigned seed) {
    std::string text;
    for (int i = 0; i < 60'000; ++i) {
      seed = seed * 1664525u + 1013904223u;
      text += i % 60 == 59 ? '\n' : static_cast<char>('a' + (seed >> 24) % 26);
    }
    return text;
  };
  for (int i = 0; i < 30; ++i)
    write_file(root() / fmt::format("n{}.txt", i), noise(static_cast<unsigned>(i)));
  index({"--symbols", "none"});
  for (int round = 1; round < 6 && !fs::exists(database() / "gen-2"); ++round) {
    for (int i = 0; i < 30; ++i)
      write_file(root() / fmt::format("n{}.txt", i), noise(static_cast<unsigned>(100 * round + i)));
    index();
  }
  EXPECT_TRUE(fs::exists(database() / "gen-2"));
  EXPECT_EQ(read_text(database() / "XAPIANDB"), "auto gen-2\n");
  EXPECT_EQ(dump(root()), fresh_dump({"--symbols", "none"}));
  EXPECT_EQ(index()["indexed"], 0);
}

TEST_F(Kwindex, Help) {
  const CommandResult help = run({"--help"});
  EXPECT_EQ(help.exit_code, 0);
  EXPECT_THAT(help.out, AllOf(HasSubstr("Usage: kwindex"), HasSubstr("Examples:")));
  EXPECT_THAT(run({"--version"}).out, StartsWith("kwindex "));
  EXPECT_EQ(run({"--no-such-option"}).exit_code, 2);
}

}  // namespace
}  // namespace kw::test
