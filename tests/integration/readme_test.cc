// SPDX-License-Identifier: GPL-2.0-or-later
// README.md, CONTRIBUTING.md and docs/ are true: each `$ ` line of a ```console block is run, all
// of a document in one shell beside a copy of the sample tree, and must print what stands below it.
// Links, files and options that a document names exist. KW_UPDATE_GOLDEN=1 writes the real output
// into the documents.
#include <gmock/gmock.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <map>
#include <set>
#include <sstream>

#include "tests/support/help_options.h"
#include "tests/support/run_command.h"
#include "tests/support/temp_dir.h"

namespace kw::test {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

const fs::path kSource = KW_SOURCE_DIR;

/// README.md, CONTRIBUTING.md, CHANGELOG.md, SCHEMA.md wherever it lies, and all of docs/.
std::vector<fs::path> documents() {
  std::vector<fs::path> found;
  for (const char* name : {"README.md", "CONTRIBUTING.md", "CHANGELOG.md"})
    found.push_back(kSource / name);
  for (const char* folder : {"docs", "schema"})
    for (const auto& entry : fs::recursive_directory_iterator(kSource / folder))
      if (entry.path().extension() == ".md") found.push_back(entry.path());
  std::sort(found.begin(), found.end());
  return found;
}

std::string name_of(const fs::path& document) {
  return document.lexically_relative(kSource).string();
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

struct Step {
  std::string command;
  std::size_t first = 0;  ///< index of the line after the command in the file
  std::vector<std::string> expected;
};

std::vector<Step> console_steps(const std::vector<std::string>& lines) {
  std::vector<Step> steps;
  bool inside = false;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].starts_with("```")) {
      inside = lines[i] == "```console";
    } else if (inside && lines[i].starts_with("$ ")) {
      steps.push_back({lines[i].substr(2), i + 1, {}});
    } else if (inside && !steps.empty()) {
      steps.back().expected.push_back(lines[i]);
    }
  }
  return steps;
}

/// Times and sizes differ from machine to machine, and scores with the weights: "0.12 s", "34.5 KB"
/// and "71.25" become "#".
std::string without_measures(const std::string& line) {
  std::string result;
  for (std::size_t i = 0; i < line.size();) {
    const std::size_t end = std::min(line.find_first_not_of("0123456789.,", i), line.size());
    const bool number =
        end > i && std::isdigit(static_cast<unsigned char>(line[i])) &&
        (i == 0 || (line[i - 1] != '.' && !std::isalnum(static_cast<unsigned char>(line[i - 1]))));
    if (!number) {
      result += line[i++];
      continue;
    }
    const std::size_t unit = end < line.size() && line[end] == ' ' ? end + 1 : end;
    std::size_t after = unit;
    while (after < line.size() && std::isalpha(static_cast<unsigned char>(line[after]))) ++after;
    const std::string word = line.substr(unit, after - unit);
    const std::string digits = line.substr(i, end - i);
    const bool measure = word == "s" || word == "ms" || word == "B" || word == "KB" || word == "MB";
    const std::size_t dot = digits.find('.');
    const bool decimal = dot != std::string::npos && dot + 1 < digits.size();
    result += measure || decimal ? "#" : digits;
    i = measure ? after : end;
  }
  return result;
}

std::vector<std::string> without_measures(std::vector<std::string> lines) {
  for (std::string& line : lines) line = without_measures(line);
  return lines;
}

/// What each command prints, both streams together.
std::vector<std::vector<std::string>> outputs_of(const std::vector<Step>& steps) {
  TempDir dir;
  fs::create_directory(dir / "tools");
  fs::copy(kSource / "tools/sample", dir / "tools/sample", fs::copy_options::recursive);
  std::string script = "exec 2>&1\n";
  for (const Step& step : steps) script += step.command + "\nprintf '\\036'\n";
  const std::string path = std::string("PATH=") + KW_BINARY_DIR + "/bin:" + std::getenv("PATH");
  CommandOptions options;
  options.folder = dir.str();
  options.environment = {path};
  const CommandResult result = run_command({"bash", "-c", script}, options);
  std::vector<std::vector<std::string>> outputs;
  std::istringstream parts(result.out);
  for (std::string part; std::getline(parts, part, '\036');) outputs.push_back(lines_of(part));
  return outputs;
}

TEST(Readme, MeasuresAreNotCompared) {
  EXPECT_EQ(without_measures("17 files, 84.2 KB, in 0.05 s"), "17 files, #, in #");
  EXPECT_EQ(without_measures("\"score\":713.476,\"line\":30."), "\"score\":#\"line\":30.");
  EXPECT_EQ(without_measures("x86 2 sections v1.5s"), "x86 2 sections v1.5s");
}

/// The document with its sessions as they are.
std::string with_outputs(const std::vector<std::string>& lines, const std::vector<Step>& steps,
                         const std::vector<std::vector<std::string>>& outputs) {
  std::string text;
  std::size_t next = 0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    for (; next < steps[i].first; ++next) text += lines[next] + "\n";
    for (const std::string& line : outputs[i]) text += line + "\n";
    next += steps[i].expected.size();
  }
  for (; next < lines.size(); ++next) text += lines[next] + "\n";
  return text;
}

void expect_real_sessions(const fs::path& document, const std::vector<Step>& steps) {
  const auto outputs = outputs_of(steps);
  ASSERT_EQ(outputs.size(), steps.size());
  bool same = true;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const auto real = without_measures(outputs[i]), shown = without_measures(steps[i].expected);
    EXPECT_EQ(real, shown) << steps[i].command;
    same = same && real == shown;
  }
  if (!same && std::getenv("KW_UPDATE_GOLDEN"))
    write_file(document, with_outputs(lines_of(read_text(document)), steps, outputs));
}

