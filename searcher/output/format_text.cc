// SPDX-License-Identifier: GPL-2.0-or-later
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <set>

#include "schema/text/text.h"
#include "searcher/engine/scoring.h"
#include "searcher/match/match.h"
#include "searcher/output/format.h"

namespace kw::search {
namespace {

constexpr std::string_view kPathPaint = "\x1b[1;35m";
constexpr std::string_view kLinePaint = "\x1b[32m";
constexpr std::string_view kSectionPaint = "\x1b[36m";
constexpr std::string_view kMatchPaint = "\x1b[1;31m";
constexpr std::string_view kDimPaint = "\x1b[2m";
constexpr std::string_view kPlain = "\x1b[0m";

constexpr std::size_t kMaxTextLine = 400;  // columns, where no terminal says how wide it is
constexpr std::size_t kMinTextLine = 20;   // columns that a line has even on a narrow terminal
constexpr std::size_t kMaxSectionColumns = 28;
constexpr std::size_t kMaxTitleColumns = 60;
constexpr std::size_t kTabColumns = 8;
constexpr std::size_t kMaxPassageRows = 3;

std::string paint(std::string_view text, std::string_view color, bool on) {
  return on ? fmt::format("{}{}{}", color, text, kPlain) : std::string(text);
}

/// Bytes of the character at `at`; of one that is not UTF-8 the bytes that look like one.
std::size_t character_size(std::string_view text, std::size_t at) {
  std::size_t n = 1;
  while (at + n < text.size() && is_continuation(text[at + n])) ++n;
  return n;
}

/// Columns that a character takes as it is shown, from the column where it begins.
std::size_t columns_of(std::string_view character, std::size_t column) {
  if (character == "\t") return kTabColumns - column % kTabColumns;
  if (static_cast<unsigned char>(character[0]) >= ' ' && character.size() == 1 &&
      static_cast<signed char>(character[0]) > 0 && character[0] != 0x7f)
    return 1;
  return display_width(printable(character));
}

/// At most `columns` wide, with an ellipsis where it was cut.
std::string fit(std::string_view text, std::size_t columns) {
  if (display_width(text) <= columns) return std::string(text);
  std::size_t width = 0, end = 0;
  while (end < text.size()) {
    const std::size_t n = character_size(text, end);
    width += display_width(text.substr(end, n));
    if (width + 1 > columns) break;
    end += n;
  }
  return std::string(text.substr(0, end)) + "…";
}

/// Bytes [begin, end) of a line, safe for a terminal, with its matches painted. Tabs stay where
/// nobody has columns.
std::string painted(std::string_view line, Excerpt part, const std::vector<Span>& spans,
                    const FormatOptions& o) {
  std::string out;
  std::size_t column = 0;
  const auto add = [&](std::size_t begin, std::size_t end, bool matched) {
    std::string text;
    for (std::size_t i = begin; i < end;) {
      const std::string_view character = line.substr(i, std::min(character_size(line, i), end - i));
      const std::size_t width = columns_of(character, column);
      text += character == "\t" && o.width ? std::string(width, ' ') : printable(character, true);
      column += width;
      i += character.size();
    }
    if (!text.empty()) out += matched ? paint(text, kMatchPaint, o.color) : text;
  };
  std::size_t at = part.begin;
  for (const Span& span : spans) {
    const std::size_t begin = std::clamp<std::size_t>(span.begin, at, part.end),
                      end = std::clamp<std::size_t>(span.end, begin, part.end);
    add(at, begin, false);
    add(begin, end, true);
    at = end;
  }
  add(at, part.end, false);
  return out;
}

/// One line of text with its matches painted, cut to `columns` around its focus.
std::string painted_line(std::string_view line, const LineMatch* m, std::size_t columns,
                         const FormatOptions& o) {
  const std::size_t first = m ? m->spans[0].begin : line.size();
  std::size_t indent = 0;
  while (indent < first && is_blank(line[indent])) ++indent;
  const Excerpt cut =
      cut_to_columns(line, indent, std::max<std::size_t>(indent, m ? m->begin() : 0), columns);
  return (cut.begin > indent ? "…" : "") +
         painted(line, cut, m ? m->spans : std::vector<Span>{}, o) +
         (cut.end < line.size() ? "…" : "");
}

std::string definition_words(const Definition& d) {
  return d.scope.empty() ? fmt::format("{} {}", d.kind, d.name)
                         : fmt::format("{} {} in {}", d.kind, d.name, d.scope);
}

/// A page's title, but for one that only names the source that the page is about.
std::string_view shown_title(const FileRecord& record) {
  std::string_view source = file_name_of(record.path);
  for (const std::string_view end : {".md", "_docs"})
    if (source.ends_with(end)) source.remove_suffix(end.size());
  const bool names_source =
      source.find('.') != source.npos && record.title.find(source) != record.title.npos;
  return names_source ? std::string_view() : record.title;
}

std::string heading_line(const Hit& hit, const std::string& shown_path, bool changed_on_disk,
                         const FormatOptions& o, const std::string& url) {
  std::string out = paint(printable(shown_path), kPathPaint, o.color);
  if (!url.empty()) out = fmt::format("\x1b]8;;{}\x1b\\{}\x1b]8;;\x1b\\", url, out);
  const std::vector<Definition>& definitions = hit.match.definitions;
  if (!definitions.empty()) {
    out += "   defines " + printable(definition_words(definitions[0]));
    if (definitions.size() > 1) out += fmt::format(" (+{})", definitions.size() - 1);
  } else if (const std::string_view title = shown_title(hit.record); !title.empty()) {
    out += "   " + fit(printable(title), kMaxTitleColumns);
  }
  if (!hit.also.empty())
    out += paint(fmt::format("   also {}{}", printable(hit.also[0]),
                             hit.also.size() > 1 ? fmt::format(" (+{})", hit.also.size() - 1) : ""),
                 kDimPaint, o.color);
  if (!o.tree.empty()) out += paint("   in " + printable(o.tree), kDimPaint, o.color);
  if (changed_on_disk) out += paint("   (changed since it was indexed)", kDimPaint, o.color);
  return out + '\n';
}

/// The lines below a hit's path: number, section, text.
class LinePrinter {
 public:
  LinePrinter(const Hit& hit, const FormatOptions& options) : hit_(hit), o_(options) {}

