// SPDX-License-Identifier: GPL-2.0-or-later
// The command line of kwsearch.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "schema/cli/program.h"
#include "searcher/engine/search.h"

namespace kw::search {

enum class OutputForm { Text, Paths, Count, CountBy, Json, Vimgrep };

struct KwsearchOptions {
  cli::CommonOptions common;
  /// As given, collections as @NAME; empty: $KWSEARCH_DB, else the nearest above.
  std::vector<std::string> databases;
  double timeout_seconds = OpenOptions().timeout_seconds;
  bool partial = false;  ///< leave out databases that cannot be opened or do not answer
  std::string query;
  std::string regex;  ///< of -e; empty: none
  SearchOptions search;
  OutputForm form = OutputForm::Text;
  Facet facet = Facet::Folder;     ///< of CountBy
  std::size_t lines_per_file = 3;  ///< 0: all
  std::size_t context = 0;
  bool null_separated = false;  ///< paths end in a zero byte, not a newline
  bool absolute = false;
  bool explain = false;
  bool links = false;
  bool serve = false;  ///< --serve-stdio
  bool list_fields = false;
  bool list_collections = false;
  std::optional<std::string> complete;  ///< say what a word may become, and nothing else
};

/// The options, or the code to exit with: help, version and errors are already printed.
std::variant<KwsearchOptions, ExitCode> parse_kwsearch_options(int argc, const char* const* argv);

}  // namespace kw::search
