// SPDX-License-Identifier: GPL-2.0-or-later
// Trees that nobody wants: each file is indexed as far as it makes sense or skipped with a reason,
// the run goes on, and ends with the right code.
#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <fstream>

#include "schema/index/terms.h"
#include "schema/text/text.h"
#include "tests/integration/kwindex_fixture.h"
#include "tests/support/child_usage.h"

namespace kw::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

/// In a dump: the file has a name, spelled so, in its code.
testing::Matcher<std::string> HasName(const std::string& name) {
  return HasSubstr("\n term " + printable(make_ident_term(name)) + " ");
}

class KwindexBadInput : public KwindexTest {
 protected:
  KwindexBadInput() { write_file(root() / "good.md", "# Good\n\nA `GoodName`.\n"); }

  void add(const std::string& name, const std::string& bytes) { write_file(root() / name, bytes); }

  /// What the dump says of one file; empty if it is not in the index.
  std::string dumped(const std::string& name) const {
    const std::string all = dump(root());
    const std::size_t begin = all.find("\nfile " + name + "\n");
    if (begin == std::string::npos) return {};
    return all.substr(begin + 1, all.find("\nfile ", begin + 1) - begin);
  }

  /// The reason in status.json; empty if it was not skipped.
  std::string skipped(const std::string& name) const {
    const auto status = nlohmann::json::parse(read_text(database() / "status.json"));
    for (const auto& f : status["skipped"])
      if (f["path"] == name) return f["reason"];
    return {};
  }

  /// kwindex without a superuser's right to read what may not be read.
  CommandResult run_unprivileged(std::vector<std::string> words) const {
    words.insert(words.begin(), std::string(KW_BINARY_DIR) + "/bin/kwindex");
    if (::geteuid() == 0)
      words.insert(words.begin(), {"setpriv", "--bounding-set=-dac_override,-dac_read_search"});
    CommandOptions options;
    options.folder = dir_.str();
    return run_command(words, options);
  }
};

std::string utf16(const std::string& ascii, bool big_endian) {
  std::string out = big_endian ? "\xFE\xFF" : "\xFF\xFE";
  for (const char c : ascii) out += big_endian ? std::string{'\0', c} : std::string{c, '\0'};
  return out;
}

TEST_F(KwindexBadInput, OddBytes) {
  add("latin1.md", "# Caf\xE9\n\nText.\n");
  add("broken.md", "# Bad \xFF\xC3\x28 bytes\n");
  add("utf16le.md", utf16("# Little\n\nA `WideName`.\n", false));
  add("utf16be.md", utf16("# Big\n\nA `WideName`.\n", true));
  add("bom.md", "\xEF\xBB\xBF# Marked\n");
  add("nul.md", std::string("# Zero\0byte\n", 12));
  add("empty.md", "");
  add("empty.py", "");
  add("newlines.txt", "\n\n\n");
  add("cr.md", "# Mac\rline\r");
  add("half.md", utf16("# Half\n", false) + "\x41");
  const auto json = index();
  EXPECT_EQ(json["files"], 11);
  EXPECT_EQ(json["skipped"], 1);
  EXPECT_EQ(skipped("nul.md"), "binary");
  EXPECT_THAT(dumped("latin1.md"), HasSubstr("title Café\n"));
  EXPECT_THAT(dumped("utf16le.md"), AllOf(HasSubstr("title Little\n"), HasName("WideName")));
  EXPECT_THAT(dumped("utf16be.md"), AllOf(HasSubstr("title Big\n"), HasName("WideName")));
  EXPECT_THAT(dumped("bom.md"), HasSubstr("title Marked\n"));
  EXPECT_THAT(dumped("empty.md"), HasSubstr("size 0\n"));
  EXPECT_EQ(index()["indexed"], 0);
  EXPECT_EQ(dump(root()), fresh_dump());
}

