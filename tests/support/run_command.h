// SPDX-License-Identifier: GPL-2.0-or-later
// Runs a program and keeps what it said. The paths of our own programs come from CMake.
#pragma once

#include <string>
#include <vector>

namespace kw::test {

struct CommandResult {
  int exit_code = -1;  ///< 128 + signal if it was killed
  std::string out;
  std::string err;
};

struct CommandOptions {
  std::string folder = {};                    ///< where it runs; empty: here
  std::vector<std::string> environment = {};  ///< "NAME=value", added to ours
  std::string input = {};
  double timeout_seconds = 120;  ///< then it is killed, and exit_code is 124
};

/// `command[0]` is looked up in PATH; "kwindex", "kwsearch", "kwexport", "kwdump", "kwfields" and
/// "rank_eval" are this build's.
CommandResult run_command(std::vector<std::string> command, const CommandOptions& options = {});

}  // namespace kw::test
