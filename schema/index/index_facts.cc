// SPDX-License-Identifier: GPL-2.0-or-later
#include "schema/index/index_facts.h"

#include <fmt/format.h>

#include "schema/index/version.h"
#include "schema/text/text.h"

namespace kw {

std::string about_index(const char* attempt, const std::string& path) {
  return fmt::format("cannot {} index '{}'", attempt, printable(path));
}

void for_each_fact(const IndexInfo& info,
                   const std::function<void(Meta, const std::string&)>& set) {
  set(Meta::Version, fmt::format("{}", kSchemaVersion));
  set(Meta::Fingerprint, fmt::format("{:016x}", schema_fingerprint()));
  set(Meta::Root, info.root);
  set(Meta::Partition, info.shard);
  set(Meta::Options, to_json(info.options, info.stored));
  set(Meta::Ctags, info.ctags_version);
  set(Meta::Id, info.id);
}

}  // namespace kw
