// SPDX-License-Identifier: GPL-2.0-or-later
// Which files the index holds, so that links lead only to what is there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "schema/index/index_reader.h"

namespace kw::exporter {

class FileTable {
 public:
  FileTable() = default;
  /// `files` by path, as IndexReader::stored_files gives them.
  explicit FileTable(const std::vector<StoredFile>& files);

  /// By path; their places are the numbers below.
  const std::vector<std::string>& paths() const { return paths_; }
  std::optional<std::size_t> find(std::string_view path) const;
  /// The number of a document; nothing if it came after the catalogue was made.
  std::optional<std::size_t> number_of(std::uint32_t docid) const;
  std::uint32_t docid_of(std::size_t number) const { return docids_[number]; }

 private:
  std::vector<std::string> paths_;
  std::vector<std::uint32_t> docids_;
  std::unordered_map<std::uint32_t, std::size_t> numbers_;
};

}  // namespace kw::exporter
