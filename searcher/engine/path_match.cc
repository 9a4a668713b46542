// SPDX-License-Identifier: GPL-2.0-or-later
#include "searcher/engine/path_match.h"

#include <algorithm>
#include <array>

#include "schema/text/splitter.h"
#include "searcher/query/path_reference.h"

namespace kw::search {
namespace {

std::string_view without_extension(std::string_view name) {
  const std::size_t dot = name.find('.', 1);
  return dot == name.npos ? name : name.substr(0, dot);
}
std::string_view without_last_extension(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  return dot == name.npos || dot == 0 ? name : name.substr(0, dot);
}

bool is_main_file(std::string_view name) {
  const auto& names = main_file_names();
  return std::find(names.begin(), names.end(), fold(without_extension(name))) != names.end();
}

/// Whether two names are the same, and whether in the same case.
bool same(std::string_view asked, std::string_view name, bool& exact) {
  if (asked == name) return true;
  if (fold(asked) != fold(name)) return false;
  exact = false;
  return true;
}

}  // namespace

const std::vector<std::string>& main_file_names() {
  static const std::vector<std::string> kNames{"__init__", "index",  "mod",      "lib",
                                               "main",     "_index", "__main__", "readme"};
  return kNames;
}

PathAgreement agreement(const std::vector<std::string>& parts, std::string_view path) {
  PathAgreement found;
  std::vector<std::string> names = path_parts(path);
  if (parts.empty() || names.empty()) return found;
  const std::string& last = parts.back();
  bool agrees = same(last, names.back(), found.exact) ||
                same(last, without_extension(names.back()), found.exact) ||
                same(last, without_last_extension(names.back()), found.exact);
  if (!agrees && names.size() > 1 && is_main_file(names.back())) {
    names.pop_back();
    found.main_file = agrees = same(last, names.back(), found.exact);
  }
  if (!agrees) return {};
  found.parts = 1;
  while (found.parts < parts.size() && found.parts < names.size() &&
         same(parts[parts.size() - 1 - found.parts], names[names.size() - 1 - found.parts],
              found.exact))
    ++found.parts;
  found.whole_path = found.parts == names.size();
  return found;
}

std::vector<std::string> module_of(std::string_view path) {
  static constexpr std::array<std::string_view, 8> kSourceFolders{
      "src", "lib", "source", "include", "java", "kotlin", "main", "packages"};
  std::vector<std::string> names = path_parts(path);
  if (!names.empty()) {
    names.back() = std::string(without_extension(names.back()));
    if (is_main_file(names.back())) names.pop_back();
  }
  std::vector<std::string> module;
  for (std::string& name : names)
    if (std::find(kSourceFolders.begin(), kSourceFolders.end(), fold(name)) == kSourceFolders.end())
      module.push_back(std::move(name));
  return module;
}

}  // namespace kw::search
