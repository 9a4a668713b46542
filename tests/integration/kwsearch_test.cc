// SPDX-License-Identifier: GPL-2.0-or-later
// kwsearch as a process: exit codes, forms of output, which index it takes, what reaches a
// terminal.
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "schema/text/text.h"
#include "tests/support/index_builder.h"
#include "tests/support/run_command.h"
#include "tests/support/temp_dir.h"

namespace fs = std::filesystem;

namespace kw::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

class Kwsearch : public testing::Test {
 protected:
  Kwsearch() {
    make_tree(tree(), {{"src/core.py", "import os\nclass ViewMeta:\n    def run_it(self): pass\n"},
                       {"docs/src/core.py_docs.md",
                        "# Core\n\n## Source\n\n```python\nclass ViewMeta:\n    pass\n```\n"},
                       {"docs/guide.md", "# Guide\n\nHow a ViewMeta is used.\nAnd a view.\n"},
                       {"notes.txt", "Plain notes, a view and graph_capture.\n"}});
  }

  fs::path tree() const { return dir_ / "tree"; }

  void index(const fs::path& root) const {
    const auto made = run_command({"kwindex", root.string()});
    ASSERT_EQ(made.exit_code, 0) << made.err;
  }

  CommandResult run(std::vector<std::string> words, CommandOptions options = {}) {
    if (!indexed_) index(tree());
    indexed_ = true;
    words.insert(words.begin(), "kwsearch");
    if (options.folder.empty()) options.folder = tree().string();
    options.environment.insert(options.environment.begin(), "KWSEARCH_DB=");
    return run_command(words, options);
  }

  CommandResult run_in(const fs::path& folder, std::vector<std::string> words) {
    CommandOptions options;
    options.folder = folder.string();
    return run(std::move(words), options);
  }

  static std::vector<nlohmann::json> lines_of(const std::string& out) {
    std::vector<nlohmann::json> lines;
    std::istringstream in(out);
    for (std::string line; std::getline(in, line);) lines.push_back(nlohmann::json::parse(line));
    return lines;
  }

  static void expect_error(const CommandResult& result, const char* message) {
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.out, IsEmpty());
    EXPECT_THAT(result.err,
                AllOf(StartsWith("kwsearch: error: "), HasSubstr(message), HasSubstr("\nhint: ")));
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 2) << result.err;
  }

  TempDir dir_;
  bool indexed_ = false;
};

