// SPDX-License-Identifier: GPL-2.0-or-later
// The style sheet, the scripts and the icon of the site, part of the program: their sources are
// style.css, icon.svg and script/*.js beside this file, put into a generated source by embed.cmake.
// They lie at the top of the site, once for all of its pages.
#pragma once

#include <string_view>

namespace kw::exporter::site {

inline constexpr std::string_view kSiteStyleName = "style.css";
inline constexpr std::string_view kSiteScriptName = "kwsearch.js";
/// What every page runs. It loads the script of the search when the reader asks for it.
inline constexpr std::string_view kSitePageScriptName = "kwpage.js";
/// A script of its own, which runs before the page is drawn.
inline constexpr std::string_view kSiteThemeName = "kwtheme.js";
inline constexpr std::string_view kSiteIconName = "icon.svg";

/// The bytes of each.
extern const std::string_view kSiteStyle;
extern const std::string_view kSiteScript;
extern const std::string_view kSitePageScript;
extern const std::string_view kSiteTheme;
extern const std::string_view kSiteIcon;

/// Behind the `?` of both scripts in their URLs: other bytes are another URL.
extern const std::string_view kSiteScriptVersion;

}  // namespace kw::exporter::site
