// SPDX-License-Identifier: GPL-2.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "schema/text/splitter.h"
#include "schema/text/text.h"
#include "searcher/match/match.h"
#include "searcher/output/format.h"

namespace kw::search {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t kMaxJsonText = 1000;  // bytes; a promise to scripts

ordered_json json_of(const Definition& d) {
  return {{"name", to_valid_utf8(d.name)},
          {"kind", d.kind},
          {"line", d.line},
          {"scope", to_valid_utf8(d.scope)}};
}

/// The function or type around a line, else its section; null outside of both.
ordered_json enclosing(const Hit& hit, std::uint32_t line, const Section* section) {
  if (const Definition* const d = enclosing_definition(hit.record, hit.match.line_starts, line))
    return json_of(*d);
  if (!section) return nullptr;
  return {{"name", to_valid_utf8(section->title)},
          {"kind", "section"},
          {"line", section->first_line},
          {"scope", ""}};
}

ordered_json json_of(const Hit& hit, const LineMatch& m) {
  const std::string_view line = line_at(hit.record.text, hit.match.line_starts, m.line);
  const Excerpt cut = cut_line(line, m.begin(), kMaxJsonText);
  const Section* const section = section_at(hit.record, m.line);
  ordered_json json{{"line", m.line},
                    {"column", m.begin() + 1},
                    {"section", section ? to_valid_utf8(section->title) : ""},
                    {"anchor", section ? to_valid_utf8(section->anchor) : ""},
                    {"text", to_valid_utf8(line.substr(cut.begin, cut.end - cut.begin))}};
  if (ordered_json around = enclosing(hit, m.line, section); !around.is_null())
    json["enclosing"] = std::move(around);
  return json;
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

std::string format_json(const Hit& hit, bool changed_on_disk, const FormatOptions& o) {
  if (is_left_out(hit, o)) return {};
  ordered_json json;
  json["rank"] = hit.rank;
  json["path"] = to_valid_utf8(hit.path);
  if (!is_utf8(hit.path)) json["path_bytes"] = base64(hit.path);
  if (!o.tree.empty()) json["tree"] = to_valid_utf8(o.tree);
  json["score"] = hit.score;
  json["reading"] = hit.reading;
  json["title"] = to_valid_utf8(hit.record.title);
  json["language"] = hit.record.language;
  json["also"] = ordered_json::array();
  for (const std::string& path : hit.also) json["also"].push_back(to_valid_utf8(path));
  json["definitions"] = ordered_json::array();
  for (const Definition& d : hit.match.definitions) json["definitions"].push_back(json_of(d));
  json["passage"] = hit.match.passage ? to_valid_utf8(hit.match.passage->text) : "";
  json["matches"] = ordered_json::array();
  for (const LineMatch& m : chosen_lines(hit, o)) json["matches"].push_back(json_of(hit, m));
  if (changed_on_disk) json["changed"] = true;
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

std::string format_vimgrep(const Hit& hit, const std::string& shown_path, bool raw_path,
                           const FormatOptions& o) {
  std::string out;
  // A name that would break the line is shown, not named.
  const bool breaks_line = std::any_of(shown_path.begin(), shown_path.end(), [](char c) {
    return (static_cast<unsigned char>(c) < ' ' && c != '\t') || c == 0x7f;
  });
  const std::string path = raw_path && !breaks_line ? shown_path : printable(shown_path);
  for (const LineMatch& m : chosen_lines(hit, o)) {
    const std::string_view line = line_at(hit.record.text, hit.match.line_starts, m.line);
    const Excerpt cut = cut_line(line, m.begin(), kMaxJsonText);
    out += fmt::format("{}:{}:{}:{}\n", path, m.line, m.begin() + 1,
                       printable(line.substr(cut.begin, cut.end - cut.begin), true));
  }
  return out;
}

std::vector<LineMatch> chosen_lines(const Hit& hit, const FormatOptions& o) {
  const std::size_t most = o.lines_per_file ? o.lines_per_file : std::string::npos;
  if (o.uses.empty()) return best_lines(hit.match, most, hit.named_lines);
  // Of a qualified name the last part is what a definition is called.
  std::string_view name = o.uses;
  while (!name.empty() && !ends_in_word_char(name)) name.remove_suffix(1);
  std::size_t begin = name.size();
  while (begin > 0 && ends_in_word_char(name.substr(0, begin))) --begin;
  const std::string folded = fold(name.substr(begin));
  std::vector<LineMatch> uses;
  for (const LineMatch& m : hit.match.lines)
    if (uses.size() < most && std::none_of(hit.record.definitions.begin(),
                                           hit.record.definitions.end(), [&](const Definition& d) {
                                             return d.line == m.line && fold(d.name) == folded;
                                           }))
      uses.push_back(m);
  return uses;
}

bool is_left_out(const Hit& hit, const FormatOptions& o) {
  return !o.uses.empty() && chosen_lines(hit, o).empty();
}

}  // namespace kw::search
