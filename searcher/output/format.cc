// SPDX-License-Identifier: GPL-2.0-or-later
#include "searcher/output/format.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <nlohmann/json.hpp>

#include "schema/text/text.h"
#include "searcher/engine/scoring.h"

namespace kw::search {
namespace {

constexpr std::string_view kPathPaint = "\x1b[1;35m";
constexpr std::string_view kLinePaint = "\x1b[32m";
constexpr std::string_view kSectionPaint = "\x1b[36m";
constexpr std::string_view kMatchPaint = "\x1b[1;31m";
constexpr std::string_view kDimPaint = "\x1b[2m";
constexpr std::string_view kPlain = "\x1b[0m";

constexpr std::size_t kMaxJsonText = 1000;  // bytes; a promise to scripts
constexpr std::size_t kMaxTextLine = 400;   // bytes, where no terminal says how wide it is
constexpr std::size_t kMaxSectionColumns = 28;

std::string paint(std::string_view text, std::string_view color, bool on) {
  return on ? fmt::format("{}{}{}", color, text, kPlain) : std::string(text);
}

std::vector<LineMatch> chosen_lines(const Hit& hit, const FormatOptions& options) {
  return options.lines_per_file ? best_lines(hit.match.lines, options.lines_per_file)
                                : hit.match.lines;
}

std::string_view section_title(const FileRecord& record, std::uint32_t line) {
  const Section* const section = section_at(record, line);
  return section ? std::string_view(section->title) : std::string_view();
}

/// At most `columns` wide, with an ellipsis where it was cut.
std::string fit(std::string_view text, std::size_t columns) {
  if (display_width(text) <= columns) return std::string(text);
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t n = 1;
    while (i + n < text.size() && is_continuation(text[i + n])) ++n;
    if (display_width(out) + display_width(text.substr(i, n)) + 1 > columns) break;
    out += text.substr(i, n);
    i += n;
  }
  return out + "…";
}

/// One line of text with its matches painted, cut to about `limit` bytes around the first.
std::string painted_line(std::string_view line, const std::vector<Span>& spans, std::size_t limit,
                         bool color) {
  const std::size_t focus = spans.empty() ? 0 : spans[0].begin;
  std::size_t indent = 0;
  while (indent < line.size() && indent < focus && (line[indent] == ' ' || line[indent] == '\t'))
    ++indent;
  const Excerpt cut =
      line.size() - indent <= limit ? Excerpt{indent, line.size()} : cut_line(line, focus, limit);
  std::string out = cut.begin > indent ? "…" : "";
  std::size_t at = cut.begin;
  for (const Span& span : spans) {
    const std::size_t begin = std::clamp<std::size_t>(span.begin, at, cut.end),
                      end = std::clamp<std::size_t>(span.end, begin, cut.end);
    if (begin == end) continue;
    out += printable(line.substr(at, begin - at), true);
    out += paint(printable(line.substr(begin, end - begin), true), kMatchPaint, color);
    at = end;
  }
  out += printable(line.substr(at, cut.end - at), true);
  if (cut.end < line.size()) out += "…";
  return out;
}

std::string definition_words(const Definition& d) {
  return d.scope.empty() ? fmt::format("{} {}", d.kind, d.name)
                         : fmt::format("{} {} in {}", d.kind, d.name, d.scope);
}

}  // namespace

Excerpt cut_line(std::string_view line, std::size_t focus, std::size_t limit) {
  if (line.size() <= limit) return {0, line.size()};
  const auto inside_character = [&](std::size_t at) {
    return at < line.size() && is_continuation(line[at]);
  };
  // A third of the room stands before the match.
  std::size_t begin = focus > limit / 3 ? focus - limit / 3 : 0;
  begin = std::min(begin, line.size() - limit);
  while (inside_character(begin)) ++begin;
  std::size_t end = std::min(line.size(), begin + limit);
  while (inside_character(end)) --end;
  return {begin, end};
}

