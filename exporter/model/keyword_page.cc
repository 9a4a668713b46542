// SPDX-License-Identifier: GPL-2.0-or-later
#include "exporter/model/keyword_page.h"

#include <algorithm>

#include "exporter/output/output_dir.h"

namespace kw::exporter {
namespace {

/// "ab", or "ab (2)" for a second part of these letters.
std::string title_of_part(const ListPart& part) {
  return part.number > 1 ? part.prefix + " (" + std::to_string(part.number) + ")" : part.prefix;
}

}  // namespace

std::string list_page_name(std::string_view list_page, const ListPart& part) {
  const std::string slug = part.slug();
  if (slug.empty()) return std::string(list_page);
  const std::size_t dot = list_page.rfind('.');
  const std::size_t stem = dot == std::string_view::npos || dot == 0 ? list_page.size() : dot;
  return std::string(list_page.substr(0, stem)) + "-" + slug + std::string(list_page.substr(stem));
}

KeywordPage build_keyword_page(const std::string& folder, const KeywordList& list,
                               const ListPart& part, const FileTable& files,
                               const PageNames& names) {
  KeywordPage page;
  page.path = folder.empty() ? "." : folder;
  page.folder = {page.path, names.folder_page};
  if (part.slug().empty()) {
    for (const ListPart& other : list.parts())
      if (!other.slug().empty())
        page.parts.push_back({title_of_part(other), list_page_name(names.list_page, other)});
  } else {
    page.part = title_of_part(part);
    page.first = {page.path, names.list_page};
  }
  std::vector<std::uint32_t> used;
  for (const std::uint32_t place : part.names) {
    page.names.push_back(list.name(place));
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
    const auto target = page_name(path, names.page_suffix);
    page.files.push_back({path.substr(folder.empty() ? 0 : folder.size() + 1),
                          target ? relative_path(folder, *target) : std::string()});
  }
  return page;
}

}  // namespace kw::exporter
