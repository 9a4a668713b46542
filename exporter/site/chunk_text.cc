// SPDX-License-Identifier: GPL-2.0-or-later
#include "exporter/site/chunk_text.h"

#define XXH_INLINE_ALL
#include <fmt/format.h>
#include <sys/types.h>
#include <xxhash.h>

#include <cerrno>
#include <cstring>

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

Error spool_error() {
  return {
      ErrorCode::Failed,
      fmt::format("cannot keep the search's shards in a temporary file: {}", std::strerror(errno)),
      "see that TMPDIR or /tmp has room"};
}

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
  spool.file_.reset(std::tmpfile());
  if (!spool.file_) return spool_error();
  return spool;
}

Result<void> ChunkSpool::add(std::string name, std::string_view bytes) {
  if (std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) != bytes.size()) return spool_error();
  shards_.push_back({std::move(name), bytes_, bytes.size()});
  bytes_ += bytes.size();
  return {};
}

Result<std::string> ChunkSpool::read(std::size_t i) const {
  const Partition& shard = shards_[i];
  std::string bytes(shard.size, '\0');
  if (::fseeko(file_.get(), static_cast<off_t>(shard.begin), SEEK_SET) != 0 ||
      std::fread(bytes.data(), 1, bytes.size(), file_.get()) != bytes.size())
    return spool_error();
  return bytes;
}

}  // namespace kw::exporter::site