TEST_F(Kwsearch, Finds) {
  const auto result = run({"ViewMeta"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.err, IsEmpty());
  EXPECT_EQ(result.out,
            "src/core.py   defines class ViewMeta   also docs/src/core.py_docs.md\n"
            "  2  class ViewMeta:\n"
            "docs/guide.md   Guide\n"
            "  3  Guide   How a ViewMeta is used.\n");
}

TEST_F(Kwsearch, ExitCodes) {
  struct {
    std::vector<std::string> words;
    int code;
    const char* why;
  } const cases[] = {
      {{"ViewMeta"}, 0, "found"},
      {{"nowhere_to_be_found"}, 1, "nothing"},
      {{"-c", "ViewMeta"}, 0, "counted"},
      {{"-c", "nowhere_to_be_found"}, 1, "none"},
      {{"-l", "nowhere_to_be_found"}, 1, "no path"},
      {{"ViewMeta", "--offset", "99"}, 1, "an empty page"},
      {{"--help"}, 0, "help"},
      {{"--version"}, 0, "the version"},
      {{"--fields"}, 0, "the fields"},
      {{}, 2, "no query"},
      {{""}, 2, "an empty one"},
      {{" \t"}, 2, "blanks"},
      {{"--dry-run"}, 2, "an unknown option"},
      {{"--", "--zzz-qqq"}, 1, "text after --"},
      {{"-e", "("}, 2, "no expression"},
      {{"-e", "class \\w+"}, 0, "one"},
      {{"-n", "x", "a"}, 2, "no number"},
      {{"-l", "--json", "a"}, 2, "two forms"},
      {{"-0", "--json", "a"}, 2, "-0 of no paths"},
      {{"--count-by", "size", "a"}, 2, "no facet"},
      {{"--db", "nowhere", "a"}, 2, "no index"},
      {{"((("}, 1, "every text is a query"},
      {{"NOT"}, 1, "even this"},
      {{"\""}, 1, "and this"},
  };
  for (const auto& c : cases) {
    const auto result = run(c.words);
    EXPECT_EQ(result.exit_code, c.code) << c.why << ": " << result.err;
    if (c.code == 2) expect_error(result, "");
    if (c.code == 1) {
      EXPECT_THAT(result.out, testing::AnyOf("", "0\n")) << c.why;
    }
  }
}

TEST_F(Kwsearch, WhichIndex) {
  index(tree());
  indexed_ = true;
  const std::string db = (tree() / ".kwsearch").string();
  EXPECT_EQ(run_in(tree() / "docs/src", {"ViewMeta"}).exit_code, 0) << "the nearest above";
  expect_error(run_in(dir_.path(), {"ViewMeta"}), "no index here");
  for (const std::string& name : {db, db + "/", tree().string(), std::string("tree/.kwsearch")})
    EXPECT_EQ(run_in(dir_.path(), {"--db", name, "ViewMeta"}).exit_code, 0) << name;
  CommandOptions elsewhere;
  elsewhere.folder = dir_.str();
  elsewhere.environment = {"KWSEARCH_DB=" + db};
  EXPECT_EQ(run({"ViewMeta"}, elsewhere).exit_code, 0) << "the environment";
  elsewhere.environment = {"KWSEARCH_DB=" + dir_.str() + "/nowhere"};
  expect_error(run({"ViewMeta"}, elsewhere), "nowhere");
  EXPECT_EQ(run({"--db", db, "ViewMeta"}, elsewhere).exit_code, 0) << "the command line wins";
  write_file(dir_ / "file", "no index");
  expect_error(run({"--db", (dir_ / "file").string(), "a"}), "refused stub file");
  fs::create_directories(dir_ / "empty");
  expect_error(run({"--db", (dir_ / "empty").string(), "a"}), "cannot open index");
}

TEST_F(Kwsearch, HostileStubsRunNothing) {
  index(tree());
  indexed_ = true;
  const fs::path stub = tree() / ".kwsearch/XAPIANDB", mark = dir_ / "ran";
  const std::vector<std::string> lines{"remote :touch " + mark.string() + "\n",
                                       "auto ../elsewhere\n",
                                       "auto " + (tree() / ".kwsearch/gen-1").string() + "\n",
                                       "auto gen-1\nauto gen-1\n",
                                       "remote localhost:1\n",
                                       "inmemory\n",
                                       ""};
  for (const std::string& line : lines) {
    fs::remove(stub);
    write_file(stub, line);
    expect_error(run({"ViewMeta"}), "refused");
    EXPECT_FALSE(fs::exists(mark)) << line;
  }
  fs::remove(stub);
  fs::create_symlink("/dev/zero", stub);
  expect_error(run({"ViewMeta"}), "XAPIANDB");
}

TEST_F(Kwsearch, PathsOnly) {
  EXPECT_EQ(run({"-l", "ViewMeta"}).out, "src/core.py\ndocs/guide.md\n");
  EXPECT_EQ(run({"-0", "ViewMeta"}).out, std::string("src/core.py\0docs/guide.md\0", 26));
  EXPECT_EQ(run({"-l", "-0", "ViewMeta"}).out, std::string("src/core.py\0docs/guide.md\0", 26));
  EXPECT_EQ(run({"-l", "--absolute", "-n1", "ViewMeta"}).out, tree().string() + "/src/core.py\n");
  EXPECT_EQ(run_in(tree() / "docs", {"-l", "-n", "1", "ViewMeta"}).out, "src/core.py\n")
      << "from the root";
}

TEST_F(Kwsearch, Counts) {
  EXPECT_EQ(run({"-c", "ViewMeta"}).out, "2\n") << "a source and its page are one";
  EXPECT_EQ(run({"-c", "-n", "1", "ViewMeta"}).out, "2\n") << "all of them, whatever is shown";
  EXPECT_EQ(run({"-c", "nowhere_to_be_found"}).out, "0\n");
  EXPECT_EQ(run({"--count-by", "folder", "ViewMeta"}).out, "      1  docs\n      1  src\n");
}

TEST_F(Kwsearch, Json) {
  const auto result = run({"--json", "ViewMeta"});
  const auto lines = lines_of(result.out);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0]["rank"], 1);
  EXPECT_EQ(lines[0]["path"], "src/core.py");
  EXPECT_EQ(lines[0]["language"], "python");
  EXPECT_EQ(lines[0]["also"][0], "docs/src/core.py_docs.md");
  EXPECT_EQ(
      lines[0]["definitions"],
      nlohmann::json::parse(R"([{"name": "ViewMeta", "kind": "class", "line": 2, "scope": ""}])"));
  EXPECT_EQ(lines[0]["matches"],
            nlohmann::json::parse(
                R"([{"line": 2, "column": 7, "section": "", "anchor": "", "text": "class ViewMeta:",
                     "enclosing": {"name": "ViewMeta", "kind": "class", "line": 2, "scope": ""}}])"));
  EXPECT_EQ(lines[1]["title"], "Guide");
  EXPECT_EQ(lines[1]["matches"][0]["section"], "Guide");
  EXPECT_GT(lines[0]["score"], lines[1]["score"]);
  EXPECT_FALSE(lines[0].contains("tree") || lines[0].contains("path_bytes"));
  const auto second = lines_of(run({"--json", "-n", "1", "--offset", "1", "ViewMeta"}).out);
  ASSERT_EQ(second.size(), 1u);
  EXPECT_EQ(second[0]["rank"], 2) << "counts on";
  EXPECT_EQ(second[0]["path"], lines[1]["path"]);
  EXPECT_EQ(lines_of(run({"--json", "-m", "1", "view"}).out)[0]["matches"].size(), 1u);
}

