// SPDX-License-Identifier: GPL-2.0-or-later
// What an export counts and tells while it runs.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "schema/base/error.h"

namespace kw::exporter {

struct ExportCounts {
  std::uint64_t pages = 0;    ///< asked for, of the files of the index that --path lets in
  std::uint64_t written = 0;  ///< in a dry run, as below: would be
  std::uint64_t unchanged = 0;
  std::uint64_t removed = 0;
  std::uint64_t failed = 0;  ///< pages that could not be written or removed; each was told
  std::uint64_t bytes = 0;   ///< of all pages written and unchanged
};

/// What is told while the export runs. Each may be empty.
struct ExportEvents {
  std::function<void(const std::string& page)> written;
  std::function<void(const std::string& page)> removed;
  std::function<void(const Error&)> failed;  ///< one page; the export goes on
  std::function<void(const std::string& note)> noted;
  std::function<void(std::uint64_t done, std::uint64_t total)> progress;
};

}  // namespace kw::exporter
