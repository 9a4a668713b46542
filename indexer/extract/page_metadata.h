// SPDX-License-Identifier: GPL-2.0-or-later
// What the front matter of a page says of it: YAML by libyaml, TOML by toml++, JSON by
// nlohmann-json.
#pragma once

#include <string>
#include <vector>

#include "schema/text/front_matter.h"

namespace kw::indexer {

struct PageMetadata {
  std::string title;
  std::string description;
  std::vector<std::string> keywords;  ///< of `keywords`, `tags`, `aliases`, `slug`, in their order
};

/// Reads the keys of the top level; blanks and line ends in values become one blank. Never fails:
/// what cannot be read (a template's braces, a syntax error and all after it) is left out.
PageMetadata read_page_metadata(const FrontMatter& front);

}  // namespace kw::indexer