  std::string run() {
    std::vector<LineMatch> lines = chosen_lines(hit_, o_);
    const Passage* const passage = shown_passage();
    if (passage) {  // it stands for all lines but that of a definition
      const bool defines = !hit_.match.definitions.empty() && !lines.empty() &&
                           lines[0].line == hit_.match.definitions[0].line;
      lines.resize(defines ? 1 : 0);
    }
    for (const LineMatch& m : lines) measure(m.line + context());
    for (const LineMatch& m : lines) measure_label(m.line);
    if (passage) measure(passage->first_line);
    if (passage) measure_label(passage->first_line);
    for (const LineMatch& m : lines) print_with_context(m, lines);
    if (passage) print(*passage);
    return std::move(out_);
  }

 private:
  /// With context, all lines or the uses of a name the lines themselves are asked for.
  const Passage* shown_passage() const {
    const bool wanted = hit_.match.passage && hit_.named_lines.empty() && o_.context == 0 &&
                        o_.lines_per_file > 0 && o_.uses.empty();
    return wanted ? &*hit_.match.passage : nullptr;
  }

  std::uint32_t last_line() const {
    return static_cast<std::uint32_t>(hit_.match.line_starts.size());
  }
  std::uint32_t context() const {
    return static_cast<std::uint32_t>(std::min<std::size_t>(o_.context, last_line()));
  }

  /// What stands beside a line: its section; beside the use of a name the function around it.
  std::string label(std::uint32_t line) const {
    if (!o_.uses.empty())
      if (const Definition* const d =
              enclosing_definition(hit_.record, hit_.match.line_starts, line))
        return fit(printable(d->kind + " " + d->name), kMaxSectionColumns);
    const Section* const section = section_at(hit_.record, line);
    return section ? fit(printable(section->title), kMaxSectionColumns) : "";
  }

  void measure(std::uint32_t line) {
    number_width_ = std::max(number_width_, fmt::format("{}", line).size());
  }
  void measure_label(std::uint32_t line) {
    label_width_ = std::max(label_width_, display_width(label(line)));
  }

  std::size_t head_width() const {
    return 2 + number_width_ + 2 + (label_width_ ? label_width_ + 3 : 0);
  }
  std::size_t text_width() const {
    return o_.width > head_width() + kMinTextLine ? o_.width - head_width() - 1 : kMaxTextLine;
  }

  void print_head(std::uint32_t line, bool matches) {
    out_ += fmt::format("  {}  ", paint(fmt::format("{:>{}}", line, number_width_),
                                        matches ? kLinePaint : kDimPaint, o_.color));
    if (!label_width_) return;
    const std::string text = matches ? label(line) : "";
    out_ += paint(text, kSectionPaint, o_.color) +
            std::string(label_width_ - display_width(text) + 3, ' ');
  }