TEST(Readme, SessionsAreReal) {
  std::size_t commands = 0;
  for (const fs::path& document : documents()) {
    SCOPED_TRACE(name_of(document));
    const std::vector<Step> steps = console_steps(lines_of(read_text(document)));
    commands += steps.size();
    if (!steps.empty()) expect_real_sessions(document, steps);
  }
  EXPECT_GE(commands, 50u) << "README.md and docs/guide.md show sessions";
}

TEST(Readme, IsShort) { EXPECT_LE(lines_of(read_text(kSource / "README.md")).size(), 180u); }

// What a newcomer sees after tools/quickstart is what README.md promised.
TEST(Readme, ShowsTheSearchOfQuickstart) {
  const std::string search = " -n 3 -m 2 ";
  EXPECT_THAT(read_text(kSource / "tools/quickstart"), HasSubstr(search));
  EXPECT_THAT(read_text(kSource / "README.md"),
              HasSubstr("$ kwsearch" + search + "ViewAndMutationMeta\n"));
}

// Copied, for tools/check_links takes each page below a folder, and the trees of tests have their
// own faults.
TEST(Readme, LinksLeadSomewhere) {
  if (run_command({"cmark", "--version"}).exit_code != 0) GTEST_SKIP() << "there is no cmark";
  const TempDir copy;
  for (const auto& entry : fs::directory_iterator(kSource)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(".") && !name.starts_with("build") && name != "tests")
      fs::copy(entry.path(), copy / name, fs::copy_options::recursive);
  }
  fs::create_directory(copy / "tests");
  const CommandResult result = run_command({(kSource / "tools/check_links").string(), copy.str()});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
}

/// The code spans of a document outside its fenced blocks.
std::vector<std::string> code_spans(const fs::path& document) {
  std::vector<std::string> spans;
  bool fenced = false;
  for (const std::string& line : lines_of(read_text(document))) {
    if (line.starts_with("```")) fenced = !fenced;
    if (fenced) continue;
    for (std::size_t begin = line.find('`'); begin != std::string::npos;) {
      const std::size_t end = line.find('`', begin + 1);
      if (end == std::string::npos) break;
      spans.push_back(line.substr(begin + 1, end - begin - 1));
      begin = line.find('`', end + 1);
    }
  }
  return spans;
}

std::set<std::string> source_file_names() {
  std::set<std::string> names;
  for (const char* folder :
       {"schema", "indexer", "searcher", "exporter", "tools", "tests", "docs", ".ci"})
    for (const auto& entry : fs::recursive_directory_iterator(kSource / folder))
      names.insert(entry.path().filename().string());
  return names;
}

// `schema/` or `tools/check` from the root of the source; `rank.h` wherever it lies.
TEST(Readme, FilesThatDocumentsNameExist) {
  const std::set<std::string> names = source_file_names();
  for (const fs::path& document : documents()) {
    for (std::string span : code_spans(document)) {
      span = span.substr(0, span.find(' '));
      if (span.find_first_of("*<>{}$()[]:'\"") != std::string::npos) continue;
      const std::string top = span.substr(0, span.find('/'));
      static const std::set<std::string> kTops{"schema", "indexer", "searcher", "exporter",
                                               "tools",  "tests",   ".ci"};
      if (kTops.contains(top) && top.size() < span.size()) {
        EXPECT_TRUE(fs::exists(kSource / span)) << name_of(document) << ": " << span;
      } else if (span.find('/') == std::string::npos &&
                 (span.ends_with(".h") || span.ends_with(".cc"))) {
        EXPECT_TRUE(names.contains(span)) << name_of(document) << ": " << span;
      }
    }
  }
}

/// Commands of a document: its code spans and the lines of its fenced blocks, cut where a shell
/// joins two.
std::vector<std::string> commands_of(const fs::path& document) {
  std::vector<std::string> commands = code_spans(document);
  bool fenced = false;
  for (const std::string& line : lines_of(read_text(document))) {
    if (line.starts_with("```")) fenced = !fenced;
    if (fenced) commands.push_back(line.starts_with("$ ") ? line.substr(2) : line);
  }
  std::vector<std::string> parts;
  for (const std::string& command : commands) {
    std::size_t begin = 0;
    while (begin < command.size()) {
      const std::size_t end = std::min(command.find_first_of("|&;'#(", begin), command.size());
      const std::size_t word = std::min(command.find_first_not_of(' ', begin), end);
      parts.push_back(command.substr(word, end - word));
      begin = end + 1;
    }
  }
  return parts;
}

TEST(Readme, OptionsThatDocumentsNameExist) {
  std::map<std::string, std::set<std::string>> options;
  for (const std::string program : {"kwindex", "kwsearch", "kwexport"})
    options[program] = long_options(program);
  std::size_t checked = 0;
  for (const fs::path& document : documents()) {
    for (const std::string& command : commands_of(document)) {
      std::istringstream words(command);
      std::string program, word;
      words >> program;
      if (!options.contains(program)) continue;
      while (words >> word && word != "--") {
        if (!word.starts_with("--")) continue;
        const std::string name = word.substr(2, word.find('=') - 2);
        EXPECT_TRUE(options[program].contains(name)) << name_of(document) << ": " << command;
        ++checked;
      }
    }
  }
  EXPECT_GE(checked, 30u);
}

}  // namespace
}  // namespace kw::test
