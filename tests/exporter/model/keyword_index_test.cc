// SPDX-License-Identifier: GPL-2.0-or-later
#include "exporter/model/keyword_index.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <set>

#include "tests/support/index_builder.h"
#include "tests/support/temp_dir.h"

namespace kw::exporter {
namespace {

using test::IndexedFile;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// An index of files, and the lists of their folders in words.
class Lists {
 public:
  explicit Lists(std::vector<IndexedFile> files) {
    auto reader = IndexReader::open(test::build_index(tmp_ / ".kwsearch", std::move(files)));
    if (!reader) throw std::runtime_error(reader.error().message);
    catalogue_ = FileTable(*reader->stored_files());
    auto index = KeywordIndex::read(*reader, catalogue_);
    if (!index) throw std::runtime_error(index.error().message);
    index_ = *std::move(index);
  }

  const FileTable& catalogue() const { return catalogue_; }
  const KeywordIndex& index() const { return index_; }
  KeywordList list(const std::string& folder) const { return *index_.list(folder, catalogue_); }

  std::vector<std::string> most_used(std::size_t count) const {
    return *index_.most_used(count, catalogue_);
  }

  /// "name: kind path, ... | path, ...", with "+N" for what is not listed.
  std::string describe(const ListedName& name) const {
    std::string text = std::string(name.name) + ":";
    for (const auto& d : name.definers)
      text += fmt::format(" {} {}", d.kind, catalogue_.paths()[d.file]);
    if (name.more_definers > 0) text += fmt::format(" +{}", name.more_definers);
    if (!name.users.empty()) text += " |";
    for (const std::uint32_t file : name.users) text += " " + catalogue_.paths()[file];
    if (name.more_users > 0) text += fmt::format(" +{}", name.more_users);
    return text;
  }

  std::vector<std::string> names(const std::string& folder) const {
    const KeywordList parts = list(folder);
    const ListedNames names = *index_.names_of(parts, 0, parts.parts().size());
    std::vector<std::string> all;
    for (const ListPart& part : parts.parts())
      for (const std::uint32_t number : part.names) all.push_back(describe(names.name(number)));
    return all;
  }

