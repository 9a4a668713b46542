// SPDX-License-Identifier: GPL-2.0-or-later
#include "exporter/model/folder_page.h"

#include <algorithm>
#include <set>

#include "exporter/model/keyword_index.h"
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
                             const std::vector<FileSummary>& summaries, const PageLinks& links) {
  FolderPage page;
  page.path = folder.empty() ? "." : folder;
  if (!folder.empty()) {
    const std::string above(folder_of(folder));
    page.above = links.to_folder(above.empty() ? "." : above, folder, above);
  }
  const Link list = links.to_list("all, A to Z", folder, folder_of_list(folder, files), "");
  if (!list.target.empty()) page.keywords = list;
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
        page.folders.push_back({links.to_folder(name, folder, prefix + name), 0});
      ++page.folders.back().files;
      continue;
    }
    const auto number = static_cast<std::size_t>(at - paths.begin());
    page.files.push_back({links.to_page(std::string(rest), folder, *at), summaries[number]});
  }
  return page;
}

}  // namespace kw::exporter
