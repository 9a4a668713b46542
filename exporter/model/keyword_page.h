// SPDX-License-Identifier: GPL-2.0-or-later
// A part of a folder's list of keywords as a page: keyword_index.h with links to the pages of the
// files. A model without markup, as page.h.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "exporter/model/file_table.h"
#include "exporter/model/keyword_index.h"
#include "exporter/model/links.h"

namespace kw::exporter {

struct KeywordPage {
  std::string path;               ///< of the folder, "." for the root
  std::string part;               ///< what its names begin with; empty for the first part
  Link folder;                    ///< its page; without a target where folders have none
  Link first;                     ///< the list's first part; without text on that itself
  std::vector<Link> parts;        ///< on the first part: the others
  std::vector<ListedName> names;  ///< file numbers are places in `files`
  std::vector<Link> files;        ///< in order of path
  std::string project;
};

/// `part`: one of `list`, which is that of `folder`; `names` has those of the part.
KeywordPage build_keyword_page(const std::string& folder, const KeywordList& list,
                               const ListedNames& names, const ListPart& part,
                               const FileTable& files, const PageLinks& links);

}  // namespace kw::exporter
