// SPDX-License-Identifier: GPL-2.0-or-later
// The site's script, run by Node: its splitter by the table that the C++ one is tested with, and
// its answers to many questions beside those of kwsearch, file for file. In a browser:
// site_browser_test.cc.
#include <gmock/gmock.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>

#include "exporter/site/search_chunks.h"
#include "schema/text/splitter.h"
#include "tests/support/effort.h"
#include "tests/support/run_command.h"
#include "tests/support/temp_dir.h"

namespace kw::test {
using namespace exporter;
using namespace exporter::site;

namespace {

const std::string kSource = KW_SOURCE_DIR;
const std::string kScript = std::string(KW_BINARY_DIR) + "/kwsearch.js";
const std::string kRunner = kSource + "/tests/site/check_script.js";

bool has_node() { return run_command({"sh", "-c", "command -v node"}).exit_code == 0; }

TEST(SiteScript, SplitsAsTheIndexDoes) {
  if (!has_node()) GTEST_SKIP() << "there is no node (nodejs): it runs the site's script";
  const auto run = run_command(
      {"node", kRunner, kScript, "splitter", kSource + "/tests/site/splitter_cases.tsv"});
  EXPECT_EQ(run.exit_code, 0) << run.out << run.err;
}

TEST(SiteScript, FindsWhatDefinitionsSayOfThemselves) {
  if (!has_node()) GTEST_SKIP() << "there is no node (nodejs): it runs the site's script";
  const auto run =
      run_command({"node", kRunner, kScript, "docs", kSource + "/tests/site/doc_cases.tsv"});
  EXPECT_EQ(run.exit_code, 0) << run.out << run.err;
}

// Weights, tiers and bounds: else the script would rank otherwise than kwsearch.
TEST(SiteScript, ConstantsAreThoseOfThePrograms) {
  const auto printed = run_command({"kwconstants"});
  ASSERT_EQ(printed.exit_code, 0) << printed.err;
  EXPECT_EQ(read_text(kSource + "/exporter/site/script/constants.js"), printed.out)
      << "run: kwconstants > exporter/site/script/constants.js";
}

/// A tree, its index and the shards of it.
class IndexedTree {
 public:
  explicit IndexedTree(const std::string& tree) {
    const auto made = run_command({"kwindex", tree, "--db", database()});
    if (made.exit_code != 0) throw std::runtime_error(made.err);
    auto reader = IndexReader::open(DatabaseFolder(database()));
    auto files = reader->stored_files();
    const FileTable catalogue(*files);
    auto spool = build_search_chunks(*reader, catalogue,
                                     [&](std::size_t i) { return catalogue.paths()[i] + ".html"; });
    for (std::size_t i = 0; i < spool->size(); ++i)
      write_file(folder_ / "search" / spool->name(i), *spool->read(i));
    auto named = reader->for_each_identifier(
        [&](const std::string& spelling, std::uint32_t) { names_.push_back(spelling); });
    if (!named) throw std::runtime_error(named.error().message);
  }

  std::string database() const { return (folder_ / "index").string(); }
  const std::vector<std::string>& names() const { return names_; }

  /// What the script says to each question.
  std::vector<nlohmann::json> script_answers(const std::vector<std::string>& questions) const {
    std::string lines;
    for (const std::string& question : questions) lines += question + "\n";
    write_file(folder_ / "questions", lines);
    const auto run = run_command({"node", kRunner, kScript, "answers",
                                  (folder_ / "search").string(), (folder_ / "questions").string()});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    std::vector<nlohmann::json> answers;
    std::istringstream out(run.out);
    for (std::string line; std::getline(out, line);) answers.push_back(nlohmann::json::parse(line));
    return answers;
  }

  /// Those of kwsearch, without names that have the word in several parts: chunks do not say which
  /// parts are neighbours.
  std::vector<std::string> kwsearch_paths(const std::string& question) const {
    const auto run = run_command({"kwsearch", "--db", database(), "--json", "--", question});
    std::vector<std::string> paths;
    std::istringstream out(run.out);
    for (std::string line; std::getline(out, line);) {
      const auto result = nlohmann::json::parse(line);
      if (result["reading"] != "compound") paths.push_back(result["path"]);
    }
    return paths;
  }

