// SPDX-License-Identifier: GPL-2.0-or-later
// The files of the indexes as resources of the Model Context Protocol: a URI each, a list in pages,
// and the text as the index has it. No file is opened.
#pragma once

#include <nlohmann/json.hpp>

#include "schema/base/result.h"
#include "searcher/mcp/open_index.h"

namespace kw::search {

/// Of resources/list, by tree and path: {resources: [{uri, name, title, mimeType}], nextCursor}. A
/// cursor is what an earlier answer gave; Usage for another one.
Result<nlohmann::ordered_json> list_resources(const nlohmann::json& params, OpenIndex& index);

/// Of resources/templates/list: a URI for any path of each tree.
Result<nlohmann::ordered_json> list_resource_templates(OpenIndex& index);

/// Of resources/read: {contents: [{uri, mimeType, text}]}. Usage: no URI is given. NotFound: no
/// index has it. Refused: it is over 1 MiB.
Result<nlohmann::ordered_json> read_resource(const nlohmann::json& params, OpenIndex& index);

}  // namespace kw::search