  void print(std::uint32_t line, const LineMatch* m) {
    if (!printed_.insert(line).second) return;
    if (o_.context && last_ && line != last_ + 1) out_ += paint("  --\n", kDimPaint, o_.color);
    last_ = line;
    print_head(line, m);
    out_ +=
        painted_line(line_at(hit_.record.text, hit_.match.line_starts, line), m, text_width(), o_);
    out_ += '\n';
  }

  void print_with_context(const LineMatch& m, const std::vector<LineMatch>& lines) {
    const std::uint32_t first = m.line - std::min(m.line - 1, context()),
                        last = std::min(last_line(), m.line + context());
    for (std::uint32_t line = first; line <= last; ++line) {
      const auto match = std::find_if(lines.begin(), lines.end(),
                                      [&](const LineMatch& other) { return other.line == line; });
      print(line, match == lines.end() ? nullptr : &*match);
    }
  }

  /// Wrapped for a terminal; one line for programs.
  void print(const Passage& passage) {
    print_head(passage.first_line, true);
    if (!o_.width) {
      out_ += painted(passage.text, {0, passage.text.size()}, passage.spans, o_) + '\n';
      return;
    }
    std::size_t at = 0;
    for (std::size_t row = 0; row < kMaxPassageRows && at < passage.text.size(); ++row) {
      if (row > 0) out_ += std::string(head_width(), ' ');
      std::size_t end = end_of_row(passage.text, at);
      out_ += painted(passage.text, {at, end}, passage.spans, o_);
      at = end;
      while (at < passage.text.size() && passage.text[at] == ' ') ++at;
      if (row + 1 == kMaxPassageRows && at < passage.text.size()) out_ += "…";
      out_ += '\n';
    }
  }

  /// Where the row that begins at `at` ends: at a blank, if it has one.
  std::size_t end_of_row(std::string_view text, std::size_t at) const {
    std::size_t width = 0, end = at, blank = 0;
    while (end < text.size()) {
      const std::size_t n = character_size(text, end);
      width += columns_of(text.substr(end, n), width);
      if (width > text_width() - 1) return blank ? blank : end;
      if (text[end] == ' ') blank = end;
      end += n;
    }
    return end;
  }

  const Hit& hit_;
  const FormatOptions& o_;
  std::string out_;
  std::size_t number_width_ = 0, label_width_ = 0;
  std::uint32_t last_ = 0;           // the line that was printed last
  std::set<std::uint32_t> printed_;  // each once, context included
};

}  // namespace

Excerpt cut_to_columns(std::string_view line, std::size_t from, std::size_t focus,
                       std::size_t columns) {
  // No character has more bytes a column, but for marks; what is further away is out of sight.
  constexpr std::size_t kMaxBytes = 8;
  focus = std::min(focus, line.size());
  std::size_t low = std::max(from, focus - std::min(focus, columns * kMaxBytes)),
              high = std::min(line.size(), focus + columns * kMaxBytes);
  while (low > from && is_continuation(line[low])) --low;
  while (high < line.size() && is_continuation(line[high])) ++high;
  struct Cell {
    std::size_t begin, columns;
  };
  std::vector<Cell> cells;
  std::size_t width = 0, at_focus = 0;
  for (std::size_t i = low; i < high;) {
    const std::size_t n = character_size(line, i);
    cells.push_back({i, columns_of(line.substr(i, n), width)});
    if (i <= focus) at_focus = cells.size() - 1;
    width += cells.back().columns;
    i += n;
  }
  if (cells.empty() || (low == from && high == line.size() && width <= columns)) return {low, high};
  // A third of the room stands before the focus; an ellipsis takes a column on each side.
  std::size_t room = columns > 2 ? columns - 2 : 1, begin = at_focus, before = 0;
  while (begin > 0 && before + cells[begin - 1].columns <= room / 3)
    before += cells[--begin].columns;
  std::size_t end = begin, used = 0;
  while (end < cells.size() && (used + cells[end].columns <= room || end <= at_focus))
    used += cells[end++].columns;
  while (begin > 0 && end == cells.size() && used + cells[begin - 1].columns <= room)
    used += cells[--begin].columns;
  return {cells[begin].begin, end == cells.size() ? high : cells[end].begin};
}

std::string format_text(const Hit& hit, const std::string& shown_path, bool changed_on_disk,
                        const FormatOptions& o, const std::string& url) {
  if (is_left_out(hit, o)) return {};
  return heading_line(hit, shown_path, changed_on_disk, o, url) + LinePrinter(hit, o).run();
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
