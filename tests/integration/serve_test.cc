// SPDX-License-Identifier: GPL-2.0-or-later
// kwsearch --serve-stdio, as a scripted client sees it: tools, answers, and what no client should
// send.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "tests/support/sample_tree.h"

namespace kw::test {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class Serve : public SampleTree {
 protected:
  /// All messages in one go; an answer a line.
  std::vector<json> answers(const std::string& input, const std::vector<std::string>& more = {}) {
    std::vector<std::string> words{"kwsearch", "--serve-stdio"};
    words.insert(words.end(), more.begin(), more.end());
    const CommandResult result = run(words, input);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(result.err, "");
    std::vector<json> lines;
    std::istringstream in(result.out);
    for (std::string line; std::getline(in, line);) {
      lines.push_back(json::parse(line, nullptr, false));
      EXPECT_EQ(lines.back().value("jsonrpc", ""), "2.0") << line;
    }
    return lines;
  }

  static std::string request(int id, const std::string& method, const json& params = nullptr) {
    json message{{"jsonrpc", "2.0"}, {"id", id}, {"method", method}};
    if (!params.is_null()) message["params"] = params;
    return message.dump() + "\n";
  }
  static std::string call(const std::string& tool, const json& arguments) {
    return request(7, "tools/call", {{"name", tool}, {"arguments", arguments}});
  }

  json answer(const std::string& message) {
    const auto all = answers(message);
    EXPECT_EQ(all.size(), 1u) << message;
    return all.empty() ? json() : all[0];
  }
  /// As a client that speaks the newest version gets it.
  json structured(const std::string& message) {
    const auto all =
        answers(request(1, "initialize", {{"protocolVersion", "2025-06-18"}}) + message);
    EXPECT_EQ(all.size(), 2u) << message;
    return all.size() < 2 ? json() : all[1]["result"];
  }
  json result_of(const std::string& tool, const json& arguments) {
    return answer(call(tool, arguments))["result"];
  }
  std::string text_of(const std::string& tool, const json& arguments) {
    const json result = result_of(tool, arguments);
    EXPECT_EQ(result["isError"], false) << result;
    return result["content"][0]["text"];
  }
};

TEST_F(Serve, ShakesHands) {
  const auto all = answers(request(1, "initialize",
                                   {{"protocolVersion", "2024-11-05"},
                                    {"capabilities", json::object()},
                                    {"clientInfo", {{"name", "test"}, {"version", "1"}}}}) +
                           R"({"jsonrpc":"2.0","method":"notifications/initialized"})"
                           "\n" +
                           "\r\n" + request(2, "ping") + request(3, "tools/list") +
                           request(4, "initialize", {{"protocolVersion", "1999-01-01"}}));
  ASSERT_EQ(all.size(), 4u) << "a notification has no answer";
  EXPECT_EQ(all[0]["id"], 1);
  EXPECT_EQ(all[0]["result"]["protocolVersion"], "2024-11-05") << "the client's, as we know it";
  EXPECT_EQ(all[0]["result"]["serverInfo"]["name"], "kwsearch");
  EXPECT_EQ(all[0]["result"]["capabilities"], json::parse(R"({"tools": {}, "resources": {}})"));
  EXPECT_EQ(all[1]["result"], json::object());
  std::vector<std::string> names;
  for (const json& tool : all[2]["result"]["tools"]) {
    names.push_back(tool["name"]);
    EXPECT_EQ(tool["inputSchema"]["type"], "object");
    EXPECT_GT(tool["description"].get<std::string>().size(), 20u);
  }
  EXPECT_THAT(names, ElementsAre("search", "outline", "read_lines"));
  EXPECT_EQ(all[3]["result"]["protocolVersion"], "2025-06-18") << "else the newest";
}

TEST_F(Serve, SpeaksTheVersionThatTheClientAsksFor) {
  for (const std::string version : {"2024-11-05", "2025-03-26", "2025-06-18"}) {
    const std::string batch = "[" + request(2, "ping") + "," + request(3, "ping") + "]";
    std::string one_line;
    for (const char c : batch)
      if (c != '\n') one_line += c;
    const auto all = answers(request(1, "initialize", {{"protocolVersion", version}}) +
                             call("outline", {{"path", "docs/skein/meta.py_docs.md"}}));
    ASSERT_EQ(all.size(), 2u);
    EXPECT_EQ(all[0]["result"]["protocolVersion"], version);
    EXPECT_EQ(all[1]["result"].contains("structuredContent"), version == "2025-06-18");
    if (version == "2025-06-18") {
      EXPECT_EQ(all[1]["result"]["structuredContent"],
                json::parse(all[1]["result"]["content"][0]["text"].get<std::string>()));
    }
    const CommandResult result =
        run({"kwsearch", "--serve-stdio"},
            request(1, "initialize", {{"protocolVersion", version}}) + one_line + "\n");
    const json second = json::parse(result.out.substr(result.out.find('\n') + 1));
    if (version == "2025-03-26") {
      ASSERT_TRUE(second.is_array());
      EXPECT_EQ(second.size(), 2u) << "that version has batches";
      EXPECT_EQ(second[1]["id"], 3);
    } else {
      EXPECT_EQ(second["error"]["code"], -32600);
    }
  }
}

TEST_F(Serve, StructuredContentIsWhatTheTextSays) {
  const json search =
      structured(call("search", {{"query", "ViewAndMutationMeta"}, {"results", 2}}));
  std::string lines;
  for (const json& one : search["structuredContent"]["results"]) lines += one["path"].dump();
  EXPECT_THAT(lines, HasSubstr("meta.py"));
  EXPECT_EQ(search["structuredContent"]["results"].size(), 2u);
  const json read =
      structured(call("read_lines", {{"path", "docs/skein/meta.py_docs.md"}, {"last", 2}}));
  EXPECT_EQ(read["structuredContent"]["text"], read["content"][0]["text"]);
  EXPECT_EQ(read["structuredContent"]["last"], 2);
}

TEST_F(Serve, WholeNumbersInEveryForm) {
  for (const char* number : {"2", "2.0", "2e0", "20e-1"}) {
    const json result =
        structured(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":)"
                   R"("search","arguments":{"query":"plan","results":)" +
                   std::string(number) + "}}}\n");
    EXPECT_EQ(result["structuredContent"]["results"].size(), 2u) << number;
  }
  EXPECT_EQ(answer(call("search", {{"query", "plan"}, {"results", 2.5}}))["error"]["code"], -32602);
}

TEST_F(Serve, HalfACharacterKeepsTheRequestsId) {
  for (const char* text :
       {R"(plan \ud800)", R"(\udfff plan)", R"(\uD83D\uD83D plan)", "plan \xff"}) {
    const json got = answer(R"({"jsonrpc":"2.0","id":"k","method":"tools/call","params":{"name":)"
                            R"("search","arguments":{"query":")" +
                            std::string(text) + "\"}}}\n");
    EXPECT_EQ(got["id"], "k") << text;
    EXPECT_TRUE(got.contains("result")) << text;
  }
}

