// SPDX-License-Identifier: GPL-2.0-or-later
// Trains the dictionary that a RecordCodec compresses an index's records with.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "schema/base/result.h"

namespace kw::indexer {

/// Larger ones gain little more (132 MB of pages: none 38 MB, 64 KiB 31 MB) and slow each search.
inline constexpr std::size_t kMaxDictionaryBytes = 32 << 10;

/// Returns a dictionary for records like these samples, of at most kMaxDictionaryBytes; empty where
/// they are too few or too short to gain by one. The same samples give the same bytes. The training
/// runs in a child process: an Error says that it died, and costs only the dictionary. Call it
/// where this process has one thread.
Result<std::string> train_dictionary(const std::vector<std::string>& samples);

}  // namespace kw::indexer
