// SPDX-License-Identifier: GPL-2.0-or-later
// Text inside HTML: the one place of the site that escapes. What comes out holds no markup, no
// character that HTML forbids and none that turns or breaks a line, whatever went in.
#pragma once

#include <string>
#include <string_view>

#include "schema/text/url.h"

namespace kw::exporter::site {

/// Appends `text` as content of an element; quotes stay as they are, so not for an attribute. Tabs
/// and newlines stay; other control characters and overrides of direction are shown as in
/// printable().
void append_html(std::string& out, std::string_view text);

std::string html(std::string_view text);

/// `text` as the value of an attribute, with quotes around it where it needs them: `id={}`.
std::string attribute(std::string_view text);

/// An absolute URL as somebody wrote it, for a quoted attribute. Empty unless it is of http or
/// https.
std::string html_url(std::string_view url);

/// The same for what a link may lead to: an address of mail (mailto:), too.
std::string html_link_url(std::string_view url);

}  // namespace kw::exporter::site