TEST_F(Kwsearch, VimgrepOpensFromHere) {
  EXPECT_EQ(run({"--vimgrep", "-n", "1", "ViewMeta"}).out, "src/core.py:2:7:class ViewMeta:\n");
  EXPECT_EQ(run_in(tree() / "docs", {"--vimgrep", "ViewMeta"}).out,
            "../src/core.py:2:7:class ViewMeta:\nguide.md:3:7:How a ViewMeta is used.\n");
  EXPECT_EQ(run({"--vimgrep", "--absolute", "-n", "1", "ViewMeta"}).out,
            tree().string() + "/src/core.py:2:7:class ViewMeta:\n");
}

TEST_F(Kwsearch, VimgrepPrintsTheBytesOfAName) {
  write_file(tree() / "caf\xe9.md", "ViewMeta\n");
  index(tree());
  EXPECT_EQ(run({"--vimgrep", "path:caf", "ViewMeta"}).out, "caf\xe9.md:1:1:ViewMeta\n");
}

TEST_F(Kwsearch, ANameThatNoTermHolds) {
  const std::string name = "Long" + std::string(270, 'a');
  write_file(tree() / "long.py", "def " + name + "():\n    pass\n");
  index(tree());
  for (const std::string& query : {name, "long" + std::string(270, 'a')})
    EXPECT_EQ(run({"-l", query}).out, "long.py\n");
}

TEST_F(Kwsearch, UsesOfADefinition) {
  const std::string out = run({"--uses", "ViewMeta"}).out;
  EXPECT_THAT(out, testing::HasSubstr("guide.md"));
  EXPECT_THAT(out, testing::Not(testing::HasSubstr("class ViewMeta:")));
  EXPECT_EQ(run({"--uses", "NoSuchNameAtAll"}).exit_code, 1);
}

TEST_F(Kwsearch, HowMuchIsShown) {
  const std::string one = run({"-m", "1", "path:guide", "view"}).out;
  EXPECT_EQ(std::count(one.begin(), one.end(), '\n'), 2) << one;
  const std::string context = run({"-C", "1", "path:core", "import"}).out;
  EXPECT_THAT(context, HasSubstr("class ViewMeta")) << "a line around";
  EXPECT_EQ(run({"-C", "999999999", "path:core", "import"}).out,
            run({"-C", "1000", "path:core", "import"}).out)
      << "no more than there is";
  EXPECT_EQ(run({"-l", "-n", "0", "view"}).out, run({"-l", "-n", "999", "view"}).out);
  EXPECT_EQ(run({"-l", "-n", "1", "view"}).out + run({"-l", "--offset", "1", "view"}).out,
            run({"-l", "view"}).out);
}

TEST_F(Kwsearch, Explains) {
  const auto result = run({"--explain", "ViewMeta", "NOT", "nothing"});
  EXPECT_THAT(result.out, StartsWith("query: (ViewMeta AND NOT nothing)\n"));
  EXPECT_THAT(result.out,
              HasSubstr("  score: tier 7 (definition), spelled as asked, original, type, bm25 "));
}

