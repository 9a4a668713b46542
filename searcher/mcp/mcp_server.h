// SPDX-License-Identifier: GPL-2.0-or-later
// kwsearch --serve-stdio: JSON-RPC 2.0 on stdin and stdout, a message a line, as the Model Context
// Protocol has it. Keeps the index open between questions. What a message
// may ask: mcp_tools.h, mcp_resources.h.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "searcher/mcp/mcp_tools.h"
#include "searcher/mcp/open_index.h"

namespace kw::search {

/// Bytes of one message; a longer one is passed over and answered with an error.
inline constexpr std::size_t kMaxMessageBytes = 1 << 20;

/// One client: what was agreed on with it, and the open index.
class McpSession {
 public:
  /// `defaults` must outlive it.
  explicit McpSession(const ServerDefaults& defaults);

  /// The answer to one message, with its newline; empty where none is due. Whatever the message is,
  /// this returns.
  std::string answer(std::string_view message);

 private:
  std::string answer_request(const nlohmann::json& request);
  std::string answer_batch(const nlohmann::json& batch);
  nlohmann::ordered_json initialize(const nlohmann::json& params);
  std::string call(const nlohmann::json& id, const nlohmann::json& params);
  std::string answer_resources(const nlohmann::json& id, const std::string& method,
                               const nlohmann::json& params);

  const ServerDefaults& defaults_;
  OpenIndex index_;
  std::string_view protocol_;  // as initialize agreed on it; empty before
};

/// Answers messages until stdin ends. Done; Fatal if an answer could not be written.
ExitCode serve_stdio(const ServerDefaults& defaults);

}  // namespace kw::search
