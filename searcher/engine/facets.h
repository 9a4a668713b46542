// SPDX-License-Identifier: GPL-2.0-or-later
// What results can be counted by.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "schema/index/record.h"
#include "searcher/match/match.h"

namespace kw::search {

enum class Facet {
  Folder,    ///< the folder of the file; "." at the root
  Language,  ///< the language of the file; "unknown"
  Kind       ///< the kind of the first definition that matches; "none"
};

struct FacetCount {
  std::string name;
  std::size_t results = 0;
};

/// The value of a result's facet.
std::string facet_of(const FileRecord& record, const FileMatch& match, Facet facet);

/// How often each value occurs: most first, then by name.
std::vector<FacetCount> count_values(const std::vector<std::string>& values);

}  // namespace kw::search
