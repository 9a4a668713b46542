// SPDX-License-Identifier: GPL-2.0-or-later
#include "searcher/mcp/mcp_tools.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "schema/text/text.h"
#include "searcher/output/present.h"

namespace kw::search {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

// What an assistant can read at once, and an answer that no request can blow up.
constexpr std::int64_t kMaxResults = 100;
constexpr std::int64_t kMaxLinesOfResult = 50;
constexpr std::int64_t kMaxReadLines = 2000;
constexpr std::size_t kMaxReadBytes = 256 << 10;
constexpr std::size_t kMaxSearchBytes = 1 << 20;
constexpr std::size_t kMaxOutlineRows = 5000;
constexpr std::int64_t kMaxNumber = 999'999'999;

enum class Type { Text, Number, Truth };

struct Argument {
  const char* name;
  Type type;
  bool required;
  std::int64_t low, high;
  const char* help;
};

constexpr Argument text(const char* name, bool required, const char* help) {
  return {name, Type::Text, required, 0, 0, help};
}
constexpr Argument number(const char* name, std::int64_t low, std::int64_t high, const char* help) {
  return {name, Type::Number, false, low, high, help};
}

constexpr std::array kSearchArguments{
    text("query", true,
         "words (all must match), \"exact text\", word*, NOT x, x OR y, def:Name, ident:name, "
         "section:word, path:part, folder:a/b, lang:python, ext:md"),
    number("results", 1, kMaxResults, "at most so many (10)"),
    number("offset", 0, kMaxNumber, "pass over the first ones"),
    number("lines", 1, kMaxLinesOfResult, "lines of each file (3)"),
    text("regex", false, "lines must match this RE2 expression, too"),
    Argument{"case_sensitive", Type::Truth, false, 0, 0, "small and capital letters differ"}};
constexpr std::array kOutlineArguments{
    text("path", true, "a file's path from the root of the tree, as search gives it"),
    text("tree", false, "the root of its tree, where several are searched")};
constexpr std::array kReadArguments{
    text("path", true, "a file's path from the root of the tree, as search gives it"),
    text("tree", false, "the root of its tree, where several are searched"),
    number("first", 1, kMaxNumber, "the first line (1)"),
    number("last", 1, kMaxNumber, "the last line (all that follow, at most 2000)")};

/// The arguments of a call, checked against their table.
class Arguments {
 public:
  template <class Table>
  static Result<Arguments> check(const json& given, const Table& table) {
    const auto wrong = [](std::string message) {
      return Error{ErrorCode::Usage, std::move(message), "see tools/list"};
    };
    if (!given.is_object() && !given.is_null()) return wrong("arguments must be an object");
    Arguments arguments(given.is_object() ? given : json::object());
    for (const auto& [name, value] : arguments.given_.items())
      if (std::none_of(table.begin(), table.end(),
                       [&, &n = name](const Argument& a) { return a.name == n; }))
        return wrong(fmt::format("there is no argument '{}'", printable(name)));
    for (const Argument& a : table) {
      if (!arguments.given_.contains(a.name)) {
        if (a.required) return wrong(fmt::format("argument '{}' is missing", a.name));
        continue;
      }
      if (!fits(a, arguments.given_[a.name]))
        return wrong(fmt::format("argument '{}' is not {}", a.name, words_for(a)));
    }
    return arguments;
  }

  std::string text(const char* name) const { return given_.value(name, std::string()); }
  std::size_t number(const char* name, std::size_t otherwise) const {
    return given_.contains(name) ? static_cast<std::size_t>(given_[name].template get<double>())
                                 : otherwise;
  }
  bool truth(const char* name, bool otherwise) const { return given_.value(name, otherwise); }

 private:
  explicit Arguments(json given) : given_(std::move(given)) {}

  /// JSON knows one kind of number: 2, 2.0 and 2e0 are the same.
  static bool is_whole(const json& value) {
    return value.is_number_integer() ||
           (value.is_number_float() && std::trunc(value.get<double>()) == value.get<double>());
  }

  static bool fits(const Argument& a, const json& value) {
    switch (a.type) {
      case Type::Text:
        return value.is_string();
      case Type::Truth:
        return value.is_boolean();
      case Type::Number:
        return is_whole(value) && value >= a.low && value <= a.high;
    }
    return false;
  }
  static std::string words_for(const Argument& a) {
    switch (a.type) {
      case Type::Text:
        return "a string";
      case Type::Truth:
        return "true or false";
      case Type::Number:
        return fmt::format("a whole number from {} to {}", a.low, a.high);
    }
    return {};
  }

