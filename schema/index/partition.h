// SPDX-License-Identifier: GPL-2.0-or-later
// Which part of a tree an index holds, where several machines share the work.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace kw {

/// Part `index` of `count`, counted from 1.
struct Partition {
  std::uint32_t index = 1;
  std::uint32_t count = 1;

  bool operator==(const Partition&) const = default;
};

/// "2/8" and back. Nothing for what is none: a part outside 1 to N, more than 9,999 parts.
std::optional<Partition> parse_partition(std::string_view text);
std::string to_string(const Partition& shard);

/// A file belongs to one shard, by a hash of its pair key: a source and its pages stay together,
/// since a search groups them and asks each shard by itself. The same for ever: indexes are split
/// by it.
bool partition_holds(const Partition& shard, std::string_view group_key);

}  // namespace kw
