// SPDX-License-Identifier: GPL-2.0-or-later
// What a source file and the pages about it share, so that a search shows them as one result.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kw {

/// The path without its documentation suffixes, as often as they stand there (pages about pages),
/// and, if one was taken off, without one leading documentation folder: "docs/a/x.py_docs.md" ->
/// "a/x.py". A path without such a suffix is its own key: "docs/README.md" is not a page about
/// "README.md".
std::string group_key(std::string_view path, const std::vector<std::string>& doc_suffixes,
                      std::string_view doc_root);

/// The path without its documentation suffixes: the name of the file that a page is about, where
/// its folder does not matter. Equal to `path` for what is no page.
std::string_view without_doc_suffixes(std::string_view path,
                                      const std::vector<std::string>& doc_suffixes);

}  // namespace kw
