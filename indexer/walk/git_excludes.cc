// SPDX-License-Identifier: GPL-2.0-or-later
#include "indexer/walk/git_excludes.h"

#include <fcntl.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "indexer/walk/directory.h"
#include "schema/text/text.h"

namespace kw::indexer {
namespace {

constexpr std::size_t kMaxConfigBytes = 1u << 20;

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (is_blank(text.front()) || text.front() == '\r')) text.remove_prefix(1);
  while (!text.empty() && (is_blank(text.back()) || text.back() == '\r')) text.remove_suffix(1);
  return text;
}

/// ASCII only, as git compares sections and keys.
std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + ('a' - 'A'));
  return out;
}

/// A value without its quotes, escapes and comment.
std::string value_of(std::string_view text) {
  std::string out;
  bool quoted = false;
  std::size_t kept = 0;  // blanks at the end do not count, unless they are quoted
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') {
      quoted = !quoted;
      kept = out.size();
      continue;
    }
    if (!quoted && (c == '#' || c == ';')) break;
    if (c == '\\' && i + 1 < text.size()) {
      const char next = text[++i];
      out += next == 'n' ? '\n' : next == 't' ? '\t' : next;
    } else {
      out += c;
    }
    if (quoted || !is_blank(c)) kept = out.size();
  }
  out.resize(kept);
  return out;
}

std::string environment(const char* name) {
  const char* const value = std::getenv(name);
  return value ? value : "";
}

}  // namespace

std::optional<std::string> excludes_file_in(std::string_view config) {
  std::optional<std::string> found;
  bool in_core = false;
  while (!config.empty()) {
    const std::size_t end = std::min(config.find('\n'), config.size());
    std::string_view line = trimmed(config.substr(0, end));
    config.remove_prefix(std::min(end + 1, config.size()));
    if (line.starts_with('[')) {
      const std::size_t close = std::min(line.find(']'), line.size());
      in_core = lower(trimmed(line.substr(1, close - 1))) == "core";
      line = trimmed(line.substr(std::min(close + 1, line.size())));
    }
    const std::size_t equals = line.find('=');
    if (!in_core || equals == std::string_view::npos) continue;
    if (lower(trimmed(line.substr(0, equals))) == "excludesfile")
      found = value_of(trimmed(line.substr(equals + 1)));
  }
  return found;
}

std::string user_excludes_file() {
  const std::string home = environment("HOME");
  std::string folder = environment("XDG_CONFIG_HOME");
  if (folder.empty() && !home.empty()) folder = home + "/.config";
  std::vector<std::string> configs;  // a later one wins
  if (environment("GIT_CONFIG_NOSYSTEM").empty()) configs.push_back("/etc/gitconfig");
  if (const std::string global = environment("GIT_CONFIG_GLOBAL"); !global.empty()) {
    configs.push_back(global);
  } else {
    if (!folder.empty()) configs.push_back(folder + "/git/config");
    if (!home.empty()) configs.push_back(home + "/.gitconfig");
  }
  std::optional<std::string> path;
  for (const std::string& config : configs)
    if (const auto bytes = read_file_at(AT_FDCWD, config, kMaxConfigBytes))
      if (auto value = excludes_file_in(*bytes)) path = std::move(value);
  if (!path) return folder.empty() ? std::string() : folder + "/git/ignore";
  if (path->starts_with("~/") && !home.empty()) return home + path->substr(1);
  return path->starts_with('/') ? *path : std::string();
}

}  // namespace kw::indexer
