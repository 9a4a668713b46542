// SPDX-License-Identifier: GPL-2.0-or-later
// What the server can be asked: a table of tools, each with a JSON schema of its arguments. All
// answers come from the index; no file is opened.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "schema/base/result.h"
#include "searcher/mcp/open_index.h"
#include "searcher/output/present.h"

namespace kw::search {

/// For tools/list: [{name, description, inputSchema}].
nlohmann::ordered_json describe_tools();

/// What a call does not say, as the command line of the server said it.
struct ServerDefaults {
  SearchRequest request;
  PresentationOptions shown;
};

/// Bytes that are no UTF-8 become U+FFFD.
std::string json_text(const nlohmann::ordered_json& value);

struct ToolAnswer {
  std::string text;
  std::string note;               ///< what a person would read on stderr; or empty
  std::string structured = "{}";  ///< the same as JSON of an object
};

/// Usage: there is no such tool, or what is `given` is not of its schema. Any other error is the
/// answer of a tool that was called rightly.
Result<ToolAnswer> call_tool(const std::string& name, const nlohmann::json& given,
                             const ServerDefaults& defaults, OpenIndex& index);

}  // namespace kw::search
