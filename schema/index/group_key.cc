// SPDX-License-Identifier: GPL-2.0-or-later
#include "schema/index/group_key.h"

namespace kw {

std::string_view without_doc_suffixes(std::string_view path,
                                      const std::vector<std::string>& doc_suffixes) {
  bool again = true;
  while (again) {
    again = false;
    for (const std::string& suffix : doc_suffixes) {
      if (suffix.empty() || path.size() <= suffix.size() || !path.ends_with(suffix)) continue;
      if (path[path.size() - suffix.size() - 1] == '/') continue;  // the suffix is the whole name
      path.remove_suffix(suffix.size());
      again = true;
    }
  }
  return path;
}

std::string group_key(std::string_view path, const std::vector<std::string>& doc_suffixes,
                      std::string_view doc_root) {
  std::string_view key = without_doc_suffixes(path, doc_suffixes);
  if (key.size() != path.size() && !doc_root.empty() && key.starts_with(doc_root)) {
    const std::string_view rest = key.substr(doc_root.size());
    if (doc_root.ends_with('/') && !rest.empty()) key = rest;
    if (!doc_root.ends_with('/') && rest.size() > 1 && rest.front() == '/') key = rest.substr(1);
  }
  return std::string(key);
}

}  // namespace kw
