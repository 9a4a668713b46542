// SPDX-License-Identifier: GPL-2.0-or-later
// The options of a program as its --help lists them.
#pragma once

#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/run_command.h"

namespace kw::test {

struct HelpOption {
  std::vector<std::string> names;  ///< "-n", "--results"
  std::string value;               ///< "N"; empty: a switch
};

/// Lines such as "  -n, --results N         results (10; 0: all)".
inline std::vector<HelpOption> help_options(const std::string& program) {
  std::vector<HelpOption> options;
  std::istringstream help(run_command({program, "--help"}).out);
  for (std::string line; std::getline(help, line);) {
    const std::size_t begin = line.find_first_not_of(' ');
    if (!line.starts_with("  ") || begin == std::string::npos || line[begin] != '-') continue;
    std::istringstream words(line.substr(begin, line.find("  ", begin) - begin));
    HelpOption option;
    for (std::string word; words >> word;) {
      if (word[0] != '-')
        option.value = word;
      else
        option.names.push_back(word.ends_with(',') ? word.substr(0, word.size() - 1) : word);
    }
    options.push_back(std::move(option));
  }
  return options;
}

/// The long names, without dashes.
inline std::set<std::string> long_options(const std::string& program) {
  std::set<std::string> names;
  for (const HelpOption& option : help_options(program))
    for (const std::string& name : option.names)
      if (name.starts_with("--")) names.insert(name.substr(2));
  return names;
}

}  // namespace kw::test
