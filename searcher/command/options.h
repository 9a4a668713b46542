// SPDX-License-Identifier: GPL-2.0-or-later
// The command line of kwsearch.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "schema/cli/program.h"
#include "searcher/output/present.h"
#include "searcher/output/request.h"

namespace kw::search {

struct KwsearchOptions : SearchRequest, PresentationOptions {
  cli::CommonOptions common;    ///< its color and config are those of the bases
  Facet facet = Facet::Folder;  ///< of OutputForm::CountBy
  bool serve = false;           ///< --serve-stdio
  bool list_fields = false;
  bool list_collections = false;
  std::optional<std::string> complete;  ///< say what a word may become, and nothing else
};

/// The options, or the code to exit with: help, version and errors are already printed.
std::variant<KwsearchOptions, ExitCode> parse_kwsearch_options(int argc, const char* const* argv);

}  // namespace kw::search
