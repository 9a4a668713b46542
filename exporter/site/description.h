// SPDX-License-Identifier: GPL-2.0-or-later
// A sentence or two on what a file holds, for search engines and for previews of links.
#pragma once

#include <string>
#include <string_view>

#include "exporter/model/page.h"
#include "schema/index/record.h"

namespace kw::exporter::site {

/// Of a document: what its front matter says, else its first paragraph of some length. Of other
/// files: the first line of the comment that they begin with, and what they define. At most
/// kMaxDescription characters, as plain text; empty where there is nothing to say.
std::string describe(const FileRecord& record, const Page& keywords);

/// The first paragraph of a document, as plain text: without images, HTML and marks.
std::string first_paragraph(const FileRecord& record);

/// Search engines show so much.
inline constexpr std::size_t kMaxDescription = 160;

}  // namespace kw::exporter::site
