// SPDX-License-Identifier: GPL-2.0-or-later
#include "exporter/site/destination.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "schema/text/text.h"
#include "schema/text/url.h"

namespace kw::exporter::site {
std::optional<std::string> resolve_path(std::string_view folder, std::string_view path) {
  if (path.starts_with('/')) folder = {};
  std::vector<std::string_view> names;
  const auto walk = [&](std::string_view rest) {
    while (!rest.empty()) {
      const std::string_view name = rest.substr(0, rest.find('/'));
      rest.remove_prefix(std::min(name.size() + 1, rest.size()));
      if (name.empty() || name == ".") continue;
      if (name != "..") {
        names.push_back(name);
        continue;
      }
      if (names.empty()) return false;
      names.pop_back();
    }
    return true;
  };
  if (!walk(folder) || !walk(path)) return std::nullopt;
  return fmt::format("{}", fmt::join(names, "/"));
}

bool has_scheme(std::string_view url) {
  const std::size_t colon = url.find(':');
  return colon != std::string_view::npos && url.find_first_of("/?#") > colon;
}

std::optional<std::string> tree_path_of(std::string_view folder, std::string_view url) {
  if (has_scheme(url) || url.starts_with("//") || url.starts_with('\\')) return std::nullopt;
  const std::string path = percent_decoded(url.substr(0, url.find_first_of("?#")));
  if (path.empty()) return std::nullopt;
  return resolve_path(folder, path);
}

}  // namespace kw::exporter::site
