// SPDX-License-Identifier: GPL-2.0-or-later
#include "searcher/mcp/mcp_server.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "schema/cli/program.h"
#include "schema/text/text.h"
#include "searcher/mcp/mcp_resources.h"
#include "searcher/mcp/mcp_tools.h"
#include "searcher/mcp/mcp_worker.h"

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
constexpr int kInternalError = -32603;
constexpr int kResourceNotFound = -32002;  // the Model Context Protocol's own

// The versions of the protocol that are spoken, by date, the newest first.
constexpr std::string_view kWithStructure = "2025-06-18";  // structured content; no batches
constexpr std::array<std::string_view, 3> kProtocols{kWithStructure, "2025-03-26", "2024-11-05"};

// Messages are put together as texts: what a search found is JSON already.

/// `member`: "result" or "error"; `value`: JSON.
std::string message_of(const json& id, std::string_view member, std::string_view value) {
  return fmt::format(R"({{"jsonrpc":"2.0","id":{},"{}":{}}})", json_text(id), member, value);
}

std::string result_of(const json& id, const ordered_json& result) {
  return message_of(id, "result", json_text(result));
}

std::string error_of(const json& id, int code, const std::string& message) {
  return message_of(id, "error", json_text(ordered_json{{"code", code}, {"message", message}}));
}

std::string words_of(const Error& error) {
  return error.hint.empty() ? error.message : error.message + "; " + error.hint;
}

/// The result of a tool's call, as JSON.
std::string tool_result(const Result<ToolAnswer>& answer, bool with_structure) {
  const auto block = [](const std::string& text) {
    return R"({"type":"text","text":)" + json_text(text) + "}";
  };
  if (!answer) return R"({"content":[)" + block(words_of(answer.error())) + R"(],"isError":true})";
  std::string result = R"({"content":[)" + block(answer->text);
  if (!answer->note.empty()) result += "," + block("note: " + answer->note);
  result += R"(],"isError":false)";
  if (with_structure) result += R"(,"structuredContent":)" + answer->structured;
  return result + "}";
}

/// Half of a surrogate pair, escaped, is no character. It becomes U+FFFD, as bytes that are not
/// UTF-8 do: the request can then be read, and its answer has its id.
std::string with_whole_characters(std::string_view message) {
  std::string text = to_valid_utf8(message);
  const auto surrogate = [&](std::size_t at, char low, char high) {
    if (at + 6 > text.size() || text[at] != '\\' || text[at + 1] != 'u') return false;
    const auto lower = [&](std::size_t i) { return static_cast<char>(text[i] | 0x20); };
    return lower(at + 2) == 'd' && lower(at + 3) >= low && lower(at + 3) <= high;
  };
  for (std::size_t at = 0; (at = text.find('\\', at)) != text.npos;) {
    const bool leads = surrogate(at, '8', '9') || surrogate(at, 'a', 'b');
    if (leads && surrogate(at + 6, 'c', 'f')) {
      at += 12;
    } else if (leads || surrogate(at, 'c', 'f')) {
      text.replace(at, 6, "\\ufffd");
      at += 6;
    } else {
      at += 2;
    }
  }
  return text;
}

/// The answer to a message that nobody else can answer any more; empty to a notification.
std::string answer_of_lost(std::string_view message) {
  const json request = json::parse(with_whole_characters(message), nullptr, false);
  if (request.is_object() && !request.contains("id")) return {};
  json id = request.is_object() ? request["id"] : json();
  if (!id.is_string() && !id.is_number()) id = nullptr;
  return error_of(id, kInternalError,
                  "gave up: reading the index crashed, or took too much time or memory; "
                  "ask for less, or rebuild a damaged index with: kwindex --rebuild") +
         "\n";
}

/// The id of the request that a message cancels; null: it cancels none.
json cancelled_by(std::string_view message) {
  if (message.find("notifications/cancelled") == message.npos) return {};
  const json said = json::parse(with_whole_characters(message), nullptr, false);
  if (!said.is_object() || said.value("method", json()) != "notifications/cancelled") return {};
  const json params = said.value("params", json());
  return params.is_object() ? params.value("requestId", json()) : json();
}

/// Lines of stdin. A line that is too long is one answer, not a stop.
class Messages {
 public:
  /// Whether a message that waits cancels the request `message`.
  bool has_cancelled(std::string_view message) const {
    std::string_view rest = buffer_;
    for (std::size_t end; (end = rest.find('\n')) != rest.npos; rest.remove_prefix(end + 1)) {
      const json id = cancelled_by(rest.substr(0, end));
      if (id.is_null()) continue;
      const json request = json::parse(with_whole_characters(message), nullptr, false);
      if (request.is_object() && request.value("id", json()) == id) return true;
    }
    return false;
  }

