// SPDX-License-Identifier: GPL-2.0-or-later
#include "searcher/match/file_match.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <span>
#include <utility>

#include "schema/text/splitter.h"
#include "schema/text/text.h"
#include "searcher/match/occurrences.h"

namespace kw::search {
namespace {

// The strength of a line: how many of the words it has counts first, then the best way it has one
// of them, then how rare that word is in the file.
constexpr int kPerWord = 10;
constexpr int kPerGrade = 100;  // rarity is a number below this

int grade(MatchStrength strength) {
  switch (strength) {
    case MatchStrength::None:
      return 0;
    case MatchStrength::Prose:
      return 1;
    case MatchStrength::Subword:
      return 2;
    case MatchStrength::Identifier:
      return 4;
    case MatchStrength::Heading:
      return 5;
    case MatchStrength::Definition:
      return 6;
  }
  return 0;
}

/// A line under way.
struct Line {
  std::uint32_t number;
  std::uint64_t leaves;  // bits: those that it has
  MatchStrength strength;
  std::size_t first_span = 0, spans = 0;  // of FileMatcher's: where, how many
};

/// Sorts lines and makes one of those with the same number. At most one of them has spans.
void merge(std::vector<Line>& lines) {
  std::stable_sort(lines.begin(), lines.end(),
                   [](const Line& a, const Line& b) { return a.number < b.number; });
  std::size_t kept = 0;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    Line &last = lines[kept], &line = lines[i];
    if (line.number != last.number) {
      if (++kept != i) lines[kept] = std::move(line);
      continue;
    }
    last.leaves |= line.leaves;
    last.strength = std::max(last.strength, line.strength);
    if (last.spans == 0) {
      last.first_span = line.first_span;
      last.spans = line.spans;
    }
  }
  if (!lines.empty())
    lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(kept) + 1, lines.end());
}

/// In order of their lines: a file may have a hundred thousand.
std::vector<const Definition*> by_line(const std::vector<Definition>& definitions) {
  std::vector<const Definition*> sorted;
  for (const Definition& d : definitions) sorted.push_back(&d);
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const Definition* a, const Definition* b) { return a->line < b->line; });
  return sorted;
}

/// Where a defined name stands in its line; the line's start where it does not. `definitions`:
/// by_line().
Span span_of_definition(const std::vector<const Definition*>& definitions, std::uint32_t line,
                        std::string_view shown) {
  auto at_line = std::lower_bound(definitions.begin(), definitions.end(), line,
                                  [](const Definition* d, std::uint32_t n) { return d->line < n; });
  for (; at_line != definitions.end() && (*at_line)->line == line; ++at_line) {
    const Definition& d = **at_line;
    const std::size_t at = shown.find(d.name);
    if (at != std::string_view::npos)
      return {static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(at + d.name.size())};
  }
  return {};
}

/// Gathers what of one file matches.
class FileMatcher {
 public:
  FileMatcher(const PreparedQuery& query, const FileRecord& record)
      : query_(query), record_(record), holds_(query.leaves.size(), false) {}

  FileMatch run(const HoldsFilter& holds_filter) {
    FileMatch result;
    result.line_starts = line_starts(record_.text);
    const EditedText rendered = rendered_text(record_);
    std::vector<Occurrence> stored = find_occurrences(query_, record_.text);
    RenderedOccurrences in_rendered;
    if (rendered.is_changed())
      in_rendered = find_in_rendered(query_, rendered, stored);
    else
      in_rendered.all = stored;
    add_occurrences(unite(std::move(stored), in_rendered.changed, rendered), result.line_starts);
    result.definitions = match_definitions();
    match_headings();
    for (std::size_t i = 0; i < holds_.size(); ++i) {
      const Leaf& leaf = query_.leaves[i];
      if (leaf.node->is_filter())
        holds_[i] = !holds_filter || holds_filter(*leaf.node);
      else if (!holds_[i])
        holds_[i] = path_holds(query_, leaf, record_);
    }
    count_lines();
    const std::vector<const Definition*> definitions = by_line(result.definitions);
    result.lines.reserve(lines_.size());
    for (Line& line : lines_) {
      if (line.spans == 0)
        add_span(line,
                 span_of_definition(definitions, line.number,
                                    line_at(record_.text, result.line_starts, line.number)),
                 line.leaves);
      result.lines.push_back(finished(line));
    }
    result.matches = query_.evaluate([&](std::size_t i) { return holds_[i]; });
    if (!defines_all_)
      result.passage = best_passage(query_, record_, result.line_starts, rendered, in_rendered.all);
    if (result.passage && !says_as_much(*result.passage, result.lines)) result.passage.reset();
    return result;
  }

