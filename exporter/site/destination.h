// SPDX-License-Identifier: GPL-2.0-or-later
// The destination of a link in a document, read as a path of the tree.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace kw::exporter::site {

/// True for a URL that names its scheme: "https://h/x", "mailto:x".
bool has_scheme(std::string_view url);

/// The path in the tree that `path` means in a file of `folder`, or from the root where it begins
/// with a slash; without `.` and `..`. Nothing if it leads out of the tree.
std::optional<std::string> resolve_path(std::string_view folder, std::string_view path);

/// Likewise for a URL, without its query and fragment. Nothing for one that is no relative path.
std::optional<std::string> tree_path_of(std::string_view folder, std::string_view url);

}  // namespace kw::exporter::site
