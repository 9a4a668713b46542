// SPDX-License-Identifier: GPL-2.0-or-later
// Any string is a legal query. Two programs in one: under libFuzzer (-DKW_FUZZ=ON, clang) a fuzz
// target over an index of a few lines, since a search of real texts takes a tenth of a second
// there; otherwise
//
//   query_fuzz DATABASE COUNT SEED
//
// which asks COUNT random and mutated queries, prints how long they took, in processor time, and
// fails on an error.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <random>
#include <string>
#include <vector>

#include "schema/cli/program.h"
#include "schema/text/text.h"
#include "searcher/engine/search.h"
#include "tests/support/index_builder.h"
#include "tests/support/temp_dir.h"

namespace {

kw::search::Searcher open_or_exit(const std::string& database) {
  auto opened = kw::search::Searcher::open({kw::resolve_database_path(database)});
  if (!opened) {
    kw::cli::print_error("query_fuzz", opened.error());
    std::exit(2);
  }
  return *std::move(opened);
}

/// False if a query that must be legal is an error.
bool ask(kw::search::Searcher& searcher, const std::string& text) {
  const auto query = kw::search::parse_query(text);
  if (!query) return text.find_first_not_of(" \t\n\v\f\r") == std::string::npos;
  const auto result = searcher.search(*query, {});
  if (!result) kw::cli::print_error("query_fuzz", result.error());
  return static_cast<bool>(result);
}

}  // namespace

#ifdef KW_FUZZ
namespace {

/// Files of several kinds: names, scopes, headings, code in documents, scripts without blanks.
const std::vector<kw::test::IndexedFile> kFiles = {
    {"docs/plan.md",
     "# View and mutation\n\nThe `ViewMeta` of a tensor, the loss of a plan.\n\n"
     "## Größe und 函数\n\n```python\nbuffer = view_meta(x)\n```\n"},
    {"src/meta.py",
     "class ViewMeta:\n    \"\"\"The plan of a view.\"\"\"\n    def forward(self, x):\n"
     "        raise ValueError(f\"no view {x}\")\n",
     {{"ViewMeta", "class", 1, ""}, {"forward", "member", 3, "ViewMeta"}}},
    {"src/other.py",
     "def forward(x):\n    return ViewMeta().forward(x)  # the mutation\n",
     {{"forward", "function", 1, ""}}},
    {"src/graph.cc",
     "namespace foo {\n/* a graph */ int bar(int i) { return i++ << 1; }\n"
     "bool operator==(Node, Node);\n}  // C++17\n",
     {{"bar", "function", 2, "foo"}, {"operator==", "prototype", 3, "foo"}}},
    {"tests/meta_test.py",
     "def test_view():\n    ViewMeta()\n",
     {{"test_view", "function", 1, ""}}},
    {"a.sh", "echo \"$HOME\" --dry-run\n"}};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const kw::test::TempDir dir;
  static kw::search::Searcher searcher = [] {
    kw::test::build_index(dir / "index", kFiles);
    return open_or_exit(dir / "index");
  }();
  if (!ask(searcher, std::string(reinterpret_cast<const char*>(data), size))) std::abort();
  return 0;
}
#else
int main(int argc, char** argv) {
  if (argc != 4) {
    fmt::print(stderr, "usage: query_fuzz DATABASE COUNT SEED\n");
    return 2;
  }
  kw::search::Searcher searcher = open_or_exit(argv[1]);
  std::mt19937 random(static_cast<unsigned>(std::strtoul(argv[3], nullptr, 10)));
  const auto pick = [&](const auto& list) { return std::string(list[random() % std::size(list)]); };
  const char* const words[] = {
      "tensor",     "the",         "self",       "View",      "mutation",   "if",
      "return",     "0",           "1",          "x",         "_",          "größe",
      "函数",       "foo::bar",    "operator==", "a/b.py",    "i++",        "C++17",
      "$HOME",      "@decorator",  "--dry-run",  "*ing",      "*mutation*", "view*",
      "w?rd",       "*",           "?",          "\xff",      "def:x",      "section:overview",
      "path:torch", "lang:python", "ext:md",     "nofield:x", "<<",         "==",
      "::"};
  const char* const glue[] = {" ",  " ", " ", " OR ", " NOT ", "(",  ")",
                              "\"", "*", ":", "-",    "\\",    "\n", ""};
  std::vector<std::pair<double, std::string> > slowest;
  const long count = std::strtol(argv[2], nullptr, 10);
  std::string text;
  for (long i = 0; i < count; ++i) {
    if (text.empty() || random() % 3 != 0) {
      text.clear();
      for (std::size_t n = 1 + random() % 5; n > 0; --n) text += pick(words) + pick(glue);
    } else {  // a mutation of the one before
      const std::size_t at = random() % text.size();
      switch (random() % 3) {
        case 0:
          text[at] = static_cast<char>(random());
          break;
        case 1:
          text.erase(at, 1 + random() % 3);
          break;
        default:
          text.insert(at, pick(glue));
          break;
      }
    }
    const std::clock_t start = std::clock();
    if (!ask(searcher, text)) {
      fmt::print(stderr, "query_fuzz: failed on query {} of seed {}: {}\n", i, argv[3],
                 kw::printable(text));
      return 1;
    }
    slowest.emplace_back(1e3 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC, text);
  }
  std::sort(slowest.rbegin(), slowest.rend());
  fmt::print("{} queries, median {:.2f} ms, 99 % under {:.1f} ms; slowest:\n", count,
             slowest[slowest.size() / 2].first, slowest[slowest.size() / 100].first);
  for (std::size_t i = 0; i < std::min<std::size_t>(10, slowest.size()); ++i)
    fmt::print("{:8.1f} ms  {}\n", slowest[i].first, kw::printable(slowest[i].second));
  return 0;
}
#endif