  json given_;
};

template <class Table>
ordered_json schema_of(const Table& table) {
  ordered_json properties = ordered_json::object(), required = ordered_json::array();
  for (const Argument& a : table) {
    ordered_json one{{"type", a.type == Type::Text     ? "string"
                              : a.type == Type::Number ? "integer"
                                                       : "boolean"},
                     {"description", a.help}};
    if (a.type == Type::Number) {
      one["minimum"] = a.low;
      one["maximum"] = a.high;
    }
    properties[a.name] = std::move(one);
    if (a.required) required.push_back(a.name);
  }
  return {{"type", "object"},
          {"properties", std::move(properties)},
          {"required", std::move(required)},
          {"additionalProperties", false}};
}

/// 0 is all.
std::size_t bounded(std::size_t number, std::int64_t most) {
  const auto limit = static_cast<std::size_t>(most);
  return number == 0 ? limit : std::min(number, limit);
}

/// The array of the objects of JSON Lines.
std::string array_of(std::string lines) {
  if (lines.ends_with('\n')) lines.pop_back();
  std::replace(lines.begin(), lines.end(), '\n', ',');
  return "[" + lines + "]";
}

Result<ToolAnswer> search(const Arguments& arguments, const ServerDefaults& defaults,
                          OpenIndex& index) {
  SearchRequest request = defaults.request;
  PresentationOptions shown = defaults.shown;
  shown.form = OutputForm::Json;
  request.query = arguments.text("query");
  request.regex = arguments.text("regex");
  // What is not asked for is as on the command line, all of it only up to the bounds.
  request.search.results =
      bounded(arguments.number("results", defaults.request.search.results), kMaxResults);
  request.search.offset = arguments.number("offset", defaults.request.search.offset);
  request.search.case_sensitive =
      arguments.truth("case_sensitive", defaults.request.search.case_sensitive);
  request.search.with_lines = true;
  shown.lines_per_file =
      bounded(arguments.number("lines", defaults.shown.lines_per_file), kMaxLinesOfResult);
  auto query = KW_TRY(query_of(request));
  auto searcher = KW_TRY(index.searcher());
  const Paths paths(*searcher, shown.absolute);
  const auto found = KW_TRY(searcher->search(query, request.search, make_presenter(paths, shown)));
  ToolAnswer answer;
  answer.text = shown_text(found, *searcher, shown);
  if (answer.text.size() > kMaxSearchBytes) {
    // Whole lines, of a result each; none where not even the first fits.
    answer.text.resize(answer.text.rfind('\n', kMaxSearchBytes - 1) + 1);
    const auto given = std::count(answer.text.begin(), answer.text.end(), '\n');
    answer.note = fmt::format(
        "of {} results {} are given, for the rest is over 1 MiB; ask for the "
        "next alone, or for its outline",
        found.hits.size(), given);
  }
  answer.structured = R"({"results":)" + array_of(answer.text) + "}";
  if (found.hits.empty()) {
    answer.note = "nothing found";
    const auto near = names_near(*searcher, query);
    if (!near.empty()) answer.note += fmt::format("; the index has {}", fmt::join(near, ", "));
  }
  const auto note = [&answer](const std::string& text) {
    if (!text.empty()) answer.note += (answer.note.empty() ? "" : "; ") + text;
  };
  note(words_on_left_out(searcher->opened()));
  note(words_on_missing_parts(searcher->opened()));
  if (found.any) note("no file has all of the words; these have some");
  if (found.partial) note("the question is too wide to be checked in full; there may be more");
  return answer;
}

Result<OpenIndex::File> find_file(const Arguments& arguments, OpenIndex& index, RecordParts parts) {
  KW_TRY(index.searcher());
  const std::string path = arguments.text("path");
  auto file = KW_TRY(index.file(path, arguments.text("tree"), parts));
  if (!file)
    return Error{ErrorCode::NotFound, fmt::format("the index has no file '{}'", printable(path)),
                 "paths are from the root of the tree, as search gives them"};
  return *std::move(file);
}

Result<ToolAnswer> outline(const Arguments& arguments, OpenIndex& index) {
  const auto file = KW_TRY(find_file(arguments, index, RecordParts::All));
  const FileRecord& record = file.record;
  ordered_json out{
      {"path", to_valid_utf8(record.path)},       {"tree", to_valid_utf8(file.root)},
      {"title", to_valid_utf8(record.title)},     {"language", record.language},
      {"lines", line_starts(record.text).size()}, {"definitions", ordered_json::array()},
      {"sections", ordered_json::array()}};
  ToolAnswer answer;
  for (const Definition& d : record.definitions) {
    if (out["definitions"].size() == kMaxOutlineRows) break;
    out["definitions"].push_back({{"name", to_valid_utf8(d.name)},
                                  {"kind", d.kind},
                                  {"line", d.line},
                                  {"scope", to_valid_utf8(d.scope)}});
  }
  for (const Section& s : record.sections) {
    if (out["sections"].size() == kMaxOutlineRows) break;
    out["sections"].push_back({{"title", to_valid_utf8(s.title)},
                               {"level", s.level},
                               {"first", s.first_line},
                               {"last", s.last_line}});
  }
  if (std::max(record.definitions.size(), record.sections.size()) > kMaxOutlineRows)
    answer.note = fmt::format("only the first {} definitions and sections", kMaxOutlineRows);
  answer.structured = json_text(out);
  answer.text = answer.structured + "\n";
  return answer;
}

Result<ToolAnswer> read_lines(const Arguments& arguments, OpenIndex& index) {
  const auto file = KW_TRY(find_file(arguments, index, RecordParts::All));
  const std::string& all = file.record.text;
  const std::vector<std::size_t> starts = line_starts(all);
  const std::size_t first = arguments.number("first", 1);
  const std::size_t last = std::min(arguments.number("last", kMaxNumber), starts.size());
  ToolAnswer answer;
  if (first > last) {
    answer.note = fmt::format("the file has {} lines", starts.size());
    return answer;
  }
  std::size_t line = first;
  for (; line <= last && line < first + kMaxReadLines; ++line) {
    std::string text = to_valid_utf8(line_at(all, starts, static_cast<std::uint32_t>(line)));
    if (answer.text.size() + text.size() > kMaxReadBytes) {
      if (line > first) break;
      std::size_t cut = kMaxReadBytes;  // a line of its own size: its start, and on with the next
      while (cut > 0 && is_continuation(text[cut])) --cut;
      text.resize(cut);
      answer.note = fmt::format("line {} is cut at {} KiB", line, kMaxReadBytes >> 10);
    }
    answer.text += text + "\n";
  }
  answer.structured = json_text({{"first", first}, {"last", line - 1}, {"text", answer.text}});
  if (line <= last)
    answer.note += fmt::format("{}lines {} to {} are left out: read on from there",
                               answer.note.empty() ? "" : "; ", line, last);
  return answer;
}

constexpr const char* kSearchHelp =
    "Ranked search in the indexed tree: the file that defines a name comes first, then headings, "
    "uses and prose. Each line of the answer is a JSON object: rank, path, title, language, "
    "definitions, matches with line, column, section and text.";
constexpr const char* kOutlineHelp =
    "What a file of the index defines (name, kind, line, scope) and its sections (title, level, "
    "first and last line), as one JSON object.";
constexpr const char* kReadHelp =
    "Lines of a file as the index has them. At most 2000 lines and 256 KiB a call.";

}  // namespace

