// SPDX-License-Identifier: GPL-2.0-or-later
// docs/result.schema.json describes each line of kwsearch --json. Checked are the keywords that it
// uses.
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "tests/support/sample_tree.h"

namespace kw::test {
namespace {

using nlohmann::json;

bool is_of_type(const json& value, const std::string& type) {
  if (type == "object") return value.is_object();
  if (type == "array") return value.is_array();
  if (type == "string") return value.is_string();
  if (type == "boolean") return value.is_boolean();
  if (type == "integer") return value.is_number_integer();
  return type == "number" && value.is_number();
}

/// Where `value` breaks the schema; empty if nowhere.
std::string fault(const json& value, const json& schema, const std::string& at = "$") {
  for (const auto& [keyword, content] : schema.items())
    if (!std::set<std::string>{"$schema", "title", "description", "type", "required",
                               "additionalProperties", "properties", "items"}
             .contains(keyword))
      return at + ": keyword " + keyword;
  if (!is_of_type(value, schema["type"])) return at + ": " + value.dump();
  for (const json& name : schema.value("required", json::array()))
    if (!value.contains(name)) return at + ": " + name.dump() + " is missing";
  if (value.is_object())
    for (const auto& [name, one] : value.items()) {
      if (!schema["properties"].contains(name)) return at + ": " + name + " is unknown";
      if (auto f = fault(one, schema["properties"][name], at + "." + name); !f.empty()) return f;
    }
  if (value.is_array())
    for (const json& one : value)
      if (auto f = fault(one, schema["items"], at + "[]"); !f.empty()) return f;
  return {};
}

class JsonSchema : public SampleTree {
 protected:
  const json schema_ = json::parse(
      read_text(std::filesystem::path(KW_SOURCE_DIR) / "docs/result.schema.json"), nullptr, false);
};

TEST_F(JsonSchema, EachLineIsAsDescribed) {
  write_file(tree() / "bad\xff.md", "# Bad\n\n`view_in_a_bad_name` view\n");
  EXPECT_EQ(run({"kwindex", "-q"}).exit_code, 0);
  const std::filesystem::path other = dir_ / "other";
  make_tree(other, {{"view.md", "# View\n"}});
  EXPECT_EQ(run({"kwindex", "-q", other.string()}).exit_code, 0);
  write_file(tree() / "docs/guide/first-steps.md", "changed\n");
  int lines = 0;
  std::set<std::string> seen;
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"ViewAndMutationMeta"},
        {"view"},
        {"*e*"},
        {"-m0", "def:Executor"},
        {"--db", tree().string(), "--db", other.string(), "view"},
        {"--db", tree().string(), "--db", "nowhere", "--partial", "view"}}) {
    std::vector<std::string> command{"kwsearch", "--json", "-n0"};
    command.insert(command.end(), words.begin(), words.end());
    std::istringstream out(run(command).out);
    for (std::string line; std::getline(out, line); ++lines) {
      const json hit = json::parse(line, nullptr, false);
      EXPECT_EQ(fault(hit, schema_), "") << line;
      for (const auto& [name, value] : hit.items()) seen.insert(name);
    }
  }
  EXPECT_GT(lines, 30);
  for (const char* rare : {"path_bytes", "tree", "changed", "partial"})
    EXPECT_TRUE(seen.contains(rare)) << rare;
}

TEST_F(JsonSchema, TheCheckFindsFaults) {
  json hit = json::parse(run({"kwsearch", "--json", "-n1", "ViewAndMutationMeta"}).out);
  EXPECT_EQ(fault(hit, schema_), "");
  json without = hit, with = hit, other = hit;
  without.erase("title");
  with["extra"] = 1;
  other["matches"][0]["line"] = "1";
  for (const json& bad : {without, with, other, json(1)}) EXPECT_NE(fault(bad, schema_), "");
}

}  // namespace
}  // namespace kw::test
