// SPDX-License-Identifier: GPL-2.0-or-later
// Scripts by which shells complete a program's command line, made from the options that it has:
// names, what they say, choices, whether a value is a file or a folder. Only words of a query are
// asked of the program itself, by its option --complete.
#pragma once

#include <string>
#include <string_view>

namespace CLI {
class App;
}

namespace kw::cli {

enum class Shell { Bash, Zsh, Fish };

std::string completion_script(const CLI::App& app, Shell shell);

}  // namespace kw::cli