 private:
  TempDir folder_;
  std::vector<std::string> names_;
};

/// One word each: names as they are, folded, the words inside them, and what no file has.
std::vector<std::string> names_asked(const std::vector<std::string>& names, std::size_t most) {
  std::mt19937 random(11);
  const auto any = [&]() -> const std::string& { return names[random() % names.size()]; };
  std::vector<std::string> questions{"the", "zzzunknown", "42", "_", "2"};
  while (questions.size() < most) {
    questions.push_back(any());
    questions.push_back(fold(any()));
    if (const auto words = split_name(any()); !words.empty())
      questions.push_back(words[random() % words.size()]);
    questions.push_back(any() + "zq");
  }
  return questions;
}

void expect_same_answers(const IndexedTree& tree, const std::vector<std::string>& questions) {
  const auto answers = tree.script_answers(questions);
  ASSERT_EQ(answers.size(), questions.size());
  for (std::size_t i = 0; i < questions.size(); ++i)
    EXPECT_EQ(answers[i]["paths"].get<std::vector<std::string>>(),
              tree.kwsearch_paths(questions[i]))
        << questions[i];
}

class SiteScriptAnswers : public testing::TestWithParam<const char*> {};

TEST_P(SiteScriptAnswers, AreThoseOfKwsearch) {
  if (!has_node()) GTEST_SKIP() << "there is no node (nodejs): it runs the site's script";
  const IndexedTree tree(kSource + GetParam());
  expect_same_answers(
      tree,
      names_asked(tree.names(), static_cast<std::size_t>(150 * test::effort() / test::stride(3))));
}

// Several words: names by the words inside them, and words as people ask, in the order of the words
// plan.
TEST_P(SiteScriptAnswers, OfWordsAreThoseOfKwsearch) {
  if (!has_node()) GTEST_SKIP() << "there is no node (nodejs): it runs the site's script";
  const IndexedTree tree(kSource + GetParam());
  std::vector<std::string> questions;
  for (std::size_t i = 0; i + 7 < tree.names().size(); i += 7) {
    const std::vector<std::string> words = split_name(tree.names()[i]),
                                   others = split_name(tree.names()[i + 7]);
    if (words.size() < 2 || others.empty()) continue;
    questions.push_back(fmt::format("{}", fmt::join(words, " ")));
    questions.push_back(fmt::format("how to {} the {}", words[1], others[0]));
    if (questions.size() >= static_cast<std::size_t>(60 / test::stride(3))) break;
  }
  ASSERT_FALSE(questions.empty());
  const auto answers = tree.script_answers(questions);
  ASSERT_EQ(answers.size(), questions.size());
  std::size_t shared = 0, expected = 0, other_firsts = 0;
  for (std::size_t i = 0; i < questions.size(); ++i) {
    const auto paths = answers[i]["paths"].get<std::vector<std::string>>();
    const std::vector<std::string> wanted = tree.kwsearch_paths(questions[i]);
    ASSERT_EQ(paths.empty(), wanted.empty()) << questions[i];
    if (paths.empty()) continue;
    other_firsts += paths[0] == wanted[0] ? 0 : 1;
    expected += wanted.size();
    for (const std::string& path : wanted)
      shared += static_cast<std::size_t>(std::count(paths.begin(), paths.end(), path));
  }
  EXPECT_LE(other_firsts * 20, questions.size()) << "one in twenty at most";
  EXPECT_GE(shared * 10, expected * 9) << shared << " of " << expected;
}

// Where more pages than are judged have both words in headings, and more often.
TEST(SiteScript, OneNameThatHoldsAllWordsIsFirstAmongManyPages) {
  if (!has_node()) GTEST_SKIP() << "there is no node (nodejs): it runs the site's script";
  const TempDir source;
  std::string often;
  for (int i = 0; i < 20; ++i) often += "Commits are merged: merge commits, a merge of commits.\n";
  for (int i = 0; i < 40; ++i)
    write_file(source / fmt::format("docs/{:02}.md", i),
               fmt::format("# Merge notes {}\n\n{}", i, often));
  write_file(source / "src/work.py", "def merge_commits_quickly(): pass\n");
  write_file(source / "src/first.py", "# Merge commits\ndef merge_all_commits(): pass\n");
  write_file(source / "docs/zz.md", "# Last\n\n## Merge commits\n\nText.\n");
  const IndexedTree tree(source.path().string());
  const auto answers = tree.script_answers({"merge commits"});
  ASSERT_EQ(answers.size(), 1u);
  const auto paths = answers[0]["paths"].get<std::vector<std::string>>();
  const std::vector<std::string> wanted = tree.kwsearch_paths("merge commits");
  ASSERT_GE(paths.size(), 3u);
  EXPECT_THAT((std::vector<std::string>{paths[0], paths[1], paths[2]}),
              testing::UnorderedElementsAre("src/work.py", "src/first.py", "docs/zz.md"));
  EXPECT_TRUE(std::equal(paths.begin(), paths.begin() + 3, wanted.begin()));
}

// The digits that short files lack are the same text for each 2,048 files.
TEST(SiteScript, ChunksOfTheSameBytesBelongToEachOfTheirPlaces) {
  if (!has_node()) GTEST_SKIP() << "there is no node (nodejs): it runs the site's script";
  const TempDir source;
  for (int i = 0; i < 4'096; ++i) write_file(source / fmt::format("{:04}.md", i), "x\n");
  const auto fill = [](int words) {
    std::string text = "Calls `shared_name`.";
    for (int i = 0; i < words; ++i) text += " word";
    return text + '\n';
  };
  write_file(source / "0007.md", fill(30));
  write_file(source / "2100.md", fill(40));
  write_file(source / "2200.md", fill(20));
  write_file(source / "2300.md", fill(10));
  const IndexedTree tree(source.path().string());
  const auto answers = tree.script_answers({"shared_name"});
  const std::vector<std::string> wanted = tree.kwsearch_paths("shared_name");
  EXPECT_THAT(wanted, testing::ElementsAre("2300.md", "2200.md", "0007.md", "2100.md"));
  EXPECT_EQ(answers.at(0)["paths"].get<std::vector<std::string>>(), wanted);
}

// Fields, filters, operators, names with their scope, files and their lines.
TEST(SiteScript, FieldsFiltersScopesAndPathsAreThoseOfKwsearch) {
  if (!has_node()) GTEST_SKIP() << "there is no node (nodejs): it runs the site's script";
  const TempDir source;
  write_file(source / "src/tree/node.py",
             "class Node:\n    def insert(self, leaf):\n        return leaf\n");
  write_file(source / "src/heap.py", "class Heap:\n    def insert(self, leaf): pass\n");
  write_file(source / "src/heap.rs", "fn insert(leaf: u8) {}\n");
  write_file(source / "docs/heap.md", "# Heaps\n\n## Insert a leaf\n\nA heap takes a leaf.\n");
  write_file(source / "docs/src/heap.py_docs.md",
             "# heap.py\n\n```python\nclass Heap:\n    def insert(self, leaf): pass\n```\n");
  write_file(source / "tests/heap.py", "def test_insert(): Heap().insert(1)\n");
  write_file(source / "docs/use.md", "# Use\n\nCall `Heap.insert` and not `Heap.remove`.\n");
  write_file(source / "src/late.py", "def _insert(): pass\ndef in_sert(): pass\n");
  const IndexedTree tree(source.path().string());
  expect_same_answers(tree, {"def:insert",
                             "def:leaf",
                             "section:leaf",
                             "path:docs heap",
                             "ident:Heap",
                             "lang:python insert",
                             "lang:rust",
                             "ext:rs insert",
                             "folder:src insert",
                             "folder:src/tree",
                             "origin:test insert",
                             "insert NOT lang:python",
                             "lang:rust OR lang:markdown",
                             "insert NOT section:leaf",
                             "Heap.insert",
                             "node.Node",
                             "Node::insert()",
                             "Heap()",
                             "heap.py",
                             "src/heap.py",
                             "src/heap.py:2",
                             "node.py",
                             "tree/node"});
}

INSTANTIATE_TEST_SUITE_P(Trees, SiteScriptAnswers,
                         testing::Values("/tools/sample", "/tests/corpus/search", "/schema"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::replace(name.begin(), name.end(), '/', '_');
                           return name;
                         });

// kwsearch looks into the texts as well and may find more behind what the script finds.
TEST(SiteScript, FindsNamesByTheirStart) {
  if (!has_node()) GTEST_SKIP() << "there is no node (nodejs): it runs the site's script";
  const IndexedTree tree(kSource + "/tools/sample");
  std::vector<std::string> questions;
  for (const std::string& name : tree.names())
    if (name.size() >= 8) questions.push_back(name.substr(0, 7) + "*");
  questions.resize(std::min<std::size_t>(questions.size(), 60));
  const auto answers = tree.script_answers(questions);
  ASSERT_EQ(answers.size(), questions.size());
  for (std::size_t i = 0; i < questions.size(); ++i) {
    const auto paths = answers[i]["paths"].get<std::vector<std::string>>();
    std::vector<std::string> expected = tree.kwsearch_paths(questions[i]);
    EXPECT_FALSE(paths.empty()) << questions[i];
    expected.resize(std::min(expected.size(), paths.size()));
    EXPECT_EQ(paths, expected) << questions[i];
  }
}

TEST(SiteScript, LettersOfAnyScriptAndHostileNames) {
  if (!has_node()) GTEST_SKIP() << "there is no node (nodejs): it runs the site's script";
  const TempDir source;
  write_file(source / "a.py", "def größe(): pass\ndef Größe_Ändern(): pass\nΣίσυφος = 1\n");
  write_file(source / "b.md",
             "# Strasse 函数名\n\nDie Straße, groesse, naïve 函数 and İstanbul.\n");
  write_file(source / "docs/a.py_docs.md", "# größe\n\n```python\ngröße()\n```\n");
  write_file(source /
                 "<script>alert(1)<"
                 "/script>.py",
             "def scripted(): pass\n");
  write_file(source / "sp ace %41 \"q\".md", "# scripted\n");
  write_file(source / "constructor.js", "var __proto__ = 1, constructor, toString;\n");
  const IndexedTree tree(source.path().string());
  expect_same_answers(tree, {"größe",
                             "GRÖSSE",
                             "grösse",
                             "grosse",
                             "Größe_Ändern",
                             "größe ändern",
                             "σίσυφοσ",
                             "ΣΊΣΥΦΟΣ",
                             "strasse",
                             "Straße",
                             "naive",
                             "函数",
                             "函数名",
                             "数名",
                             "函",
                             "istanbul",
                             "scripted",
                             "script alert",
                             "alert",
                             "41",
                             "q",
                             "__proto__",
                             "constructor",
                             "toString",
                             "proto",
                             "hasOwnProperty",
                             "valueOf constructor"});
}

}  // namespace
}  // namespace kw::test
