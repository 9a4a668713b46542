// SPDX-License-Identifier: GPL-2.0-or-later
// What kwexport wrote into a folder: the manifest `.kwexport` there, and the mark that keyword
// pages carry. kwexport writes it to know its own files again; kwindex reads it to leave them out.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>

#include "schema/result.h"

namespace kw {

inline constexpr std::string_view kManifestName = ".kwexport";

/// Each keyword page's first line starts with it.
inline constexpr std::string_view kGeneratedMark = "# Keyword Index: ";

/// The same for the files of a site: pages, the style sheet and scripts, and site maps.
inline constexpr std::string_view kSitePageMark = "<!doctype html><!-- Keyword Index: ";
inline constexpr std::string_view kSiteScriptMark = "/* Keyword Index: ";
inline constexpr std::string_view kSiteMapMark =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?><!-- Keyword Index: ";
inline constexpr std::size_t kMaxMarkBytes = 64;

/// True if a file that begins with `head` (kMaxMarkBytes of it, or all) is one of kwexport's.
bool begins_as_generated(std::string_view head);

/// True for a relative path of one or more names, none of them empty, `.` or `..`: it stays in its
/// folder.
bool stays_inside(std::string_view path);

/// One line a file, by bytes, after a line that names the format. Names are relative to the folder,
/// with
/// `\n`, `\r` and `\` written as `\n`, `\r`, `\\`.
std::string format_manifest(const std::set<std::string>& files);

/// The inverse. A name that is absolute, empty or climbs with `..` is an error: a manifest may come
/// with a tree from elsewhere.
Result<std::set<std::string>> parse_manifest(std::string_view text);

}  // namespace kw
