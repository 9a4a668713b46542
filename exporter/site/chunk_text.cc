// SPDX-License-Identifier: GPL-2.0-or-later
#include "exporter/site/chunk_text.h"

#define XXH_INLINE_ALL
#include <fmt/format.h>
#include <xxhash.h>

#include "schema/text/text.h"

namespace kw::exporter::site {
namespace {

static_assert(2 * kNumberBase == '}' - '#', "from `#` to `}` without the backslash");

char digit(std::uint64_t value) {
  const int c = '#' + static_cast<int>(value);
  return static_cast<char>(c < '\\' ? c : c + 1);
}

// One name in so many begins a shard once the least size is reached.
constexpr std::uint64_t kCutOneIn = 32;

}  // namespace

void put_number(std::string& out, std::uint64_t number) {
  for (; number >= kNumberBase; number /= kNumberBase)
    out.push_back(digit(kNumberBase + number % kNumberBase));
  out.push_back(digit(number));
}

void put_signed(std::string& out, std::int64_t number) {
  put_number(out, number < 0 ? static_cast<std::uint64_t>(-(number + 1)) * 2 + 1
                             : static_cast<std::uint64_t>(number) * 2);
}

std::string js_string(std::string_view text) {
  std::string out = "\"";
  for (const char c : is_utf8(text) ? std::string(text) : to_valid_utf8(text)) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (byte < 0x20 || byte == 0x7f) {
      out += fmt::format("\\u{:04x}", byte);
    } else {
      out += c;
    }
  }
  return out + '"';
}

std::string chunk_name(std::string_view data) {
  std::string name;
  std::uint64_t hash = XXH3_64bits(data.data(), data.size());
  for (std::size_t i = 0; i < kChunkNameLength; ++i, hash >>= 5)
    name += "abcdefghijklmnopqrstuvwxyz234567"[hash & 31];
  return name;
}

std::string chunk_script(std::string_view name, std::string_view data) {
  return fmt::format("/* Keyword Index: search */\nkwShard(\"{}\",{});\n", name, data);
}

bool ChunkCutter::begins(std::string_view name, std::size_t size) {
  const bool full = bytes_ > 0 && bytes_ + size > most_;
  const bool chosen = bytes_ >= least_ && XXH3_64bits(name.data(), name.size()) % kCutOneIn == 0;
  if (full || chosen) bytes_ = 0;
  bytes_ += size;
  return full || chosen;
}

Result<ChunkSpool> ChunkSpool::create() {
  ChunkSpool spool;
  spool.file_ = KW_TRY(SpillFile::create());
  return spool;
}

Result<void> ChunkSpool::add(std::string name, std::string_view bytes) {
  shards_.push_back({std::move(name), file_.size(), bytes.size()});
  return file_.append(bytes);
}

Result<std::string> ChunkSpool::read(std::size_t i) const {
  return file_.read(shards_[i].begin, shards_[i].size);
}

}  // namespace kw::exporter::site
