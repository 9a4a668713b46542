// SPDX-License-Identifier: GPL-2.0-or-later
// What the files of an export come from: every byte of the index, the options that change a page,
// and this very program. Where none of that changed, neither did the pages.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "exporter/command/options.h"
#include "schema/index/index_reader.h"

namespace kw::exporter {

/// A hash of all that, hexadecimal: an index that was written to has another one, even where it
/// says the same. Empty where it cannot be told. Reads the whole generation. `project` and
/// `output_depth` as in PageContext.
std::string hash_of_inputs(IndexReader& reader, const KwexportOptions& options,
                           const std::string& project, std::optional<std::size_t> output_depth);

}  // namespace kw::exporter
