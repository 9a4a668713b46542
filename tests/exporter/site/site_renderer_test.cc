// SPDX-License-Identifier: GPL-2.0-or-later
// A site as a whole: which files it has, where its links lead, that nothing in a tree gets out of
// its place.
#include "exporter/command/export.h"

#include <gmock/gmock.h>

#include <filesystem>

#include "exporter/model/folder_page.h"
#include "exporter/site/assets.h"
#include "exporter/site/folder_html.h"
#include "schema/index/manifest.h"
#include "tests/support/index_builder.h"
#include "tests/support/site_check.h"
#include "tests/support/temp_dir.h"

namespace fs = std::filesystem;

namespace kw::exporter::site {
namespace {

using test::build_index;
using test::IndexedFile;
using test::read_text;
using test::TempDir;
using test::write_file;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class Sites : public testing::Test {
 protected:
  void index(std::vector<IndexedFile> files) {
    build_index(tmp_ / "tree/.kwsearch", std::move(files), info_);
  }

  Result<ExportCounts> try_run(KwexportOptions options = {}) {
    options.out = out_.string();
    options.format = Format::Html;
    if (!options.project) options.project = "Orrery";
    failures_.clear();
    notes_.clear();
    const DatabaseFolder folder((tmp_ / "tree/.kwsearch").string());
    auto reader = IndexReader::open(folder);
    if (!reader) return reader.error();
    ExportEvents events;
    events.failed = [&](const Error& e) { failures_.push_back(e.message); };
    events.noted = [&](const std::string& note) { notes_.push_back(note); };
    return export_pages(*reader, (tmp_ / "tree").string(), options, events);
  }

  ExportCounts run(KwexportOptions options = {}) {
    auto counts = try_run(std::move(options));
    if (!counts) throw std::runtime_error(counts.error().message);
    return *counts;
  }

  std::string page(const std::string& name) const { return read_text(out_ / name); }

  const TempDir tmp_;
  const fs::path out_ = tmp_ / "site";
  IndexInfo info_ = test::info_inside_root();
  std::vector<std::string> failures_;
  std::vector<std::string> notes_;
};

const std::vector<IndexedFile> kTree = {
    {"README.md",
     "# Sky\n\nSee [orbit](src/orbit.py), [its class](src/orbit.py#L1), [a line that is none]"
     "(src/orbit.py#L99), [a section](guide/a.md#b), [one that is none](guide/a.md#x), [below]"
     "(#sky), [lost](#lost), [gone](gone.md), [out](../x.md), [guides](guide/), "
     "[the root](/src/use.py), [web](https://h/x), [script](javascript:x).\n"},
    {"guide/a.md", "# A\n\n## B\n\nThe `Orbit` and `orbit_of()`.\n"},
    {"src/orbit.py",
     "class Orbit:\n    pass\ndef orbit_of(x):\n    return Orbit(x)\n",
     {{"Orbit", "class", 1, ""}, {"orbit_of", "function", 3, ""}}},
    {"src/use.py", "from orbit import Orbit, orbit_of\norbit_of(1)\nTwice()\n"},
    {"src/one.py", "class Twice: pass\n", {{"Twice", "class", 1, ""}}},
    {"src/two.py", "class Twice: pass\n", {{"Twice", "class", 1, ""}}},
    {"src/c.c", "Orbit x;\n"},
    {"docs/src/one.py_docs.md",
     "# One\n\n```python\nclass Twice: pass\n```\n",
     {{"Twice", "class", 4, ""}}},
};

TEST_F(Sites, AreWholeAndTheSecondTimeNothing) {
  index(kTree);
  const ExportCounts first = run();
  EXPECT_EQ(first.pages, 8u + 5u + 4u) << "files, folders, lists: docs/ has that of docs/src/";
  EXPECT_GT(first.written, first.pages + 3) << "and the shards of the search";
  EXPECT_EQ(first.failed, 0u);
  EXPECT_EQ(read_text(out_ / "style.css"), kSiteStyle);
  EXPECT_EQ(read_text(out_ / "kwsearch.js"), kSiteScript);
  EXPECT_TRUE(fs::exists(out_ / ".nojekyll"));
  EXPECT_THAT(test::site_faults(out_), IsEmpty());

  for (const bool same_index : {true, false}) {  // known to be the same, and found to be
    if (!same_index) index(kTree);
    const ExportCounts second = run();
    EXPECT_EQ(second.pages, first.pages);
    EXPECT_EQ(second.written, 0u);
    EXPECT_EQ(second.unchanged, first.written);
    EXPECT_EQ(second.removed, 0u);
    EXPECT_EQ(second.bytes, first.bytes);
  }
}

TEST_F(Sites, LinksLeadInsideTheSite) {
  index(kTree);
  run();
  const std::string readme = page("README.md.html");
  for (const char* link :
       {"<a href=\"src/orbit.py.html\">orbit</a>", "<a href=\"src/orbit.py.html#L1\">its class</a>",
        "<a href=\"src/orbit.py.html\">a line that is none</a>",
        "<a href=\"guide/a.md.html#b\">a section</a>",
        "<a href=\"guide/a.md.html\">one that is none</a>", "<a href=\"#sky\">below</a>",
        ", lost, gone, out, ", "<a href=\"guide/index.html\">guides</a>",
        "<a href=\"src/use.py.html\">the root</a>", "<a href=\"https://h/x\">web</a>, script."})
    EXPECT_THAT(readme, HasSubstr(link));
}

TEST_F(Sites, UsesLeadToTheOnlyDefinition) {
  index(kTree);
  run();
  const std::string use = page("src/use.py.html");
  EXPECT_THAT(use, HasSubstr("import <a href=orbit.py.html#d.Orbit>Orbit</a>, "
                             "<a href=orbit.py.html#d.orbit_of>orbit_of</a>\n"));
  EXPECT_THAT(use, HasSubstr("<li id=L3>Twice()\n")) << "two files define it";
  EXPECT_THAT(page("src/orbit.py.html"), HasSubstr("return <a href=#d.Orbit>Orbit</a>(x)"));
  EXPECT_THAT(page("guide/a.md.html"),
              HasSubstr("<a href=../src/orbit.py.html#d.orbit_of><code>orbit_of()</code></a>"));
  EXPECT_THAT(page("src/c.c.html"), HasSubstr("<li id=L1>Orbit x;")) << "another language's name";
  EXPECT_THAT(
      use,
      HasSubstr("<li><a href=orbit.py.html>src/orbit.py</a> <small>orbit_of, Orbit</small>\n"));
}

TEST_F(Sites, ASourceAndItsPageAreOneDefinition) {
  index({{"src/one.py", "class Only: pass\n", {{"Only", "class", 1, ""}}},
         {"docs/src/one.py_docs.md",
          "# One\n\n```python\nclass Only: pass\nOnly()\n```\n",
          {{"Only", "class", 4, ""}}},
         {"use.py", "Only()\n"}});
  run();
  EXPECT_THAT(page("use.py.html"), HasSubstr("<a href=src/one.py.html#d.Only>Only</a>()"));
  const std::string documentation = page("docs/src/one.py_docs.md.html");
  EXPECT_THAT(documentation, HasSubstr("<a href=#d.Only>Only</a>()")) << "what is nearest";
  EXPECT_THAT(documentation,
              HasSubstr("source <code><a href=../../src/one.py.html>src/one.py</a>"));
  EXPECT_THAT(documentation, HasSubstr("<a href=../../src/one.py.html#L1>source line 1</a>"));
  EXPECT_THAT(page("src/one.py.html"),
              HasSubstr("documentation <code><a href=../docs/src/one.py_docs.md.html>"));
}

TEST_F(Sites, PagesFollowTheIndex) {
  index({{"a/x.py", "x = 1\n"}, {"b.py", "y = 2\n"}});
  run();
  write_file(out_ / "mine.html", "<p>mine");
  index({{"b.py", "y = 3\n"}, {"c.py", "z = 1\n"}});
  const ExportCounts counts = run();
  EXPECT_EQ(counts.removed, 3u) << "the page of a/x.py, that of its folder, and its list";
  EXPECT_FALSE(fs::exists(out_ / "a"));
  EXPECT_TRUE(fs::exists(out_ / "c.py.html"));
  EXPECT_EQ(page("mine.html"), "<p>mine") << "not ours";
}

TEST_F(Sites, AnEditChangesItsPageAndThoseAbove) {
  std::vector<IndexedFile> files = kTree;
  index(files);
  run();
  for (IndexedFile& file : files)
    if (file.path == "src/orbit.py") {
      file.text = "# A comment moves the definitions.\n" + file.text;
      for (Definition& d : file.definitions) ++d.line;
    }
  index(files);
  const std::string user = page("src/use.py.html");
  run();
  EXPECT_THAT(page("src/orbit.py.html"), HasSubstr("A comment moves the definitions"));
  EXPECT_EQ(page("src/use.py.html"), user) << "a page that uses its names stays";
}

TEST_F(Sites, HostileTreesStayInTheirPlace) {
  index({{"a<script>alert(1)</x\"y'z.md", "# <script>alert(2)</script>\n\n<script>alert(3)\n"},
         {"nl\nname/b.py", "x = '</ol><script>'\n"},
         {"-dash.md", "[a](x\"onclick=y) ![b](<script>)\n"},
         {"bad\xff/\xfe.c", "int <script>;\n"},
         {"index", "i"},
         {"Index", "I"},
         {"style.css/x", "s"},
         {"search/x", "s"},
         {".kwexport.tmp/x", "t"},
         {"CON.c", "int y;\n"}});
  KwexportOptions options;
  options.project = "<script>alert(4)</script>";
  const ExportCounts counts = run(options);
  EXPECT_EQ(counts.failed, 0u);
  EXPECT_THAT(test::site_faults(out_), IsEmpty());
  for (const auto& entry : fs::recursive_directory_iterator(out_)) {
    if (entry.path().extension() != ".html") continue;
    const std::string html = read_text(entry.path());
    std::size_t scripts = 0;
    for (std::size_t at = 0; (at = html.find("<script", at)) != std::string::npos; ++at) ++scripts;
    EXPECT_EQ(scripts, 1u) << entry.path() << ": the site's own, and no other";
    EXPECT_THAT(html, Not(HasSubstr("<style")));
    EXPECT_THAT(html, Not(HasSubstr(" style=")));
    EXPECT_THAT(html, Not(HasSubstr(" onclick=")));
  }
  EXPECT_EQ(run(options).written, 0u);
}

TEST_F(Sites, AHostilePathGetsNoPageAndTheRestIsWritten) {
  index({{"../evil.md", "# E\n"}, {"good.md", "# G\n"}});
  const ExportCounts counts = run();
  EXPECT_GE(counts.failed, 1u);
  EXPECT_THAT(failures_, Contains(HasSubstr("'../evil.md'")));
  EXPECT_FALSE(fs::exists(tmp_ / "evil.md.html"));
  EXPECT_TRUE(fs::exists(out_ / "good.md.html"));
}

TEST_F(Sites, AFileInTheWayIsLeft) {
  index({{"a.md", "# A\n"}});
  write_file(out_ / "style.css", "mine");
  const ExportCounts counts = run();
  EXPECT_EQ(counts.failed, 1u);
  EXPECT_THAT(failures_, ElementsAre(HasSubstr("'style.css'")));
  EXPECT_EQ(page("style.css"), "mine");
}

TEST_F(Sites, SiteMapAndRepositoryLinks) {
  index({{"a b.md", "# A\n"}});
  KwexportOptions options;
  options.base_url = "https://h/d";
  options.source_url = "https://forge/o/r/blob/main";
  run(options);
  EXPECT_THAT(page("sitemap.xml"), HasSubstr("<loc>https://h/d/a%20b.md.html</loc>"));
  EXPECT_THAT(page("sitemap.xml"), HasSubstr("<loc>https://h/d/index.html</loc>"));
  EXPECT_THAT(
      page("a b.md.html"),
      HasSubstr("<a href=\"https://forge/o/r/blob/main/a%20b.md\">file in the repository</a>"));
  EXPECT_EQ(run().removed, 1u) << "the map, where no more is asked for";
}

TEST_F(Sites, TheHomeSaysWhatTheTreeHolds) {
  index(kTree);
  run();
  const std::string home = page("index.html");
  EXPECT_THAT(home, HasSubstr("<script src=kwsearch.js defer>"));
  EXPECT_THAT(home, HasSubstr("<p class=facts>8 files in 5 folders, "));
  EXPECT_THAT(home, HasSubstr("<p id=kw-status role=status aria-live=polite></p>\n"
                              "<ol id=kw-results></ol>"));
  EXPECT_THAT(home,
              HasSubstr("<li><details><summary><a href=docs/index.html>docs/</a> <small>1 file"
                        "</small></summary>\n<ul>\n<li><a href=docs/src/index.html>src/</a>"));
  EXPECT_THAT(page("docs/src/one.py_docs.md.html"),
              HasSubstr("<script src=../../kwsearch.js defer>"));
  EXPECT_THAT(page("docs/src/one.py_docs.md.html"), HasSubstr("action=../../index.html>"));
}

TEST_F(Sites, FoldersHaveAListOfTheirNames) {
  index(kTree);
  run();
  const std::string all = page("sub.html");
  EXPECT_THAT(all, HasSubstr("<h1>All names</h1>"));
  EXPECT_THAT(all, HasSubstr("<dt>Orbit<dd>class in <a href=src/orbit.py.html#d.Orbit>"
                             "src/orbit.py</a>; used in <a href=guide/a.md.html>a.md</a>"));
  EXPECT_THAT(page("src/sub.html"), HasSubstr("<h1>Names below src</h1>"));
  EXPECT_THAT(page("src/sub.html"), HasSubstr("<a href=one.py.html#d.Twice>one.py</a>, "
                                              "<a href=two.py.html#d.Twice>two.py</a>"));
  EXPECT_THAT(page("docs/index.html"), HasSubstr("<a href=src/sub.html>all names below</a>"))
      << "that of its only folder";
  EXPECT_THAT(page("index.html"), HasSubstr("<a href=sub.html>all names, A to Z</a>"));
}

TEST_F(Sites, ListsNameAPageByItsFile) {
  index({{"a/x.py", "class Used: pass\n", {{"Used", "class", 1, ""}}},
         {"a/x.py_docs.md",
          "# X\n\n```python\nclass Paged: pass\n```\n",
          {{"Paged", "class", 4, ""}}},
         {"b/y.py_docs.md",
          "# Y\n\n```python\nclass Gone: pass\n```\n",
          {{"Gone", "class", 4, ""}}}});
  run();
  const std::string all = page("sub.html");
  EXPECT_THAT(all, HasSubstr("<dt>Gone<dd>class in <a href=b/y.py_docs.md.html#d.Gone>b/y.py</a>"));
  EXPECT_THAT(all, HasSubstr("<a href=a/x.py_docs.md.html#d.Paged>a/x.py_docs.md</a>"))
      << "the file itself has a page, too";
}

TEST_F(Sites, OneShardMakesNone) {
  info_.shard = "1/2";
  index({{"a.md", "# A\n"}});
  const auto counts = try_run();
  ASSERT_FALSE(counts);
  EXPECT_EQ(counts.error().code, ErrorCode::Refused);
}

TEST(ExampleQueries, NamesThatManyFilesTell) {
  std::vector<FileSummary> summaries(4);
  summaries[0].top = {"view_of", "ALL_LOUD", "plain"};
  summaries[1].top = {"view_of", "MetaData", "ALL_LOUD"};
  summaries[2].top = {"MetaData", "view_of", "ALL_LOUD"};
  summaries[3].top = {"AbcDef"};
  EXPECT_THAT(example_queries(summaries, 4),
              ElementsAre("view_of", "MetaData", "AbcDef", "view of"));
  EXPECT_THAT(example_queries(summaries, 2), ElementsAre("view_of", "view of"));
  EXPECT_THAT(example_queries({}, 4), IsEmpty());
}

}  // namespace
}  // namespace kw::exporter::site
