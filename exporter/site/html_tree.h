// SPDX-License-Identifier: GPL-2.0-or-later
// HTML that nests as it should, and holds nothing but what is allowed: parsed once as a browser
// does it, checked element by element, and written anew.
#pragma once

#include <string>
#include <string_view>

namespace kw::exporter::site {

/// `html`: the content of an element, whose raw parts RawHtml has bounded. Elements that
/// html_elements.h does not list are left out, their content stays; so are attributes unknown here
/// and destinations that are no path, anchor or URL of http or https. Of elements with one id the
/// first keeps it, and links to an anchor of the author (kAuthorAnchor) that is not there lead
/// nowhere.
std::string sanitised_html(std::string_view html);

}  // namespace kw::exporter::site