TEST_F(Kwsearch, ListsFields) {
  const std::string out = run({"--fields"}).out;
  for (const char* name :
       {"def:", "ident:", "section:", "path:", "folder:", "lang:", "ext:", "origin:"})
    EXPECT_THAT(out, HasSubstr(name));
  EXPECT_EQ(run_in(dir_.path(), {"--fields"}).exit_code, 0) << "without an index";
}

TEST_F(Kwsearch, Colour) {
  const auto with = [&](std::vector<std::string> words, std::vector<std::string> environment) {
    CommandOptions options;
    options.environment = std::move(environment);
    return run(std::move(words), options).out;
  };
  EXPECT_THAT(with({"ViewMeta"}, {}), Not(HasSubstr("\x1b"))) << "not into a pipe";
  EXPECT_THAT(with({"--color", "always", "ViewMeta"}, {}), HasSubstr("\x1b[1;31mViewMeta\x1b[0m"));
  EXPECT_THAT(with({"--color=always", "ViewMeta"}, {"NO_COLOR=1"}), HasSubstr("\x1b"))
      << "the command line wins";
  EXPECT_THAT(with({"--color=never", "ViewMeta"}, {}), Not(HasSubstr("\x1b")));
  for (const char* form : {"--json", "--vimgrep", "-l", "-c"})
    EXPECT_THAT(with({"--color=always", form, "ViewMeta"}, {}), Not(HasSubstr("\x1b"))) << form;
  // On a terminal of its own.
  const std::string typed = "kwsearch ViewMeta";
  const std::string path = std::string(KW_BINARY_DIR) + "/bin:" + std::getenv("PATH");
  CommandOptions options;
  options.folder = tree().string();
  options.environment = {"PATH=" + path, "TERM=xterm", "KWSEARCH_DB=", "NO_COLOR="};
  const std::vector<std::string> script{"script", "-qec", typed, "/dev/null"};
  EXPECT_THAT(run_command(script, options).out, HasSubstr("\x1b[1;31mViewMeta\x1b[0m"));
  options.environment.back() = "NO_COLOR=1";
  EXPECT_THAT(run_command(script, options).out,
              AllOf(HasSubstr("class ViewMeta"), Not(HasSubstr("\x1b"))));
}

