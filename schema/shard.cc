// SPDX-License-Identifier: GPL-2.0-or-later
#include "schema/shard.h"

#define XXH_INLINE_ALL
#include <fmt/format.h>
#include <xxhash.h>

#include <charconv>

namespace kw {
namespace {

constexpr std::uint32_t kMaxShards = 9'999;

std::optional<std::uint32_t> parse_part(std::string_view text) {
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (number < 1 || number > kMaxShards) return std::nullopt;
  return number;
}

}  // namespace

std::optional<Shard> parse_shard(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const auto index = parse_part(text.substr(0, slash));
  const auto count = parse_part(text.substr(slash + 1));
  if (!index || !count || *index > *count) return std::nullopt;
  return Shard{*index, *count};
}

std::string to_string(const Shard& shard) { return fmt::format("{}/{}", shard.index, shard.count); }

bool shard_holds(const Shard& shard, std::string_view pair_key) {
  return shard.count == 1 ||
         XXH3_64bits(pair_key.data(), pair_key.size()) % shard.count == shard.index - 1;
}

}  // namespace kw
