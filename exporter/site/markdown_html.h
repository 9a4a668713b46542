// SPDX-License-Identifier: GPL-2.0-or-later
// A Markdown page as HTML, by cmark's tree and not by its renderer: headings get the anchors of the
// record, lines theirs, pipe tables become tables, raw HTML is shown as text, code is that of
// code_html.h, and a link leads where the site says or is no link. No image is fetched: its text
// stands for it.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "exporter/site/code_html.h"
#include "exporter/site/line_ids.h"
#include "schema/index/record.h"

namespace kw::exporter::site {

/// The id that a heading of the page gets. That of its record, but for those that begin as the
/// site's own do.
std::string heading_id(std::string_view anchor);

/// Where a destination of the page leads, for a quoted attribute; empty: to nowhere.
using LinkTarget = std::function<std::string(std::string_view url)>;

/// Appends the whole text of the record, a page. Headings are one level lower than in the text: the
/// page has its own above.
void append_markdown(std::string& out, const FileRecord& record, LineIds& ids, CodeHtml& code,
                     const LinkTarget& link);

}  // namespace kw::exporter::site
