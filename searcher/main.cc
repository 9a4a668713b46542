// SPDX-License-Identifier: GPL-2.0-or-later
#include <exception>

#include "searcher/command/run.h"

int main(int argc, char** argv) {
  kw::cli::keep_memory();
  kw::cli::use_huge_pages();
  try {
    const auto parsed = kw::search::parse_kwsearch_options(argc, argv);
    if (const auto* code = std::get_if<kw::ExitCode>(&parsed)) return static_cast<int>(*code);
    return static_cast<int>(
        kw::search::run_kwsearch(std::get<kw::search::KwsearchOptions>(parsed)));
  } catch (const std::exception& e) {
    kw::cli::print_error("kwsearch",
                         {kw::ErrorCode::Failed, std::string("internal error: ") + e.what(), ""});
    return static_cast<int>(kw::ExitCode::Fatal);
  }
}
