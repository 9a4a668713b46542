// SPDX-License-Identifier: GPL-2.0-or-later
#include "exporter/model/folder_page.h"

#include <algorithm>
#include <set>

#include "exporter/model/keyword_index.h"
#include "exporter/output/output_dir.h"
#include "schema/text/text.h"

namespace kw::exporter {

std::vector<std::string> folders_of(const FileTable& files) {
  std::set<std::string> folders;
  for (const std::string& path : files.paths()) {
    std::string_view folder = folder_of(path);
    // What is there already has its folders above with it.
    while (folders.emplace(folder).second && !folder.empty()) folder = folder_of(folder);
  }
  return {folders.begin(), folders.end()};
}

FolderPage build_folder_page(const std::string& folder, const FileTable& files,
                             const std::vector<FileSummary>& summaries, const PageNames& names) {
  FolderPage page;
  page.path = folder.empty() ? "." : folder;
  if (!folder.empty()) {
    const std::string above(folder_of(folder));
    page.above = {above.empty() ? "." : above, "../" + names.folder_page};
  }
  if (!names.list_page.empty())
    page.keywords = {"all, A to Z", relative_path(folder, path_in(folder_of_list(folder, files),
                                                                  names.list_page))};
  // All below a folder stands together in the order of paths, and all below each folder in it.
  const std::string prefix = folder.empty() ? "" : folder + "/";
  const std::vector<std::string>& paths = files.paths();
  auto at = std::lower_bound(paths.begin(), paths.end(), prefix);
  for (; at != paths.end() && at->starts_with(prefix); ++at) {
    const std::string_view rest = std::string_view(*at).substr(prefix.size());
    const std::size_t slash = rest.find('/');
    if (slash != std::string_view::npos) {
      const std::string name(rest.substr(0, slash));
      if (page.folders.empty() || page.folders.back().link.text != name)
        page.folders.push_back({{name, name + "/" + names.folder_page}, 0});
      ++page.folders.back().files;
      continue;
    }
    const auto target = page_name(*at, names.page_suffix);
    const auto number = static_cast<std::size_t>(at - paths.begin());
    page.files.push_back(
        {{std::string(rest), target ? relative_path(folder, *target) : ""}, summaries[number]});
  }
  return page;
}

}  // namespace kw::exporter
