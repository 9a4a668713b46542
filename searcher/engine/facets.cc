// SPDX-License-Identifier: GPL-2.0-or-later
#include "searcher/engine/facets.h"

#include <algorithm>
#include <map>
#include <string_view>

#include "schema/text/text.h"

namespace kw::search {

std::string facet_of(const FileRecord& record, const FileMatch& match, Facet facet) {
  switch (facet) {
    case Facet::Folder: {
      const std::string_view folder = folder_of(record.path);
      return folder.empty() ? "." : std::string(folder);
    }
    case Facet::Language:
      return record.language.empty() ? "unknown" : record.language;
    case Facet::Kind:
      return match.definitions.empty() ? "none" : match.definitions[0].kind;
  }
  return {};
}

std::vector<FacetCount> count_values(const std::vector<std::string>& values) {
  std::map<std::string, std::size_t> counts;
  for (const std::string& value : values) ++counts[value];
  std::vector<FacetCount> sorted;
  for (const auto& [name, n] : counts) sorted.push_back({name, n});
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const FacetCount& a, const FacetCount& b) { return a.results > b.results; });
  return sorted;
}

}  // namespace kw::search