TEST_F(Kwsearch, NothingFoundNamesTheNearest) {
  auto result = run({"ViewMta"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out, StartsWith("nearest: ViewMeta\n\nsrc/core.py"))
      << "under a heading of its own, and only for people";
  for (const char* form : {"-l", "-c", "--json", "--vimgrep"})
    EXPECT_THAT(run({form, "ViewMta"}).out, testing::AnyOf("", "0\n")) << form;
  EXPECT_THAT(result.err, AllOf(HasSubstr("nothing found"), HasSubstr("ViewMeta")));
  EXPECT_THAT(run({"-q", "ViewMta"}).err, IsEmpty());
  EXPECT_THAT(run({"zzzzzzzzz"}).err, Not(HasSubstr("hint")));
  EXPECT_THAT(run({"x\x1b[31m"}).err, Not(HasSubstr("\x1b"))) << "the query is printed safely";
}

TEST_F(Kwsearch, ALanguageThatIsNoneIsSaid) {
  const auto result = run({"lang:pythn", "view"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("no language is called 'pythn'; did you mean lang:python"));
  EXPECT_THAT(run({"lang:py", "zzzzzz"}).err, Not(HasSubstr("no language")));
}

TEST_F(Kwsearch, NotesStandOnStderr) {
  auto result = run({"--json", "ViewMeta", "nowhere_to_be_found"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.err, HasSubstr("no file has all of the words"));
  EXPECT_EQ(lines_of(result.out).size(), 2u);
  EXPECT_THAT(run({"-q", "ViewMeta", "nowhere_to_be_found"}).err, IsEmpty());
}

TEST_F(Kwsearch, FiltersAloneAreSaid) {
  EXPECT_THAT(
      run({"-l", "lang:md"}).err,
      HasSubstr("the query has only filters; all files that match lang:markdown are listed"));
  EXPECT_THAT(run({"-q", "-l", "lang:md"}).err, IsEmpty());
  for (const char* query : {"ViewMeta lang:md", "NOT ViewMeta", "NOT def:ViewMeta lang:md"})
    EXPECT_THAT(run({"-l", query}).err, Not(HasSubstr("only filters"))) << query;
}

TEST_F(Kwsearch, SaysWhatChangedOnDisk) {
  EXPECT_THAT(run({"ViewMeta"}).out, Not(HasSubstr("changed")));
  write_file(tree() / "docs/guide.md", "# Guide\n\nOther text.\n");
  EXPECT_THAT(run({"ViewMeta"}).out,
              AllOf(HasSubstr("docs/guide.md   Guide   (changed since it was indexed)"),
                    HasSubstr("How a ViewMeta is used."), Not(HasSubstr("core.py   (changed"))));
  fs::remove(tree() / "docs/guide.md");
  EXPECT_THAT(run({"ViewMeta"}).out, HasSubstr("docs/guide.md   Guide   (changed")) << "gone, too";
}

TEST_F(Kwsearch, NamesOfAllKinds) {
  const std::string names[] = {"new\nline.txt", "esc\x1b[31m.txt", "quote\"'.txt", "bad\xff.txt",
                               "tab\t.txt",     "-dash.txt",       "größe.txt"};
  for (const std::string& name : names) write_file(tree() / name, "peculiar_name\n");
  const auto json = lines_of(run({"--json", "-n0", "peculiar_name"}).out);
  ASSERT_EQ(json.size(), std::size(names));
  std::set<std::string> from_json, from_null;
  for (const auto& hit : json) {
    from_json.insert(hit.contains("path_bytes") ? from_base64(hit["path_bytes"].get<std::string>())
                                                : hit["path"].get<std::string>());
  }
  EXPECT_EQ(from_json, std::set<std::string>(std::begin(names), std::end(names)));
  EXPECT_EQ(std::count_if(json.begin(), json.end(),
                          [](const auto& hit) { return hit.contains("path_bytes"); }),
            1)
      << "only what is not UTF-8";
  std::istringstream out(run({"-0", "-n0", "peculiar_name"}).out);
  for (std::string name; std::getline(out, name, '\0');) from_null.insert(name);
  EXPECT_EQ(from_null, from_json) << "raw bytes";
  for (const char* form : {"--vimgrep", "--absolute"}) {
    const std::string text = run({form, "-n0", "peculiar_name"}).out;
    // Editors open what --vimgrep names: bytes that are not UTF-8 are those of the name.
    const bool is_vimgrep = form == std::string("--vimgrep");
    EXPECT_NE(is_utf8(text), is_vimgrep);
    EXPECT_THAT(text, AllOf(Not(HasSubstr("\x1b")), HasSubstr("new\\nline.txt"),
                            HasSubstr("esc\\x1b[31m.txt"),
                            HasSubstr(is_vimgrep ? "bad\xff.txt" : "bad\\xff.txt")));
  }
}

// `?` is a pattern for one character, a part of names in Ruby, and punctuation.
TEST_F(Kwsearch, AQuestionMarkBehindAName) {
  make_tree(dir_ / "ruby", {{"shelf.rb",
                             "class Shelf\n  def empty?\n    true\n  end\n\n  def dusty\n"
                             "    empty?\n  end\nend\n"},
                            {"box.rb", "class Box\n  def empty?\n    false\n  end\nend\n"},
                            {"read.md", "# Shelves\n\nA shelf may be empty. Books are needed.\n"}});
  index(dir_ / "ruby");
  const std::string db = (dir_ / "ruby").string();
  const std::vector<std::pair<std::string, std::string>> first = {
      {"Shelf#empty?", "shelf.rb"}, {"Box#empty?", "box.rb"}, {"Box.empty?(1)", "box.rb"},
      {"Shelf#dusty?", "shelf.rb"}, {"need?", "read.md"},     {"book?", "read.md"},
      {"books?", "read.md"},  // nothing is one longer
  };
  for (const auto& [query, path] : first)
    EXPECT_THAT(run({"-l", "--db", db, query}).out, StartsWith(path + "\n")) << query;
  EXPECT_THAT(run({"-l", "--db", db, "empty?"}).out, StartsWith("box.rb\nshelf.rb\n"));
  EXPECT_THAT(run({"--db", db, "Shelf#empty?"}).out, HasSubstr("defines method empty? in Shelf"));
}

TEST_F(Kwsearch, ControlCharactersInText) {
  write_file(tree() / "evil.md",
             "# Evil \x1b]0;x\x07\n\nbad_token \x1b[2J\xc2\x9b \xe2\x80\xae end\n");
  for (const char* color : {"--color=never", "--color=always"}) {
    std::string out = run({color, "bad_token"}).out;
    for (std::size_t at; (at = out.find("\x1b[")) != std::string::npos;)  // our own paint
      out.erase(at, out.find('m', at) - at + 1);
    EXPECT_THAT(out, AllOf(Not(HasSubstr("\x1b")), Not(HasSubstr("\x07")),
                           Not(HasSubstr("\xc2\x9b")), Not(HasSubstr("\xe2\x80\xae")),
                           HasSubstr("bad_token \\x1b[2J\\x9b \\u202e end")));
  }
  const auto json = lines_of(run({"--json", "bad_token"}).out);
  EXPECT_EQ(json[0]["matches"][0]["text"], "bad_token \x1b[2J\xc2\x9b \xe2\x80\xae end")
      << "scripts get what is there";
}

TEST_F(Kwsearch, SeveralDatabases) {
  make_tree(dir_ / "other", {{"src/core.py", "class ViewMeta:\n    pass\n"}});
  index(dir_ / "other");
  const std::vector<std::string> both{"--db", tree().string(), "--db", (dir_ / "other").string()};
  auto words = both;
  words.insert(words.end(), {"--json", "ViewMeta"});
  const auto json = lines_of(run_in(dir_.path(), words).out);
  ASSERT_EQ(json.size(), 3u);
  std::set<std::string> trees;
  for (const auto& hit : json) trees.insert(hit["tree"].get<std::string>());
  EXPECT_THAT(trees, ElementsAre((dir_ / "other").string(), tree().string()));
  EXPECT_EQ(json[0]["path"], "src/core.py");
  EXPECT_EQ(json[1]["path"], "src/core.py");
  words = both;
  words.insert(words.end(), {"-c", "ViewMeta"});
  EXPECT_EQ(run_in(dir_.path(), words).out, "3\n");
  words = both;
  words.insert(words.end(), {"--vimgrep", "-n", "2", "ViewMeta"});
  EXPECT_THAT(run_in(dir_.path(), words).out,
              AllOf(HasSubstr("tree/src/core.py:2:7:"), HasSubstr("other/src/core.py:1:7:")));
  words = {"--db", tree().string(), "--db", "nowhere", "ViewMeta"};
  EXPECT_EQ(run(words).exit_code, 2) << "one of them is missing";
}

TEST_F(Kwsearch, ReadOnlyFolder) {
  index(tree());
  indexed_ = true;
  const fs::path db = tree() / ".kwsearch";
  const auto change = [&](mode_t folders, mode_t files) {
    for (const auto& entry : fs::recursive_directory_iterator(db))
      ::chmod(entry.path().c_str(), entry.is_directory() ? folders : files);
    ::chmod(db.c_str(), folders);
  };
  std::map<std::string, fs::file_time_type> before, after;
  const auto remember = [&](std::map<std::string, fs::file_time_type>& times) {
    for (const auto& entry : fs::recursive_directory_iterator(db))
      times[entry.path().string()] = entry.last_write_time();
  };
  remember(before);
  change(0555, 0444);
  EXPECT_EQ(run({"ViewMeta"}).exit_code, 0);
  change(0755, 0644);
  remember(after);
  EXPECT_EQ(before, after) << "a search writes nothing";
}

TEST_F(Kwsearch, TheSameAnswerEachTime) {
  for (const char* query : {"view", "ViewMeta", "a OR view", "*e*", "\"a view\""}) {
    const std::string first = run({"--json", "-n0", "-m0", query}).out;
    for (int i = 0; i < 3; ++i) EXPECT_EQ(run({"--json", "-n0", "-m0", query}).out, first) << query;
  }
}

TEST_F(Kwsearch, AClosedPipeIsNoCrash) {
  index(tree());
  CommandOptions options;
  options.folder = tree().string();
  const auto result = run_command(
      {"sh", "-c", std::string(KW_BINARY_DIR) + "/bin/kwsearch -n0 view | true"}, options);
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.err, Not(HasSubstr("terminate")));
}

}  // namespace
}  // namespace kw::test
