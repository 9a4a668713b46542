// SPDX-License-Identifier: GPL-2.0-or-later
#include <exception>

#include "searcher/run.h"

int main(int argc, char** argv) {
  kw::keep_memory();
  kw::use_huge_pages();
  try {
    const auto parsed = kw::parse_kwsearch_options(argc, argv);
    if (const auto* code = std::get_if<kw::ExitCode>(&parsed)) return static_cast<int>(*code);
    return static_cast<int>(kw::run_kwsearch(std::get<kw::KwsearchOptions>(parsed)));
  } catch (const std::exception& e) {
    kw::print_error("kwsearch",
                    {kw::ErrorCode::Failed, std::string("internal error: ") + e.what(), ""});
    return static_cast<int>(kw::ExitCode::Fatal);
  }
}
