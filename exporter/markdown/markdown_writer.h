// SPDX-License-Identifier: GPL-2.0-or-later
// A Page as Markdown, and the escaping that this takes. Names from a tree are hostile until
// escaped: whatever a path holds, the page keeps its shape and its links.
#pragma once

#include <string>
#include <string_view>

#include "exporter/model/folder_page.h"
#include "exporter/model/keyword_page.h"
#include "exporter/model/page.h"

namespace kw::exporter {

/// The page's bytes; the first line begins with kGeneratedMark. The same page gives the same bytes.
std::string build_markdown(const Page& page);

std::string build_markdown(const FolderPage& page);

std::string build_markdown(const KeywordPage& page);

/// A code span that shows `text` on one line, whatever backticks stand in it; control characters as
/// in printable(). `text` must not be empty.
std::string markdown_code(std::string_view text);

/// `text` on one line so that no markup is read from it. Underscores stay as they are, as on the
/// pages that kwexport took over: they can set a part of a name in bold and do no more.
std::string markdown_text(std::string_view text);

/// A relative path as a link's destination: what Markdown or a URL would read otherwise is written
/// as
/// `%20`, and so are control characters and bytes that are not UTF-8; letters of all scripts stay.
std::string markdown_destination(std::string_view path);

/// A link's whole destination: its site and query as they are, path and fragment escaped.
std::string markdown_destination(const Link& link);

/// As markdown_text, and neither an underscore nor a `|` is read as markup.
std::string markdown_prose(std::string_view text);

}  // namespace kw::exporter
