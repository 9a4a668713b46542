// SPDX-License-Identifier: GPL-2.0-or-later
#include "searcher/engine/search.h"

#include <gmock/gmock.h>

#include <chrono>
#include <cmath>
#include <condition_variable>
#include <mutex>
#include <random>
#include <thread>

#include "schema/base/parallel.h"
#include "searcher/engine/result_list.h"
#include "tests/support/effort.h"
#include "tests/support/index_builder.h"
#include "tests/support/temp_dir.h"

namespace kw::search {
namespace {

using test::IndexedFile;
using testing::_;
using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::IsEmpty;
using testing::UnorderedElementsAre;
using testing::UnorderedElementsAreArray;

class Search : public testing::Test {
 protected:
  Searcher open(std::vector<IndexedFile> files) {
    const auto folder =
        test::build_index(dir_ / std::to_string(++number_) / ".kwsearch", std::move(files));
    auto searcher = Searcher::open({folder.path()});
    EXPECT_TRUE(searcher);
    return *std::move(searcher);
  }

  static SearchResult search(Searcher& searcher, std::string_view query,
                             const SearchOptions& options = {}) {
    auto result = searcher.search(*parse_query(query), options);
    EXPECT_TRUE(result) << query << ": " << result.error().message;
    return *std::move(result);
  }

  static std::vector<std::string> paths(Searcher& searcher, std::string_view query,
                                        const SearchOptions& options = {}) {
    std::vector<std::string> paths;
    for (const Hit& hit : search(searcher, query, options).hits) paths.push_back(hit.path);
    return paths;
  }

