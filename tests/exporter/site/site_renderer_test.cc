// SPDX-License-Identifier: GPL-2.0-or-later
// A site as a whole: which files it has, where its links lead, that nothing in a tree gets out of
// its place.
#include "exporter/command/export.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <map>

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
  EXPECT_EQ(read_text(out_ / "kwpage.js"), kSitePageScript);
  EXPECT_THAT(std::string(kSitePageScript), HasSubstr(std::string(kSiteScriptVersion)))
      << "it loads the search of its own version";
  EXPECT_THAT(read_text(out_ / "search.html"),
              HasSubstr("<link rel=preload as=script href=search/head.js>"));
  EXPECT_TRUE(fs::exists(out_ / "search/head.js"));
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
  EXPECT_THAT(use, HasSubstr("<u>import</u> <a href=orbit.py.html#d.Orbit>Orbit</a>, "
                             "<a href=orbit.py.html#d.orbit_of>orbit_of</a>\n"));
  EXPECT_THAT(use, HasSubstr("<li id=L3>Twice()\n")) << "two files define it";
  EXPECT_THAT(page("src/orbit.py.html"), HasSubstr("<u>return</u> <a href=#d.Orbit>Orbit</a>(x)"));
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

/// All files of a folder but the manifest's first line, by name.
std::map<std::string, std::string> files_in(const fs::path& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    std::string bytes = read_text(entry.path());
    if (entry.path().filename() == ".kwexport") bytes.erase(0, bytes.find('\n'));
    files.emplace(fs::relative(entry.path(), folder).string(), std::move(bytes));
  }
  return files;
}

// Document ids follow the history of an index, and must not show.
TEST_F(Sites, EqualTreesHaveEqualSites) {
  std::vector<IndexedFile> files = kTree;
  files.push_back(
      {"src/both.py", "Twice()\norbit_of(1)\nclass Orbit: pass\n", {{"Orbit", "class", 3, ""}}});
  index(files);
  run();
  const auto first = files_in(out_);
  fs::remove_all(out_);
  fs::remove_all(tmp_ / "tree/.kwsearch");
  std::reverse(files.begin(), files.end());
  index(files);
  run();
  EXPECT_EQ(files_in(out_), first);
}

TEST_F(Sites, AnEditChangesFewFiles) {
  std::vector<IndexedFile> files;
  for (int i = 0; i < 300; ++i) {
    std::string text;
    for (int k = 0; k < 40; ++k) text += "word" + std::to_string(i * 40 + k) + " shared_name\n";
    files.push_back({"f" + std::to_string(i) + "/page.md", "# Page\n\n" + text});
  }
  index(files);
  run();
  const auto before = files_in(out_);
  files[7].text += "\nplainly other\n";
  index(files);
  const ExportCounts counts = run();
  std::vector<std::string> changed, chunks;
  for (const auto& [name, bytes] : files_in(out_)) {
    const auto old = before.find(name);
    if (old != before.end() && old->second == bytes) continue;
    if (name.starts_with("search/") && name != "search/head.js" && name != "search/old.txt") {
      EXPECT_EQ(old, before.end()) << name << " stood for other bytes";
      chunks.push_back(name);
    } else {
      changed.push_back(name);
    }
  }
  EXPECT_THAT(changed,
              ElementsAre(".kwexport", "f7/page.md.html", "search/head.js", "search/old.txt"));
  EXPECT_LE(chunks.size(), 5u)
      << "lengths, their rests, and the words of the edit with their lists";
  EXPECT_EQ(counts.removed, 0u);

  // The chunks that are no more stay for readers of the pages before, until the next export.
  for (const auto& [name, bytes] : before) EXPECT_TRUE(fs::exists(out_ / name)) << name;
  EXPECT_EQ(run().written, 0u);
  files[7].text += "\nand again\n";
  index(files);
  EXPECT_GE(run().removed + 1, chunks.size()) << "rests of lengths may be as they were";
  fs::remove_all(out_);
  run();
  const auto fresh = files_in(out_);
  EXPECT_FALSE(fresh.contains("search/old.txt")) << "a first export has none";
}