 private:
  /// Lines of occurrences that are to be shown, with their spans.
  void add_occurrences(const std::vector<Occurrence>& occurrences,
                       const std::vector<std::size_t>& starts) {
    std::size_t line = 0;
    for (const Occurrence& o : occurrences) {
      holds_[o.leaf] = true;
      if (query_.leaves[o.leaf].negated) continue;
      while (line + 1 < starts.size() && starts[line + 1] <= o.begin) ++line;
      const auto number = static_cast<std::uint32_t>(line + 1);
      const std::size_t shown = line_at(record_.text, starts, number).size(),
                        begin = std::min(o.begin - starts[line], shown),
                        end = std::min(o.end - starts[line], shown);
      if (lines_.empty() || lines_.back().number != number)
        lines_.push_back({number, 0, MatchStrength::None});
      Line& last = lines_.back();
      if (last.spans == 0 || spans_.back().bytes.end <= begin)
        add_span(last, {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)}, 0);
      spans_.back().leaves |= 1ull << o.leaf;
      last.leaves |= 1ull << o.leaf;
      last.strength = std::max(last.strength, o.strength);
    }
  }

  /// The spans of a line are added one after the other.
  void add_span(Line& line, Span bytes, std::uint64_t leaves) {
    if (line.spans++ == 0) line.first_span = spans_.size();
    spans_.push_back({bytes, leaves});
  }

  /// Lines that are headings are strong; and what asks for headings finds them.
  void match_headings() {
    std::vector<Line> more;
    for (const Section& s : record_.sections) {
      const auto at = std::lower_bound(
          lines_.begin(), lines_.end(), s.first_line,
          [](const Line& line, std::uint32_t number) { return line.number < number; });
      if (at != lines_.end() && at->number == s.first_line)
        at->strength = std::max(at->strength, MatchStrength::Heading);
      for (std::size_t i = 0; i < query_.leaves.size(); ++i) {
        // Its words may stand in any order in the heading, so the leaf is asked about the title
        // alone.
        const Leaf& leaf = query_.leaves[i];
        if (!leaf.is_field(Field::Section) || !occurs_in(query_, leaf, s.title)) continue;
        holds_[i] = true;
        if (!leaf.negated) more.push_back({s.first_line, 1ull << i, MatchStrength::Heading});
      }
    }
    if (more.empty()) return;
    std::move(more.begin(), more.end(), std::back_inserter(lines_));
    merge(lines_);
  }

  /// How well one definition matches all leaves.
  enum Grade : int { kNotDefined, kByField, kAllWords, kByName, kCompound };
  struct DefinitionGrade {
    Grade grade = kNotDefined;
    std::uint64_t leaves = 0;
  };
  DefinitionGrade grade_definition(const Definition& d) {
    NameForms name(d.name);
    DefinitionGrade result;
    DefinitionMatch best = DefinitionMatch::None;
    bool asked_alone = false;  // by def:
    int asked = 0;
    for (std::size_t i = 0; i < query_.leaves.size(); ++i) {
      const Leaf& leaf = query_.leaves[i];
      if (!may_define(leaf)) continue;
      const DefinitionMatch how = query_.tester.match_definition(leaf, d, name);
      const bool by_field = how != DefinitionMatch::None && leaf.is_field(Field::Definition);
      if (by_field) holds_[i] = true;
      if (leaf.negated) continue;
      asked_alone |= by_field;
      ++asked;
      if (how != DefinitionMatch::None) result.leaves |= 1ull << i;
      best = std::max(best, how);
    }
    const bool is_compound = !query_.compound.empty() && has_name_key(d.name, query_.compound_key);
    if (is_compound)
      for (const std::size_t i : query_.compound) result.leaves |= 1ull << i;
    result.grade = is_compound                                          ? kCompound
                   : best == DefinitionMatch::ByName                    ? kByName
                   : asked > 0 && std::popcount(result.leaves) == asked ? kAllWords
                   : asked_alone                                        ? kByField
                                                                        : kNotDefined;
    return result;
  }

  static bool may_define(const Leaf& leaf) {
    return !leaf.node->is_filter() && !leaf.is_filler &&
           leaf.node->kind != QueryNode::Kind::Regex &&
           (!leaf.node->field || leaf.is_field(Field::Definition));
  }

  /// Definitions that match best; the lines of all that match are added.
  std::vector<Definition> match_definitions() {
    const std::size_t lines_before = lines_.size();
    std::vector<std::pair<Grade, const Definition*>> found;
    for (const Definition& d : record_.definitions) {
      const DefinitionGrade how = grade_definition(d);
      if (how.grade == kNotDefined) continue;
      found.emplace_back(how.grade, &d);
      lines_.push_back({d.line, how.leaves, MatchStrength::Definition});
    }
    if (lines_.size() > lines_before) merge(lines_);
    std::stable_sort(found.begin(), found.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    defines_all_ = !found.empty() && (found[0].first == kCompound || found[0].first == kAllWords);
    std::vector<Definition> definitions;
    for (const auto& [grade, d] : found)
      if (grade == found[0].first) definitions.push_back(*d);
    return definitions;
  }

  void count_lines() {
    lines_with_.assign(query_.leaves.size(), 0);
    for (const Line& line : lines_)
      for (std::uint64_t rest = line.leaves; rest; rest &= rest - 1)
        ++lines_with_[static_cast<std::size_t>(std::countr_zero(rest))];
  }

  /// Of the rarest of some leaves: more for fewer lines. Stop words are never rare.
  int rarity(std::uint64_t leaves) const {
    int fewest = kPerGrade;
    for (; leaves; leaves &= leaves - 1) {
      const auto i = static_cast<std::size_t>(std::countr_zero(leaves));
      if (query_.leaves[i].node->salience > 0) fewest = std::min(fewest, lines_with_[i]);
    }
    return kPerGrade - fewest;
  }

  int count_salient(std::uint64_t leaves) const {
    int n = 0;
    for (; leaves; leaves &= leaves - 1)
      n += query_.leaves[static_cast<std::size_t>(std::countr_zero(leaves))].node->salience > 0;
    return n;
  }

  /// Whether no line, of code perhaps, holds more of the words than the passage.
  bool says_as_much(const Passage& passage, const std::vector<LineMatch>& lines) const {
    const int n = count_salient(passage.leaves);
    return std::all_of(lines.begin(), lines.end(),
                       [&](const LineMatch& m) { return count_salient(m.leaves) <= n; });
  }

  LineMatch finished(const Line& line) const {
    LineMatch out;
    out.line = line.number;
    out.leaves = line.leaves;
    out.strength = (count_salient(line.leaves) * kPerWord + grade(line.strength)) * kPerGrade +
                   rarity(line.leaves);
    const std::span<const MarkedSpan> spans =
        std::span(spans_).subspan(line.first_span, line.spans);
    out.spans.reserve(spans.size());
    for (std::size_t i = 0; i < spans.size(); ++i) {
      out.spans.push_back(spans[i].bytes);
      if (rarity(spans[i].leaves) > rarity(spans[out.focus].leaves)) out.focus = i;
    }
    return out;
  }

  struct MarkedSpan {
    Span bytes;  // of the line
    std::uint64_t leaves;
  };

  const PreparedQuery& query_;
  const FileRecord& record_;
  std::vector<bool> holds_;  // by leaf
  std::vector<Line> lines_;
  std::vector<MarkedSpan> spans_;  // those of one line together
  std::vector<int> lines_with_;    // by leaf
  bool defines_all_ = false;       // some definition's name holds all words
};

}  // namespace