  test::TempDir dir_;
  int number_ = 0;
};

const std::string kFence = "\n```python\n";

TEST_F(Search, TiersInOrder) {
  // Named so that the order of paths is the other way round, with counts that grow downwards.
  Searcher s = open({
      {"9.py", "class Orbit: pass\n", {{"Orbit", "class", 1, ""}}},
      {"8.md", "# The orbit\n\nOne line.\n"},
      {"7.py", "x = Orbit\nOrbit(x)\n"},
      {"6.py", "def orbit_speed(): pass\n", {{"orbit_speed", "function", 1, ""}}},
      {"5.py", "call(low_orbit, high_orbit, any_orbit)\n"},
      {"4.md", "# Other\n\nThe orbit of an orbit orbits an orbit, and orbits orbit.\n"},
      {"3.md", "# Other\n\nNothing here.\n"},
  });
  EXPECT_THAT(paths(s, "orbit"), ElementsAre("9.py", "8.md", "7.py", "6.py", "5.py", "4.md"));
  EXPECT_THAT(paths(s, "orbits"), ElementsAre("8.md", "9.py", "6.py", "5.py", "4.md", "7.py"))
      << "all by stem, names of one word in the lowest tier";
}

TEST_F(Search, SeveralWords) {
  Searcher s = open({
      {"5.py", "class ViewMeta: pass\n", {{"ViewMeta", "class", 1, ""}}},
      {"4.py",
       "def view_x(): pass\ndef y_meta(): pass\n",
       {{"view_x", "function", 1, ""}, {"y_meta", "function", 2, ""}}},
      {"3.md", "# View of meta\n"},
      {"2.py", "use(view_meta)\n"},
      {"1.md", "A view, a meta, a view, a meta.\n"},
      {"0.md", "A view and no more.\n"},
  });
  EXPECT_THAT(paths(s, "view meta"), ElementsAre("5.py", "3.md", "1.md", "4.py", "2.py"))
      << "the name they make together, then by weighted fields: title, prose, names";
  EXPECT_THAT(paths(s, "viewmeta"), ElementsAre("5.py", "2.py"))
      << "one word is one name, then neighbouring words of one";
}

TEST_F(Search, NeighbouringSubwordsAreOneWord) {
  Searcher s = open({
      {"1.py", "class MySQLPool: pass\n", {{"MySQLPool", "class", 1, ""}}},
      {"2.py", "parse_git_hub_url(x)\n"},
      {"3.py", "class HTML5Parser: pass\n", {{"HTML5Parser", "class", 1, ""}}},
      {"4.py", "sql_of_my(x)\ngit(); hub()\n"},
      {"5.md", "We use mysql.\n"},
      {"6.py", "class OAuthToken: pass\nx = load3DViewer\n", {{"OAuthToken", "class", 1, ""}}},
      {"7.md", "A 3DViewer with 2fa_token_store.\n"},
  });
  EXPECT_THAT(paths(s, "mysql"), ElementsAre("5.md", "1.py")) << "the word itself, then names";
  EXPECT_THAT(paths(s, "MySQL"), ElementsAre("5.md", "1.py"));
  EXPECT_THAT(paths(s, "github"), ElementsAre("2.py")) << "not where the parts stand apart";
  EXPECT_THAT(paths(s, "html"), ElementsAre("3.py")) << "digits behind it";
  EXPECT_THAT(paths(s, "oauth"), ElementsAre("6.py")) << "a part of one letter";
  EXPECT_THAT(paths(s, "viewer"), testing::UnorderedElementsAre("6.py", "7.md"))
      << "after a number, in prose, too";
  EXPECT_THAT(paths(s, "sqlmy"), IsEmpty());
  EXPECT_THAT(paths(s, "mysql pool"), ElementsAre("1.py")) << "one of several words";
  EXPECT_THAT(paths(s, "parse github url"), ElementsAre("2.py"));
  EXPECT_THAT(paths(s, "github hub"), ElementsAre("2.py")) << "both apart, in 4.py, are not one";
}

TEST_F(Search, WordsThatMakeAName) {
  Searcher s = open({
      {"1.js", "function isObject(x) {}\n", {{"isObject", "function", 1, ""}}},
      {"2.md", "# An object\n\nIt is an object, an object is it.\n"},
      {"3.ts", "getManyToMany() {}\n", {{"getManyToMany", "method", 1, ""}}},
      {"4.md", "# Many to many\n\nGet many things.\n"},
      {"5.rs", "fn as_u64() {}\n", {{"as_u64", "function", 1, ""}}},
      {"6.py", "def mean_of_top_5_rows(): pass\n", {{"mean_of_top_5_rows", "function", 1, ""}}},
      {"7.md", "# Rows\n\nThe mean of the top rows: 5 of them, mean of top.\n"},
  });
  EXPECT_EQ(paths(s, "mean of top 5 rows")[0], "6.py") << "though a message may have a number, too";
  EXPECT_EQ(paths(s, "is object")[0], "1.js") << "stop words are part of a name";
  EXPECT_EQ(paths(s, "get many to many")[0], "3.ts") << "words that come twice, too";
  EXPECT_THAT(paths(s, "as u 64"), ElementsAre("5.rs")) << "and words that no file has";
  EXPECT_EQ(paths(s, "many to many")[0], "4.md") << "a page with this title is before all names";
}

TEST_F(Search, OfANameInWordsWhatIsInNoFunctionIsFirst) {
  Searcher s = open({
      {"1.js",
       "function isLate() {}\n// is late is late\n",
       {{"create", "function", 1, ""}, {"isLate", "function", 1, "create"}}},
      {"2.js", "function isLate() {}\n", {{"isLate", "function", 1, ""}}},
  });
  EXPECT_THAT(paths(s, "isLate"), ElementsAre("2.js", "1.js"));
  EXPECT_THAT(paths(s, "is late"), ElementsAre("2.js", "1.js"));
}

TEST_F(Search, AMemberThatNothingDefinesIsThatOfItsClass) {
  Searcher s = open({
      {"1.ts", "class Orchard { constructor(rows) {} }\n", {{"Orchard", "class", 1, ""}}},
      {"2.md", "# An orchard\n\nThe constructor of an orchard takes its rows: constructor.\n"},
  });
  EXPECT_EQ(paths(s, "Orchard.constructor")[0], "1.ts");
  EXPECT_EQ(paths(s, "Orchard::plant()")[0], "1.ts");
}

// Names by their words, some of which are missing.
TEST_F(Search, OneNameThatHoldsAllWordsIsBeforeFilesThatHoldThemApart) {
  std::string often;
  for (int i = 0; i < 20; ++i) often += "A tray has an icon. The icon of the tray.\n";
  Searcher s = open({
      {"tray.h", "class TrayIconPainter {};\n", {{"TrayIconPainter", "class", 1, ""}}},
      {"far.h",
       "class TrayIconPainterOfWindows {};\n",
       {{"TrayIconPainterOfWindows", "class", 1, ""}}},
      {"holds.h",
       "struct Bar { TrayIcon tray_icon_; };\n",
       {{"Bar", "struct", 1, ""}, {"tray_icon_", "member", 1, "Bar"}}},
      {"tests/tray_test.py",
       "def test_tray_icon(): pass\n",
       {{"test_tray_icon", "function", 1, ""}}},
      {"guide.md", "# Bars\n\n" + often},
      {"trays.md", "# The tray icons of a bar\n\n" + often},
  });
  EXPECT_THAT(paths(s, "tray icon"), ElementsAre("tray.h", "far.h", "holds.h", "trays.md", _, _))
      << "the nearest first, a field behind, what a test is called not above all others";
  EXPECT_EQ(paths(s, "tray icons")[0], "trays.md") << "who asks for a name has its forms";
  EXPECT_EQ(paths(s, "the tray icons of a bar")[0], "trays.md");
}

TEST_F(Search, OfWhatPlacesAFileTheBestCounts) {
  Searcher s = open({
      {"bar.py", "def tray_icon(): pass\n", {{"tray_icon", "function", 1, ""}}},
      {"tray.md",
       "# Tray icons\n\n```cpp\nclass TrayIconPainter {};\n```\n",
       {{"TrayIconPainter", "class", 4, ""}}},
      {"p.cc", "// Tray icon\nint trayIconPainter;\n", {{"trayIconPainter", "function", 2, ""}}},
  });
  EXPECT_THAT(paths(s, "tray icon"), ElementsAre("bar.py", "tray.md", "p.cc"))
      << "the name, the title in other forms, a name with more words";
}

TEST_F(Search, MessagesComeFromWhereTheirFixedWordsStandTogether) {
  std::vector<IndexedFile> files{
      {"z.py", "def f(n):\n  raise ValueError(f'cannot graft {n} branches on a pine')\n"}};
  // More than are looked at where one is certain; each has the words, and more often.
  for (int i = 0; i < 40; ++i)
    files.push_back(
        {std::to_string(i) + ".md",
         "Branches of a pine: cannot, graft.\n\nGraft on pine branches, pine branches.\n"});
  Searcher s = open(files);
  EXPECT_EQ(paths(s, "ValueError: cannot graft 12 branches on a pine")[0], "z.py");
  EXPECT_EQ(paths(s, "cannot graft 'oak' branches on a pine")[0], "z.py");
}

TEST_F(Search, WhereAMessageIsRaisedIsBeforeATestThatQuotesIt) {
  Searcher s = open(
      {{"graft.py",
        "def graft(what):\n"
        "  raise GraftError(f'cannot graft the {what} on the branch of a pine')\n"},
       {"tests/graft_test.py", "assert str(e) == 'cannot graft the oak on the branch of a pine'\n"},
       {"tests/other_test.py", "assert str(e) == 'cannot graft it'\n"}});
  EXPECT_THAT(paths(s, "GraftError: cannot graft the oak on the branch of a pine"),
              ElementsAre("graft.py", "tests/graft_test.py"));
}

TEST_F(Search, AMessageIsFoundFarDownInALongText) {
  std::string fill, apart;
  for (int i = 0; i < 3000; ++i) {
    fill += "cannot open it, so the file is not of that kind\n";
    apart += i % 100 ? "another line of the text\n" : "a gasket\n";
  }
  const std::string raises = "raise Error(f\"cannot fit gasket {x} to valve {y}: wrong thread\")\n";
  Searcher s = open({{"a.py", apart + "the valve\n" + fill + "wrong thread\n"},
                     {"b.py", fill + raises + fill},
                     {"c.py", "gasket valve thread wrong fit cannot to\n"}});
  const auto hits = search(s, "Error: cannot fit gasket 'M8' to valve 17: wrong thread").hits;
  ASSERT_FALSE(hits.empty());
  EXPECT_EQ(hits[0].path, "b.py");
  EXPECT_THAT(hits[0].named_lines, ElementsAre(3001));
}

TEST_F(Search, ACapitalPrefersThatSpelling) {
  Searcher s = open({
      {"a.py", "def stack(): pass\n", {{"stack", "function", 1, ""}}},
      {"b.py", "class Stack: pass\n", {{"Stack", "class", 1, ""}}},
      {"c.py", "class STACK: pass\n", {{"STACK", "class", 1, ""}}},
      {"d.py", "stack\n"},
      {"e.py", "STACK\n"},
  });
  EXPECT_THAT(paths(s, "Stack"), ElementsAre("b.py", "c.py", "a.py", "d.py", "e.py"))
      << "hides nothing";
  EXPECT_THAT(paths(s, "STACK"), ElementsAre("c.py", "b.py", "a.py", "e.py", "d.py"));
  EXPECT_THAT(paths(s, "stack"), ElementsAre("b.py", "c.py", "a.py", "d.py", "e.py"))
      << "types first, then by path";
}

TEST_F(Search, OriginsInOrder) {
  Searcher s = open({
      {"z.py",
       "def walk(): pass\nand much, much more of other words\n",
       {{"walk", "function", 1, ""}}},
      {"tests/y.py", "def walk(): pass\n", {{"walk", "function", 1, ""}}},
      {"third_party/x.py", "def walk(): pass\n", {{"walk", "function", 1, ""}}},
      {"generated/w.py", "def walk(): pass\n", {{"walk", "function", 1, ""}}},
      {"a.py", "walk()\n"},
  });
  EXPECT_THAT(paths(s, "walk"),
              ElementsAre("z.py", "tests/y.py", "third_party/x.py", "generated/w.py", "a.py"))
      << "within a tier only";
  SearchOptions equal;
  equal.demote_copies = false;
  EXPECT_THAT(paths(s, "walk", equal),
              ElementsAre("generated/w.py", "tests/y.py", "third_party/x.py", "z.py", "a.py"));
}

TEST_F(Search, KindsOfDefinitionsInOrder) {
  Searcher s = open({
      {"4.c", "node x\n", {{"node", "struct", 1, ""}}},
      {"3.c", "node x\n", {{"node", "function", 1, ""}}},
      {"2.c", "node x\n", {{"node", "member", 1, "tree"}}},
      {"1.c", "node x\n", {{"node", "namespace", 1, ""}}},
  });
  EXPECT_THAT(paths(s, "node"), ElementsAre("4.c", "3.c", "2.c", "1.c"));
}

TEST_F(Search, ASourceAndItsPagesAreOneResult) {
  const std::string source = "class Orbit: pass\n", page = "# Orbit\n" + kFence + source + "```\n";
  const std::vector<Definition> at1{{"Orbit", "class", 1, ""}}, at4{{"Orbit", "class", 4, ""}};
  Searcher s = open({
      {"src/a.py", source + "# alpha\n", at1},
      {"docs/src/a.py_docs.md", page + "beta\n", at4},
      {"docs/docs/src/a.py_docs.md_docs.md", page, at4},
      {"src/a.py_docs.md", page, at4},
      {"docs/src/b.py_docs.md", page, at4},
  });
  auto result = search(s, "Orbit");
  ASSERT_EQ(result.hits.size(), 3u);
  EXPECT_EQ(result.hits[0].path, "src/a.py") << "the source stands for its pages";
  EXPECT_THAT(result.hits[0].also, ElementsAre("docs/src/a.py_docs.md", "src/a.py_docs.md"));
  EXPECT_THAT(paths(s, "beta"), ElementsAre("docs/src/a.py_docs.md"))
      << "a page where the source does not match";
  EXPECT_THAT(search(s, "alpha").hits[0].also, IsEmpty());
  EXPECT_EQ(s.count(*parse_query("Orbit"), {})->results, 3u);
}

TEST_F(Search, AllElseEqualPathsDecide) {
  std::vector<IndexedFile> files;
  for (const char* path : {"b", "0", "Z", "ä", "a", "_"}) files.push_back({path, "same words\n"});
  Searcher s = open(files);
  const std::vector<std::string> sorted{"0", "Z", "_", "a", "b", "ä"};
  EXPECT_THAT(paths(s, "same"), ElementsAreArray(sorted)) << "by bytes";
  EXPECT_THAT(paths(s, "\"same words\""), ElementsAreArray(sorted));
  EXPECT_THAT(paths(s, "NOT other"), ElementsAreArray(sorted));
}

TEST_F(Search, PagesTogetherAreTheWhole) {
  std::vector<IndexedFile> files;
  for (int i = 0; i < 57; ++i) {
    const std::string name = "f" + std::to_string(i * 7 % 57) + ".py";
    files.push_back({name, std::string(static_cast<std::size_t>(i % 5), '\n') + "walk the tree\n"});
    if (i % 3 == 0) files.push_back({"docs/" + name + "_docs.md", "walk the tree, too\n"});
  }
  Searcher s = open(files);
  for (const char* query : {"walk", "\"the tree\"", "walk NOT \"too\"", "tree OR none", "w*k"}) {
    SearchOptions whole;
    whole.results = 0;
    const auto all = search(s, query, whole).hits;
    EXPECT_EQ(all.size(), 57u) << query;
    EXPECT_EQ(s.count(*parse_query(query), {})->results, all.size()) << query;
    for (const std::size_t size : {1u, 4u, 10u, 56u, 57u, 100u}) {
      std::vector<std::string> joined, expected;
      for (std::size_t offset = 0; offset < 60; offset += size) {
        SearchOptions part;
        part.results = size;
        part.offset = offset;
        const auto hits = search(s, query, part).hits;
        for (std::size_t i = 0; i < hits.size(); ++i) {
          EXPECT_EQ(hits[i].rank, offset + i + 1) << "counts on";
          joined.push_back(hits[i].path);
        }
      }
      for (const Hit& hit : all) expected.push_back(hit.path);
      EXPECT_EQ(joined, expected) << query << " by " << size;
    }
  }
  SearchOptions beyond;
  beyond.offset = 1000;
  EXPECT_THAT(paths(s, "walk", beyond), IsEmpty());
  EXPECT_FALSE(search(s, "walk none", beyond).any) << "an empty page of nothing";
}

TEST_F(Search, AnyWordIfNoFileHasAll) {
  Searcher s = open({{"a.md", "alpha beta\n"},
                     {"b.md", "beta gamma\n"},
                     {"c.py", "gamma alpha\n"},
                     {"d.md", "delta\n"}});
  EXPECT_FALSE(search(s, "alpha beta").any);
  const auto some = search(s, "alpha beta gamma");
  EXPECT_FALSE(some.any) << "each holds enough of the weight";
  EXPECT_EQ(some.hits.size(), 3u);
  const auto missing = search(s, "alpha nowhere");
  EXPECT_TRUE(missing.any) << "a word that no file has is said";
  EXPECT_EQ(missing.hits.size(), 2u);
  EXPECT_TRUE(search(s, "alpha delta").any) << "none has both of two";
  EXPECT_THAT(paths(s, "alpha beta gamma ext:py"), ElementsAre("c.py")) << "filters are kept";
  EXPECT_THAT(paths(s, "alpha beta gamma NOT b"), UnorderedElementsAre("a.md", "c.py"));
  EXPECT_THAT(paths(s, "alpha beta gamma NOT \"gamma alpha\""), ElementsAre("a.md", "b.md"));
  EXPECT_THAT(paths(s, "\"alpha beta\" \"beta alpha\" (ext:md OR ext:py)"), ElementsAre("a.md"))
      << "texts are checked then, too";
  EXPECT_FALSE(search(s, "none such").any) << "nothing found is nothing said";
  EXPECT_FALSE(search(s, "none").any);
  EXPECT_THAT(paths(s, "alpha ext:py NOT gamma"), IsEmpty()) << "one word is not given up";
  SearchOptions second;
  second.offset = 1;
  second.results = 1;
  EXPECT_TRUE(search(s, "alpha delta", second).any) << "on later pages, too";
  EXPECT_FALSE(search(s, "alpha beta", second).any)
      << "a page past the end is no reason to give words up";
}

TEST_F(Search, FiltersDoNotRank) {
  Searcher s = open(
      {{"z.py", "class Orbit: pass\n", {{"Orbit", "class", 1, ""}}}, {"a.sql", "SELECT 1;\n"}});
  EXPECT_THAT(paths(s, "Orbit OR lang:sql"), ElementsAre("z.py", "a.sql"));
  EXPECT_THAT(paths(s, "Orbit OR NOT nothing"), ElementsAre("z.py", "a.sql"));
}

TEST_F(Search, ChecksNestedFiltersByTerms) {
  Searcher s = open({{"a.py", "one\ntwo x three\n"},
                     {"b.sql", "two three\n"},
                     {"c.md", "two three\n"},
                     {"d.sql", "nothing\n"}});
  EXPECT_THAT(paths(s, "\"two three\" OR lang:sql"),
              UnorderedElementsAre("b.sql", "c.md", "d.sql"));
  EXPECT_THAT(paths(s, "two NOT (lang:sql \"two three\")"), ElementsAre("a.py", "c.md"));
}

TEST_F(Search, NearestNames) {
  Searcher s = open({{"a.py", "graph_capture = graph_captured = stack = stacks = x1\n"},
                     {"b.py", "stack = graphCapture = größe\n"}});
  const auto near = [&](const char* word, std::size_t most = 3) {
    return *s.nearest_names(word, most);
  };
  EXPECT_THAT(near("stak"), ElementsAre("stack")) << "a third of the letters may be wrong";
  EXPECT_THAT(near("graphcapure", 2), UnorderedElementsAre("graphCapture", "graph_capture"))
      << "spellings of one name";
  EXPECT_THAT(near("tsack", 1), ElementsAre("stack")) << "neighbours swapped";
  EXPECT_THAT(near("zzzzzzzz"), IsEmpty());
  EXPECT_THAT(near(""), IsEmpty());
}

TEST_F(Search, SeveralIndexes) {
  const auto one = test::build_index(
      dir_ / "one/.kwsearch",
      {{"b.py", "class Orbit: pass\n", {{"Orbit", "class", 1, ""}}}, {"same.md", "orbit\n"}});
  const auto two = test::build_index(
      dir_ / "two/.kwsearch", {{"a.py", "Orbit\n"}, {"same.md", "orbit\n"}, {"c.md", "none\n"}});
  auto s = Searcher::open({one.path(), two.path()});
  ASSERT_TRUE(s);
  const auto hits = search(*s, "Orbit").hits;
  std::vector<std::pair<std::string, std::size_t>> found;
  for (const Hit& hit : hits) found.emplace_back(hit.path, hit.shard);
  EXPECT_THAT(found, ElementsAre(std::pair("b.py", 0u), std::pair("a.py", 1u),
                                 std::pair("same.md", 0u), std::pair("same.md", 1u)))
      << "equal paths of two trees are two results";
}

TEST_F(Search, OpenFails) { EXPECT_FALSE(Searcher::open({(dir_ / "nowhere").string()})); }

TEST_F(Search, EmptyIndex) {
  Searcher s = open({});
  for (const char* query : {"a", "a b", "\"a\"", "*a", "NOT a", "lang:c", "=="})
    EXPECT_THAT(paths(s, query), IsEmpty()) << query;
}

TEST_F(Search, PatternsFindTheWordsThatTheyFit) {
  // The index has stems: what the stemmer takes off must not matter.
  const std::string words[] = {
      "nationalization", "generalizations", "hopefulness",    "reasonableness",  "appropriately",
      "representative",  "multiplicative",  "responsibility", "functionalities", "classification",
      "characteristics", "transitioned",    "underlying",     "engineered",      "iterables",
      "happiness",       "hopping",         "dying",          "skies",           "hundreds",
      "aforementioned",  "significantly",   "consistency",    "generally",       "relational"};
  std::vector<IndexedFile> files;
  for (std::size_t i = 0; i < std::size(words); ++i)
    files.push_back({"f" + std::to_string(i) + ".md", "Some " + words[i] + ".\n"});
  Searcher s = open(files);
  const auto expect_found = [&](const std::string& pattern, std::size_t i) {
    SearchOptions all;
    all.results = 0;
    EXPECT_THAT(paths(s, pattern, all), testing::Contains(files[i].path))
        << pattern << " " << words[i];
  };
  for (std::size_t i = 0; i < std::size(words); ++i)
    for (std::size_t at = 1; at < words[i].size(); ++at) {
      const std::string head = words[i].substr(0, at), tail = words[i].substr(at);
      expect_found(head + "*", i);
      expect_found("*" + tail, i);
      expect_found(head + "?" + tail.substr(1), i);
      expect_found(head.substr(0, 1) + "*" + tail, i);
    }
}

TEST_F(Search, AnExpressionIsNarrowedByItsSmallLetters) {
  std::vector<IndexedFile> files;
  for (std::size_t i = 0; i < kMaxChecked + 20; ++i)
    files.push_back({"a" + std::to_string(i), "one two\n"});
  for (const char* text : {"call(ViewMetaOf)", "x = viewmetal", "some viewmetas here"})
    files.push_back({"b" + std::to_string(files.size()), std::string(text) + "\n"});
  Searcher s = open(files);
  ParsedQuery query;
  query.root.children.emplace_back();
  query.root.children[0].kind = QueryNode::Kind::Regex;
  for (const auto& [expression, found] :
       {std::pair{"iew[mM]eta", 3}, {"metal$", 1}, {"MetaO", 1}}) {
    query.root.children[0].text = expression;
    const auto result = s.search(query, {});
    ASSERT_TRUE(result);
    EXPECT_EQ(result->hits.size(), static_cast<std::size_t>(found)) << expression;
    EXPECT_FALSE(result->partial) << expression << ": only files with its letters are read";
  }
}

TEST_F(Search, ReachingTheBoundIsSaid) {
  std::vector<IndexedFile> files;
  for (std::size_t i = 0; i < kMaxChecked + 20; ++i)
    files.push_back({"f" + std::to_string(i), "one x two\n"});
  Searcher s = open(files);
  const auto result = search(s, "\"one two\"");
  EXPECT_TRUE(result.partial);
  EXPECT_THAT(result.hits, IsEmpty());
  EXPECT_FALSE(search(s, "\"one x\"").partial) << "the first page was full before";
  EXPECT_TRUE(s.count(*parse_query("\"one x\""), {})->partial);
  EXPECT_FALSE(s.count(*parse_query("one"), {})->partial);
}

TEST_F(Search, TheBoundCountsATextOnceForEachThingLookedForInIt) {
  // Has the letters and the x, but no letter before the x.
  std::string text = "a b c d x\n";
  while (text.size() < 100'000) text += "filler\n";
  std::vector<IndexedFile> files;
  while (files.size() * text.size() < kMaxCheckedBytes / 2)
    files.push_back({"f" + std::to_string(files.size()), text});
  Searcher s = open(files);
  EXPECT_FALSE(search(s, "\"a x\"").partial);
  EXPECT_TRUE(search(s, "\"a x\" OR \"b x\" OR \"c x\"").partial);
}

// Xapian leaves out what cannot reach the first page. Over several databases it left out too much,
// and crashed where a query asked for the maximum of some parts.
TEST_F(Search, TheFirstPageIsTheStartOfTheWholeListOverSeveralIndexes) {
  const char* const words[] = {"view", "meta", "graph", "node", "input", "loss"};
  std::mt19937 random(7);
  const auto word = [&] { return std::string(words[random() % std::size(words)]); };
  std::vector<DatabaseLocation> folders;
  for (const char* tree : {"1", "2", "3"}) {
    std::vector<IndexedFile> files;
    for (int i = 0; i < 60; ++i) {
      const std::string name = word() + "_" + word();
      IndexedFile file{word() + std::to_string(i) + ".py", "def " + name + "(): pass\n", {}};
      if (random() % 3 == 0) file.definitions.push_back({name, "function", 1, ""});
      for (std::size_t n = random() % 5; n > 0; --n)
        file.text += (random() % 2 ? word() + "_" + word() : "# " + word()) + "\n";
      files.push_back(std::move(file));
    }
    folders.push_back(test::build_index(dir_ / tree / ".kwsearch", std::move(files)).path());
  }
  auto opened = Searcher::open(folders);
  ASSERT_TRUE(opened);
  SearchOptions page, all;
  page.results = 3;
  all.results = 0;
  for (int i = 0; i < 300; ++i) {
    std::string query = word();
    for (std::size_t n = random() % 3; n > 0; --n) query += " " + word();
    std::vector<std::string> first = paths(*opened, query, page),
                             whole = paths(*opened, query, all);
    whole.resize(std::min(whole.size(), page.results));
    EXPECT_EQ(first, whole) << query;
  }
}

TEST_F(Search, RandomQueriesAreAnswered) {
  Searcher s = open({
      {"a.py",
       "class ViewMeta:\n  def run_it(self): return x->y == 1 << 31\n",
       {{"ViewMeta", "class", 1, ""}, {"run_it", "method", 2, "ViewMeta"}}},
      {"docs/a.py_docs.md", "# View Meta\n\nRuns `run_it`, mutations.\n"},
      {"ü.md", "# Größe\n\nGröße, 数据库, cafe\xcc\x81, foo::bar( \"text\" --dry-run\n"},
      {"empty.txt", ""},
      {"test_b.c", "#include <vector>\nint i++ operator== a.b.c $HOME @decorator\n"},
  });
  const std::string_view pieces[] = {
      "(",    ")",      "\"",       " ",        " ",        " ",        "OR",      "NOT ",
      "def:", "ident:", "section:", "path:",    "lang:",    "ext:",     "folder:", "origin:",
      "*",    "?",      "view",     "Meta",     "run_it",   "größe",    "数据",    "::",
      "==",   "\\",     "-",        "\xff",     "\xcc\x81", "é",        "\n",      "\t",
      "_",    "a",      "31",       "foo::bar", "word:",    "[",        "{1,2}",   "|",
      "$",    "^",      ".",        "+",        "\x01",     "\xe6\x95", "text",    "python"};
  std::mt19937 random(11);
  const std::string mutated[] = {"\"operator==\" OR (view* NOT lang:python)",
                                 "def:\"foo::bar(\" path:a/b.py NOT (x OR \"1 << 31\")",
                                 "section:größe *ing w?rd 数据库 ident:ViewMeta"};
  for (int i = 0; i < 3000; ++i) {
    std::string query;
    if (i % 3 == 0) {
      query = mutated[random() % std::size(mutated)];
      for (std::size_t n = 1 + random() % 4; n > 0; --n) {
        const std::size_t at = random() % query.size();
        if (random() % 2)
          query[at] = static_cast<char>(1 + random() % 255);
        else
          query.insert(at, pieces[random() % std::size(pieces)]);
      }
    } else {
      for (std::size_t n = random() % 16; n > 0; --n) query += pieces[random() % std::size(pieces)];
    }
    const auto parsed = parse_query(query);
    if (!parsed) continue;
    SearchOptions options;
    options.results = random() % 4;
    options.offset = random() % 3;
    options.case_sensitive = random() % 2;
    const auto result = s.search(*parsed, options);
    ASSERT_TRUE(result) << query << ": " << result.error().message;
    options.results = options.offset = 0;
    const auto whole = s.search(*parsed, options);
    const auto count = s.count(*parsed, options);
    ASSERT_TRUE(whole && count) << query;
    EXPECT_EQ(count->results, whole->hits.size()) << query;
    for (const Hit& hit : whole->hits)
      for (const LineMatch& m : hit.match.lines) {
        ASSERT_FALSE(m.spans.empty()) << query;
        ASSERT_GE(m.line, 1u) << query;
      }
  }
}

/// Texts that are large enough for several threads, from an index that was just opened.
TEST_F(Search, ThreadsReadAndPresentAPageOfResults) {
  std::vector<IndexedFile> files;
  for (int i = 0; i < 12; ++i) {
    std::string text = "# Page " + std::to_string(i) + "\n";
    while (text.size() < 150'000)
      text += "An amber line of number " + std::to_string(text.size()) + ".\n";
    files.push_back({"p" + std::to_string(i) + ".md", text + "\nbirch\n"});
  }
  const auto folder = test::build_index(dir_ / ".kwsearch", files);
  const auto caller = std::this_thread::get_id();
  std::mutex mutex;
  std::condition_variable changed;
  int by_others = 0;
  const Presenter present = [&](const Hit& hit) {
    {
      std::unique_lock lock(mutex);
      by_others += std::this_thread::get_id() != caller;
      changed.notify_all();
      // A busy machine may not let another thread run before the caller has done all.
      if (core_count() > 1)
        changed.wait_for(lock, std::chrono::seconds(20), [&] { return by_others > 0; });
    }
    const bool is_right = hit.record.path == hit.path && hit.match.lines.size() == 1 &&
                          hit.match.lines[0].line == hit.match.line_starts.size();
    return hit.path + (is_right ? " is right" : " is wrong");
  };
  for (int round = 0; round < 60; ++round) {
    auto searcher = Searcher::open({folder.path()});
    const auto result = searcher->search(*parse_query("birch"), {}, present);
    ASSERT_TRUE(result) << result.error().message;
    ASSERT_EQ(result->hits.size(), 10u);
    for (const Hit& hit : result->hits) ASSERT_EQ(hit.shown, hit.path + " is right");
  }
  if (core_count() > 1) {
    EXPECT_GT(by_others, 0) << "one thread did all";
  }
}

/// A number makes words look like a message; what is called so is judged first, every file of it.
TEST_F(Search, TheWordsOfANameWithANumberFindItsType) {
  std::string often = "GlobalMenuBarRegistrarX11::GlobalMenuBarRegistrarX11() {}\n";
  for (int i = 0; i < 20; ++i)
    often += "GlobalMenuBarRegistrarX11::Get(); // global menu bar registrar x 11\n";
  std::string once = "class GlobalMenuBarRegistrarX11 {};\n";
  for (int i = 0; i < 200; ++i) once += "int number" + std::to_string(i) + ";\n";
  Searcher s = open({{"a/bar.cc",
                      often,
                      {{"GlobalMenuBarRegistrarX11", "function", 1, "GlobalMenuBarRegistrarX11"}}},
                     {"b/bar.h", once, {{"GlobalMenuBarRegistrarX11", "class", 1, ""}}},
                     {"c/use.cc", "GlobalMenuBarRegistrarX11 menu_bar;\nint x = 11;\n"}});
  for (const char* query : {"GlobalMenuBarRegistrarX11", "global menu bar registrar x11",
                            "global menu bar registrar x 11"}) {
    const auto found = paths(s, query);
    ASSERT_GE(found.size(), 2u) << query;
    EXPECT_EQ(found[0], "b/bar.h") << query;
    EXPECT_EQ(found[1], "a/bar.cc") << query;
  }
}

/// Quoted words count towards what is enough of a message, though they need not be there. Servers
/// can do no other way.
TEST_F(Search, QuotedWordsOfAMessageCount) {
  std::vector<IndexedFile> files{{"raise.py", "amber birch fern gorse cedar daisy\n"},
                                 {"quoted.py", "amber cedar daisy\n"},
                                 {"little.py", "amber\n"}};
  for (int i = 0; i < 30; ++i) files.push_back({"x" + std::to_string(i) + ".py", "elder\n"});
  Searcher s = open(files);
  const auto found = paths(s, "ValueError: amber birch fern gorse 'cedar' or 'daisy', but got 3");
  EXPECT_EQ(found, (std::vector<std::string>{"raise.py", "quoted.py"}));
}

TEST_F(Search, KeptRecordsChangeNoAnswer) {
  std::vector<IndexedFile> files;
  for (int i = 0; i < 30; ++i)
    files.push_back({"p" + std::to_string(i) + ".md", "# Page " + std::to_string(i) + "\n\namber " +
                                                          std::string(i * 50, '.') + " word" +
                                                          std::to_string(i % 7) + "\n"});
  const auto folder = test::build_index(dir_ / ".kwsearch", files);
  const Presenter present = [](const Hit& hit) {
    return hit.record.path + hit.record.text + std::to_string(hit.stamp.size) + "/" +
           std::to_string(hit.match.lines.at(0).line);
  };
  auto plain = Searcher::open({folder.path()});
  auto keeps = Searcher::open({folder.path()}, {.kept_bytes = 8'000});  // of some thirty files
  for (int round = 0; round < 40; ++round) {
    const auto query = *parse_query(round % 3 == 0 ? "amber" : "word" + std::to_string(round % 7));
    const auto expected = plain->search(query, {}, present),
               found = keeps->search(query, {}, present);
    ASSERT_TRUE(expected && found);
    ASSERT_EQ(found->hits.size(), expected->hits.size());
    for (std::size_t i = 0; i < found->hits.size(); ++i)
      ASSERT_EQ(found->hits[i].shown, expected->hits[i].shown) << round;
  }
}

/// Files with half of a sentence's weight, counted by hand.
TEST_F(Search, ASentenceFindsAllFilesThatHoldEnoughOfIt) {
  const std::vector<std::string> words{"amber", "birch", "cedar", "daisy",
                                       "elder", "fern",  "gorse"};
  std::mt19937 random(3);
  for (int round = 0; round < 60; round += test::stride(3)) {
    const std::size_t count = 5 + random() % 60;
    std::vector<IndexedFile> files;
    std::vector<std::vector<bool>> held(count, std::vector<bool>(words.size()));
    std::vector<double> with(words.size());
    for (std::size_t i = 0; i < count; ++i) {
      std::string text = "Of no word.\n";
      for (std::size_t w = 0; w < words.size(); ++w) {
        held[i][w] = random() % (w + 2) == 0;
        with[w] += held[i][w];
        if (!held[i][w]) continue;
        for (std::size_t n = 1 + random() % 3; n > 0; --n) text += words[w] + "\n";
        if (random() % 3 == 0) text += "\n## The " + words[w] + "\n\n";
        if (random() % 3 == 0) text += "A `" + words[w] + "_number`.\n";
      }
      files.push_back({"f" + std::to_string(i) + ".md", text});
    }
    std::vector<std::size_t> asked;
    for (std::size_t w = 0; w < words.size(); ++w)
      if (random() % 3 > 0 && with[w] > 0) asked.push_back(w);
    if (asked.size() < 3) continue;
    std::string query;
    std::vector<double> weight(words.size());
    double all = 0;
    for (const std::size_t w : asked) {
      query += words[w] + " ";
      weight[w] = std::max(1.0, std::round(4 * std::log(1 + static_cast<double>(count) / with[w])));
      all += weight[w];
    }
    std::vector<std::string> expected;
    for (std::size_t i = 0; i < count; ++i) {
      double sum = 0;
      for (const std::size_t w : asked) sum += held[i][w] ? weight[w] : 0;
      if (sum >= std::ceil(all / 2)) expected.push_back(files[i].path);
    }
    if (expected.empty()) continue;
    Searcher s = open(files);
    SearchOptions options;
    for (const std::size_t results : {0, 1000}) {
      options.results = results;
      EXPECT_THAT(paths(s, query, options), UnorderedElementsAreArray(expected)) << query;
    }
  }
}

/// In more files than a first page has: Xapian must not leave out what it thinks cannot reach it.
TEST_F(Search, NoResultIsLostWhereThereAreManyPages) {
  const std::string words[] = {"amber", "birch", "cedar", "daisy", "elder", "fern", "gorse"};
  constexpr std::size_t kWords = std::size(words);
  std::mt19937 random(7);
  std::vector<IndexedFile> files;
  std::vector<std::string> holders[kWords][kWords];
  for (std::size_t i = 0; i < 2000; ++i) {
    const std::string path =
        (random() % 4 ? "" : "tests/") + std::string("f") + std::to_string(i) + ".md";
    std::string text;
    std::vector<std::size_t> held;
    for (std::size_t w = 0; w < kWords; ++w) {
      if (random() % 2) continue;
      held.push_back(w);
      for (std::size_t n = 1 + random() % 5; n > 0; --n) text += words[w] + " of ";
      if (random() % 5 == 0) text += "\n\n# " + words[w] + "\n\n";
      if (random() % 5 == 0) text += "`the_" + words[w] + "`\n";
    }
    for (std::size_t n = random() % 60; n > 0; --n) text += " other";
    for (const std::size_t a : held)
      for (const std::size_t b : held) holders[a][b].push_back(path);
    files.push_back({path, text + "\n"});
  }
  Searcher s = open(files);
  SearchOptions all;
  all.results = 0;
  for (std::size_t a = 0; a < kWords; ++a)
    for (std::size_t b = 0; b < kWords; ++b) {
      const std::string query = a == b ? words[a] : words[a] + " " + words[b];
      EXPECT_THAT(paths(s, query, all), UnorderedElementsAreArray(holders[a][b])) << query;
    }
}

TEST_F(Search, APresenterSeesEachHitWholeAndKeepsOnlyWhatItMade) {
  Searcher s = open({{"a.md", "# One\nalpha\n"}, {"b.md", "# Two\nalpha\n"}});
  const auto result = s.search(*parse_query("alpha"), {}, [](const Hit& hit) {
    return hit.path + ": " + hit.record.title + ", " + std::to_string(hit.match.lines.size()) +
           " lines";
  });
  ASSERT_TRUE(result);
  ASSERT_EQ(result->hits.size(), 2u);
  EXPECT_EQ(result->hits[0].shown, "a.md: One, 1 lines");
  EXPECT_EQ(result->hits[1].shown, "b.md: Two, 1 lines");
  EXPECT_TRUE(result->hits[0].record.text.empty());
}

}  // namespace
}  // namespace kw::search
