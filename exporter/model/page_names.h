// SPDX-License-Identifier: GPL-2.0-or-later
// How an export names its pages, beside the names of the files that they are about.
#pragma once

#include <string>
#include <string_view>

#include "schema/base/result.h"

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

/// The name of the page about `path`, relative to the output folder. A file name over 255 bytes
/// (the limit of the usual file systems) becomes head + hash + suffix. Refused: a path that would
/// lead outside, which only a damaged or hostile index holds.
Result<std::string> page_name(std::string_view path, std::string_view suffix);

/// The name of one page of a list of keywords: "sub.md" and "ab" give "sub-ab.md", no `slug`
/// (ListPart::slug) "sub.md".
std::string list_page_name(std::string_view list_page, std::string_view slug);

}  // namespace kw::exporter
