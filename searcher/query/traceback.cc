// SPDX-License-Identifier: GPL-2.0-or-later
#include "searcher/query/traceback.h"

#include <algorithm>

#include "searcher/query/message.h"

namespace kw::search {
namespace {

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.remove_suffix(1);
    if (!line.empty()) lines.push_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

}  // namespace

std::optional<Traceback> parse_traceback(std::string_view text) {
  const std::vector<std::string_view> lines = lines_of(text);
  if (lines.size() < 2) return std::nullopt;
  Traceback trace;
  bool is_python = false;
  for (const std::string_view line : lines) {
    is_python |=
        line.starts_with("Traceback (most recent call last)") || line.find("  File \"") == 0;
    auto frame = parse_path_reference(line);
    if (frame && frame->is_certain && frame->line > 0) {
      if (trace.message.empty() && is_message(frame->rest)) trace.message = frame->rest;
      trace.frames.push_back(*std::move(frame));
    } else if (is_message(line)) {
      // Python says what happened last, others first.
      if (trace.message.empty() || is_python) trace.message = line;
    }
  }
  if (trace.frames.empty()) return std::nullopt;
  // Only Python prints the deepest frame last.
  if (is_python) std::reverse(trace.frames.begin(), trace.frames.end());
  std::vector<PathReference> once;
  for (PathReference& frame : trace.frames) {
    const bool is_known = std::any_of(once.begin(), once.end(), [&](const PathReference& other) {
      return other.parts == frame.parts;
    });
    if (!is_known && once.size() < kMaxFrames) once.push_back(std::move(frame));
  }
  trace.frames = std::move(once);
  return trace;
}

}  // namespace kw::search
