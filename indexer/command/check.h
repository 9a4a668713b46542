// SPDX-License-Identifier: GPL-2.0-or-later
// --check: is the index whole? The blocks of its tables (glass_check.h); then of each document that
// its record decodes, that the text is what was hashed, and that terms, sections and values are
// those which this program makes of path, text and definitions. Reads everything; mends nothing.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "indexer/command/options.h"
#include "schema/base/result.h"

namespace kw::indexer {

struct Fault {
  std::string path;  ///< of the file; empty: the whole index
  std::string what;
};

struct CheckReport {
  std::uint64_t files = 0;   ///< documents that were looked at
  std::uint64_t faults = 0;  ///< all of them
  std::vector<Fault> first;  ///< the first kMaxFaults
};

inline constexpr std::size_t kMaxFaults = 100;

/// Fails if the index cannot be opened or a block of it is damaged. Needs no right to write: what
/// is being checked stays as it is, whoever updates the index meanwhile.
Result<CheckReport> check_index(const KwindexOptions& options);

/// {"files", "faults", "first": [{"path", "fault"}]} on one line.
std::string to_json(const CheckReport& report);
/// "18 files checked, no fault", or a line a fault before that.
std::string to_text(const CheckReport& report);

}  // namespace kw::indexer