TEST_F(Serve, SearchAnswersAsTheCommandLine) {
  const auto command = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"kwsearch", "--json"});
    return run(words).out;
  };
  EXPECT_EQ(text_of("search", {{"query", "ViewAndMutationMeta"}}),
            command({"ViewAndMutationMeta"}));
  EXPECT_EQ(text_of("search", {{"query", "view and mutation meta"}, {"results", 2}, {"lines", 1}}),
            command({"-n2", "-m1", "view and mutation meta"}));
  EXPECT_EQ(text_of("search", {{"query", "plan"}, {"offset", 1}, {"case_sensitive", true}}),
            command({"-s", "--offset", "1", "plan"}));
  EXPECT_EQ(text_of("search", {{"query", "plan"}, {"regex", "plan_\\w+"}}),
            command({"-e", "plan_\\w+", "plan"}));
  const std::string all = command({"-n1", "-m1", "plan"});
  EXPECT_EQ(answers(call("search", {{"query", "plan"}}),
                    {"-n1", "-m1"})[0]["result"]["content"][0]["text"],
            all)
      << "options of the server are what a question does not say";
  const json nothing = result_of("search", {{"query", "ViewAndMutatonMeta"}});
  EXPECT_EQ(nothing["content"][0]["text"], "");
  EXPECT_THAT(nothing["content"][1]["text"], HasSubstr("ViewAndMutationMeta")) << "the nearest";
}

TEST_F(Serve, OutlinesAFile) {
  const json outline = json::parse(text_of("outline", {{"path", "docs/skein/meta.py_docs.md"}}));
  EXPECT_EQ(outline["path"], "docs/skein/meta.py_docs.md");
  EXPECT_EQ(outline["language"], "markdown");
  bool defines = false, has_section = false;
  for (const json& d : outline["definitions"])
    defines |= d["name"] == "ViewAndMutationMeta" && d["kind"] == "class" && d["line"] == 73;
  for (const json& s : outline["sections"])
    has_section |= s["title"] == "Original Source" && s["first"] < 73 && s["last"] > 73;
  EXPECT_TRUE(defines && has_section) << outline;
}