TEST_F(KwindexBadInput, OddShapes) {
  add("line.md", std::string(1u << 20, 'x') + " `EndOfLine`");
  std::string words;
  while (words.size() < (1u << 20)) words += "word_" + std::to_string(words.size()) + " ";
  add("line.py", words);
  add("unclosed.md", "# Open\n\n```python\ndef never_closed():\n    pass\n");
  std::string headings;
  for (int i = 0; i < 10'000; ++i) headings += fmt::format("# Heading {}\n", i);
  add("headings.md", headings);
  add("deep.md", std::string(20'000, '>') + " quoted\n" + std::string(5'000, '[') + "\n");
  add("ticks.md", std::string(100'000, '`') + "\n" + std::string(99'999, '`') + "\n");
  std::string nested;
  for (int i = 0; i < 3'000; ++i) nested += "int f() {";
  add("nested.c", nested);
  index();
  EXPECT_THAT(dumped("line.md"), HasName("EndOfLine"));
  EXPECT_THAT(dumped("unclosed.md"), HasSubstr("definition 4 function never_closed\n"));
  EXPECT_THAT(dumped("headings.md"), HasSubstr("section 10000-10000 level 1 #heading-9999 "));
  EXPECT_THAT(dumped("good.md"), HasName("GoodName"));
}

TEST_F(KwindexBadInput, MoreIgnoreRulesThanAreTaken) {
  std::string rules;
  for (int i = 0; i < 10'000; ++i) rules += fmt::format("x{}*\n", i);
  add(".ignore", rules);
  EXPECT_THAT(run({"tree"}).err, IsEmpty());
  add(".ignore", rules + "*.log\n");
  add("a.log", "words\n");
  for (int i = 0; i < 2; ++i) {
    const CommandResult cut = run({"tree"});
    EXPECT_EQ(cut.exit_code, 0);
    EXPECT_THAT(cut.err, HasSubstr("warning: '.ignore' has more rules than are taken"));
  }
  EXPECT_THAT(run({"tree", "--status"}).out, HasSubstr("not all rules of 1 ignore file\n"));
  EXPECT_EQ(nlohmann::json::parse(run({"tree", "--status", "--json"}).out)["cut_ignore_files"], 1);
  EXPECT_EQ(run({"tree", "--skipped"}).out, "cut rules  .ignore\n");
  EXPECT_EQ(nlohmann::json::parse(run({"tree", "--skipped", "--json"}).out)["cut_ignore_files"],
            nlohmann::json::parse(R"([{"path": ".ignore"}])"));
  add(".ignore", "*.log\n");
  EXPECT_THAT(run({"tree"}).err, IsEmpty());
}

TEST_F(KwindexBadInput, TooLarge) {
  add("large.md", std::string(2048, 'x'));
  const auto json = index({"--max-file-size", "1K"});
  EXPECT_EQ(json["files"], 1);
  EXPECT_EQ(skipped("large.md"), "too large");
  EXPECT_EQ(index()["skipped"], 1) << "the limit is stored";
  EXPECT_EQ(index({"--reset"})["files"], 2);
}

TEST_F(KwindexBadInput, NoFiles) {
  ASSERT_EQ(::mkfifo((root() / "fifo.md").c_str(), 0600), 0);
  const int listener = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_un address{AF_UNIX, {}};
  (root() / "socket.md").string().copy(address.sun_path, sizeof address.sun_path - 1);
  ASSERT_EQ(::bind(listener, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  ::close(listener);
  fs::create_symlink("loop-b", root() / "loop-a");
  fs::create_symlink("loop-a", root() / "loop-b");
  fs::create_directory_symlink(".", root() / "itself");
  write_file(dir_ / "outside/secret.md", "# Secret\n");
  fs::create_directory_symlink(dir_ / "outside", root() / "link");
  fs::create_symlink("nowhere", root() / "dangling.md");
  const auto json = index();
  EXPECT_EQ(json["files"], 1);
  EXPECT_EQ(json["skipped"], 2);
  EXPECT_EQ(skipped("fifo.md"), "special");
  EXPECT_EQ(skipped("socket.md"), "special");
  EXPECT_THAT(dump(root()), Not(HasSubstr("secret")));
  const auto followed = index({"--follow"}, 3);  // links that lead nowhere
  EXPECT_EQ(followed["files"], 2) << "each once, a loop or not";
  EXPECT_THAT(dumped("link/secret.md"), HasSubstr("title Secret\n"));
}

TEST_F(KwindexBadInput, OddNames) {
  const std::vector<std::string> names = {
      "new\nline.md",   "esc\x1b[31m.md", "quo\"te'.md",
      "back\\slash.md", " blank .md",     "-rf.md",
      "tab\t.md",       "latin-\xE9.md",  "zoë.md",
      "日本.md",        "#hash.md",       "%s%n.md",
      "*.md",           "a:b.md",         std::string(250, 'n') + ".md"};
  for (const std::string& name : names) add(name, "# Odd\n");
  std::string deep;
  for (int i = 0; i < 60; ++i) deep += "folder-" + std::to_string(i) + "/";
  add(deep + "x.md", "# Deep\n");  // longer than a term may be
  const auto json = index();
  EXPECT_EQ(json["files"], names.size() + 2);
  EXPECT_EQ(index()["indexed"], 0);
  EXPECT_EQ(dump(root()), fresh_dump());
  const CommandResult explained = run({"tree", "--explain"});
  EXPECT_THAT(explained.out, AllOf(HasSubstr("new\\nline.md"), HasSubstr("esc\\x1b[31m.md"),
                                   HasSubstr("latin-\\xe9.md"), Not(HasSubstr("\x1b"))));
  for (const std::string& name : names) fs::remove(root() / name);
  EXPECT_EQ(index()["removed"], names.size());
}

TEST_F(KwindexBadInput, WhatCannotBeReadLeavesTheIndex) {
  add("secret/a.md", "# A\n");
  add("b.md", "# B\n");
  EXPECT_EQ(index()["files"], 3);
  fs::permissions(root() / "secret", fs::perms::none);
  fs::permissions(root() / "b.md", fs::perms::none);
  const CommandResult result = run_unprivileged({"tree", "--json"});
  const CommandResult fresh = run_unprivileged({"tree", "--db", "fresh"});
  fs::permissions(root() / "secret", fs::perms::owner_all);
  EXPECT_EQ(result.exit_code, 3) << result.err;
  EXPECT_EQ(fresh.exit_code, 3) << fresh.err;
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_EQ(json["files"], 1);
  EXPECT_EQ(json["removed"], 2);
  EXPECT_EQ(json["skipped"], 2);
  EXPECT_EQ(skipped("secret"), "unreadable");
  EXPECT_EQ(skipped("b.md"), "unreadable");
  EXPECT_EQ(dump(root()), dump(dir_ / "fresh"));
  fs::permissions(root() / "b.md", fs::perms::owner_read);
  EXPECT_EQ(index()["indexed"], 2) << "and comes back";
}

TEST_F(KwindexBadInput, AnUnreadableRootIsNoEmptyRoot) {
  index({"--db", "index"});
  fs::permissions(root(), fs::perms::none);
  const CommandResult result = run_unprivileged({"tree", "--db", "index"});
  const CommandResult allowed = run_unprivileged({"tree", "--db", "index", "--allow-empty"});
  fs::permissions(root(), fs::perms::owner_all);
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("--allow-empty"));
  EXPECT_EQ(allowed.exit_code, 3) << "emptied, as asked; still unreadable";
  EXPECT_THAT(dump(dir_ / "index"), HasSubstr("files 0\n"));
}

TEST_F(KwindexBadInput, KeywordPagesAreNotIndexed) {
  add("docs/a.md_kw.md", "# Keyword Index: `a.md`\n\nText.\n");
  add("docs/b_kw.md", "# My own page\n");
  const auto json = index();
  EXPECT_EQ(json["files"], 2);
  EXPECT_EQ(skipped("docs/a.md_kw.md"), "generated");
  EXPECT_EQ(index()["skipped"], 1);
}

TEST_F(KwindexBadInput, ACtagsThatDiesOrHangsCostsOnlyDefinitions) {
  struct Case {
    const char* why;
    const char* script;
  };
  const Case cases[] = {
      {"dies at once", "exit 1"},
      {"is another program", "echo Exuberant Ctags 5.8"},
      {"answers nonsense", "while read line; do echo '{{{'; done"},
      {"dies while it works",
       R"(echo '{"_type": "program", "name": "Universal Ctags", "version": "5.9.0"}'; read x; kill -9 $$)"},
      {"writes without end",
       R"(echo '{"_type": "program", "name": "Universal Ctags", "version": "5.9.0"}'; read x; yes)"},
      {"hangs",
       R"(echo '{"_type": "program", "name": "Universal Ctags", "version": "5.9.0"}'; sleep 1000)"},
  };
  add("a.py", "class Lost:\n    pass\n");
  for (const Case& c : cases) {
    SCOPED_TRACE(c.why);
    write_file(dir_ / "bin/ctags", std::string("#!/bin/sh\n") + c.script + "\n");
    fs::permissions(dir_ / "bin/ctags", fs::perms::owner_all);
    CommandOptions options;
    options.environment = {"PATH=" + (dir_ / "bin").string() + ":/usr/bin:/bin"};
    const CommandResult result = run({"tree", "--rebuild"}, options);
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_THAT(result.err, AllOf(HasSubstr("warning: "), HasSubstr("\nhint: ")));
    EXPECT_THAT(dumped("a.py"), AllOf(HasName("Lost"), Not(HasSubstr("\n definition "))));
    if (result.err.find("failed on 1 file") != std::string::npos) {
      EXPECT_THAT(run({"tree", "--status"}).out, HasSubstr(", 1 without definitions"));
    }
  }
}

/// A control group of version 1 or 2, of some memory, as the unit has one.
class MemoryGroup {
 public:
  explicit MemoryGroup(std::uint64_t bytes) {
    for (const auto& [group, limit] : {std::pair{"/sys/fs/cgroup/memory", "memory.limit_in_bytes"},
                                       {"/sys/fs/cgroup", "memory.max"}}) {
      const fs::path folder = fs::path(group) / fmt::format("kwsearch-test-{}", ::getpid());
      std::error_code error;
      if (!fs::exists(fs::path(group) / "cgroup.procs") || !fs::create_directory(folder, error))
        continue;
      if (std::ofstream(folder / limit) << bytes << std::flush) {
        folder_ = folder;
        return;
      }
      fs::remove(folder, error);
    }
  }
  MemoryGroup(const MemoryGroup&) = delete;
  MemoryGroup& operator=(const MemoryGroup&) = delete;
  ~MemoryGroup() { ::rmdir(folder_.c_str()); }

  explicit operator bool() const { return !folder_.empty(); }
  std::string processes() const { return (folder_ / "cgroup.procs").string(); }
  /// How many processes were killed since memory ran out.
  int killed() const {
    for (const char* file : {"memory.oom_control", "memory.events"}) {
      std::ifstream in(folder_ / file);
      for (std::string name, value; in >> name >> value;)
        if (name == "oom_kill") return std::stoi(value);
    }
    return 0;
  }

 private:
  fs::path folder_;
};

// Each may have 256 MB; the service has two GB for all of them.
TEST_F(KwindexBadInput, AllCtagsTogetherTakeMoreThanThereIs) {
  if (kSanitized) GTEST_SKIP() << "a sanitizer needs the memory itself";
  const MemoryGroup group(200u << 20);
  if (!group) GTEST_SKIP() << "only root can make a control group, where there are any";
  std::string nested;
  for (int i = 0; i < 200'000; ++i) nested += "class A\n";
  for (int i = 0; i < 4; ++i) add(fmt::format("deep{}.rb", i), nested);
  add("last.rb", "def last_one\nend\n");
  CommandOptions options;
  options.folder = dir_.str();
  const CommandResult result =
      run_command({"sh", "-c", "echo $$ >" + group.processes() + "; exec \"$0\" tree -j4",
                   std::string(KW_BINARY_DIR) + "/bin/kwindex"},
                  options);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("ctags failed on "));
  EXPECT_GT(group.killed(), 0);
  EXPECT_THAT(run({"tree", "--skipped"}).out, HasSubstr("no symbols deep"));
  EXPECT_THAT(dumped("last.rb"), HasSubstr("\n definition "));
}

TEST_F(KwindexBadInput, AnIndexIsNoTree) {
  make_tree(root(), {{"a.md", "# A\n"}});
  index();
  EXPECT_EQ(run({"tree", "--db", "apart"}).exit_code, 0);
  for (const char* place : {"tree/.kwsearch", "tree/.kwsearch/gen-1", "apart", "apart/gen-1"}) {
    const CommandResult refused = run({place});
    EXPECT_EQ(refused.exit_code, 2) << place;
    EXPECT_THAT(refused.err, AllOf(HasSubstr("is no tree: it is the index"), HasSubstr("hint: ")));
    EXPECT_FALSE(fs::exists(dir_ / place / ".kwsearch")) << place;
  }
}

TEST_F(KwindexBadInput, WhatALimitLeavesOutIsReported) {
  std::string lines = "class Found:\n    pass\n", stars;
  while (lines.size() <= (2u << 20))
    lines += "call_something(1, 2, 3, 'and a text of some length')\n";
  for (int i = 0; i < 400'000; ++i) stars += "*\n";
  make_tree(root(), {{"large.py", lines},
                     {"large.txt", lines},
                     {"marks.md", "# Marks\n" + stars},
                     {"page.md", "# Page\n\n```python\n" + lines + "```\n"},
                     {"small.py", "class Small:\n    pass\n"}});
  EXPECT_EQ(run({"tree"}).err, "");
  EXPECT_THAT(run({"tree", "--status"}).out,
              AllOf(HasSubstr("\nlimits    definitions or headings left out of large.py, marks.md, "
                              "page.md\n"),
                    Not(HasSubstr("without definitions"))));
  const auto json = nlohmann::json::parse(run({"tree", "--status", "--json"}).out);
  EXPECT_EQ(json["truncated"].size(), 3u);
  EXPECT_EQ(json["truncated"][0]["path"], "large.py");
  EXPECT_EQ(json["without_definitions"], 0);
  EXPECT_EQ(run({"tree", "--skipped"}).out,
            "truncated  large.py\ntruncated  marks.md\ntruncated  page.md\n");
  EXPECT_THAT(run({"tree"}).out, HasSubstr("indexed 0 of 6 files")) << "no run gives more";
  EXPECT_EQ(run({"tree", "--skipped"}).out.substr(0, 20), "truncated  large.py\n");
  add("large.py", "class Found:\n    pass\n");
  EXPECT_EQ(run({"tree"}).exit_code, 0);
  EXPECT_EQ(run({"tree", "--skipped"}).out, "truncated  marks.md\ntruncated  page.md\n");
}

TEST_F(KwindexBadInput, LostDefinitionsAreAskedForOnceMore) {
  // The real ctags, but it dies on every text while there is a file `broken`.
  const std::string at = dir_.str();
  write_file(dir_ / "bin/ctags",
             fmt::format("#!/bin/sh\n[ -e {0}/broken ] || exec /usr/bin/ctags \"$@\"\n"
                         "/usr/bin/ctags \"$@\" </dev/null | head -n 1\n"
                         "read x && echo x >>{0}/asked\nkill -9 $$\n",
                         at));
  fs::permissions(dir_ / "bin/ctags", fs::perms::owner_all);
  CommandOptions options;
  options.environment = {"PATH=" + at + "/bin:/usr/bin:/bin"};
  const auto asked = [&] { return read_text(dir_ / "asked").size(); };
  add("a.py", "class Lost:\n    pass\n");
  write_file(dir_ / "broken", "");
  EXPECT_THAT(run({"tree"}, options).err, HasSubstr("ctags failed on 1 file"));
  EXPECT_EQ(run({"tree", "--skipped"}).out, "no symbols a.py\n");
  EXPECT_THAT(run({"tree", "--status"}).out, AllOf(HasSubstr(", 1 without definitions\n"),
                                                   HasSubstr("\nctags     failed on a.py\n")));

  fs::remove(dir_ / "broken");
  const CommandResult mended = run({"tree", "--explain"}, options);
  EXPECT_EQ(mended.err, "");
  EXPECT_THAT(mended.out, HasSubstr("changed  a.py  (ctags failed on it last time)"));
  EXPECT_THAT(dumped("a.py"), HasSubstr("\n definition 1 class Lost\n"));
  EXPECT_EQ(run({"tree", "--skipped"}).out, "");

  write_file(dir_ / "broken", "");
  EXPECT_THAT(run({"tree", "--rebuild"}, options).err, HasSubstr("ctags failed on 1 file"));
  EXPECT_EQ(run({"tree", "--dry-run", "-q"}, options).exit_code, 0);
  const std::size_t before = asked();
  const CommandResult again = run({"tree", "--json"}, options);
  EXPECT_THAT(again.err, HasSubstr("ctags failed on 1 file"));
  EXPECT_EQ(nlohmann::json::parse(again.out)["indexed"], 0);
  EXPECT_GT(asked(), before);
  const std::size_t twice = asked();
  fs::last_write_time(root() / "a.py", fs::file_time_type::clock::now());  // the same content
  for (int i = 0; i < 2; ++i) EXPECT_EQ(run({"tree"}, options).err, "") << "it is left alone";
  EXPECT_EQ(asked(), twice);
  EXPECT_EQ(nlohmann::json::parse(run({"tree", "--status", "--json"}).out)["without_definitions"],
            1);
  EXPECT_EQ(nlohmann::json::parse(run({"tree", "--skipped", "--json"}).out)["without_definitions"],
            (nlohmann::json::parse(R"([{"path": "a.py"}])")));
  // Another ctags, though of the same version.
  fs::last_write_time(dir_ / "bin/ctags", fs::file_time_type::clock::now() - std::chrono::hours(1));
  fs::remove(dir_ / "broken");
  EXPECT_THAT(
      run({"tree", "--explain"}, options).out,
      HasSubstr("changed  a.py  (ctags failed on it twice; ctags or the machine is another)"));
  EXPECT_THAT(dumped("a.py"), HasSubstr("\n definition 1 class Lost\n"));
  add("a.py", "class Other:\n    pass\n");
  EXPECT_EQ(run({"tree"}, options).err, "");
  EXPECT_EQ(dump(root()), fresh_dump());
}

}  // namespace
}  // namespace kw::test
