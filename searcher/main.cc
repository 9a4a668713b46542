// SPDX-License-Identifier: GPL-2.0-or-later
#include "schema/cli/program.h"
#include "searcher/command/run.h"

int main(int argc, char** argv) {
  kw::cli::keep_memory();
  return kw::cli::run_program("kwsearch", [&] {
    const auto parsed = kw::search::parse_kwsearch_options(argc, argv);
    if (const auto* code = std::get_if<kw::ExitCode>(&parsed)) return *code;
    return kw::search::run_kwsearch(std::get<kw::search::KwsearchOptions>(parsed));
  });
}
