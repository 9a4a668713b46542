// SPDX-License-Identifier: GPL-2.0-or-later
#include "schema/text/front_matter.h"

#include <algorithm>

#include "schema/text/text.h"

namespace kw {
namespace {

// Front matter is a handful of keys; a delimiter this far down closes none.
constexpr std::uint32_t kMaxLines = 500;
constexpr std::size_t kMaxBytes = 64u << 10;

struct Line {
  std::string_view content;  ///< without blanks and a carriage return at its end
  std::size_t next = 0;      ///< where the line after it begins
};

Line line_from(std::string_view text, std::size_t at) {
  const std::size_t end = std::min(text.find('\n', at), text.size());
  std::string_view content = text.substr(at, end - at);
  while (!content.empty() && (is_blank(content.back()) || content.back() == '\r'))
    content.remove_suffix(1);
  return {content, std::min(end + 1, text.size())};
}

/// True for `key:` and `key: value`, which no sentence begins with.
bool is_yaml_key(std::string_view line) {
  const std::size_t colon = line.find(':');
  if (colon == 0 || colon == std::string_view::npos || is_blank(line.front())) return false;
  return colon + 1 == line.size() || is_blank(line[colon + 1]);
}

bool opens(FrontMatterKind kind, std::string_view line) {
  switch (kind) {
    case FrontMatterKind::Yaml:
      return is_yaml_key(line);
    case FrontMatterKind::Toml:
      return line.find('=') != std::string_view::npos || line.starts_with('[');
    case FrontMatterKind::Json:
      line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
      return line.starts_with('"');
  }
  return false;
}

bool closes(FrontMatterKind kind, std::string_view line) {
  switch (kind) {
    case FrontMatterKind::Yaml:
      return line == "---" || line == "...";
    case FrontMatterKind::Toml:
      return line == "+++";
    case FrontMatterKind::Json:
      return line == "}";
  }
  return false;
}

/// A line before the first key that says nothing.
bool is_passed_over(FrontMatterKind kind, std::string_view line) {
  // A blank line after a rule is more often a page that begins with a rule.
  if (line.empty()) return kind != FrontMatterKind::Yaml;
  return line.starts_with('#') && kind != FrontMatterKind::Json;
}

}  // namespace

FrontMatter front_matter_of(std::string_view text) {
  FrontMatter front;
  Line line = line_from(text, 0);
  if (line.content == "---")
    front.kind = FrontMatterKind::Yaml;
  else if (line.content == "+++")
    front.kind = FrontMatterKind::Toml;
  else if (line.content == "{")
    front.kind = FrontMatterKind::Json;
  else
    return {};
  const std::size_t first = line.next;
  bool has_key = false;
  std::size_t at = first;
  for (std::uint32_t number = 2; number <= kMaxLines && at < text.size() && at <= kMaxBytes;
       ++number) {
    line = line_from(text, at);
    if (has_key && closes(front.kind, line.content)) {
      const bool is_json = front.kind == FrontMatterKind::Json;
      front.values = is_json ? text.substr(0, at + 1) : text.substr(first, at - first);
      front.lines = number;
      front.bytes = line.next;
      return front;
    }
    if (!has_key && !is_passed_over(front.kind, line.content)) {
      if (!opens(front.kind, line.content)) return {};
      has_key = true;
    }
    at = line.next;
  }
  return {};
}

}  // namespace kw
