// SPDX-License-Identifier: GPL-2.0-or-later
// README.md and docs/tutorial.md say what happens: each `$ ` line of their ```console blocks is
// run, in one shell, beside a copy of the sample tree, and must print what stands below it.
// README's table of packages is tools/packages.txt. KW_UPDATE_GOLDEN=1 writes the real output into
// the files.
#include <gmock/gmock.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <sstream>

#include "tests/support/run_command.h"
#include "tests/support/temp_dir.h"

namespace kw::test {
namespace {

const std::filesystem::path kSource = KW_SOURCE_DIR;

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
  std::filesystem::create_directory(dir / "tools");
  std::filesystem::copy(kSource / "tools/sample", dir / "tools/sample",
                        std::filesystem::copy_options::recursive);
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

void expect_real_sessions(const std::filesystem::path& file) {
  const std::vector<std::string> lines = lines_of(read_text(file));
  const std::vector<Step> steps = console_steps(lines);
  ASSERT_GE(steps.size(), 5u);
  const auto outputs = outputs_of(steps);
  ASSERT_EQ(outputs.size(), steps.size());
  for (std::size_t i = 0; i < steps.size(); ++i)
    EXPECT_EQ(without_measures(outputs[i]), without_measures(steps[i].expected))
        << steps[i].command;

  if (testing::Test::HasFailure() && std::getenv("KW_UPDATE_GOLDEN")) {
    std::string text;
    std::size_t next = 0;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      for (; next < steps[i].first; ++next) text += lines[next] + "\n";
      for (const std::string& line : outputs[i]) text += line + "\n";
      next += steps[i].expected.size();
    }
    for (; next < lines.size(); ++next) text += lines[next] + "\n";
    write_file(file, text);
  }
}

TEST(Readme, SessionsAreReal) { expect_real_sessions(kSource / "README.md"); }

TEST(Readme, TheTutorialRunsAsWritten) { expect_real_sessions(kSource / "docs/tutorial.md"); }

TEST(Readme, NamesThePackagesThatAreInstalled) {
  std::vector<std::string> expected;
  for (const std::string& line : lines_of(read_text(kSource / "tools/packages.txt"))) {
    std::istringstream in(line);
    std::string group, package, reason;
    in >> group >> package >> std::ws;
    std::getline(in, reason);
    if (group != "#" && !group.empty())
      expected.push_back("| " + group + " | `" + package + "` | " + reason + " |");
  }
  std::vector<std::string> rows;
  for (const std::string& line : lines_of(read_text(kSource / "README.md")))
    if (line.starts_with("| build | ") || line.starts_with("| test | ") ||
        line.starts_with("| full | ") || line.starts_with("| bench | ") ||
        line.starts_with("| browser | "))
      rows.push_back(line);
  EXPECT_EQ(rows, expected);
}

}  // namespace
}  // namespace kw::test
