// SPDX-License-Identifier: GPL-2.0-or-later
#include "searcher/engine/path_plan.h"

#include <gmock/gmock.h>

#include "searcher/engine/search.h"
#include "tests/support/index_builder.h"
#include "tests/support/temp_dir.h"

namespace kw::search {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(StoredLine, OfASourceItIsTheSame) {
  EXPECT_EQ(stored_line({.text = "```\na\n```\n"}, false, 2), 2u);
}

TEST(StoredLine, OfAPageItIsCountedInTheLongestBlock) {
  struct {
    const char* text;
    std::uint32_t line, stored;
    const char* why;
  } const cases[] = {
      {"# P\n\n```\none\ntwo\n```\n", 1, 4, "the first line is behind the fence"},
      {"# P\n\n```\none\ntwo\n```\n", 2, 5, "the last one"},
      {"# P\n\n```\none\ntwo\n```\n", 3, 3, "the block has no such line: that of the page"},
      {"```\na\n```\n\n~~~py\none\ntwo\n~~~\n", 2, 7, "the second block is longer"},
      {"```\none\ntwo\n```\n\n```\na\n```\n", 2, 3, "the first block is longer"},
      {"````\n```\nshort\n```\nfive\n````\n", 4, 5, "a shorter fence closes nothing"},
      {"```\n~~~\ntwo\n```\n", 2, 3, "nor does one of other marks"},
      {"```\n``` no end\nthree\n```   \n", 2, 3, "nor one with words behind it"},
      {"```\none\ntwo\n", 2, 2, "a block that never ends is none"},
      {"no block\n", 1, 1, ""},
  };
  for (const auto& c : cases)
    EXPECT_EQ(stored_line({.text = c.text}, true, c.line), c.stored) << c.why;
}

TEST(EnclosingLine, OfTheLastFunctionOrTypeAtOrAboveTheLine) {
  FileRecord record;
  record.text = "class A:\n  x = 1\n  def f(self):\n    pass\n  y: int\n  def g(self):\n";
  record.definitions = {{"A", "class", 1, ""},
                        {"x", "variable", 2, "A"},
                        {"f", "member", 3, "A"},
                        {"y", "member", 5, "A"},
                        {"g", "member", 6, "A"}};
  EXPECT_EQ(enclosing_line(record, 1), 1u) << "the line itself";
  EXPECT_EQ(enclosing_line(record, 2), 1u) << "a variable holds no line";
  EXPECT_EQ(enclosing_line(record, 4), 3u);
  EXPECT_EQ(enclosing_line(record, 5), 3u) << "a member without parentheses is a field";
  EXPECT_EQ(enclosing_line(record, 9), 6u) << "behind the end";
  record.definitions.clear();
  EXPECT_EQ(enclosing_line(record, 4), 0u);
}

class FilesAt : public testing::Test {
 protected:
  std::vector<Hit> hits(std::string_view query) {
    if (!searcher_) {
      const auto folder = test::build_index(
          dir_ / ".kwsearch", {{"src/net/socket.py", "a\nb\n"},
                               {"src/net/Socket.py", "a\nb\n"},
                               {"src/disk/socket.py", "a\nb\n"},
                               {"docs/src/net/pool.py_docs.md",
                                "# P\n\n```\ndef f():\n  g()\n```\n",
                                {{"f", "function", 4, ""}}},
                               {"src/net/notes.md", "See src/net/socket.py for more.\n"}});
      searcher_.emplace(*Searcher::open({folder.path()}));
    }
    return searcher_->search(*parse_query(query), {})->hits;
  }

  test::TempDir dir_;
  std::optional<Searcher> searcher_;
};

TEST_F(FilesAt, TheLongestEndingInCommonIsFirst) {
  EXPECT_EQ(hits("net/socket.py")[0].path, "src/net/socket.py");
  EXPECT_EQ(hits("disk/socket.py")[0].path, "src/disk/socket.py");
  EXPECT_EQ(hits("net/Socket.py")[0].path, "src/net/Socket.py") << "case tells them apart";
  EXPECT_EQ(hits("/usr/lib/python3/src/disk/socket.py:2")[0].path, "src/disk/socket.py");
}

TEST_F(FilesAt, ALineOfAPageIsThatOfTheSourceThatItEmbeds) {
  const auto found = hits("docs/src/net/pool.py:2");
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found[0].path, "docs/src/net/pool.py_docs.md");
  EXPECT_THAT(found[0].named_lines, ElementsAre(5, 4)) << "then the function around it";
  EXPECT_THAT(hits("net/socket.py:2")[0].named_lines, ElementsAre(2));
  EXPECT_THAT(hits("net/socket.py")[0].named_lines, IsEmpty());
}

}  // namespace
}  // namespace kw::search
