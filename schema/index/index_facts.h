// SPDX-License-Identifier: GPL-2.0-or-later
// What holds for a whole index, and what else both ways of writing one share: batch_writer.cc,
// index_writer.cc.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "schema/index/index_options.h"
#include "schema/index/metadata.h"

namespace kw {

/// What holds for a whole index.
struct IndexInfo {
  std::string root;  ///< see Meta::Root
  std::string shard = "1/1";
  IndexOptions options;  ///< what is indexed
  /// What command lines have stored, where configuration files changed some of it.
  std::optional<IndexOptions> stored = std::nullopt;
  std::string ctags_version;  ///< see Meta::Ctags
  std::string id = {};        ///< see Meta::Id; empty: none

  bool operator==(const IndexInfo&) const = default;
};

/// "cannot write index 'x'": how their errors begin.
std::string about_index(const char* attempt, const std::string& path);

/// Calls `set` with what the metadata has of an index.
void for_each_fact(const IndexInfo& info, const std::function<void(Meta, const std::string&)>& set);

}  // namespace kw
