// SPDX-License-Identifier: GPL-2.0-or-later
// The texts of files for the site's search, which shows lines of its results: packed as a browser
// can unpack them by itself (DecompressionStream), in characters that a script may hold.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "schema/base/result.h"

namespace kw::exporter::site {

/// Text as zlib's format in base64. Fails if there is no memory for it.
Result<std::string> pack_text(std::string_view text);

/// A part of a text that is kept by itself.
struct TextPart {
  std::uint32_t first_line = 1;
  std::string_view text;
};

/// Cuts a text into parts of whole lines, each of at most `most` bytes: a line that is longer is a
/// part and loses its end. At most `most_parts`; what is behind them is left out. One part, if
/// empty, at least.
std::vector<TextPart> text_parts(std::string_view text, std::size_t most, std::size_t most_parts);

}  // namespace kw::exporter::site