TEST_F(Sites, DocumentsAsTheirAuthorsMeantThem) {
  const std::string png = "\x89PNG\r\n\x1a\nx";
  write_file(tmp_ / "tree/img/logo.png", png);
  write_file(tmp_ / "secret.png", png);
  fs::create_symlink(tmp_ / "secret.png", tmp_ / "tree/img/link.png");
  const std::vector<IndexedFile> files{
      {"README.md",
       "<h1 align=center><img src=\"img/logo.png\" alt=\"Logo\"></h1>\n\n"
       "![l](img/link.png) ![b](https://h/b.svg) [there](docs/a.md#there) "
       "[none](docs/a.md#none)\n"},
      {"docs/a.md", "---\ntitle: Front\n---\n<a name=\"there\"></a>\n\n![Logo](../img/logo.png)\n"},
      {"docs/readme.md", "# In docs\n\n[up](../README.md) ![x](../img/logo.png)\n"}};
  index(files);
  const ExportCounts first = run();
  std::string image;
  for (const auto& entry : fs::directory_iterator(out_ / "search/images"))
    if (entry.path().extension() == ".png") image = entry.path().filename().string();
  ASSERT_NE(image, "");
  EXPECT_EQ(page("search/images/" + image), png);
  const std::string readme = page("README.md.html"), a = page("docs/a.md.html"),
                    docs = page("docs/index.html");
  EXPECT_THAT(readme, HasSubstr("<img src=search/images/" + image + " alt=Logo>"));
  EXPECT_THAT(readme, HasSubstr("<a class=image href=https://h/b.svg>b</a>"));
  EXPECT_THAT(readme, Not(HasSubstr("link.png>"))) << "no file outside of the tree";
  EXPECT_THAT(readme, HasSubstr("<a href=docs/a.md.html#u.there>there</a>"));
  EXPECT_THAT(readme, HasSubstr("<a href=docs/a.md.html>none</a>"));
  EXPECT_THAT(a, HasSubstr("<h1>Front</h1>"));
  EXPECT_THAT(a, Not(HasSubstr("title: Front")));
  EXPECT_THAT(a, HasSubstr("id=u.there"));
  EXPECT_THAT(docs, HasSubstr("<h2 id=in-docs>")) << "a folder shows its README";
  EXPECT_THAT(docs, HasSubstr("<img src=\"../search/images/" + image + "\""));
  EXPECT_THAT(page("docs/readme.md.html"), HasSubstr("<h1>In docs</h1>"));
  EXPECT_THAT(page("docs/readme.md.html"), Not(HasSubstr("<h2 id=in-docs>")));
  EXPECT_THAT(page("index.html"), HasSubstr("alt=Logo>"));
  EXPECT_THAT(test::site_faults(out_), IsEmpty());

  EXPECT_EQ(run().written, 0u);
  write_file(tmp_ / "tree/img/logo.png", png + "y");
  EXPECT_GT(run().written, 0u) << "an image is an input, though no part of the index";
  EXPECT_FALSE(fs::exists(out_ / "search/images" / image));
  index({{"README.md", "# No image\n"}});
  run();
  EXPECT_FALSE(fs::exists(out_ / "search/images"));
  EXPECT_GT(first.pages, 0u);
}

TEST_F(Sites, AnIndexOfNothingHasAHome) {
  index({});
  const ExportCounts counts = run();
  EXPECT_EQ(counts.failed, 0u);
  EXPECT_THAT(page("index.html"), HasSubstr("0 files in 1 folder"));
  EXPECT_THAT(test::site_faults(out_), IsEmpty());
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
    const bool is_results = entry.path() == out_ / "search.html";
    EXPECT_EQ(scripts, is_results ? 3u : 2u) << entry.path() << ": the site's own, and no other";
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
  EXPECT_EQ(run().removed, 2u) << "the map and the 404 page, where no more is asked for";
}

