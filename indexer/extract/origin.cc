// SPDX-License-Identifier: GPL-2.0-or-later
#include "indexer/extract/origin.h"

#include <algorithm>
#include <iterator>

#include "schema/text/splitter.h"
#include "schema/text/text.h"

namespace kw::indexer {
namespace {

// Marks stand in a file's first lines; further down they are quoted, by programs that write them.
constexpr std::size_t kMarkBytes = 4096;
constexpr int kMarkLines = 15;

constexpr std::string_view kTestFolders[] = {"test", "tests", "testdata",  "__tests__",
                                             "spec", "specs", "unittests", "selftests"};
constexpr std::string_view kVendoredFolders[] = {
    "third_party",  "third-party", "thirdparty", "vendor", "vendored",
    "node_modules", "external",    "extern",     "deps",   "_vendor"};
constexpr std::string_view kGeneratedFolders[] = {"generated", "__generated__", "autogen"};
constexpr std::string_view kGeneratedEnds[] = {".pb.h",    ".pb.cc",       ".pb.go",
                                               "_pb2.py",  "_pb2_grpc.py", ".min.js",
                                               ".min.css", ".generated.h", ".g.dart"};

template <std::size_t N>
bool contains(const std::string_view (&list)[N], std::string_view word) {
  return std::find(std::begin(list), std::end(list), word) != std::end(list);
}

/// test_x, x_test, x.test, x.spec, TestX by the words of the name; the extension does not count.
bool is_test_name(std::string_view name) {
  const std::size_t dot = name.find('.', 1);
  const std::string_view stem = name.substr(0, dot);
  const std::string_view rest =
      dot == std::string_view::npos ? std::string_view() : name.substr(dot);
  return stem.starts_with("test_") || stem.ends_with("_test") || stem.ends_with("_tests") ||
         stem.ends_with("_unittest") || stem.ends_with("Test") || stem.ends_with("Tests") ||
         rest.starts_with(".test.") || rest.starts_with(".spec.");
}

bool has_generated_mark(std::string_view text) {
  const std::string folded = fold(text.substr(0, kMarkBytes));
  std::string_view rest = folded;
  for (int i = 0; i < kMarkLines && !rest.empty(); ++i) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    const std::size_t at = line.find("@generated");
    // "@generated" as a word, not the middle of an address.
    if (at != std::string_view::npos && !ends_in_word_char(line.substr(0, at))) return true;
    if (line.find("generated") != std::string_view::npos &&
        line.find("do not edit") != std::string_view::npos)
      return true;
  }
  return false;
}

}  // namespace

std::string_view origin_of(std::string_view path, std::string_view text) {
  std::string_view folders = folder_of(path);
  bool test = is_test_name(file_name_of(path)), vendored = false, generated = false;
  while (!folders.empty()) {
    const std::size_t slash = folders.find('/');
    const std::string folder = fold(folders.substr(0, slash));
    test |= contains(kTestFolders, folder);
    vendored |= contains(kVendoredFolders, folder);
    generated |= contains(kGeneratedFolders, folder);
    folders = slash == std::string_view::npos ? std::string_view() : folders.substr(slash + 1);
  }
  for (const std::string_view end : kGeneratedEnds) generated |= path.ends_with(end);
  if (generated || has_generated_mark(text)) return "generated";
  if (vendored) return "vendored";
  return test ? "test" : "original";
}

}  // namespace kw::indexer
