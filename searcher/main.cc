// SPDX-License-Identifier: GPL-2.0-or-later
#include <malloc.h>

#include <exception>

#include "searcher/run.h"

namespace {

/// Memory that was used once stays: giving it back and taking it again, a page fault each 4 KiB,
/// was a tenth of a search.
void keep_memory() {
  constexpr int kKept = 64 << 20;
  ::mallopt(M_TRIM_THRESHOLD, kKept);
  ::mallopt(M_MMAP_THRESHOLD, kKept);
}

}  // namespace

int main(int argc, char** argv) {
  keep_memory();
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
