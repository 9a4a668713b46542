// SPDX-License-Identifier: GPL-2.0-or-later
#include "schema/index/partition.h"

#define XXH_INLINE_ALL
#include <fmt/format.h>
#include <xxhash.h>

#include <charconv>

namespace kw {
namespace {

constexpr std::uint32_t kMaxPartitions = 9'999;

std::optional<std::uint32_t> parse_part(std::string_view text) {
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (number < 1 || number > kMaxPartitions) return std::nullopt;
  return number;
}

}  // namespace

std::optional<Partition> parse_partition(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const auto index = parse_part(text.substr(0, slash));
  const auto count = parse_part(text.substr(slash + 1));
  if (!index || !count || *index > *count) return std::nullopt;
  return Partition{*index, *count};
}

std::string to_string(const Partition& shard) {
  return fmt::format("{}/{}", shard.index, shard.count);
}

bool partition_holds(const Partition& shard, std::string_view group_key) {
  return shard.count == 1 ||
         XXH3_64bits(group_key.data(), group_key.size()) % shard.count == shard.index - 1;
}

}  // namespace kw
