// SPDX-License-Identifier: GPL-2.0-or-later
// Which files' texts name a definition with its scope: `Tensor.add`, `at::Tensor`, `nn.Linear`. A
// search in a site cannot look into texts, so these files are listed when the site is made. Only
// names that the tree defines in that scope, or in that module, count: what stands before a dot is
// a variable most times.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "schema/index/record.h"

namespace kw::exporter::site {

class Mentions {
 public:
  /// Notes what a file defines. All files come before the first text.
  void add_definitions(const FileRecord& record);

  /// Notes what a file's text names and the file does not define itself. Files come in the order of
  /// their numbers.
  void add_text(std::uint32_t file, const FileRecord& record);

  /// The files of each, by its key: the name's, what parts it from its scope, the key of the
  /// scope's last part: `add.tensor`, `tensor.:at`. Beside the key of the name itself, then.
  using Files = std::map<std::string, std::vector<std::uint32_t>>;
  Files take();

 private:
  void add(std::uint32_t file, std::string_view scope, char sign, std::string_view name);

  std::vector<std::uint64_t> defined_;  ///< hashes of keys; sorted before the first text
  std::vector<std::uint64_t> own_;      ///< likewise, of the file under way
  bool is_sorted_ = false;
  std::unordered_map<std::string, std::vector<std::uint32_t>> files_;
  std::string key_, scope_key_;  ///< of the place under way
};

}  // namespace kw::exporter::site
