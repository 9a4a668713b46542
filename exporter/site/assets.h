// SPDX-License-Identifier: GPL-2.0-or-later
// The style sheet and the script of the site, part of the program: their sources are style.css and
// script/*.js beside this file, put into a generated source by embed.cmake. Both lie at the top of
// the site, once for all of its pages.
#pragma once

#include <string_view>

namespace kw::exporter::site {

inline constexpr std::string_view kSiteStyleName = "style.css";
inline constexpr std::string_view kSiteScriptName = "kwsearch.js";

/// The bytes of each.
extern const std::string_view kSiteStyle;
extern const std::string_view kSiteScript;

}  // namespace kw::exporter::site
