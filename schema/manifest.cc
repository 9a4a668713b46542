// SPDX-License-Identifier: GPL-2.0-or-later
#include "schema/manifest.h"

namespace kw {
namespace {

constexpr std::string_view kFirstLine = "kwexport 1";

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

Error bad(const char* fact) {
  return {ErrorCode::Refused,
          std::string("the manifest ") + std::string(kManifestName) + " " + fact,
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

std::string format_manifest(const std::set<std::string>& files) {
  std::string out(kFirstLine);
  out += '\n';
  for (const std::string& file : files) {
    out += escape(file);
    out += '\n';
  }
  return out;
}

Result<std::set<std::string>> parse_manifest(std::string_view text) {
  std::set<std::string> files;
  bool first = true;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return bad("is cut short");
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end + 1);
    if (first) {
      if (line != kFirstLine) return bad("is of another format");
      first = false;
      continue;
    }
    std::string name = unescape(line);
    if (!stays_inside(name)) return bad("names a file outside its folder");
    files.insert(std::move(name));
  }
  if (first) return bad("is empty");
  return files;
}

}  // namespace kw
