// SPDX-License-Identifier: GPL-2.0-or-later
// Trees of every plain shape: each is indexed, found up to date, rebuilt and updated, and the same
// tree gives the same index.
#include <fmt/format.h>

#include "tests/integration/kwindex_fixture.h"

namespace kw::test {
namespace {

/// Names and contents of a tree.
using Files = std::vector<std::pair<std::string, std::string>>;

// More than the dictionary's training asks for.
constexpr int kMany = 130;

Files many(std::string (*content)(int)) {
  Files files;
  for (int i = 0; i < kMany; ++i) files.emplace_back(fmt::format("f{:03}.txt", i), content(i));
  return files;
}

std::string empty(int) { return {}; }

Files mixture() {
  Files files;
  for (int i = 0; i < 3 * kMany; ++i) {
    const std::string contents[] = {"",
                                    "x",
                                    "\n",
                                    std::string("\0\1\2", 3),
                                    fmt::format("# Page {}\n", i),
                                    std::string(5000, 'y'),
                                    fmt::format("def function_{}():\n    pass\n", i)};
    files.emplace_back(fmt::format("d{}/f{:03}.{}", i % 7, i, i % 3 ? "md" : "py"),
                       contents[i % 7]);
  }
  return files;
}

struct Shape {
  const char* name;
  Files files;
};

std::vector<Shape> shapes() {
  Files last = many(empty), early = many(empty);
  last.back().second = "# some words\n";
  early.front().second = "# some words\n";
  return {
      {"none", {}},
      {"one file", {{"a.md", "# A\n"}}},
      {"one empty file", {{"a.md", ""}}},
      {"all empty", many(empty)},
      {"all empty but the last", last},
      {"all empty but the first", early},
      {"all equal", many([](int) { return std::string("the same words in each of them\n"); })},
      {"one byte each",
       many([](int i) { return std::string(1, static_cast<char>('a' + i % 26)); })},
      {"one line each", many([](int i) { return fmt::format("line {}\n", i); })},
      {"all at the size limit",
       many([](int i) { return std::string(20'000, static_cast<char>('a' + i % 26)); })},
      {"all binary", many([](int i) { return fmt::format("{}\n", i) + std::string(64, '\0'); })},
      {"mixture", mixture()},
  };
}

class TreeShapes : public KwindexTest {
 protected:
  void succeed(const std::vector<std::string>& words) const {
    const CommandResult result = run(words);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(result.err, "") << "not even a warning";
  }
};

TEST_F(TreeShapes, EachIsIndexedRebuiltAndUpdated) {
  const std::string size = "--max-file-size=20000";
  for (const Shape& shape : shapes()) {
    SCOPED_TRACE(shape.name);
    fs::remove_all(root());
    fs::create_directories(root());
    make_tree(root(), shape.files);
    succeed({"tree", "-q", size});
    const std::string first = dump(database());
    succeed({"tree", "-q"});
    succeed({"tree", "-q", "--rebuild"});
    EXPECT_EQ(dump(database()), first) << "the same tree, the same index";
    write_file(root() / "new.md", "");
    write_file(root() / "f000.txt", "# other words\n");
    succeed({"tree", "-q"});
    EXPECT_EQ(dump(database()), fresh_dump({size}));
  }
}

}  // namespace
}  // namespace kw::test
