// SPDX-License-Identifier: GPL-2.0-or-later
// How the three programs read their options: the command line by CLI11, then what the environment
// and configuration files (config.h) say of options that it did not give. The options themselves
// stand in each program's options.cc.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "schema/base/exit_code.h"
#include "schema/cli/program.h"

namespace CLI {
class App;
class Validator;
}  // namespace CLI

namespace kw::cli {

/// A check that a value is one of a few words; completion.h offers them.
CLI::Validator one_of(std::vector<std::string> words);

/// Adds --help, --version, --color, --config, --completion, -q and -v, and how help looks: options
/// by their group() in the order they were added, the footer last.
void add_common_options(CLI::App& app, CommonOptions& options);

/// What a program does while its options are read.
struct OptionHooks {
  /// The folder whose `.kwsearch.toml` counts; empty: none. Asked when the command line is parsed,
  /// and the index that a person's file names is known.
  std::function<std::string()> tree_folder;
  /// Called when the options hold what the command line gave, and nothing else. May be empty.
  std::function<void()> command_line_parsed;
};

/// Parses with CLI11; its errors are worded by us. An option that the command line gave, or that
/// excludes one that it gave, is not taken from a file; a tree's file goes before a person's, and a
/// file that --config names is read instead of both. Nothing: go on. A code: exit with it, all is
/// said.
std::optional<ExitCode> parse_command_line(CLI::App& app, int argc, const char* const* argv,
                                           const OptionHooks& hooks, CommonOptions& common);

}  // namespace kw::cli