std::string json_text(const ordered_json& value) {
  return value.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

ordered_json describe_tools() {
  const ordered_json reads{{"readOnlyHint", true}, {"openWorldHint", false}};
  const auto tool = [&](const char* name, const char* help, ordered_json schema) {
    return ordered_json{{"name", name},
                        {"description", help},
                        {"inputSchema", std::move(schema)},
                        {"annotations", reads}};
  };
  return ordered_json::array({tool("search", kSearchHelp, schema_of(kSearchArguments)),
                              tool("outline", kOutlineHelp, schema_of(kOutlineArguments)),
                              tool("read_lines", kReadHelp, schema_of(kReadArguments))});
}

Result<ToolAnswer> call_tool(const std::string& name, const json& given,
                             const ServerDefaults& defaults, OpenIndex& index) {
  const auto with = [&](const auto& table, auto call) -> Result<ToolAnswer> {
    const auto arguments = KW_TRY(Arguments::check(given, table));
    return call(arguments);
  };
  if (name == "search")
    return with(kSearchArguments, [&](const Arguments& a) { return search(a, defaults, index); });
  if (name == "outline")
    return with(kOutlineArguments, [&](const Arguments& a) { return outline(a, index); });
  if (name == "read_lines")
    return with(kReadArguments, [&](const Arguments& a) { return read_lines(a, index); });
  return Error{ErrorCode::Usage, fmt::format("there is no tool '{}'", printable(name)),
               "see tools/list"};
}

}  // namespace kw::search
