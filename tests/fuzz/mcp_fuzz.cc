// SPDX-License-Identifier: GPL-2.0-or-later
// Any line is a message to the server: the answer is empty, or one line of JSON-RPC.
#include <nlohmann/json.hpp>
#include <string>

#include "searcher/mcp/mcp_server.h"
#include "tests/fuzz/expect.h"
#include "tests/support/temp_dir.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace kw;
  using nlohmann::json;
  using test::expect;
  static const test::TempDir dir;  // without an index: all but searching is here
  static const search::ServerDefaults defaults = [] {
    search::ServerDefaults made;
    made.request.databases = {dir.str()};
    return made;
  }();
  static search::McpSession session(defaults);
  const std::string answer = session.answer(test::text_of_input(data, size));
  if (answer.empty()) return 0;
  expect(answer.find('\n') == answer.size() - 1, "an answer is one line");
  const json read = json::parse(answer, nullptr, false);
  const auto is_answer = [](const json& one) {
    return one.is_object() && one.value("jsonrpc", "") == "2.0" && one.contains("id") &&
           one.contains("result") != one.contains("error");
  };
  expect(read.is_array() ? !read.empty() : is_answer(read), "an answer is one of JSON-RPC");
  for (const json& one : read.is_array() ? read : json::array())
    expect(is_answer(one), "each of a batch is an answer");
  return 0;
}
