// SPDX-License-Identifier: GPL-2.0-or-later
#include "indexer/extract/ctags_output.h"

#include <simdjson.h>

#include <algorithm>
#include <tuple>
#include <unordered_set>
#include <utility>

#include "indexer/extract/declaration_scanner.h"

namespace kw::indexer {
namespace {

static_assert(CtagsOutputParser::kPadding >= simdjson::SIMDJSON_PADDING);

/// One line of an answer. Views point into the parser.
struct Line {
  std::string_view type, name, kind, scope, extras, version, typeref;
  std::uint64_t line = 0;
};

std::optional<Line> parse_line(simdjson::dom::parser& parser, std::string_view json) {
  simdjson::dom::object object;
  if (parser.parse(json.data(), json.size(), false).get(object) != simdjson::SUCCESS) return {};
  Line out;
  // A key that is missing leaves its field empty.
  const auto text = [&](const char* key, std::string_view& value) {
    if (object.at_key(key).get(value) != simdjson::SUCCESS) value = {};
  };
  text("_type", out.type);
  text("name", out.name);
  text("kind", out.kind);
  text("scope", out.scope);
  text("extras", out.extras);
  text("version", out.version);
  text("typeref", out.typeref);
  if (object.at_key("line").get(out.line) != simdjson::SUCCESS) out.line = 0;
  return out;
}

/// `typedef struct a a;` says that there is a type and not what it is.
bool names_itself(const Line& line) {
  return line.kind == "typedef" && line.typeref.size() > line.name.size() &&
         line.typeref.ends_with(line.name) &&
         line.typeref[line.typeref.size() - line.name.size() - 1] == ':';
}

/// Scopes are names joined by `::` or `.`; those that ctags made up are taken out.
std::string without_anonymous(std::string_view scope,
                              const std::unordered_set<std::string>& anonymous) {
  std::string out;
  for (std::string_view separator; !scope.empty();) {
    const std::size_t end = std::min(scope.find_first_of(":."), scope.size());
    const std::string name(scope.substr(0, end));
    if (!anonymous.contains(name)) {
      if (!out.empty()) out += separator;
      out += name;
    }
    const std::size_t next = std::min(scope.find_first_not_of(":.", end), scope.size());
    separator = scope.substr(end, next - end);
    scope.remove_prefix(next);
  }
  return out;
}

bool is_worth_finding(std::string_view name) {
  return !name.empty() && name.size() <= kMaxNameBytes &&
         std::none_of(name.begin(), name.end(), [](char c) { return c >= 0 && c < 0x20; });
}

void sort_and_deduplicate(std::vector<Definition>& definitions) {
  const auto key = [](const Definition& d) { return std::tie(d.line, d.name, d.kind); };
  std::sort(definitions.begin(), definitions.end(), [&](const Definition& a, const Definition& b) {
    return std::tie(a.line, a.name, a.kind, a.scope) < std::tie(b.line, b.name, b.kind, b.scope);
  });
  const auto same = [&](const Definition& a, const Definition& b) { return key(a) == key(b); };
  definitions.erase(std::unique(definitions.begin(), definitions.end(), same), definitions.end());
}

}  // namespace

struct CtagsOutputParser::Impl {
  simdjson::dom::parser parser;
};

CtagsOutputParser::CtagsOutputParser() : impl_(new Impl) {}
CtagsOutputParser::CtagsOutputParser(CtagsOutputParser&&) noexcept = default;
CtagsOutputParser& CtagsOutputParser::operator=(CtagsOutputParser&&) noexcept = default;
CtagsOutputParser::~CtagsOutputParser() = default;

std::optional<std::string> CtagsOutputParser::version(std::string_view greeting) {
  const std::optional<Line> line = parse_line(impl_->parser, greeting);
  if (!line || line->name != "Universal Ctags") return {};
  return std::string(line->version);
}

std::optional<std::vector<Definition>> CtagsOutputParser::definitions(std::string_view answer) {
  std::vector<Definition> definitions;
  std::unordered_set<std::string> anonymous;
  for (std::string_view rest = answer; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::optional<Line> line = parse_line(impl_->parser, rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (!line) return {};
    if (line->type != "tag") continue;  // warnings, among others; a fatal error ends ctags
    const bool made_up = line->extras.find("anonymous") != std::string_view::npos ||
                         line->name == "<lambda>" || line->name == "<anonymous>";  // Kotlin's
    if (made_up)
      anonymous.emplace(line->name);
    else if (line->line > 0 && line->line <= UINT32_MAX && is_worth_finding(line->name))
      definitions.push_back({std::string(line->name),
                             names_itself(*line) ? "declaration" : std::string(line->kind),
                             static_cast<std::uint32_t>(line->line), std::string(line->scope)});
  }
  if (!anonymous.empty())
    for (Definition& d : definitions) d.scope = without_anonymous(d.scope, anonymous);
  sort_and_deduplicate(definitions);
  return definitions;
}

}  // namespace kw::indexer
