// SPDX-License-Identifier: GPL-2.0-or-later
// The elements of HTML that a page of the site may have from a document: the one allow list, for
// raw_html.h, which reads what authors wrote, and html_tree.h, which writes what the parser made.
#pragma once

#include <string_view>

namespace kw::exporter::site {

/// What stands for an author's element: itself, or one that is not obsolete; empty where its tags
/// are left out.
std::string_view element_of_author(std::string_view name);

/// What a page may hold: those, and the elements that the site itself makes of Markdown.
bool is_element_of_page(std::string_view name);

/// Without content and end tag.
bool is_void_element(std::string_view name);

/// Those that a parser of HTML opens again where they run over the end of a block.
bool is_formatting_element(std::string_view name);

}  // namespace kw::exporter::site
