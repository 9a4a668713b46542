// SPDX-License-Identifier: GPL-2.0-or-later
#include "indexer/origin.h"

#include <algorithm>
#include <iterator>

#include "schema/splitter.h"
#include "schema/text.h"

namespace kw {
namespace {

// Marks stand in a file's first lines; a page about a file quotes them after its own head.
constexpr std::size_t kMarkBytes = 4096;

constexpr std::string_view kTestFolders[] = {"test", "tests", "testing",   "testdata", "__tests__",
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
  const std::string head = fold(text.substr(0, kMarkBytes));
  const std::size_t at = head.find("@generated");
  // "@generated" as a word, not the middle of an address.
  if (at != std::string::npos &&
      (at == 0 || !ends_in_word_char(std::string_view(head).substr(0, at))))
    return true;
  for (std::size_t begin = 0; begin < head.size();) {
    std::size_t end = head.find('\n', begin);
    if (end == std::string::npos) end = head.size();
    const std::string_view line = std::string_view(head).substr(begin, end - begin);
    if (line.find("generated") != std::string_view::npos &&
        line.find("do not edit") != std::string_view::npos)
      return true;
    begin = end + 1;
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

}  // namespace kw