TEST_F(Serve, ReadsLines) {
  const std::string path = "docs/skein/meta.py_docs.md";
  const std::string whole = read_text(tree() / path);
  EXPECT_EQ(text_of("read_lines", {{"path", path}}), whole);
  EXPECT_EQ(text_of("read_lines", {{"path", path}, {"first", 73}, {"last", 73}}),
            "class ViewAndMutationMeta:\n");
  const json past = result_of("read_lines", {{"path", path}, {"first", 100000}});
  EXPECT_EQ(past["content"][0]["text"], "");
  EXPECT_THAT(past["content"][1]["text"], HasSubstr("lines"));
  write_file(tree() / "long.md", std::string(5000, '\n'));
  EXPECT_EQ(run({"kwindex", "-q"}).exit_code, 0);
  const json part = result_of("read_lines", {{"path", "long.md"}});
  EXPECT_EQ(part["content"][0]["text"].get<std::string>().size(), 2000u);
  EXPECT_THAT(part["content"][1]["text"], HasSubstr("lines 2001 to 5000"));
  std::string wide;
  while (wide.size() < 300'000) wide += "größe ";
  write_file(tree() / "wide.txt", "one\n" + wide + "\nlast\n");
  EXPECT_EQ(run({"kwindex", "-q"}).exit_code, 0);
  const json cut = result_of("read_lines", {{"path", "wide.txt"}, {"first", 2}});
  const auto text = cut["content"][0]["text"].get<std::string>();
  EXPECT_TRUE(wide.starts_with(text.substr(0, text.size() - 1))) << "its start";
  EXPECT_GT(text.size(), 200'000u);
  EXPECT_THAT(cut["content"][1]["text"], HasSubstr("line 2 is cut"));
  EXPECT_THAT(cut["content"][1]["text"], HasSubstr("lines 3 to 3 are left out"));
}

TEST_F(Serve, OpensNoFileButThoseOfTheIndex) {
  write_file(dir_ / "secret", "hidden\n");
  for (const char* path : {"../secret", "/etc/passwd", "docs/../../secret", ".kwsearch/status.json",
                           "", "docs", "\x01"}) {
    const json result = result_of("read_lines", {{"path", path}});
    EXPECT_EQ(result["isError"], true) << path;
    EXPECT_THAT(result["content"][0]["text"], HasSubstr("the index has no file")) << path;
  }
}

// Each gets an error with the right number, and the server goes on: a ping follows each.
TEST_F(Serve, GoesOnAfterWhatNoClientShouldSend) {
  const std::string deep(100'000, '[');
  const auto nested = [&](const std::string& member) {
    return R"({"jsonrpc":"2.0",")" + member + "\":" + std::string(250'000, '[') +
           std::string(250'000, ']') + "}";
  };
  const struct {
    std::string message;
    int code;
  } cases[] = {
      {"not json", -32700},
      {"{\"jsonrpc\":\"2.0\",\"id\":1,", -32700},
      {"\xff\xfe", -32700},
      {std::string("\0\0", 2), -32700},
      {deep, -32700},
      {deep + std::string(100'000, ']'), -32600},
      {"{\"id\": 1e999}", -32700},
      {nested("id"), -32600},
      {nested("method"), -32600},
      {nested("params"), -32600},
      {R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":)" + nested("arguments") + "}",
       -32600},
      {"[]", -32600},
      {"[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}]", -32600},
      {"1", -32600},
      {"null", -32600},
      {"{}", -32600},
      {R"({"jsonrpc":"1.0","id":1,"method":"ping"})", -32600},
      {R"({"jsonrpc":"2.0","id":1,"method":7})", -32600},
      {R"({"jsonrpc":"2.0","id":{"a":1},"method":"ping"})", -32600},
      {R"({"jsonrpc":"2.0","id":1,"method":"shutdown"})", -32601},
      {R"({"jsonrpc":"2.0","id":1,"method":"tools/call"})", -32602},
      {R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":[1]})", -32602},
      {R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"rm"}})", -32602},
      {R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search"}})", -32602},
      {call("search", {{"query", 7}}), -32602},
      {call("search", {{"query", " "}}), -32602},
      {call("search", {{"query", "x"}, {"results", 0}}), -32602},
      {call("search", {{"query", "x"}, {"results", 1e9}}), -32602},
      {call("search", {{"query", "x"}, {"results", -1}}), -32602},
      {call("search", {{"query", "x"}, {"results", "10"}}), -32602},
      {call("search", {{"query", "x"}, {"offset", 18446744073709551615u}}), -32602},
      {call("search", {{"query", "x"}, {"db", "/etc"}}), -32602},
      {call("search", {{"query", "x"}, {"case_sensitive", "yes"}}), -32602},
      {call("search", "x"), -32602},
      {call("read_lines", {{"path", "a"}, {"first", 1.5}}), -32602},
      {std::string(3 << 20, 'x'), -32600},
      {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"" + std::string(2 << 20, 'm') + "\"}", -32600},
  };
  std::string input;
  int id = 1000;
  for (const auto& c : cases)
    input += c.message + (c.message.ends_with('\n') ? "" : "\n") + request(id++, "ping");
  const auto all = answers(input);
  ASSERT_EQ(all.size(), 2 * std::size(cases));
  for (std::size_t i = 0; i < std::size(cases); ++i) {
    const std::string shown = cases[i].message.substr(0, 80);
    EXPECT_EQ(all[2 * i]["error"]["code"], cases[i].code) << shown << " " << all[2 * i];
    EXPECT_EQ(all[2 * i + 1]["id"], 1000 + static_cast<int>(i)) << "no answer after " << shown;
    EXPECT_EQ(all[2 * i + 1]["result"], json::object()) << shown;
  }
}

// Bound: a message of the server
TEST_F(Serve, AMessageHasABound) {
  std::string message = request(1, "ping");
  message.pop_back();
  message.resize(1 << 20, ' ');
  const auto all = answers(message + "\n" + message + " \n" + request(2, "ping"));
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0]["result"], json::object());
  EXPECT_EQ(all[1]["error"]["code"], -32600);
  EXPECT_EQ(all[2]["id"], 2);
}

TEST_F(Serve, AnswersOfAHostileQueryAreBounded) {
  const std::string wide(15'000, '*');
  for (const std::string& query :
       {wide, "\"" + wide, std::string(16'000, '('), std::string("*e* *a* *o*")}) {
    const json result = answer(call("search", {{"query", query}, {"results", 100}}));
    EXPECT_TRUE(result.contains("result")) << query.substr(0, 10);
    EXPECT_LT(result.dump().size(), 2u << 20) << query.substr(0, 10);
  }
  const json bad = answer(call("search", {{"query", "x"}, {"regex", "("}}));
  EXPECT_TRUE(bad.contains("error") || bad["result"]["isError"] == true) << bad;
}

TEST_F(Serve, AnAnswerIsBoundedHoweverMuchAFileDefines) {
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += "def needle_" + std::to_string(i) + "(): pass\n";
  write_file(tree() / "many.py", text);
  write_file(tree() / "z.md", "needle_5\n");
  EXPECT_EQ(run({"kwindex", "-q"}).exit_code, 0);
  const json all = result_of("search", {{"query", "def:needle_*"}});
  EXPECT_LE(all["content"][0]["text"].get<std::string>().size(), 1u << 20);
  EXPECT_THAT(all["content"][1]["text"], HasSubstr("of 1 results 0 are given"));
  const json one = result_of("search", {{"query", "needle_5 needle_*"}, {"lines", 1}});
  EXPECT_FALSE(one["isError"]) << one;
}

TEST_F(Serve, FilesAreResources) {
  const json listed = answer(request(1, "resources/list"))["result"];
  std::set<std::string> uris, names;
  for (const json& one : listed["resources"]) {
    uris.insert(one["uri"]);
    names.insert(one["name"]);
    const json read = answer(request(2, "resources/read", {{"uri", one["uri"]}}))["result"];
    EXPECT_EQ(read["contents"][0]["uri"], one["uri"]);
    EXPECT_EQ(read["contents"][0]["mimeType"], one["mimeType"]);
    EXPECT_EQ(read["contents"][0]["text"], text_of("read_lines", {{"path", one["name"]}}))
        << one["name"];
  }
  EXPECT_FALSE(listed.contains("nextCursor"));
  EXPECT_GT(uris.size(), 5u);
  const json templates = answer(request(3, "resources/templates/list"))["result"];
  const std::string form = templates["resourceTemplates"][0]["uriTemplate"];
  ASSERT_THAT(form, testing::AllOf(testing::StartsWith("file:///"), testing::EndsWith("/{+path}")));
  EXPECT_TRUE(uris.contains(form.substr(0, form.size() - 7) + *names.begin()));

  EXPECT_EQ(answer(request(4, "resources/read", {{"uri", "file:///etc/passwd"}}))["error"]["code"],
            -32002);
  EXPECT_EQ(answer(request(5, "resources/read"))["error"]["code"], -32602);
  EXPECT_EQ(answer(request(6, "resources/list", {{"cursor", "x"}}))["error"]["code"], -32602);
}

TEST_F(Serve, ResourcesComeInPages) {
  for (int i = 0; i < 1100; ++i)
    write_file(dir_ / fmt::format("many/file {}.md", i), fmt::format("# {}\n", i));
  EXPECT_EQ(run({"kwindex", "-q", (dir_ / "many").string()}).exit_code, 0);
  std::string cursor;
  std::set<std::string> uris;
  std::vector<std::size_t> sizes;
  do {
    const json params = cursor.empty() ? json(nullptr) : json{{"cursor", cursor}};
    const json page = answers(request(1, "resources/list", params),
                              {"--db", (dir_ / "many").string()})[0]["result"];
    sizes.push_back(page["resources"].size());
    for (const json& one : page["resources"]) uris.insert(one["uri"]);
    cursor = page.value("nextCursor", "");
  } while (!cursor.empty());
  EXPECT_THAT(sizes, ElementsAre(500, 500, 100));
  EXPECT_EQ(uris.size(), 1100u);
  EXPECT_THAT(*uris.begin(), HasSubstr("/many/file%20"));
}

TEST_F(Serve, ACancelledRequestHasNoAnswer) {
  const json cancel{{"jsonrpc", "2.0"},
                    {"method", "notifications/cancelled"},
                    {"params", {{"requestId", 7}, {"reason", "not needed"}}}};
  const auto all = answers(request(1, "ping") + call("search", {{"query", "view"}}) +
                           cancel.dump() + "\n" + request(8, "ping"));
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0]["id"], 1);
  EXPECT_EQ(all[1]["id"], 8);
}

TEST_F(Serve, ANotificationHasNoAnswer) {
  EXPECT_THAT(answers(R"({"jsonrpc":"2.0","method":"nonsense"})"
                      "\n"
                      R"({"jsonrpc":"2.0","method":"tools/call","params":{"name":"search"}})"
                      "\n"
                      R"({"jsonrpc":"2.0","id":3,"result":{}})"
                      "\n"),
              IsEmpty());
  EXPECT_EQ(answers(request(1, "ping").substr(0, request(1, "ping").size() - 1)).size(), 1u)
      << "the last line needs no end";
}

TEST_F(Serve, SeesWhatKwindexChanges) {
  // The shell runs kwindex between two questions, so that one server answers both.
  const std::string ask = call("search", {{"query", "brand_new_name"}});
  write_file(dir_ / "ask", ask);
  const std::string script =
      "mkfifo in out; kwsearch --serve-stdio <in >out & exec 3>in 4<out\n"
      "cat \"$1\" >&3; read -r line <&4; printf '%s\\n' \"$line\"\n"
      "echo '`brand_new_name`' > new.md; kwindex -q; cat \"$1\" >&3; read -r line <&4\n"
      "printf '%s\\n' \"$line\"\n"
      "kwindex -q --rebuild; rm new.md; kwindex -q; cat \"$1\" >&3; read -r line <&4\n"
      "printf '%s\\n' \"$line\"; rm -r .kwsearch; cat \"$1\" >&3; read -r line <&4\n"
      "printf '%s\\n' \"$line\"; kwindex -q .; cat \"$1\" >&3; read -r line <&4\n"
      "printf '%s\\n' \"$line\"; exec 3>&-; wait";
  const CommandResult result = run({"bash", "-c", script, "x", (dir_ / "ask").string()});
  std::vector<json> lines;
  std::istringstream in(result.out);
  for (std::string line; std::getline(in, line);) lines.push_back(json::parse(line));
  ASSERT_EQ(lines.size(), 5u) << result.out << result.err;
  const auto text = [&](int i) {
    return lines[i]["result"]["content"][0]["text"].get<std::string>();
  };
  EXPECT_EQ(text(0), "");
  EXPECT_THAT(text(1), HasSubstr("\"path\":\"new.md\""));
  EXPECT_EQ(text(2), "") << "another generation";
  EXPECT_EQ(lines[3]["result"]["isError"], true) << "no index any more";
  EXPECT_EQ(text(4), "") << "and one again";
}

TEST_F(Serve, TakesNoQueryBesideIt) {
  EXPECT_EQ(run({"kwsearch", "--serve-stdio", "word"}).exit_code, 2);
  EXPECT_EQ(run({"kwsearch", "--serve-stdio", "--json"}).exit_code, 2);
  EXPECT_EQ(run({"kwsearch", "--serve-stdio", "-e", "x"}).exit_code, 2);
}

}  // namespace
}  // namespace kw::test
