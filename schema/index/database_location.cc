// SPDX-License-Identifier: GPL-2.0-or-later
#include "schema/index/database_location.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>

#include "schema/base/bounds.h"
#include "schema/index/database_dir.h"
#include "schema/text/text.h"

namespace fs = std::filesystem;

namespace kw {
namespace {

constexpr std::size_t kMaxHostBytes = 253;  // of a name in the domain name system

constexpr const char* kHint = "its lines are 'auto FOLDER', 'remote HOST:PORT' and '# comments'";

bool is_plain_file(const std::string& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r");
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") + 1 - begin);
}

/// For a message: whatever file somebody names by mistake.
std::string shown(std::string_view text) {
  constexpr std::size_t kMost = 60;
  return printable(text.substr(0, kMost)) + (text.size() > kMost ? "..." : "");
}

/// "a.example", "10.0.0.1", and "::1" without its brackets.
bool is_host(std::string_view host, bool in_brackets) {
  const auto fits = [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           (in_brackets ? c == ':' || c == '%' : c == '-' || c == '_');
  };
  return !host.empty() && host.size() <= kMaxHostBytes && host[0] != '-' &&
         std::all_of(host.begin(), host.end(), fits);
}

std::optional<DatabaseLocation> parse_server(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (colon == text.npos) return std::nullopt;
  std::string_view host = text.substr(0, colon);
  const bool in_brackets = host.size() > 2 && host.front() == '[' && host.back() == ']';
  if (in_brackets) host = host.substr(1, host.size() - 2);
  std::uint16_t port = 0;
  const char* const end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data() + colon + 1, end, port);
  if (error != std::errc() || at != end || port == 0 || !is_host(host, in_brackets))
    return std::nullopt;
  return DatabaseLocation(std::string(host), port);
}

/// One line that is neither empty nor a comment; what is wrong with it as the error's message.
Result<DatabaseLocation> parse_line(std::string_view line, const fs::path& beside) {
  const auto wrong = [](std::string what) {
    return Error{ErrorCode::Refused, std::move(what), kHint};
  };
  if (std::any_of(line.begin(), line.end(),
                  [](char c) { return static_cast<unsigned char>(c) < ' ' && c != '\t'; }))
    return wrong("a control character");
  const std::size_t blank = line.find_first_of(" \t");
  const std::string_view kind = line.substr(0, blank);
  const std::string_view rest =
      blank == line.npos ? std::string_view() : trimmed(line.substr(blank));
  if (kind == "remote") {
    if (rest.starts_with(':')) return wrong("it names a program to run");
    if (auto place = parse_server(rest)) return *std::move(place);
    return wrong(fmt::format("'{}' is no HOST:PORT", shown(rest)));
  }
  if (kind != "auto") return wrong(fmt::format("'{}' is no kind of place", shown(kind)));
  if (rest.empty()) return wrong("the folder is missing");
  const std::string path = (beside / rest).string();
  if (is_plain_file(path)) return wrong("it names a file; stub files do not nest");
  return DatabaseLocation(resolve_database_path(path));
}

}  // namespace

std::string DatabaseLocation::name() const {
  if (!is_remote()) return folder;
  const bool in_brackets = host.find(':') != host.npos;
  return fmt::format("{}{}{}:{}", in_brackets ? "[" : "", host, in_brackets ? "]" : "", port);
}

Result<std::vector<DatabaseLocation>> parse_stub(std::string_view text, const std::string& file) {
  const fs::path beside = fs::path(file).parent_path();
  std::vector<DatabaseLocation> places;
  for (int number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty() || line[0] == '#') continue;
    auto place = parse_line(line, beside);
    if (!place)
      return Error{ErrorCode::Refused,
                   fmt::format("refused stub file '{}': line {}: {}", printable(file), number,
                               place.error().message),
                   place.error().hint};
    if (places.size() == kMaxPlaces)
      return Error{ErrorCode::Refused,
                   fmt::format("refused stub file '{}': line {}: more than {} databases",
                               printable(file), number, kMaxPlaces),
                   "make fewer and larger parts"};
    places.push_back(*std::move(place));
  }
  if (places.empty())
    return Error{ErrorCode::Refused,
                 fmt::format("refused stub file '{}': it names no database", printable(file)),
                 kHint};
  return places;
}

Result<std::vector<DatabaseLocation>> places_of(const std::string& given) {
  if (!is_plain_file(given)) return std::vector<DatabaseLocation>{resolve_database_path(given)};
  // It may lie in a tree from elsewhere, where a database is looked for: nobody means such a list.
  std::error_code error;
  for (const fs::path& path : {fs::path(given), fs::canonical(given, error)})
    if (path.filename() == kDatabaseFolderName || path.filename() == kStubName)
      return Error{ErrorCode::Refused,
                   fmt::format("refused stub file '{}': a tree's own file may be named so",
                               printable(given)),
                   "give a list of databases another name"};
  auto text = read_file(given, kMaxStubBytes);
  if (!text) {
    if (text.error().hint.empty())
      return Error{text.error().code, text.error().message, "name a database or a list of some"};
    return text.error();
  }
  return parse_stub(*text, given);
}

}  // namespace kw
