// SPDX-License-Identifier: GPL-2.0-or-later
#include "exporter/model/keyword_page.h"

#include <algorithm>

namespace kw::exporter {
namespace {

/// "ab", or "ab (2)" for a second part of these letters.
std::string title_of_part(const ListPart& part) {
  return part.number > 1 ? part.prefix + " (" + std::to_string(part.number) + ")" : part.prefix;
}

}  // namespace

KeywordPage build_keyword_page(const std::string& folder, const KeywordList& list,
                               const ListedNames& names, const ListPart& part,
                               const FileTable& files, const PageLinks& links) {
  KeywordPage page;
  page.path = folder.empty() ? "." : folder;
  page.folder = links.to_folder(page.path, folder, folder);
  if (part.slug().empty()) {
    for (const ListPart& other : list.parts())
      if (!other.slug().empty())
        page.parts.push_back(links.to_list(title_of_part(other), folder, folder, other.slug()));
  } else {
    page.part = title_of_part(part);
    page.first = links.to_list(page.path, folder, folder, "");
  }
  std::vector<std::uint32_t> used;
  for (const std::uint32_t number : part.names) {
    page.names.push_back(names.name(number));
    for (const ListedName::Definer& d : page.names.back().definers) used.push_back(d.file);
    used.insert(used.end(), page.names.back().users.begin(), page.names.back().users.end());
  }
  std::sort(used.begin(), used.end());
  used.erase(std::unique(used.begin(), used.end()), used.end());
  const auto place_of = [&used](std::uint32_t file) {
    return static_cast<std::uint32_t>(std::lower_bound(used.begin(), used.end(), file) -
                                      used.begin());
  };
  for (ListedName& name : page.names) {
    for (ListedName::Definer& d : name.definers) d.file = place_of(d.file);
    for (std::uint32_t& file : name.users) file = place_of(file);
  }
  for (const std::uint32_t file : used) {
    const std::string& path = files.paths()[file];
    page.files.push_back(
        links.to_page(path.substr(folder.empty() ? 0 : folder.size() + 1), folder, path));
  }
  return page;
}

}  // namespace kw::exporter
