// SPDX-License-Identifier: GPL-2.0-or-later
// Where the front matter of a page ends: the keys that a static site generator reads before the
// text. What the keys say: indexer/extract/page_metadata.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace kw {

enum class FrontMatterKind : std::uint8_t {
  Yaml,  ///< between `---` and `---` or `...`
  Toml,  ///< between `+++` and `+++`
  Json   ///< an object, from a line `{` to a line `}`
};

struct FrontMatter {
  FrontMatterKind kind = FrontMatterKind::Yaml;
  std::uint32_t lines = 0;  ///< delimiters included; 0 if there is none
  std::size_t bytes = 0;    ///< of all these lines
  std::string_view values;  ///< what a reader of the kind takes; points into the text
};

/// Returns the front matter at the top of `text`. Its last YAML key would else be a heading,
/// underlined by the closing rule. At most 500 lines and 64 KiB; a page that claims more has none.
FrontMatter front_matter_of(std::string_view text);

}  // namespace kw
