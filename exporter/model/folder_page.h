// SPDX-License-Identifier: GPL-2.0-or-later
// The page of a folder: the folders and files in it, each file with its title, its language and its
// most telling names. A model without markup, as page.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "exporter/model/file_table.h"
#include "exporter/model/links.h"

namespace kw::exporter {

/// What a folder's page says of one file.
struct FileSummary {
  std::string title;
  std::string language;
  std::vector<std::string> top;  ///< its most telling names
  std::uint64_t bytes = 0;       ///< of its text
};

struct FolderPage {
  struct Folder {
    Link link;
    std::size_t files = 0;  ///< below it, at any depth
  };
  struct File {
    Link link;
    FileSummary summary;
  };

  std::string path;  ///< "." for the root
  Link above;        ///< without text for the root
  Link keywords;     ///< the list of all names below; without text where there is none
  std::vector<Folder> folders;
  std::vector<File> files;
  std::string project;
};

/// Every folder that files of the catalogue lie in, at any depth, by path; the root is "".
std::vector<std::string> folders_of(const FileTable& files);

/// `summaries`: by the catalogue's numbers.
FolderPage build_folder_page(const std::string& folder, const FileTable& files,
                             const std::vector<FileSummary>& summaries, const PageLinks& links);

}  // namespace kw::exporter
