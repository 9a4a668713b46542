// SPDX-License-Identifier: GPL-2.0-or-later
#include "indexer/extract/origin.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "schema/text/splitter.h"
#include "schema/text/text.h"

namespace kw::indexer {
namespace {

// Marks stand in a file's first lines; further down they are quoted, by programs that write them.
constexpr std::size_t kMarkBytes = 4096;
constexpr int kMarkLines = 15;

// Folders of tests by the customs of languages and their tools: pytest, Jest (`__tests__`,
// `__mocks__`, `__fixtures__`), RSpec, Go (`testdata`), Rust (`benches`), Gradle (`testFixtures`),
// the kernel (`selftests`), Vite (`playground`), Cypress and Playwright (`e2e`).
constexpr std::string_view kTestFolders[] = {"test",
                                             "tests",
                                             "testing_support",
                                             "testdata",
                                             "test-data",
                                             "test_data",
                                             "testcases",
                                             "__tests__",
                                             "__mocks__",
                                             "__fixtures__",
                                             "fixtures",
                                             "testfixtures",
                                             "spec",
                                             "specs",
                                             "unittests",
                                             "unittest",
                                             "selftests",
                                             "e2e",
                                             "playground",
                                             "bench",
                                             "benches",
                                             "benchmark",
                                             "benchmarks",
                                             "androidtest",
                                             "functionaltest",
                                             "functionaltests",
                                             "integrationtest",
                                             "integrationtests"};
constexpr std::string_view kVendoredFolders[] = {
    "third_party",      "third-party",  "thirdparty",   "3rdparty", "3rd_party",
    "3rd-party",        "vendor",       "vendored",     "vendors",  "external",
    "extern",           "deps",         "node_modules", "_vendor",  "contrib_vendor",
    "bower_components", "jspm_packages"};
constexpr std::string_view kGeneratedFolders[] = {"generated", "__generated__", "autogen",
                                                  "gen-src", "__snapshots__"};
constexpr std::string_view kGeneratedEnds[] = {
    ".pb.h",        ".pb.cc",   ".pb.go",     "_pb2.py",      "_pb2_grpc.py",  ".min.js",
    ".min.mjs",     ".min.css", ".bundle.js", ".generated.h", ".generated.cs", ".generated.ts",
    ".designer.cs", ".g.cs",    ".g.i.cs",    ".g.dart",      ".freezed.dart", "_generated.go",
    ".gen.go",      ".js.map",  ".css.map",   ".snap"};
// What a package manager writes of what it chose.
constexpr std::string_view kLockFiles[] = {"package-lock.json",
                                           "npm-shrinkwrap.json",
                                           "yarn.lock",
                                           "pnpm-lock.yaml",
                                           "bun.lock",
                                           "composer.lock",
                                           "gemfile.lock",
                                           "cargo.lock",
                                           "poetry.lock",
                                           "pipfile.lock",
                                           "uv.lock",
                                           "pdm.lock",
                                           "go.sum",
                                           "mix.lock",
                                           "pubspec.lock",
                                           "podfile.lock",
                                           "packages.lock.json",
                                           "flake.lock",
                                           "deno.lock",
                                           "gradle.lockfile"};

template <std::size_t N>
bool contains(const std::string_view (&list)[N], std::string_view word) {
  return std::find(std::begin(list), std::end(list), word) != std::end(list);
}

/// `Foo.Tests/` and `FooTests/` of .NET, `jvmTest/` of Kotlin, `unit-tests/`: the last word of the
/// folder's name. `folder` as it is written.
bool is_test_folder(std::string_view folder) {
  const std::vector<std::string> words = split_name(folder);
  constexpr std::string_view kWords[] = {"test", "tests", "unittests", "specs"};
  return words.size() > 1 && contains(kWords, words.back());
}

/// test_x, x_test, x.test, x.spec, TestX by the words of the name; the extension does not count.
bool is_test_name(std::string_view name) {
  const std::size_t dot = name.find('.', 1);
  const std::string_view stem = name.substr(0, dot);
  const std::string_view rest =
      dot == std::string_view::npos ? std::string_view() : name.substr(dot);
  return stem.starts_with("test_") || stem.ends_with("_test") || stem.ends_with("_tests") ||
         stem.ends_with("_unittest") || stem.ends_with("Test") || stem.ends_with("Tests") ||
         stem.ends_with("_spec") || stem.ends_with("Spec") || stem.ends_with("TestCase") ||
         stem == "conftest" || rest.starts_with(".cy.") || rest.starts_with(".e2e.") ||
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
    const bool generated = line.find("generated") != std::string_view::npos;
    const auto says = [&](std::string_view what) {
      return line.find(what) != std::string_view::npos;
    };
    if (generated && (says("do not edit") || says("do not modify") || says("do not change")))
      return true;
    if (says("<auto-generated") || says("automatically generated by") ||
        says("auto-generated by") || says("autogenerated by"))
      return true;
  }
  return false;
}

/// A script without line breaks to speak of: bundled or minified, whatever it is called.
bool is_minified(std::string_view path, std::string_view text) {
  constexpr std::size_t kFewestBytes = 10'000, kLineBytes = 500;
  const std::string extension = extension_of(path);
  if (extension != "js" && extension != "mjs" && extension != "cjs" && extension != "css")
    return false;
  if (text.size() < kFewestBytes) return false;
  const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) + 1;
  return text.size() / lines > kLineBytes;
}

}  // namespace

std::string_view origin_of(std::string_view path, std::string_view text) {
  std::string_view folders = folder_of(path);
  bool test = is_test_name(file_name_of(path)), vendored = false, generated = false;
  while (!folders.empty()) {
    const std::size_t slash = folders.find('/');
    const std::string folder = fold(folders.substr(0, slash));
    test |= contains(kTestFolders, folder) || is_test_folder(folders.substr(0, slash));
    vendored |= contains(kVendoredFolders, folder);
    generated |= contains(kGeneratedFolders, folder);
    folders = slash == std::string_view::npos ? std::string_view() : folders.substr(slash + 1);
  }
  const std::string name = fold(file_name_of(path));
  for (const std::string_view end : kGeneratedEnds) generated |= name.ends_with(end);
  generated |= contains(kLockFiles, name);
  if (generated || has_generated_mark(text) || is_minified(path, text)) return "generated";
  if (vendored) return "vendored";
  return test ? "test" : "original";
}

}  // namespace kw::indexer
