// SPDX-License-Identifier: GPL-2.0-or-later
// kwsearch --serve-stdio: JSON-RPC 2.0 on stdin and stdout, a message a line, as the Model Context
// Protocol has it. Keeps the index open between questions. What a message may ask: tools.h.
#pragma once

#include <string>
#include <string_view>

#include "searcher/mcp/open_index.h"
#include "searcher/output/options.h"

namespace kw::search {

/// Bytes of one message; a longer one is passed over and answered with an error.
inline constexpr std::size_t kMaxMessageBytes = 1 << 20;

/// The answer to one message, with its newline; empty where none is due. Whatever the message is,
/// this returns.
std::string answer_message(std::string_view message, const KwsearchOptions& options,
                           OpenIndex& index);

/// Answers messages until stdin ends. Done; Fatal if an answer could not be written.
ExitCode serve_stdio(const KwsearchOptions& options);

}  // namespace kw::search
