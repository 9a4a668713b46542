// SPDX-License-Identifier: GPL-2.0-or-later
// tools/check_links must find each kind of fault, and none in what kwexport writes.
#include <gmock/gmock.h>

#include <filesystem>

#include "tests/support/index_builder.h"
#include "tests/support/run_command.h"
#include "tests/support/temp_dir.h"

namespace kw::test {
namespace {

namespace fs = std::filesystem;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kScript = KW_SOURCE_DIR "/tools/check_links";

CommandResult check_links(const fs::path& folder) {
  return run_command({kScript, "--jobs", "1", folder.string()});
}

TEST(CheckLinks, ReadsPagesWhoseNamesLookLikeOptions) {
  const TempDir tmp;
  make_tree(tmp.path(), {{"-x.md", "[a](--unsafe.md) [b](gone.md)\n"}, {"--unsafe.md", "x\n"}});
  const CommandResult result = run_command(
      {"sh", "-c", "cd \"$1\" && \"$2\" --jobs 1 .", "sh", tmp.path().string(), kScript});
  EXPECT_EQ(result.exit_code, 1) << result.err;
  EXPECT_THAT(result.out, HasSubstr("gone.md: no such file"));
  EXPECT_THAT(result.out, HasSubstr(", 1 broken\n"));
}

TEST(CheckLinks, FindsEachKindOfFault) {
  const struct {
    const char* why;
    const char* page;
    std::string text;
    const char* fault;  ///< empty: none
  } rows[] = {
      {"a file", "p.md", "[a](there.py)", ""},
      {"a file that is not there", "p.md", "[a](gone.py)", "gone.py: no such file"},
      {"a folder above", "d/p.md", "[a](../)", ""},
      {"a name with an escaped blank", "p.md", "[a](a%20b.md)", ""},
      {"another case", "p.md", "[a](There.py)", "There.py: no such file"},
      {"the last line", "p.md", "[a](there.py#L3)", ""},
      {"a line behind the last", "p.md", "[a](there.py#L4)", "there.py#L4: it has 3 lines"},
      {"an anchor of no line", "p.md", "[a](there.py#top)", "there.py#top: no such line"},
      {"a heading", "p.md", "[a](a%20b.md#some_thing---else-1)", ""},
      {"no such heading", "p.md", "[a](a%20b.md#some-thing)", "some-thing: no such heading"},
      {"a line of a page as source", "p.md", "[a](a%20b.md?plain=1#L2)", ""},
      {"a line of a page as shown", "p.md", "[a](a%20b.md#L2)", "L2: no such heading"},
      {"a reference", "p.md", "[a][s1]\n\n[s1]: there.py", ""},
      {"a reference that leads nowhere", "p.md", "[a][s1]\n\n[s1]: gone.py", "gone.py: no such"},
      {"a reference without a destination", "p.md", "[`a`][s1]", "without a destination: ..s1."},
      {"what looks like one in code", "p.md", "`[a][s1]`", ""},
      {"another site", "p.md", "[a](https://example.org/x)", ""},
      {"an id of a page", "p.html", "<a href='q.html#L2'>x</a>", ""},
      {"no such id", "p.html", "<a href='q.html#L3'>x</a>", "q.html#L3: no such id"},
      {"the same without quotes", "p.html", "<a href=q.html#L3>x</a>", "q.html#L3: no such id"},
      {"a page without any id", "p.html", "<a href=r.html#L3>x</a>", "r.html#L3: no such id"},
      {"its own id", "p.html", "<p id=a></p><a href='#a'>x</a>", ""},
      {"not its own id", "p.html", "<a href='#a'>x</a>", "#a: no such id"},
      {"an id twice", "p.html", "<p id=a></p><p id=a></p>", "the id .a. twice"},
      {"a script that is missing", "p.html", "<script src='x.js' defer></script>", "x.js: no such"},
      {"a link in a comment", "p.html", "<!-- <a href='gone'> -->", ""},
      {"one in a script", "p.html", "<script>'<a href=\"gone\">'</script>", ""},
      {"one behind a script", "p.html", "<script>1 < 2</script><a href=gone>", "gone: no such"},
      {"what looks like an id in another attribute", "p.html",
       "<p title='> id=a' ID=\"b\"></p><a href='#a'>", "#a: no such id"},
      {"an id behind it", "p.html", "<p title='> id=a' ID=\"b&amp;\"></p><a href='#b&amp;'>", ""},
      {"a form with a query", "p.html", "<form action='q.html?x=1'></form>", ""},
  };
  // One run for all, each row in a folder of its own: starting Python takes longest.
  const TempDir tmp;
  std::size_t number = 100, faults = 0;
  for (const auto& row : rows)
    make_tree(tmp / std::to_string(number++), {{"there.py", "a\nb\n"},
                                               {"a b.md",
                                                "# `Some_thing` - *else*\n\n"
                                                "Some_thing - else\n===\n"},
                                               {"q.html", "<p id=L2>"},
                                               {"r.html", "<p>"},
                                               {row.page, row.text + "\n"}});
  const CommandResult result = check_links(tmp.path());
  EXPECT_EQ(result.exit_code, 1) << result.err;
  number = 100;
  for (const auto& row : rows) {
    const std::string page = (tmp / std::to_string(number++) / row.page).string() + ": ";
    if (*row.fault == '\0') {
      EXPECT_THAT(result.out, Not(HasSubstr(page))) << row.why;
    } else {
      EXPECT_THAT(result.out, ContainsRegex(page + ".*" + row.fault)) << row.why;
      ++faults;
    }
  }
  EXPECT_THAT(result.out, HasSubstr(", " + std::to_string(faults) + " broken\n"));
}

TEST(CheckLinks, NoPagesAreNoExport) {
  const TempDir tmp;
  EXPECT_EQ(check_links(tmp.path()).exit_code, 1);
}

TEST(CheckLinks, EveryLinkOfTheSampleLeadsSomewhere) {
  for (const char* out : {".", "docs", "pages/of/names", "../outside"}) {
    const TempDir tmp;
    fs::copy(fs::path(KW_SOURCE_DIR) / "tools/sample", tmp / "tree", fs::copy_options::recursive);
    CommandOptions in_tree;
    in_tree.folder = (tmp / "tree").string();
    ASSERT_EQ(run_command({"kwindex", "."}, in_tree).exit_code, 0);
    ASSERT_EQ(run_command({"kwexport", "--out", out}, in_tree).exit_code, 0);
    const CommandResult result = check_links(tmp / "tree" / out);
    EXPECT_EQ(result.exit_code, 0) << out << "\n" << result.out << result.err;
    EXPECT_THAT(result.out, Not(HasSubstr(" 0 links"))) << out;
  }
}

TEST(CheckLinks, HostileNamesBreakNone) {
  const TempDir tmp;
  const std::vector<Definition> defined{{"operator []", "function", 1, ""},
                                        {"`a`|*b*", "class", 1, "<i>"},
                                        {"Orbit", "class", 1, ""}};
  std::vector<IndexedFile> files;
  for (const std::string folder : {"", "a\nb/", "p|q/", "`tick`/", "[x](y)/", "<b>/", "*s*/",
                                   "-dash/", "\xff\xfe/", "#h/", "a?b=1/", "100%25/", "é/"})
    for (const std::string name :
         {"n\nl.md", "a|b.md", "`c`.md", "[d](e).md", "<f>.md", "*g*.md", "-h.md", "\xfe.md",
          "#i.md", "j?k.md", "%41.md", "&amp;.md", "..l.md", "javascript:m.md"})
      files.push_back({folder + name, "# `x` [y](z) *w* <b>\n\nuse_it and `Orbit`\n", defined});
  for (const IndexedFile& file : files) write_file(tmp / "tree" / file.path, file.text);
  build_index(tmp / "tree/.kwsearch", files);
  CommandOptions in_tree;
  in_tree.folder = (tmp / "tree").string();
  const CommandResult exported = run_command({"kwexport", "--out", "kw"}, in_tree);
  ASSERT_EQ(exported.exit_code, 0) << exported.err;
  const CommandResult result = check_links(tmp / "tree/kw");
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
}

}  // namespace
}  // namespace kw::test
