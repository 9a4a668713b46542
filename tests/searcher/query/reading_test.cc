// SPDX-License-Identifier: GPL-2.0-or-later
#include "searcher/query/reading.h"

#include <gmock/gmock.h>

#include "searcher/query/message.h"
#include "searcher/query/query.h"
#include "searcher/query/traceback.h"

namespace kw::search {
namespace {

/// The readings of a query in their order, as --explain names them; "syntax" for none.
std::string readings(std::string_view query) {
  const auto parsed = parse_query(query);
  if (!parsed) return "none";
  if (parsed->plain.empty()) return "syntax";
  std::string names;
  for (const Reading& reading : readings_of(parsed->plain))
    names += (names.empty() ? "" : " ") + std::string(name_of(reading.kind));
  return names;
}

struct Case {
  const char* query;
  const char* expected;
};

class Readings : public testing::TestWithParam<Case> {};

TEST_P(Readings, AreInTheirOrder) {
  EXPECT_EQ(readings(GetParam().query), GetParam().expected) << GetParam().query;
}

INSTANTIATE_TEST_SUITE_P(Names, Readings,
                         testing::Values(Case{"Orchard", "name"}, Case{"prune_tree", "name"},
                                         Case{"größe", "name"}, Case{"42", "name"},
                                         Case{"@cached(size=3)", "name"},
                                         Case{"prune_tree(depth=2)", "name"},
                                         Case{"vector<int>", "name"}));

INSTANTIATE_TEST_SUITE_P(
    QualifiedNames, Readings,
    testing::Values(Case{"Orchard::prune", "path qualified words"},
                    Case{"Orchard#prune", "qualified words"},
                    Case{"tree->prune()", "qualified words"},
                    Case{"garden.Orchard.prune(depth=2, dry=True)", "qualified words"},
                    Case{"std::map<int, Leaf>::iterator", "qualified words"},
                    Case{"&Orchard::prune", "path qualified words"},
                    Case{"leaf = garden.find_leaf(3)", "qualified words"},
                    Case{"from garden.trees import Orchard", "path qualified words"},
                    Case{"use garden::trees::Orchard;", "path qualified words"},
                    Case{"import java.util.Orchard;", "path qualified words"},
                    Case{"import { Orchard } from './trees'", "path qualified words"},
                    Case{"#include <garden/orchard.h>", "path name"}));

// What looks like a qualified name and is none.
INSTANTIATE_TEST_SUITE_P(
    NoQualifiedNames, Readings,
    testing::Values(Case{"e.g.", "text words"}, Case{"i.e.", "text words"},
                    Case{"2.6.0", "text words"}, Case{"192.168.0.1", "text words"},
                    Case{"I/O", "text words"}, Case{"C#", "name"}, Case{"C++", "text words"},
                    Case{"foo.", "name"}, Case{"x->y", "text words"}, Case{"...", "text words"},
                    Case{"end of line. Next", "words"}, Case{"use it", "words"},
                    Case{"https://garden.org/trees", "text words"},
                    Case{"import duties rise", "words"}));

INSTANTIATE_TEST_SUITE_P(
    Paths, Readings,
    testing::Values(Case{"garden/orchard.py:12:5: error: no such leaf", "path message words"},
                    Case{"garden/orchard.py:12", "path words"},
                    Case{"/usr/lib/python3/garden/orchard.py", "path text words"},
                    Case{"C:\\garden\\orchard.cs:line 4", "path words"},
                    Case{"https://forge.org/o/n/blob/main/garden/orchard.py#L12-L20", "path words"},
                    Case{"file:///srv/garden/orchard.py", "path words"},
                    Case{"+++ b/garden/orchard.py", "path words"},
                    Case{"  File \"/srv/orchard.py\", line 3, in prune", "path words"},
                    Case{"    at prune (/srv/orchard.js:12:5)", "path words"},
                    Case{"orchard.py", "path path qualified words"},
                    Case{"garden/orchard", "path path qualified words"}));

// What looks like a place and is none.
INSTANTIATE_TEST_SUITE_P(
    NoPlaces, Readings,
    testing::Values(Case{"10:30", "text words"}, Case{"ratio 3:1", "words"},
                    Case{"step 2: water the tree", "words"}, Case{"a/b", "text words"},
                    Case{"1/2", "text words"}, Case{"10/12/2024", "text words"},
                    Case{"key:value", "text words"}, Case{"v1.2.3", "text words"},
                    Case{"localhost:8080", "text words"}, Case{"error:3", "text words"}));

INSTANTIATE_TEST_SUITE_P(
    Messages, Readings,
    testing::Values(Case{"ValueError: no leaf named 'oak' in 3 trees", "message words"},
                    Case{"fatal: not a tree: /srv/garden", "message words"},
                    Case{"error[E0308]: mismatched leaves", "message words"},
                    Case{"thread 'main' panicked at no leaf", "message words"},
                    Case{"cannot graft 'oak' on a pine tree", "message words"},
                    Case{"expected 3 leaves but the tree has 4", "message words"}));

// What looks like a message and is none.
INSTANTIATE_TEST_SUITE_P(
    NoMessages, Readings,
    testing::Values(Case{"error handling", "words"}, Case{"how do errors propagate?", "words"},
                    Case{"error", "name"}, Case{"ValueError", "name"}, Case{"the 3 trees", "words"},
                    Case{"warning signs of rot", "words"}, Case{"python 3 support", "words"},
                    Case{"fatal errors in the log", "words"}, Case{"exception safety", "words"},
                    Case{"panic or not to panic", "words"}, Case{"chapter 12", "words"}));

INSTANTIATE_TEST_SUITE_P(Sentences, Readings,
                         testing::Values(Case{"water the trees", "words"},
                                         Case{"how do I prune a tree?", "words"},
                                         Case{"draft, old, and new leaves", "words"},
                                         Case{"don't prune in well-lit rooms.", "words"},
                                         Case{"this or that", "words"}, Case{"OR", "name"},
                                         Case{"NOT", "name"}));

INSTANTIATE_TEST_SUITE_P(Syntax, Readings,
                         testing::Values(Case{"\"exact text\"", "syntax"}, Case{"tree*", "syntax"},
                                         Case{"*tree", "syntax"}, Case{"tr?e", "syntax"},
                                         Case{"a OR b", "syntax"}, Case{"tree NOT pine", "syntax"},
                                         Case{"(a b) c", "syntax"}, Case{"def:Orchard", "syntax"},
                                         Case{"path:garden tree", "syntax"},
                                         Case{"tree lang:python", "name"},
                                         Case{"prune trees ext:py", "words"}));

INSTANTIATE_TEST_SUITE_P(Code, Readings,
                         testing::Values(Case{"for (i = 0; i < n; ++i)", "text words"},
                                         Case{"if (tree == nullptr) {", "text words"},
                                         Case{"a == b", "text words"},
                                         Case{"(tree pine) garden", "syntax"},
                                         Case{"path:*.css (tree)", "syntax"},
                                         Case{"==", "text words"}));

TEST(ReadAs, ForcesOneReading) {
  const auto kind = [](std::string_view text, ReadAs as) { return readings_of(text, as)[0].kind; };
  EXPECT_EQ(kind("water trees", ReadAs::Text), ReadingKind::Text);
  EXPECT_EQ(kind("Orchard.prune", ReadAs::Words), ReadingKind::Words);
  EXPECT_EQ(kind("garden", ReadAs::Path), ReadingKind::Path);
  EXPECT_EQ(kind("water trees", ReadAs::Name), ReadingKind::Name);
}

// --- the parts

TEST(QualifiedNames, AreCutIntoScopeAndName) {
  const auto cut = [](std::string_view text) {
    const auto q = parse_qualified_name(text);
    if (!q) return std::string("none");
    std::string out;
    for (const std::string& part : q->scope) out += part + "|";
    return out + q->name;
  };
  EXPECT_EQ(cut("ab.cd.e"), "ab|cd|e");
  EXPECT_EQ(cut("a.b.c"), "none") << "letters with dots between are an abbreviation";
  EXPECT_EQ(cut("garden::Orchard<Leaf, 3>::prune(int)"), "garden|Orchard|prune");
  EXPECT_EQ(cut("self.trees[0].prune(x).water(y)"), "self|trees|prune|water");
  EXPECT_EQ(cut("Orchard#empty?"), "Orchard|empty");
  EXPECT_EQ(cut("App\\Garden\\Orchard"), "App|Garden|Orchard");
  EXPECT_EQ(cut("x: Leaf = garden.find(1)"), "garden|find");
  EXPECT_EQ(cut("return await this.trees.prune();"), "this|trees|prune");
  EXPECT_EQ(cut("use garden::{Orchard, Leaf};"), "garden|Orchard");
  EXPECT_EQ(cut("const x = require('./trees').Orchard;"), "trees|Orchard");
  EXPECT_EQ(cut("two words"), "none");
  EXPECT_EQ(cut("word"), "none");
}

TEST(PathReferences, NameAFileAndALine) {
  const auto place = [](std::string_view text) {
    const auto found = parse_path_reference(text);
    if (!found) return std::string("none");
    std::string out;
    for (const std::string& part : found->parts) out += (out.empty() ? "" : "/") + part;
    return out + ":" + std::to_string(found->line);
  };
  EXPECT_EQ(place("garden/orchard.py:12:5:"), "garden/orchard.py:12");
  EXPECT_EQ(place("  File \"/srv/a/orchard.py\", line 7, in prune"), "srv/a/orchard.py:7");
  EXPECT_EQ(place("\tat org.garden.Orchard.prune(Orchard.java:44)"), "Orchard.java:44");
  EXPECT_EQ(place("    at Object.prune (/srv/orchard.js:12:5)"), "srv/orchard.js:12");
  EXPECT_EQ(place("\t/srv/garden/orchard.go:31 +0x1d"), "srv/garden/orchard.go:31");
  EXPECT_EQ(place("   at Garden.Prune() in C:\\src\\Orchard.cs:line 9"), "src/Orchard.cs:9");
  EXPECT_EQ(place("orchard.rb:5:in `prune'"), "orchard.rb:5");
  EXPECT_EQ(place("#3 0x55 in prune(int) /srv/orchard.cc:88:3"), "srv/orchard.cc:88");
  EXPECT_EQ(place("#0 /srv/Orchard.php(12): prune()"), "srv/Orchard.php:12");
  EXPECT_EQ(place("PHP Fatal error:  Uncaught Error: no leaf in /srv/Orchard.php:9"),
            "srv/Orchard.php:9");
  EXPECT_EQ(place("  thrown in /srv/Orchard.php on line 9"), "srv/Orchard.php:9");
  EXPECT_EQ(place("  --> src/orchard.rs:12:5"), "src/orchard.rs:12");
  EXPECT_EQ(place("https://forge.org/o/n/-/blob/v1/src/a.rs?plain=1#L3"), "src/a.rs:3");
  EXPECT_EQ(place("see orchard"), "none");
}

TEST(Tracebacks, GiveTheDeepestFrameFirst) {
  const auto python = parse_traceback(
      "Traceback (most recent call last):\n"
      "  File \"/srv/run.py\", line 3, in <module>\n    main()\n"
      "  File \"/srv/garden/orchard.py\", line 7, in prune\n    cut()\n"
      "ValueError: no leaf named 'oak'\n");
  ASSERT_TRUE(python);
  EXPECT_EQ(python->frames[0].parts.back(), "orchard.py");
  EXPECT_EQ(python->message, "ValueError: no leaf named 'oak'");
  const auto java = parse_traceback(
      "Exception in thread \"main\" java.lang.IllegalStateException: no leaf here\n"
      "\tat org.garden.Orchard.prune(Orchard.java:44)\n\tat org.garden.Main.main(Main.java:3)\n");
  ASSERT_TRUE(java);
  EXPECT_EQ(java->frames[0].parts.back(), "Orchard.java");
  EXPECT_EQ(java->frames.size(), 2u);
  EXPECT_FALSE(java->message.empty());
  EXPECT_FALSE(parse_traceback("water the trees\nprune them\n"));
  EXPECT_FALSE(parse_traceback("one line of orchard.py:3"));
}

TEST(Messages, KeepTheirFixedWords) {
  const auto words = [](std::string_view text) {
    std::string out;
    for (const MessageWord& word : message_words(text))
      out += word.text.empty() ? "_ " : word.is_optional ? "(" + word.text + ") " : word.text + " ";
    return out;
  };
  EXPECT_EQ(words("no leaf named 'oak' in 3 trees"), "no leaf named _ (oak) _ in _ trees ");
  EXPECT_EQ(words("cannot read /srv/a/b: [1, 2] at 0x7f00"), "cannot read _ at ");
  EXPECT_EQ(words("don't call `prune`"), "don t call prune ");
  EXPECT_EQ(words("17"), "");
}

}  // namespace
}  // namespace kw::search
