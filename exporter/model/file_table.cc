// SPDX-License-Identifier: GPL-2.0-or-later
#include "exporter/model/file_table.h"

#include <algorithm>

namespace kw::exporter {

FileTable::FileTable(const std::vector<StoredFile>& files) {
  for (const StoredFile& file : files) {
    numbers_.emplace(file.docid, paths_.size());
    paths_.push_back(file.path);
    docids_.push_back(file.docid);
  }
}

std::optional<std::size_t> FileTable::find(std::string_view path) const {
  const auto at = std::lower_bound(paths_.begin(), paths_.end(), path);
  if (at == paths_.end() || *at != path) return std::nullopt;
  return static_cast<std::size_t>(at - paths_.begin());
}

std::optional<std::size_t> FileTable::number_of(std::uint32_t docid) const {
  const auto at = numbers_.find(docid);
  if (at == numbers_.end()) return std::nullopt;
  return at->second;
}

}  // namespace kw::exporter