  /// Reads what there is, ahead of next(). False: stdin has ended, or enough waits.
  bool read_ahead() { return fill() && buffer_.size() <= kMaxMessageBytes; }

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
    const std::string bytes = cli::read_stdin(1 << 16);
    buffer_ += bytes;
    return !bytes.empty();
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

McpSession::McpSession(const ServerDefaults& defaults)
    : defaults_(defaults), index_(defaults.request) {}

/// The version that the client asks for, if it is spoken; else the newest, which it may refuse.
ordered_json McpSession::initialize(const json& params) {
  protocol_ = kProtocols[0];
  if (params.is_object() && params.contains("protocolVersion"))
    for (const std::string_view known : kProtocols)
      if (params["protocolVersion"] == std::string(known)) protocol_ = known;
  return {
      {"protocolVersion", protocol_},
      {"capabilities", {{"tools", ordered_json::object()}, {"resources", ordered_json::object()}}},
      {"serverInfo", {{"name", "kwsearch"}, {"version", cli::program_version()}}},
      {"instructions",
       "Search an indexed tree of documentation and code. Ask search for a name to find the file "
       "that defines it, outline for what a file holds, read_lines for the lines themselves."}};
}

std::string McpSession::call(const json& id, const json& params) {
  if (!params.is_object() || !params.contains("name") || !params["name"].is_string())
    return error_of(id, kInvalidParams, "params: name a tool, and its arguments");
  const json arguments = params.value("arguments", json());
  const auto answer = call_tool(params["name"].get<std::string>(), arguments, defaults_, index_);
  if (!answer && answer.error().code == ErrorCode::Usage)
    return error_of(id, kInvalidParams, words_of(answer.error()));
  return message_of(id, "result", tool_result(answer, protocol_ == kWithStructure));
}

std::string McpSession::answer_resources(const json& id, const std::string& method,
                                         const json& params) {
  auto answer = method == "resources/list"   ? list_resources(params, index_)
                : method == "resources/read" ? read_resource(params, index_)
                                             : list_resource_templates(index_);
  if (answer) return result_of(id, *std::move(answer));
  const Error& error = answer.error();
  const int code = error.code == ErrorCode::Usage      ? kInvalidParams
                   : error.code == ErrorCode::NotFound ? kResourceNotFound
                                                       : kInternalError;
  return error_of(id, code, words_of(error));
}

/// Empty where no answer is due.
std::string McpSession::answer_request(const json& request) {
  if (!request.is_object())
    return error_of(nullptr, kInvalidRequest, "a message is one object; batches are not taken");
  const json id = request.value("id", json());
  if (!id.is_null() && !id.is_string() && !id.is_number())
    return error_of(nullptr, kInvalidRequest, "an id is a string or a number");
  // An answer to something that we never asked.
  if (!request.contains("method") && (request.contains("result") || request.contains("error")))
    return {};
  const json method = request.value("method", json());
  if (request.value("jsonrpc", json()) != "2.0" || !method.is_string())
    return error_of(id, kInvalidRequest, "this is no request of JSON-RPC 2.0");
  if (!request.contains("id")) return {};  // a notification
  const json params = request.value("params", json());
  if (method == "initialize") return result_of(id, initialize(params));
  if (method == "ping") return result_of(id, ordered_json::object());
  if (method == "tools/list") return result_of(id, {{"tools", describe_tools()}});
  if (method == "tools/call") return call(id, params);
  for (const char* known : {"resources/list", "resources/read", "resources/templates/list"})
    if (method == known) return answer_resources(id, known, params);
  return error_of(id, kMethodNotFound,
                  "there are initialize, ping, tools/list, tools/call, resources/list, "
                  "resources/templates/list and resources/read, and no other method");
}

/// What 2025-03-26 asks of every server; JSON-RPC 2.0 says how.
std::string McpSession::answer_batch(const json& batch) {
  std::string answers;
  for (const json& request : batch)
    if (const std::string one = answer_request(request); !one.empty())
      answers += (answers.empty() ? "[" : ",") + one;
  return answers.empty() ? answers : answers + "]";
}

std::string McpSession::answer(std::string_view message) {
  // Values are copied by recursion: what is nested too deep is not even kept.
  bool too_deep = false;
  const auto keep = [&too_deep](int depth, json::parse_event_t event, json&) {
    const bool begins =
        event == json::parse_event_t::object_start || event == json::parse_event_t::array_start;
    if (begins && depth > kMaxNesting) too_deep = true;
    return !begins || depth <= kMaxNesting;
  };
  json request = json::parse(message, keep, /*allow_exceptions=*/false);
  if (request.is_discarded())
    request = json::parse(with_whole_characters(message), keep, /*allow_exceptions=*/false);
  if (request.is_discarded()) return error_of(nullptr, kParseError, "this is no JSON") + "\n";
  if (too_deep)
    return error_of(nullptr, kInvalidRequest,
                    "nested over " + std::to_string(kMaxNesting) + " deep") +
           "\n";
  const bool is_batch = request.is_array() && !request.empty() && protocol_ == "2025-03-26";
  const std::string answer = is_batch ? answer_batch(request) : answer_request(request);
  return answer.empty() ? answer : answer + "\n";
}

ExitCode serve_stdio(const ServerDefaults& defaults) {
  std::string agreed;  // the message by which the client and we agreed on a version
  McpWorker worker([&]() -> std::function<std::string(std::string_view)> {
    const auto session = std::make_shared<McpSession>(defaults);
    if (!agreed.empty()) session->answer(agreed);
    return [session](std::string_view message) { return session->answer(message); };
  });
  Messages messages;
  while (const auto message = messages.next()) {
    bool is_cancelled = messages.has_cancelled(*message);
    const Interrupt interrupt{STDIN_FILENO, [&] {
                                const bool is_open = messages.read_ahead();
                                is_cancelled = messages.has_cancelled(*message);
                                return is_cancelled ? Interrupt::Then::GiveUp
                                       : is_open    ? Interrupt::Then::GoOn
                                                    : Interrupt::Then::WatchNoMore;
                              }};
    if (is_cancelled) continue;
    std::string answer;
    if (message->empty()) {
      answer = error_of(nullptr, kInvalidRequest, "a message is at most 1 MiB") + "\n";
    } else if (auto answered = worker.ask(*message, interrupt)) {
      answer = *std::move(answered);
      if (message->find("\"initialize\"") != message->npos) agreed = *message;
    } else if (!is_cancelled) {  // whose answer nobody waits for
      answer = answer_of_lost(*message);
    }
    if (!cli::write_stdout(answer)) return ExitCode::Fatal;
  }
  return ExitCode::Done;
}

}  // namespace kw::search
