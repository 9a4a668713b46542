// SPDX-License-Identifier: GPL-2.0-or-later
// A server that says anything: what xapian-tcpsrv answered to some searches is recorded at first,
// and said again with edits, whatever the client asks. Each search ends with an answer or an error.
// The input: which search (1 byte), then edits: what (1 byte), of which message (1 byte), at which
// byte of it (1 byte), and a byte.
#include <sys/socket.h>
#include <unistd.h>

#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "schema/base/descriptor.h"
#include "searcher/mcp/mcp_server.h"
#include "tests/fuzz/expect.h"
#include "tests/support/index_builder.h"
#include "tests/support/served_index.h"
#include "tests/support/temp_dir.h"

namespace {

using namespace kw;
using test::expect;

// Lists of terms, documents, positions, values and metadata are all asked for.
constexpr const char* kQueries[] = {"plan", "def:ma*", "\"a plan of words\"", "wrds OR *la*",
                                    "words NOT lang:c"};

std::string search_message(const char* query) {
  const nlohmann::json message = {
      {"jsonrpc", "2.0"},
      {"id", 1},
      {"method", "tools/call"},
      {"params", {{"name", "search"}, {"arguments", {{"query", query}, {"results", 3}}}}}};
  return message.dump();
}

/// The answer of a program that searches `place` alone, and opens it for this message.
std::string answer_of(const std::string& stub, const std::string& place, const char* query) {
  test::write_file(stub, "remote " + place + "\n");
  search::ServerDefaults defaults;
  defaults.request.databases = {stub};
  defaults.request.timeout_seconds = 5;
  return search::McpSession(defaults).answer(search_message(query));
}

/// The messages of a server in one connection: a type, a length, and so many bytes.
std::vector<std::string> split_messages(const std::string& said) {
  std::vector<std::string> messages;
  for (std::size_t at = 0; at + 2 <= said.size();) {
    std::size_t length = static_cast<unsigned char>(said[at + 1]), head = 2;
    for (unsigned shift = 0; length >= 255 && at + head < said.size(); shift += 7) {
      const auto more = static_cast<unsigned char>(said[at + head++]);
      length += static_cast<std::size_t>(more & 0x7f) << shift;
      if (more & 0x80) break;  // the last of a longer length
    }
    messages.push_back(said.substr(at, head + length));
    at += head + length;
  }
  return messages;
}

/// What the server of an index of some small files says to a search.
std::vector<std::string> record_search(const test::ServedIndex& server, const std::string& stub,
                                       const char* query) {
  test::BreakingProxy proxy(server.port(), std::size_t{1} << 30, test::BreakingProxy::Then::Close);
  expect(answer_of(stub, proxy.name(), query).find("\"isError\":false") != std::string::npos,
         "a server of ours has an answer");
  return split_messages(proxy.said());
}

std::vector<std::vector<std::string>> record_searches(const test::TempDir& dir) {
  const std::vector<test::IndexedFile> files = {
      {"a.md", "# A plan\n\nThis is a plan of words.\n"},
      {"b.py", "def make_plan():\n    words\n", {{"make_plan", "function", 1, ""}}},
      {"c.c", "int words; /* more */\n", {{"words", "variable", 1, ""}}}};
  test::build_index(dir / "index", files);
  const test::ServedIndex server(dir / "index");
  std::vector<std::vector<std::string>> recorded;
  for (const char* query : kQueries) recorded.push_back(record_search(server, dir / "stub", query));
  return recorded;
}

/// Says the same to everyone who connects. What it is told the system keeps, and it hears nothing
/// of it: connections that end while something is unheard would be cut off, so the last ones stay
/// open.
class Repeater {
 public:
  Repeater() : listener_(test::listen_anywhere(port_)) {
    std::thread([this] {
      constexpr std::size_t kOpen = 16;
      for (std::size_t i = 0;; i = (i + 1) % kOpen) {
        if (clients_.size() < kOpen) clients_.emplace_back();
        clients_[i] = Descriptor(::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC));
        serve(clients_[i]);
      }
    }).detach();
  }

  std::string name() const { return "127.0.0.1:" + std::to_string(port_); }
  void say(std::string bytes) {
    const std::lock_guard lock(mutex_);
    bytes_ = std::move(bytes);
  }

 private:
  void serve(const Descriptor& client) {
    std::string bytes;
    {
      const std::lock_guard lock(mutex_);
      bytes = bytes_;
    }
    ::send(client.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    ::shutdown(client.get(), SHUT_WR);
  }

  std::uint16_t port_ = 0;
  const int listener_;
  std::mutex mutex_;
  std::string bytes_;
  std::vector<Descriptor> clients_;  // of its thread
};

void edit(std::vector<std::string>& messages, const std::uint8_t* at) {
  const std::size_t which = at[1] % messages.size();
  std::string& message = messages[which];
  const std::size_t byte = message.empty() ? 0 : at[2] % message.size();
  const char value = static_cast<char>(at[3]);
  switch (at[0] % 8) {
    case 0:
      if (!message.empty()) message[byte] = value;
      break;
    case 1:  // its type
      if (!message.empty()) message[0] = value;
      break;
    case 2:  // its length
      if (message.size() > 1) message[1] = value;
      break;
    case 3:
      message.insert(byte, at[3] % 16, static_cast<char>(at[2]));
      break;
    case 4:
      message.resize(byte);
      break;
    case 5:
      message.clear();
      break;
    case 6:
      message = messages[at[3] % messages.size()];
      break;
    default:  // again and again
      for (std::string one = message; message.size() < 1000 && message.size() < one.size() * at[3];)
        message += one;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const test::TempDir dir;
  static const std::vector<std::vector<std::string>> recorded = record_searches(dir);
  static Repeater& server = *new Repeater;  // its thread ends with the program
  if (size == 0) return 0;
  const std::size_t which = data[0] % recorded.size();
  std::vector<std::string> messages = recorded[which];
  constexpr std::size_t kEdit = 4;
  for (std::size_t i = 1; i + kEdit <= std::min(size, 1 + 16 * kEdit); i += kEdit)
    edit(messages, data + i);
  std::string said;
  for (const std::string& message : messages) said += message;
  server.say(std::move(said));
  const std::string answer = answer_of(dir / "stub", server.name(), kQueries[which]);
  const auto read = nlohmann::json::parse(answer, nullptr, false);
  expect(read.is_object() && read.contains("result"), "a search has a result");
  const auto& result = read["result"];
  const bool failed = result.value("isError", true);
  expect(!failed || !result["content"][0].value("text", "").empty(), "an error has words");
  expect(!failed || size > kEdit, "what a server has said is an answer again");
  return 0;
}
