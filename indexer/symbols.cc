// SPDX-License-Identifier: GPL-2.0-or-later
#include "indexer/symbols.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <optional>
#include <tuple>
#include <unordered_set>
#include <utility>

#include "indexer/ctags_child.h"

namespace kw {
namespace {

static_assert(CtagsChild::kPadding >= simdjson::SIMDJSON_PADDING);

// A ctags that does not start three times in a row, or that fails on twenty texts in a row, is
// broken: it must not cost a process, or a deadline, for each file of a tree.
constexpr int kMaxStartFailures = 3;
constexpr int kMaxFailures = 20;
// No name that a person looks for is longer; generated ones (templates, data) are.
constexpr std::size_t kMaxNameBytes = 1000;

constexpr std::string_view kStarted = R"({"_type": "program")";
constexpr std::string_view kCompleted = R"({"_type": "completed")";

/// Names, lines, long kinds, scopes, and `extras` to tell anonymous names. No patterns: they copy
/// lines, for each definition on them. Kinds that are no definitions are switched off: Python's
/// imports, Go's, Java's, Kotlin's and Protobuf's package clauses, Rust's `impl X`, here-documents.
std::vector<std::string> command_for(const std::string& program, bool sandbox) {
  return {program,
          "--options=NONE",
          "--fields=NnzsE",
          "--kinds-Python=-Iix",
          "--kinds-Go=-pP",
          "--kinds-Java=-p",
          "--kinds-Kotlin=-p",
          "--kinds-Protobuf=-p",
          "--kinds-Rust=-c",
          "--kinds-Sh=-h",
          sandbox ? "--_interactive=sandbox" : "--_interactive"};
}

/// One line of an answer. Views point into the parser.
struct Line {
  std::string_view type, name, kind, scope, extras, version;
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
  if (object.at_key("line").get(out.line) != simdjson::SUCCESS) out.line = 0;
  return out;
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

struct SymbolExtractor::Impl {
  std::string program;
  std::chrono::milliseconds deadline;
  bool sandbox = true;
  std::string version;
  std::optional<CtagsChild> child;
  int failures = 0;        // in a row
  int start_failures = 0;  // in a row
  simdjson::dom::parser parser;

  Result<void> spawn();
  Result<void> restart();
  Error fail(std::string_view why);
  std::optional<std::vector<Definition>> parse_reply();
};

/// Starts a child and waits for its greeting.
Result<void> SymbolExtractor::Impl::spawn() {
  child.reset();
  Result<CtagsChild> spawned = CtagsChild::spawn(command_for(program, sandbox));
  if (!spawned) return spawned.error();
  const bool greeted =
      spawned->exchange({}, {}, kStarted, deadline) == CtagsChild::Outcome::Complete;
  const std::optional<Line> line =
      greeted ? parse_line(parser, spawned->reply()) : std::optional<Line>();
  if (!line || line->name != "Universal Ctags")
    return Error{ErrorCode::Failed,
                 fmt::format("'{}' is no universal-ctags with interactive mode and JSON", program),
                 "install the package universal-ctags"};
  version = line->version;
  child = std::move(*spawned);
  return {};
}

Result<void> SymbolExtractor::Impl::restart() {
  if (start_failures >= kMaxStartFailures || failures >= kMaxFailures)
    return Error{ErrorCode::Failed, fmt::format("'{}' failed too often and is off", program), {}};
  Result<void> spawned = spawn();
  if (spawned) {
    start_failures = 0;
  } else {
    ++start_failures;
  }
  return spawned;
}

Error SymbolExtractor::Impl::fail(std::string_view why) {
  child.reset();
  return Error{ErrorCode::Failed, fmt::format("'{}' {}", program, why), {}};
}

/// Nothing if the answer is not ctags'.
std::optional<std::vector<Definition>> SymbolExtractor::Impl::parse_reply() {
  std::vector<Definition> definitions;
  std::unordered_set<std::string> anonymous;
  for (std::string_view rest = child->reply(); !rest.empty();) {
    const std::size_t end = rest.find('\n');  // the last byte is one
    const std::optional<Line> line = parse_line(parser, rest.substr(0, end));
    rest.remove_prefix(end + 1);
    if (!line) return {};
    if (line->type != "tag") continue;  // warnings, among others; a fatal error ends ctags
    const bool made_up = line->extras.find("anonymous") != std::string_view::npos ||
                         line->name == "<lambda>" || line->name == "<anonymous>";  // Kotlin's
    if (made_up)
      anonymous.emplace(line->name);
    else if (line->line > 0 && line->line <= UINT32_MAX && is_worth_finding(line->name))
      definitions.push_back({std::string(line->name), std::string(line->kind),
                             static_cast<std::uint32_t>(line->line), std::string(line->scope)});
  }
  if (!anonymous.empty())
    for (Definition& d : definitions) d.scope = without_anonymous(d.scope, anonymous);
  sort_and_deduplicate(definitions);
  return definitions;
}

Result<SymbolExtractor> SymbolExtractor::start(const std::string& program,
                                               std::chrono::milliseconds deadline) {
  auto impl = std::make_unique<Impl>();
  impl->program = program;
  impl->deadline = deadline;
  Result<void> spawned = impl->spawn();
  if (!spawned && spawned.error().code != ErrorCode::NotFound) {
    impl->sandbox = false;  // not every kernel or container lets ctags build its sandbox
    spawned = impl->spawn();
  }
  if (!spawned) return spawned.error();
  return SymbolExtractor(std::move(impl));
}

SymbolExtractor::SymbolExtractor(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
SymbolExtractor::SymbolExtractor(SymbolExtractor&&) noexcept = default;
SymbolExtractor& SymbolExtractor::operator=(SymbolExtractor&&) noexcept = default;
SymbolExtractor::~SymbolExtractor() = default;

const std::string& SymbolExtractor::version() const { return impl_->version; }

Result<std::vector<Definition>> SymbolExtractor::definitions(std::string_view text,
                                                             std::string_view extension) {
  if (text.empty()) return std::vector<Definition>();
  std::string without_zeros;
  if (text.find('\0') != std::string_view::npos) {  // ctags miscounts lines after one
    without_zeros = text;
    std::replace(without_zeros.begin(), without_zeros.end(), '\0', ' ');
    text = without_zeros;
  }
  if (!impl_->child)
    if (Result<void> started = impl_->restart(); !started) return started.error();
  // Without the tag that opens it, a block of PHP is plain text to ctags.
  const std::string_view opening =
      extension == "php" && text.find("<?") == std::string_view::npos ? "<?php " : "";
  const std::string header =
      fmt::format("{{\"command\":\"generate-tags\",\"filename\":\"x.{}\",\"size\":{}}}\n{}",
                  extension, opening.size() + text.size(), opening);
  const auto deadline = impl_->deadline * (1 + (text.size() >> 20));
  ++impl_->failures;
  switch (impl_->child->exchange(header, text, kCompleted, deadline)) {
    case CtagsChild::Outcome::TimedOut:
      return impl_->fail("did not answer in time");
    case CtagsChild::Outcome::Died:
      return impl_->fail("died");
    case CtagsChild::Outcome::TooLarge:
      return impl_->fail("said too much");
    case CtagsChild::Outcome::Complete:
      break;
  }
  std::optional<std::vector<Definition>> definitions = impl_->parse_reply();
  if (!definitions) return impl_->fail("gave an answer that is no JSON");
  impl_->failures = 0;
  return std::move(*definitions);
}

}  // namespace kw
