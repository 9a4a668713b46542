// SPDX-License-Identifier: GPL-2.0-or-later
// What the pages of one export are made from beside the record of each file: read once, before the
// first page.
#pragma once

#include <string>
#include <vector>

#include "exporter/model/file_table.h"
#include "exporter/model/keyword_index.h"
#include "exporter/model/term_weights.h"

namespace kw::exporter {

struct IndexedTree {
  FileTable files;
  std::vector<std::string> overlong;  ///< paths of files that get no page: kMaxPagePathBytes
  TreeStatistics statistics;          ///< empty for profile classic
  KeywordIndex keywords;              ///< empty where no folder gets a list
};

}  // namespace kw::exporter
