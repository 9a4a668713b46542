// SPDX-License-Identifier: GPL-2.0-or-later
// Whether a file is somebody's own work on the tree's subject, or a test, a copy from elsewhere, or
// made by a program. A search shows originals first.
#pragma once

#include <string_view>

namespace kw::indexer {

/// "original", "test", "vendored" or "generated": the values of Field::Origin. By names in the path
/// (of the file that a page is about) and by marks such as "@generated" near the start of the text.
std::string_view origin_of(std::string_view path, std::string_view text);

}  // namespace kw::indexer