TEST_F(Sites, TheHomeSaysWhatTheTreeHolds) {
  index(kTree);
  run();
  const std::string home = page("index.html");
  EXPECT_THAT(home, HasSubstr(fmt::format("<script src=kwpage.js?{} defer>", kSiteScriptVersion)));
  EXPECT_THAT(home, HasSubstr("<p class=facts>8 files in 5 folders, "));
  EXPECT_THAT(page("search.html"), HasSubstr("<p id=kw-status role=status aria-live=polite></p>\n"
                                             "<ol id=kw-results></ol>"));
  EXPECT_THAT(home, HasSubstr("<li><a href=docs/index.html>docs/</a> <small>1 file</small>\n"
                              "<details><summary aria-label=\"1 folder in docs\">1 folder"
                              "</summary>\n<ul>\n<li><a href=docs/src/index.html>src/</a>"));
  EXPECT_THAT(page("docs/src/one.py_docs.md.html"),
              HasSubstr(fmt::format("<script src=../../kwpage.js?{} defer>", kSiteScriptVersion)));
  EXPECT_THAT(page("docs/src/one.py_docs.md.html"), HasSubstr("action=../../search.html>"));
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

TEST(ExampleQueries, NamesAndTheWordsOfOne) {
  EXPECT_THAT(example_queries({"Orbit", "MetaData", "view_of"}, 4),
              ElementsAre("Orbit", "MetaData", "view_of", "meta data"));
  EXPECT_THAT(example_queries({"view_of", "MetaData"}, 2), ElementsAre("view_of", "view of"));
  EXPECT_THAT(example_queries({"Orbit"}, 4), ElementsAre("Orbit"));
  EXPECT_THAT(example_queries({}, 4), IsEmpty());
}

TEST_F(Sites, HomeAndDocumentsTellWhatTheyAre) {
  index({{"README.md", "# Sky\n\nA library of orbits, in one header of a few lines.\n\n## Use\n"},
         {"docs/a.md", "## Guide\n\nIt begins here, and it is not long.\n\n## More\n\n### Deep\n"},
         {"docs/changes.md", "## 2.0\n\n## 1.0\n"},
         {"docs/z.c", "struct Orbit;\n", {{"Orbit", "struct", 1, ""}}},
         {"x.c", "Orbit x;\n"},
         {"y.c", "Orbit y;\n"}});
  KwexportOptions options;
  options.base_url = "https://h/d";
  options.date = "2026-03-01";
  options.robots = Robots::All;
  run(options);
  const std::string home = page("index.html"), guide = page("docs/a.md.html");
  EXPECT_THAT(home, HasSubstr("<article id=Text aria-label=README>\n<h2 id=sky>"));
  EXPECT_THAT(home,
              HasSubstr("<p class=examples>Try <a href=\"search.html?q=Orbit\">Orbit</a></p>"));
  EXPECT_THAT(home, HasSubstr("made on 2026-03-01"));
  EXPECT_THAT(home, HasSubstr("<meta name=description content=\"A library of orbits, in one "
                              "header of a few lines.\">"));
  EXPECT_THAT(guide, HasSubstr("<title>Guide · Orrery</title>"));
  EXPECT_THAT(guide, HasSubstr("<meta property=og:title content=Guide>"));
  EXPECT_THAT(guide, HasSubstr("<link rel=canonical href=\"https://h/d/docs/a.md.html\">"));
  EXPECT_THAT(guide, HasSubstr("<h1>Guide</h1>"));
  EXPECT_THAT(guide, HasSubstr("<li>a.md\n</ol></nav>")) << "the path stands in the way down";
  EXPECT_THAT(guide, HasSubstr("<ul class=contents>\n<li><a href=#more>More</a>\n"
                               "<li class=in1><a href=#deep>Deep</a>\n</ul>"));
  EXPECT_THAT(guide, HasSubstr("<h2 id=more>")) << "below the heading of the page comes the second";
  EXPECT_THAT(guide, HasSubstr("<a rel=next href=changes.md.html>"));
  EXPECT_THAT(guide, Not(HasSubstr("<a rel=prev")));
  EXPECT_THAT(page("docs/changes.md.html"), HasSubstr("<h1>changes.md</h1>"))
      << "a version is no title";
  EXPECT_THAT(page("docs/index.html"), HasSubstr("changes.md</a>\n")) << "nor in lists";
  EXPECT_THAT(page("docs/z.c.html"), HasSubstr("<a rel=prev href=changes.md.html>"));
  EXPECT_THAT(page("docs/z.c.html"), HasSubstr("content=\"Names: Orbit\""));
  EXPECT_THAT(page("sitemap.xml"),
              HasSubstr("<url><loc>https://h/d/x.c.html</loc><lastmod>2026-03-01</lastmod></url>"));
  EXPECT_EQ(page("robots.txt"),
            "# Keyword Index: for search engines\nUser-agent: *\nDisallow:\n"
            "Sitemap: https://h/d/sitemap.xml\n");
  EXPECT_THAT(page("404.html"), HasSubstr(fmt::format("<script src=https://h/d/kwpage.js?{} defer>",
                                                      kSiteScriptVersion)))
      << "it is shown in any folder";
  EXPECT_THAT(page("404.html"), HasSubstr("action=https://h/d/search.html>"));

  options.robots = Robots::None;
  run(options);
  EXPECT_THAT(page("robots.txt"), HasSubstr("Disallow: /\n"));
  EXPECT_THAT(page("docs/a.md.html"), HasSubstr("<meta name=robots content=noindex>"));
  run();
  EXPECT_FALSE(fs::exists(out_ / "robots.txt") || fs::exists(out_ / "404.html"));
}

}  // namespace
}  // namespace kw::exporter::site
