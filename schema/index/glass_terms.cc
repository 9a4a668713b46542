// SPDX-License-Identifier: GPL-2.0-or-later
#include "schema/index/glass_terms.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>

#include "schema/index/glass_unpacker.h"

namespace kw {

bool is_glass_term_list(std::string_view list) {
  if (list.empty()) return true;
  GlassUnpacker in(list);
  in.number(32);         // the document's length
  in.number(32);         // how many terms
  std::size_t term = 0;  // bytes of the one before
  while (in.ok && !in.at_end()) {
    bool has_count = true;
    if (term > 0) {
      const std::size_t shared = in.byte();
      has_count = shared <= term;  // else the byte holds both
      term = has_count ? shared : shared % (term + 1);
    }
    const std::size_t more = in.byte();
    in.bytes(more);
    term += more;
    if (has_count) in.number(32);
  }
  return in.ok;
}

std::optional<std::string> inflate_glass_tag(std::string_view packed) {
  constexpr int kRawDeflate = -15;
  z_stream stream{};
  if (::inflateInit2(&stream, kRawDeflate) != Z_OK) return std::nullopt;
  const std::unique_ptr<z_stream, int (*)(z_stream*)> end(&stream, ::inflateEnd);
  // zlib does not write to its input.
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  std::array<char, 16384> piece;
  std::string text;
  int state = Z_OK;
  while (state == Z_OK) {
    stream.next_out = reinterpret_cast<Bytef*>(piece.data());
    stream.avail_out = static_cast<uInt>(piece.size());
    state = ::inflate(&stream, Z_SYNC_FLUSH);
    text.append(piece.data(), piece.size() - stream.avail_out);
  }
  if (state != Z_STREAM_END) return std::nullopt;
  return text;
}

}  // namespace kw
