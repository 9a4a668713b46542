// SPDX-License-Identifier: GPL-2.0-or-later
// A Markdown document as GitHub shows it, by cmark's tree and not by its renderer: headings get the
// anchors of the record, lines theirs, tables, task lists, alerts and footnotes are what they are
// on GitHub, code is that of code_html.h, and a link leads where the site says or is no link. Raw
// HTML is let through by an allow list (raw_html.h): a document that has any is parsed as a browser
// does it, and written anew (html_tree.h).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "exporter/site/code_html.h"
#include "exporter/site/line_ids.h"
#include "exporter/site/markdown_inline.h"
#include "schema/index/record.h"

namespace kw::exporter::site {

/// The id that a heading of the page gets. That of its record, but for those that begin as the
/// site's own do.
std::string heading_id(std::string_view anchor);

/// Whether a file name is that of a change log, whose first heading is a version and no title.
bool is_change_log(std::string_view name);

/// The document's own title, for the heading of its page: what its front matter says, or a heading
/// that no other is as high as, or that stands first (but in a change log); empty if it has none.
std::string document_title(const FileRecord& record);

/// Appends the whole text of the record, a document. The highest of its headings are of the second
/// level: the page has its own above. Where that is `shown_title`, the document's first heading, if
/// it says the same, is left out; its anchors stay.
void append_markdown(std::string& out, const FileRecord& record, LineIds& ids, CodeHtml& code,
                     const PageTargets& targets, std::string_view shown_title = {});

/// The anchors that raw HTML of a document has, as the author wrote them (kAuthorAnchor).
std::vector<std::string> author_anchors(const FileRecord& record);

}  // namespace kw::exporter::site
