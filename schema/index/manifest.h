// SPDX-License-Identifier: GPL-2.0-or-later
// What kwexport wrote into a folder: the manifest `.kwexport` there, and the mark that keyword
// pages carry. kwexport writes it to know its own files again; kwindex reads it to leave them out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "schema/base/result.h"

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
bool stays_inside(std::string_view name);

/// What the files came from and what they hold, so that an export of the same sees that it has
/// nothing to do.
struct ExportedState {
  std::string inputs;       ///< hash of all that they were made from; empty: not known
  std::string content;      ///< hash of all files, by name and bytes
  std::uint64_t pages = 0;  ///< of the files, those that a person reads

  bool operator==(const ExportedState&) const = default;
};

struct Manifest {
  std::set<std::string> files;  ///< relative to the folder, each inside it (stays_inside)
  ExportedState state = {};

  bool operator==(const Manifest&) const = default;
};

/// A line that names the format, "kwexport 1", and then the state's words where it is known; below
/// it one line a file, by bytes, with `\n`, `\r` and `\` written as `\n`, `\r`, `\\`.
std::string format_manifest(const Manifest& manifest);

/// The inverse. A name that is absolute, empty or climbs with `..` is an error: a manifest may come
/// with a tree from elsewhere.
Result<Manifest> parse_manifest(std::string_view text);

}  // namespace kw