 private:
  test::TempDir tmp_;
  FileTable catalogue_;
  KeywordIndex index_;
};

TEST(KeywordIndex, DefinitionsFirstThenWhoUsesItMost) {
  const Lists lists({{"a/one.c", "int make_it; make_it;\n"},
                     {"a/three.c", "make_it + make_it + make_it\n"},
                     {"a/two.c", "void make_it();\n", {{"make_it", "prototype", 1, ""}}},
                     {"b/four.c",
                      "struct make_it {};\n",
                      {{"make_it", "function", 1, ""}, {"make_it", "struct", 1, ""}}}});
  EXPECT_THAT(lists.names(""),
              ElementsAre("make_it: struct b/four.c prototype a/two.c | a/three.c a/one.c"));
  EXPECT_THAT(lists.names("a"), ElementsAre("make_it: prototype a/two.c | a/three.c a/one.c"));
  EXPECT_THAT(lists.names("b"), ElementsAre("make_it: struct b/four.c"));
}

TEST(KeywordIndex, WhichNamesAreListed) {
  const struct {
    const char* why;
    std::vector<IndexedFile> files;
    std::vector<std::string> names;
  } rows[] = {
      {"one user is none", {{"f/a.c", "only_here"}, {"g.c", "int x;"}}, {}},
      {"two are some", {{"f/a.c", "not_here"}, {"f/b.c", "not_here"}}, {"not_here: | f/a.c f/b.c"}},
      {"one here and one elsewhere are none here", {{"f/a.c", "is_out"}, {"g.c", "is_out"}}, {}},
      {"a plain word that nobody here defines",
       {{"f/a.c", "tensor"}, {"f/b.c", "tensor"}, {"g.c", "tensor", {{"tensor", "class", 1, ""}}}},
       {}},
      {"a plain word that is defined",
       {{"f/a.c", "tensor"}, {"f/b.c", "tensor", {{"tensor", "class", 1, ""}}}},
       {"tensor: class f/b.c | f/a.c"}},
      {"English words", {{"f/a.md", "# The words\n\nAlthough we"}, {"f/b.md", "Although we"}}, {}},
      {"a folder that begins alike", {{"f2/a.c", "an_id"}, {"f.c", "an_id"}, {"f/a", ""}}, {}},
  };
  for (const auto& row : rows)
    EXPECT_THAT(Lists(row.files).names("f"), testing::ElementsAreArray(row.names)) << row.why;
}

TEST(KeywordIndex, ByLettersThenSpelling) {
  std::vector<Definition> definitions;
  for (const char* name : {"zoo", "_make", "Make", "make", "ma_ke", "makes", "operator ==", "Éa"})
    definitions.push_back({name, "function", 1, ""});
  std::vector<std::string> names;
  for (const std::string& line : Lists({{"a.c", "x", definitions}}).names(""))
    names.push_back(line.substr(0, line.find(':')));
  EXPECT_THAT(names,
              ElementsAre("Éa", "Make", "_make", "ma_ke", "make", "makes", "operator ==", "zoo"));
}

TEST(KeywordIndex, AFileAndThePageAboutItAreOne) {
  const std::vector<Definition> defined{{"Orbit", "class", 1, ""}};
  const Lists lists({{"sky/orbit.py", "class Orbit: go_on", defined},
                     {"docs/sky/orbit.py_docs.md", "```python\nclass Orbit: go_on\n```", defined},
                     {"docs/alone.py_docs.md", "```python\nclass Orbit: go_on\n```", defined}});
  EXPECT_THAT(lists.names(""),
              ElementsAre("go_on: | docs/alone.py_docs.md sky/orbit.py",
                          "Orbit: class docs/alone.py_docs.md class sky/orbit.py"));
  EXPECT_THAT(lists.names("docs"),
              ElementsAre("go_on: | docs/alone.py_docs.md docs/sky/orbit.py_docs.md",
                          "Orbit: class docs/alone.py_docs.md class docs/sky/orbit.py_docs.md"));
}

TEST(KeywordIndex, SoManyFilesAName) {
  std::vector<IndexedFile> files;
  for (int i = 10; i < 20; ++i) {
    files.push_back({fmt::format("d{}.c", i), "run_it", {{"run_it", "function", 1, ""}}});
    files.push_back({fmt::format("u{}.c", i), "run_it"});
  }
  EXPECT_THAT(Lists(files).names(""),
              ElementsAre("run_it: function d10.c function d11.c function d12.c function d13.c "
                          "function d14.c +5 | u10.c u11.c +8"));
}

TEST(KeywordIndex, APartsNamesAreReadAloneAsWithAll) {
  std::string text;
  for (int i = 0; i < 3000; ++i)
    text += fmt::format("{}{}_{} ", static_cast<char>('a' + i % 7), "xyz"[i % 3], i);
  const Lists lists({{"a.c", text}, {"b.c", text}});
  const KeywordList list = lists.list("");
  ASSERT_GT(list.parts().size(), 3u);
  EXPECT_EQ(list.batch_end(0), list.parts().size()) << "few enough for one batch";
  const ListedNames all = *lists.index().names_of(list, 0, list.parts().size());
  for (std::size_t i = 0; i < list.parts().size(); ++i) {
    const ListedNames own = *lists.index().names_of(list, i, i + 1);
    for (const std::uint32_t number : list.parts()[i].names)
      EXPECT_EQ(lists.describe(own.name(number)), lists.describe(all.name(number)));
  }
}

TEST(KeywordIndex, NamesThatMostFilesUse) {
  const std::vector<Definition> defined{
      {"Orbit", "class", 1, ""},   {"orbit_of", "function", 1, ""}, {"run", "function", 1, ""},
      {"LOUD", "macro", 1, ""},    {"Unused", "class", 1, ""},      {"other_of", "function", 1, ""},
      {"a_field", "member", 1, ""}};
  std::vector<IndexedFile> files{{"a.c", "x", defined}, {"a.c_docs.md", "x", defined}};
  for (int i = 0; i < 3; ++i)
    files.push_back({fmt::format("u{}.c", i), "orbit_of run LOUD other_of a_field\n"});
  for (int i = 0; i < 2; ++i) files.push_back({fmt::format("v{}.c", i), "Orbit orbit_of\n"});
  const Lists lists(files);
  EXPECT_THAT(lists.most_used(9), ElementsAre("Orbit", "orbit_of", "other_of"));
  EXPECT_THAT(lists.most_used(1), ElementsAre("Orbit"));
  files.push_back({"line.h", "x", {{"Line", "class", 1, ""}}});
  for (int i = 0; i < 2; ++i) files.push_back({fmt::format("w{}.c", i), "Line\n"});
  EXPECT_THAT(Lists(files).most_used(2), ElementsAre("Line", "Orbit")) << "a file is called so";
}

/// A file that defines `count` functions PREFIX0000, PREFIX0001 ...
IndexedFile defines(const std::string& path, const std::string& prefix, std::size_t count) {
  IndexedFile file{path, "x"};
  for (std::size_t i = 0; i < count; ++i)
    file.definitions.push_back({fmt::format("{}{:04}", prefix, i), "function", 1, ""});
  return file;
}

TEST(KeywordIndex, ALongListIsCutByLetters) {
  const Lists lists({defines("a", "alpha", 600),
                     defines("b", "Beta", 1100),
                     defines("c", "c", 20),
                     defines("d", "operator <", 1),
                     {"e", "", {{"b", "function", 1, ""}}}});
  std::map<std::string, std::size_t> parts;
  std::set<std::uint32_t> all;
  const KeywordList list = lists.list("");
  for (const ListPart& part : list.parts()) {
    parts[part.slug()] = part.names.size();
    EXPECT_TRUE(std::is_sorted(part.names.begin(), part.names.end()));
    all.insert(part.names.begin(), part.names.end());
  }
  // Of the 1100 "beta0000" to "beta1099" 1000 share a 0 and 100 a 1. The "b" alone, "c" and the
  // operator are too few for a part.
  EXPECT_THAT(parts,
              ElementsAre(testing::Pair("", 21), testing::Pair("a", 600), testing::Pair("b", 1),
                          testing::Pair("beta0", 1000), testing::Pair("beta1", 100)));
  EXPECT_EQ(all.size(), 600u + 1100 + 20 + 1 + 1);
  EXPECT_EQ(list.parts().front().slug(), "");
}

TEST(KeywordIndex, WhatLettersDoNotTellApartIsCutByNumber) {
  IndexedFile file{"a", "x"};  // 2^11 spellings of one key
  for (unsigned i = 0; i < 2048; ++i) {
    std::string name = "abcdefghijk";
    for (std::size_t bit = 0; bit < name.size(); ++bit)
      if ((i >> bit & 1u) != 0) name[bit] = static_cast<char>(name[bit] - 'a' + 'A');
    file.definitions.push_back({name, "function", 1, ""});
  }
  const Lists lists({file});
  const KeywordList list = lists.list("");
  std::vector<std::string> slugs;
  for (const ListPart& part : list.parts()) {
    slugs.push_back(part.slug());
    EXPECT_LE(part.names.size(), KeywordIndex::kMaxNamesOfPart);
  }
  EXPECT_THAT(slugs, ElementsAre("", "abcdefghijk", "abcdefghijk.2", "abcdefghijk.3"));
}

TEST(KeywordIndex, AnEmptyListHasOnePart) {
  const Lists lists(std::vector<IndexedFile>{{"a/b.md", "# Title\n"}});
  EXPECT_TRUE(lists.list("a").empty());
  ASSERT_EQ(lists.list("a").parts().size(), 1u);
  EXPECT_THAT(lists.names("nowhere"), IsEmpty());
}

TEST(ListPart, SlugsAreSafeAndTellApart) {
  const struct {
    ListPart part;
    const char* slug;
  } rows[] = {
      {{"", 1}, ""},        {{"ab1", 1}, "ab1"}, {{"a_", 1}, "a_5f"}, {{"../", 1}, "_2e_2e_2f"},
      {{"é", 1}, "_c3_a9"}, {{"a", 2}, "a.2"},   {{"", 2}, ".2"},
  };
  for (const auto& row : rows) EXPECT_EQ(row.part.slug(), row.slug);
}

TEST(FolderOfList, GoesDownWhereThereIsNothingElse) {
  const struct {
    const char* why;
    std::vector<const char*> paths;
    const char* folder;
    const char* list;
  } rows[] = {
      {"a file of its own", {"a/b/x", "a/y"}, "a", "a"},
      {"one folder in one folder", {"a/b/c/x", "a/b/c/d/y"}, "a", "a/b/c"},
      {"two folders", {"a/b/x", "a/c/y"}, "a", "a"},
      {"two that begin alike", {"a/bc/x", "a/bd/y"}, "a", "a"},
      {"one is the start of the other", {"a/b/x", "a/b2/y"}, "a", "a"},
      {"the last", {"a/b/x", "a/b/y"}, "a/b", "a/b"},
      {"the root is itself", {"a/b/x", "a/b/y"}, "", ""},
      {"others do not count", {"A/x", "a/b/x", "z"}, "a", "a/b"},
  };
  for (const auto& row : rows) {
    std::vector<StoredFile> files;
    for (const char* path : row.paths) files.push_back({0, path, {}});
    EXPECT_EQ(folder_of_list(row.folder, FileTable(files)), row.list) << row.why;
  }
}

}  // namespace
}  // namespace kw::exporter
