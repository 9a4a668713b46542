// SPDX-License-Identifier: GPL-2.0-or-later
#include "exporter/site/packed_text.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>

#include "schema/text/text.h"

namespace kw::exporter::site {
namespace {

std::string base64(std::string_view bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const auto byte = [&](std::size_t k) -> std::uint32_t {
      return i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0;
    };
    const std::uint32_t three = byte(0) << 16 | byte(1) << 8 | byte(2);
    for (std::size_t k = 0; k < 4; ++k)
      out += i + k <= bytes.size() ? kDigits[three >> (18 - 6 * k) & 63] : '=';
  }
  return out;
}

}  // namespace

Result<std::string> pack_text(std::string_view text) {
  uLongf size = compressBound(static_cast<uLong>(text.size()));
  std::string packed(size, '\0');
  const int status = compress2(reinterpret_cast<Bytef*>(packed.data()), &size,
                               reinterpret_cast<const Bytef*>(text.data()),
                               static_cast<uLong>(text.size()), Z_DEFAULT_COMPRESSION);
  if (status != Z_OK)
    return Error{ErrorCode::Failed,
                 fmt::format("cannot compress the texts of the search: zlib's error {}", status),
                 "see that there is memory to run in"};
  packed.resize(size);
  return base64(packed);
}

std::vector<TextPart> text_parts(std::string_view text, std::size_t most, std::size_t most_parts) {
  std::vector<TextPart> parts;
  std::uint32_t line = 1;
  do {
    std::size_t end = text.size(), kept = end;
    if (text.size() > most) {
      const std::size_t newline = text.rfind('\n', most - 1);
      end = kept = newline + 1;
      if (newline == std::string_view::npos) {
        end = std::min(text.find('\n', most), text.size() - 1) + 1;
        for (kept = most; kept > 0 && is_continuation(text[kept]);) --kept;
      }
    }
    parts.push_back({line, text.substr(0, kept)});
    line += static_cast<std::uint32_t>(std::count(text.data(), text.data() + end, '\n'));
    text.remove_prefix(end);
  } while (!text.empty() && parts.size() < most_parts);
  return parts;
}

}  // namespace kw::exporter::site
