// SPDX-License-Identifier: GPL-2.0-or-later
// The parser of TOML (toml++), for configuration files and the front matter of pages. The only
// place that includes its header, so that its switches are the same everywhere and toml.cc alone
// compiles the parser.
#pragma once

#define TOML_HEADER_ONLY 0
#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
// Values in values: nobody writes more, and each level takes stack.
#define TOML_MAX_NESTED_VALUES 16
// The parser of version 3.3 asserts what a text decides (a line that holds `[` alone), and reports
// the same as an error right after it.
#define TOML_ASSERT(expr) static_cast<void>(0)
#include <toml++/toml.h>

#include <string_view>

namespace kw {

/// Parses a file that may come from anybody. False, with an error() that has its line: it is no
/// TOML, or its keys are nested so deep that freeing their tables would take megabytes of stack.
toml::parse_result parse_toml(std::string_view text);

}  // namespace kw
