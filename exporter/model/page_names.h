// SPDX-License-Identifier: GPL-2.0-or-later
// How an export names its pages, beside the names of the files that they are about.
#pragma once

#include <string>
#include <string_view>

namespace kw::exporter {

struct PageNames {
  std::string page_suffix = "_kw.md";
  std::string folder_page = {};  ///< of each folder; empty if there are none
  std::string list_page = {};    ///< of each folder's list of keywords; empty if there are none
};

/// "a/b" and "c": "a/b/c". The root is "".
inline std::string path_in(std::string_view folder, std::string_view name) {
  std::string path(folder);
  if (!folder.empty()) path += '/';
  path += name;
  return path;
}

}  // namespace kw::exporter