bool path_holds(const PreparedQuery& query, const Leaf& leaf, const FileRecord& record) {
  return leaf.node->kind != QueryNode::Kind::Regex &&  // it is asked of lines alone
         (!leaf.node->field || leaf.is_field(Field::PathWord)) &&
         occurs_in(query, leaf, record.path);
}

FileMatch match_file(const PreparedQuery& query, const FileRecord& record,
                     const HoldsFilter& holds_filter) {
  return FileMatcher(query, record).run(holds_filter);
}

std::vector<LineMatch> best_lines(const FileMatch& match, std::size_t most,
                                  const std::vector<std::uint32_t>& named) {
  const std::uint32_t defining = match.definitions.empty() ? 0 : match.definitions[0].line;
  const auto place = [&](std::uint32_t line) {  // in which of three groups
    if (line == defining) return 0;
    return std::find(named.begin(), named.end(), line) != named.end() ? 1 : 2;
  };
  std::vector<LineMatch> more;  // named lines without a match
  for (const std::uint32_t line : named)
    if (line >= 1 && line <= match.line_starts.size() &&
        std::none_of(match.lines.begin(), match.lines.end(),
                     [&](const LineMatch& m) { return m.line == line; }))
      more.push_back({line, {{}}});
  std::vector<const LineMatch*> chosen;
  for (const std::vector<LineMatch>* const from : {&match.lines, &std::as_const(more)})
    for (const LineMatch& line : *from) chosen.push_back(&line);
  if (chosen.size() > most) {
    std::partial_sort(chosen.begin(), chosen.begin() + static_cast<std::ptrdiff_t>(most),
                      chosen.end(), [&](const LineMatch* a, const LineMatch* b) {
                        const int x = place(a->line), y = place(b->line);
                        if (x != y) return x < y;
                        return a->strength != b->strength ? a->strength > b->strength
                                                          : a->line < b->line;
                      });
    chosen.resize(most);
  }
  std::vector<LineMatch> lines;
  for (const LineMatch* line : chosen) lines.push_back(*line);
  std::sort(lines.begin(), lines.end(), [&](const LineMatch& a, const LineMatch& b) {
    const bool a_defines = a.line == defining, b_defines = b.line == defining;
    return a_defines != b_defines ? a_defines : a.line < b.line;
  });
  return lines;
}

}  // namespace kw::search
