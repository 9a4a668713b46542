// SPDX-License-Identifier: GPL-2.0-or-later
// How far the end of a file's path agrees with a path that was pasted, or with the names of a
// module. Pure: no index.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace kw::search {

struct PathAgreement {
  std::size_t parts = 0;    ///< of those asked, counted from the last
  bool whole_path = false;  ///< every name of the file's path agrees
  bool exact = true;        ///< in the same case
  bool main_file = false;   ///< the file stands for its folder: __init__.py, index.ts, mod.rs

  bool operator==(const PathAgreement&) const = default;
};

/// `parts` from the first folder to the file; `path` with `/`. A last part without an extension
/// agrees with a file of any (torch.nn.functional), or with the main file of a folder of its name.
/// No part agrees where the last does not.
PathAgreement agreement(const std::vector<std::string>& parts, std::string_view path);

/// File names, folded and without extension, that stand for their folder.
const std::vector<std::string>& main_file_names();

/// The names that languages derive for what a file defines, outermost first: its folders and its
/// own name without extension; without main files and folders that only hold sources (src, lib).
std::vector<std::string> module_of(std::string_view path);

}  // namespace kw::search
