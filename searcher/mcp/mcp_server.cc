// SPDX-License-Identifier: GPL-2.0-or-later
#include "searcher/mcp/mcp_server.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <nlohmann/json.hpp>
#include <optional>

#include "searcher/mcp/mcp_tools.h"

namespace kw::search {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr int kMaxNesting = 64;  // of objects and arrays in a message

// JSON-RPC's own numbers.
constexpr int kParseError = -32700;
constexpr int kInvalidRequest = -32600;
constexpr int kMethodNotFound = -32601;
constexpr int kInvalidParams = -32602;

// The versions of the protocol in which what we send means the same, the newest first. 2025-03-26
// is none of them: there a server must take batches.
constexpr std::array<std::string_view, 2> kProtocols{"2025-06-18", "2024-11-05"};

std::string line_of(const ordered_json& message) {
  return message.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
}

std::string result_line(const json& id, ordered_json result) {
  return line_of({{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}});
}

std::string error_line(const json& id, int code, const std::string& message) {
  return line_of(
      {{"jsonrpc", "2.0"}, {"id", id}, {"error", {{"code", code}, {"message", message}}}});
}

std::string words_of(const Error& error) {
  return error.hint.empty() ? error.message : error.message + "; " + error.hint;
}

ordered_json initialized(const json& params) {
  std::string_view protocol = kProtocols[0];
  if (params.is_object() && params.contains("protocolVersion"))
    for (const std::string_view known : kProtocols)
      if (params["protocolVersion"] == std::string(known)) protocol = known;
  return {
      {"protocolVersion", protocol},
      {"capabilities", {{"tools", ordered_json::object()}}},
      {"serverInfo", {{"name", "kwsearch"}, {"version", cli::program_version()}}},
      {"instructions",
       "Search an indexed tree of documentation and code. Ask search for a name to find the file "
       "that defines it, outline for what a file holds, read_lines for the lines themselves."}};
}

ordered_json tool_result(const Result<ToolAnswer>& answer) {
  ordered_json content = ordered_json::array();
  const auto add = [&content](const std::string& text) {
    content.push_back({{"type", "text"}, {"text", text}});
  };
  if (!answer) {
    add(words_of(answer.error()));
  } else {
    add(answer->text);
    if (!answer->note.empty()) add("note: " + answer->note);
  }
  return {{"content", std::move(content)}, {"isError", !answer}};
}

std::string call(const json& id, const json& params, const KwsearchOptions& options,
                 OpenIndex& index) {
  if (!params.is_object() || !params.contains("name") || !params["name"].is_string())
    return error_line(id, kInvalidParams, "params: name a tool, and its arguments");
  const json arguments = params.value("arguments", json());
  const auto answer = call_tool(params["name"].get<std::string>(), arguments, options, index);
  if (!answer && answer.error().code == ErrorCode::Usage)
    return error_line(id, kInvalidParams, words_of(answer.error()));
  return result_line(id, tool_result(answer));
}

/// Lines of stdin. A line that is too long is one answer, not a stop.
class Messages {
 public:
  /// The next message; "" stands for one that was too long. Nothing: the end.
  std::optional<std::string> next() {
    bool too_long = false;
    while (true) {
      const std::size_t end = buffer_.find('\n', searched_);
      if (end != std::string::npos) {
        std::string line = buffer_.substr(0, end);
        buffer_.erase(0, end + 1);
        searched_ = 0;
        if (too_long || line.size() > kMaxMessageBytes) return std::string();
        if (line.find_first_not_of(" \t\r") != std::string::npos) return line;
        continue;
      }
      searched_ = buffer_.size();
      if (buffer_.size() > kMaxMessageBytes) {
        too_long = true;
        buffer_.clear();
        searched_ = 0;
      }
      if (!fill()) return last(too_long);
    }
  }

 private:
  bool fill() {
    std::array<char, 1 << 16> bytes;
    ssize_t n;
    do n = ::read(STDIN_FILENO, bytes.data(), bytes.size());
    while (n < 0 && errno == EINTR);
    if (n <= 0) return false;
    buffer_.append(bytes.data(), static_cast<std::size_t>(n));
    return true;
  }

  /// What stands behind the last newline.
  std::optional<std::string> last(bool too_long) {
    std::string line = std::move(buffer_);
    buffer_.clear();
    searched_ = 0;
    if (too_long) return std::string();
    if (line.find_first_not_of(" \t\r") == std::string::npos) return std::nullopt;
    return line;
  }

  std::string buffer_;
  std::size_t searched_ = 0;  // no newline before this
};

}  // namespace

std::string answer_message(std::string_view message, const KwsearchOptions& options,
                           OpenIndex& index) {
  // Values are copied by recursion: what is nested too deep is not even kept.
  bool too_deep = false;
  const auto keep = [&too_deep](int depth, json::parse_event_t event, json&) {
    const bool begins =
        event == json::parse_event_t::object_start || event == json::parse_event_t::array_start;
    if (begins && depth > kMaxNesting) too_deep = true;
    return !begins || depth <= kMaxNesting;
  };
  const json request = json::parse(message, keep, /*allow_exceptions=*/false);
  if (request.is_discarded()) return error_line(nullptr, kParseError, "this is no JSON");
  if (too_deep)
    return error_line(nullptr, kInvalidRequest,
                      "nested over " + std::to_string(kMaxNesting) + " deep");
  if (!request.is_object())
    return error_line(nullptr, kInvalidRequest, "a message is one object; batches are not taken");
  const json id = request.value("id", json());
  if (!id.is_null() && !id.is_string() && !id.is_number())
    return error_line(nullptr, kInvalidRequest, "an id is a string or a number");
  // An answer to something that we never asked.
  if (!request.contains("method") && (request.contains("result") || request.contains("error")))
    return {};
  const json method = request.value("method", json());
  if (request.value("jsonrpc", json()) != "2.0" || !method.is_string())
    return error_line(id, kInvalidRequest, "this is no request of JSON-RPC 2.0");
  if (!request.contains("id")) return {};  // a notification
  const json params = request.value("params", json());
  if (method == "initialize") return result_line(id, initialized(params));
  if (method == "ping") return result_line(id, ordered_json::object());
  if (method == "tools/list") return result_line(id, {{"tools", describe_tools()}});
  if (method == "tools/call") return call(id, params, options, index);
  return error_line(id, kMethodNotFound,
                    "there are initialize, ping, tools/list and tools/call, and no other method");
}

ExitCode serve_stdio(const KwsearchOptions& options) {
  OpenIndex index(options);
  Messages messages;
  while (auto message = messages.next()) {
    const std::string answer =
        message->empty() ? error_line(nullptr, kInvalidRequest, "a message is at most 1 MiB")
                         : answer_message(*message, options, index);
    if (!cli::write_stdout(answer)) return ExitCode::Fatal;
  }
  return ExitCode::Done;
}

}  // namespace kw::search
