// SPDX-License-Identifier: GPL-2.0-or-later
// The page of profile full: what the file defines, by kind; what it imports; its most telling
// names; where each stands; what each section is about; and which files define what it uses. Made
// from the record and from what the whole index says of its names.
#pragma once

#include <string>
#include <vector>

#include "exporter/model/file_table.h"
#include "exporter/model/links.h"
#include "exporter/model/page.h"
#include "exporter/model/term_weights.h"
#include "schema/index/index_options.h"
#include "schema/index/record.h"

namespace kw::exporter {

/// What is the same for all pages of an export.
struct FullContext {
  const PageContext& page;
  const IndexOptions& options;  ///< of the index: how pages about files are named
  const FileTable& files;
  const TreeStatistics& statistics;
  const PageLinks& links;
  Forge forge = Forge::GitHub;
};

struct FullPage {
  Page page;
  std::vector<std::string> top;  ///< the file's most telling names, for the page of its folder
};

/// The source that `path` is a page about, as a number of the catalogue; nothing if it is none or
/// the index lacks it.
std::optional<std::size_t> source_of_page(const std::string& path, const FullContext& context);

/// `source`: the record, text not needed, of the file that source_of_page names; nullptr for none.
FullPage build_full_page(const FileRecord& record, const FileRecord* source,
                         const FullContext& context);

}  // namespace kw::exporter
