// SPDX-License-Identifier: GPL-2.0-or-later
// Paths in URLs (RFC 3986, section 2.1).
#pragma once

#include <string>
#include <string_view>

namespace kw {

/// `path` as a relative URL that needs no further escaping, not even in HTML without quotes around
/// it: all but letters, digits and a few marks is written as %20.
std::string url_path(std::string_view path);

/// "%20" and the like as the bytes that they stand for.
std::string percent_decoded(std::string_view text);

}  // namespace kw