std::string format_text(const Hit& hit, const std::string& shown_path, bool changed_on_disk,
                        const FormatOptions& o, const std::string& url) {
  std::string out = paint(printable(shown_path), kPathPaint, o.color);
  if (!url.empty()) out = fmt::format("\x1b]8;;{}\x1b\\{}\x1b]8;;\x1b\\", url, out);
  if (!hit.match.definitions.empty()) {
    out += "   defines " + printable(definition_words(hit.match.definitions[0]));
    if (const std::size_t more = hit.match.definitions.size() - 1)
      out += fmt::format(" (+{})", more);
  }
  if (!hit.also.empty())
    out += paint(fmt::format("   also {}{}", printable(hit.also[0]),
                             hit.also.size() > 1 ? fmt::format(" (+{})", hit.also.size() - 1) : ""),
                 kDimPaint, o.color);
  if (!o.tree.empty()) out += paint("   in " + printable(o.tree), kDimPaint, o.color);
  if (changed_on_disk) out += paint("   (changed since it was indexed)", kDimPaint, o.color);
  out += '\n';

  const FileRecord& record = hit.record;
  const std::vector<std::size_t>& starts = hit.match.line_starts;
  const std::vector<LineMatch> lines = chosen_lines(hit, o);
  const auto last_line = static_cast<std::uint32_t>(starts.size()),
             context = static_cast<std::uint32_t>(std::min<std::size_t>(o.context, last_line));
  std::size_t number_width = 0, section_width = 0;
  for (const LineMatch& m : lines) {
    number_width = std::max(number_width, fmt::format("{}", m.line + context).size());
    section_width = std::max(
        section_width, std::min(kMaxSectionColumns, display_width(section_title(record, m.line))));
  }
  std::uint32_t printed = 0;  // the last line that stands there already, with context
  const auto print = [&](std::uint32_t line, const LineMatch* m) {
    if (line <= printed || line > starts.size()) return;
    if (o.context && printed && line > printed + 1) out += paint("  --\n", kDimPaint, o.color);
    printed = line;
    const std::string section =
        fit(printable(m ? section_title(record, line) : std::string_view()), kMaxSectionColumns);
    const std::string number = fmt::format("{:>{}}", line, number_width);
    const std::size_t head = 2 + number_width + 2 + (section_width ? section_width + 3 : 0);
    const std::size_t limit = o.width > head + 20 ? o.width - head - 1 : kMaxTextLine;
    out += fmt::format("  {}  ", paint(number, m ? kLinePaint : kDimPaint, o.color));
    if (section_width)
      out += paint(section, kSectionPaint, o.color) +
             std::string(section_width - std::min(section_width, display_width(section)) + 3, ' ');
    out += painted_line(line_at(record.text, starts, line), m ? m->spans : std::vector<Span>{},
                        limit, o.color);
    out += '\n';
  };
  for (std::size_t i = 0; i < lines.size(); ++i) {
    // No further than to the lines that match before and behind, nor beyond the text.
    const std::uint32_t line = lines[i].line, above = i == 0 ? 0 : lines[i - 1].line,
                        below = i + 1 < lines.size() ? lines[i + 1].line - 1 : last_line;
    for (std::uint32_t before = std::max(above, line - std::min(line, context + 1)) + 1;
         before < line; ++before)
      print(before, nullptr);
    print(line, &lines[i]);
    for (std::uint32_t after = line + 1; after <= std::min(line + context, below); ++after)
      print(after, nullptr);
  }
  return out;
}

std::string file_url(const std::string& path) {
  char host[256] = "";
  if (::gethostname(host, sizeof host - 1) != 0) host[0] = '\0';
  std::string url = "file://" + printable(host);
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80 && (std::isalnum(byte) || std::strchr("/._-~+", c)))
      url += c;
    else
      url += fmt::format("%{:02X}", byte);
  }
  return url;
}

std::string format_json(const Hit& hit, bool changed_on_disk, const FormatOptions& o) {
  using nlohmann::ordered_json;
  ordered_json json;
  json["rank"] = hit.rank;
  json["path"] = to_valid_utf8(hit.path);
  if (!is_utf8(hit.path)) json["path_bytes"] = base64(hit.path);
  if (!o.tree.empty()) json["tree"] = to_valid_utf8(o.tree);
  json["score"] = hit.score;
  json["title"] = to_valid_utf8(hit.record.title);
  json["language"] = hit.record.language;
  json["also"] = ordered_json::array();
  for (const std::string& path : hit.also) json["also"].push_back(to_valid_utf8(path));
  json["definitions"] = ordered_json::array();
  for (const Definition& d : hit.match.definitions)
    json["definitions"].push_back({{"name", to_valid_utf8(d.name)},
                                   {"kind", d.kind},
                                   {"line", d.line},
                                   {"scope", to_valid_utf8(d.scope)}});
  json["matches"] = ordered_json::array();
  const std::vector<std::size_t>& starts = hit.match.line_starts;
  for (const LineMatch& m : chosen_lines(hit, o)) {
    const std::string_view line = line_at(hit.record.text, starts, m.line);
    const Excerpt cut = cut_line(line, m.spans[0].begin, kMaxJsonText);
    json["matches"].push_back(
        {{"line", m.line},
         {"column", m.spans[0].begin + 1},
         {"section", to_valid_utf8(section_title(hit.record, m.line))},
         {"text", to_valid_utf8(line.substr(cut.begin, cut.end - cut.begin))}});
  }
  if (changed_on_disk) json["changed"] = true;
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

std::string format_vimgrep(const Hit& hit, const std::string& shown_path, const FormatOptions& o) {
  std::string out;
  const std::vector<std::size_t>& starts = hit.match.line_starts;
  for (const LineMatch& m : chosen_lines(hit, o)) {
    const std::string_view line = line_at(hit.record.text, starts, m.line);
    const Excerpt cut = cut_line(line, m.spans[0].begin, kMaxJsonText);
    out += fmt::format("{}:{}:{}:{}\n", printable(shown_path), m.line, m.spans[0].begin + 1,
                       printable(line.substr(cut.begin, cut.end - cut.begin), true));
  }
  return out;
}

std::string explain_score(double score) {
  const ScoreParts parts = split_score(score);
  std::string out = fmt::format("tier {}", parts.tier);
  if (parts.tier >= 1 && parts.tier <= kTierCount)
    out += fmt::format(" ({})", name_of(static_cast<Tier>(parts.tier)));
  if (parts.spelling) out += ", spelled as asked";
  out += fmt::format(
      ", {}", kOriginsBestFirst[static_cast<std::size_t>(3 - std::clamp(parts.origin, 0, 3))]);
  static constexpr std::string_view kRankNames[] = {"", ", member", ", function", ", type"};
  out += kRankNames[std::clamp(parts.rank, 0, 3)];
  return out + fmt::format(", bm25 {:.3f}", parts.bm25);
}

}  // namespace kw::search
