// SPDX-License-Identifier: GPL-2.0-or-later
#include "exporter/site/destination.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "schema/text/text.h"

namespace kw::exporter::site {
namespace {

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

std::string percent_decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool escape = text[i] == '%' && i + 2 < text.size() && hex_value(text[i + 1]) >= 0 &&
                        hex_value(text[i + 2]) >= 0;
    if (!escape) {
      out += text[i];
      continue;
    }
    out += static_cast<char>(hex_value(text[i + 1]) * 16 + hex_value(text[i + 2]));
    i += 2;
  }
  return out;
}

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
