// SPDX-License-Identifier: GPL-2.0-or-later
// Small indexes for tests of what reads them, made without walking a tree or running ctags. Terms
// and sections are the indexer's own; definitions are given.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "schema/index/database_dir.h"
#include "schema/index/index_writer.h"

namespace kw::test {

struct IndexedFile {
  std::string path;
  std::string text;
  std::vector<Definition> definitions = {};  ///< by line
};

/// What the indexer makes of the file, with its definitions. Throws if it would leave the file out.
IndexEntry make_entry(const IndexedFile& file, const IndexOptions& options = {});

/// The info of an index in a `.kwsearch` of the indexed folder itself.
IndexInfo info_inside_root();

/// Makes an index of `files` the live generation of `database`, a new one beside those that are
/// there. The default is one in its root. Throws if it cannot.
DatabaseFolder build_index(const std::filesystem::path& database, std::vector<IndexedFile> files,
                           const IndexInfo& info = info_inside_root());

}  // namespace kw::test
