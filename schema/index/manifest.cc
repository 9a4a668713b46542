// SPDX-License-Identifier: GPL-2.0-or-later
#include "schema/index/manifest.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <vector>

#include "schema/base/bounds.h"

namespace kw {
namespace {

constexpr std::string_view kFormat = "kwexport 1";

std::string escape(std::string_view name) {
  std::string out;
  for (const char c : name) {
    if (c == '\n')
      out += "\\n";
    else if (c == '\r')
      out += "\\r";
    else if (c == '\\')
      out += "\\\\";
    else
      out += c;
  }
  return out;
}

std::string unescape(std::string_view name) {
  std::string out;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] != '\\' || i + 1 == name.size()) {
      out += name[i];
      continue;
    }
    const char c = name[++i];
    out += c == 'n' ? '\n' : c == 'r' ? '\r' : c;
  }
  return out;
}

bool is_hash(std::string_view word) {
  return !word.empty() && word.size() <= 64 &&
         word.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

/// The words behind the format's name; nothing if they are none of ours.
std::optional<ExportedState> parse_state(std::string_view words) {
  if (words.empty()) return ExportedState{};
  std::vector<std::string_view> parts;
  while (words.starts_with(' ')) {
    words.remove_prefix(1);
    parts.push_back(words.substr(0, words.find(' ')));
    words.remove_prefix(parts.back().size());
  }
  if (parts.size() != 3 || !is_hash(parts[0]) || !is_hash(parts[1])) return std::nullopt;
  ExportedState state{std::string(parts[0]), std::string(parts[1]), 0};
  const char* const end = parts[2].data() + parts[2].size();
  const auto [at, error] = std::from_chars(parts[2].data(), end, state.pages);
  if (error != std::errc() || at != end) return std::nullopt;
  return state;
}

Error bad(const char* fact) {
  return {ErrorCode::Refused, fmt::format("the manifest {} {}", kManifestName, fact),
          "remove it and run kwexport with --adopt"};
}

}  // namespace

bool begins_as_generated(std::string_view head) {
  for (const std::string_view mark : {kGeneratedMark, kSitePageMark, kSiteScriptMark, kSiteMapMark})
    if (head.starts_with(mark)) return true;
  return false;
}

bool stays_inside(std::string_view name) {
  if (name.empty() || name.front() == '/' || name.find('\0') != std::string_view::npos)
    return false;
  while (!name.empty()) {
    const std::size_t slash = name.find('/');
    const std::string_view part = name.substr(0, slash);
    if (part.empty() || part == "." || part == "..") return false;
    if (slash == std::string_view::npos) break;
    name.remove_prefix(slash + 1);
    if (name.empty()) return false;
  }
  return true;
}

std::string format_manifest(const Manifest& manifest) {
  std::string out(kFormat);
  const ExportedState& state = manifest.state;
  if (!state.inputs.empty())
    out += fmt::format(" {} {} {}", state.inputs, state.content, state.pages);
  out += '\n';
  for (const std::string& file : manifest.files) {
    out += escape(file);
    out += '\n';
  }
  return out;
}

Result<Manifest> parse_manifest(std::string_view text) {
  Manifest manifest;
  bool first = true;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return bad("is cut short");
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end + 1);
    if (manifest.files.size() == kMaxManifestNames) return bad("lists too many files");
    if (first) {
      const auto state =
          line.starts_with(kFormat) ? parse_state(line.substr(kFormat.size())) : std::nullopt;
      if (!state) return bad("is of another format");
      manifest.state = *state;
      first = false;
      continue;
    }
    std::string name = unescape(line);
    if (!stays_inside(name)) return bad("names a file outside its folder");
    manifest.files.insert(std::move(name));
  }
  if (first) return bad("is empty");
  return manifest;
}

}  // namespace kw
