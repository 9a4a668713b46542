// SPDX-License-Identifier: GPL-2.0-or-later
#include "searcher/match/passage.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <utility>

#include "schema/text/front_matter.h"
#include "schema/text/text.h"

namespace kw::search {
namespace {

constexpr std::size_t kMinWords = 2;
// A larger page is data.
constexpr std::size_t kMaxPageBytes = 1 << 20;

/// One rendered line of a page, without the blanks around it.
struct RenderedLine {
  std::uint32_t number = 1;  // the stored line's, too
  std::string_view text;
  std::size_t block = 0;  // lines of one paragraph or item of a list share it
  bool is_heading = false;
  std::uint64_t leaves = 0;  // bits
  std::vector<Occurrence> occurrences = {};
};

/// The bytes of a list's mark that a line begins with, behind marks of quotes; 0 if there is none.
std::size_t list_mark(std::string_view line) {
  const std::size_t begin = line.find_first_not_of(" \t>");
  if (begin == line.npos) return 0;
  std::size_t end = line.find_first_not_of("0123456789", begin);
  if (end == line.npos ||
      line.substr(end, 1).find_first_of(end > begin ? ".)" : "-+*") == line.npos)
    return 0;
  return end + 1 < line.size() && is_blank(line[end + 1]) ? end + 1 : 0;
}

std::string_view trimmed(std::string_view line) {
  while (!line.empty() && is_blank(line.front())) line.remove_prefix(1);
  while (!line.empty() && (is_blank(line.back()) || line.back() == '\r')) line.remove_suffix(1);
  return line;
}

/// The lines of a page that are text: neither code nor front matter, nor empty.
class PageLines {
 public:
  PageLines(const FileRecord& record, const std::vector<std::size_t>& stored_starts,
            const EditedText& rendered)
      : record_(record),
        rendered_(rendered),
        stored_starts_(stored_starts),
        changed_starts_(rendered.is_changed() ? line_starts(rendered.view())
                                              : std::vector<std::size_t>()),
        starts_(rendered.is_changed() ? changed_starts_ : stored_starts) {}

  std::vector<RenderedLine> run() {
    std::uint32_t number = front_matter_of(record_.text).lines + 1;
    auto code = record_.code.begin();
    for (; number <= starts_.size(); ++number) {
      while (code != record_.code.end() && code->last_line < number) ++code;
      if (code != record_.code.end() && code->first_line <= number) {
        if (code->last_line >= starts_.size()) break;
        number = code->last_line;
        ++block_;
      } else {
        add(number);
      }
    }
    return std::move(lines_);
  }

 private:
  void add(std::uint32_t number) {
    const std::string_view text = trimmed(line_at(rendered_.view(), starts_, number));
    if (text.empty()) {
      ++block_;
      return;
    }
    const bool is_heading = take_heading(number);
    if (is_heading || begins_item(number, text)) ++block_;
    lines_.push_back({number, text, block_, is_heading});
    if (is_heading) ++block_;
  }

  bool take_heading(std::uint32_t number) {
    const auto& sections = record_.sections;
    while (section_ < sections.size() && sections[section_].first_line < number) ++section_;
    return section_ < sections.size() && sections[section_].first_line == number;
  }

  /// Whether the stored line has the mark of a list that the rendered one has not.
  bool begins_item(std::uint32_t number, std::string_view text) const {
    const std::size_t mark = list_mark(line_at(record_.text, stored_starts_, number));
    if (mark == 0) return false;
    const auto at = static_cast<std::size_t>(text.data() - rendered_.view().data());
    return rendered_.in_original(at, at).begin >= stored_starts_[number - 1] + mark;
  }

  const FileRecord& record_;
  const EditedText& rendered_;
  const std::vector<std::size_t>& stored_starts_;
  const std::vector<std::size_t> changed_starts_;
  const std::vector<std::size_t>& starts_;
  std::vector<RenderedLine> lines_;
  std::size_t block_ = 0, section_ = 0;
};

class PassageFinder {
 public:
  PassageFinder(const PreparedQuery& query, std::string_view page, std::vector<RenderedLine> lines)
      : query_(query), page_(page), lines_(std::move(lines)) {}

  std::optional<Passage> run(const std::vector<Occurrence>& occurrences) {
    if (lines_.empty()) return std::nullopt;
    add_occurrences(occurrences);
    weigh_leaves();
    const auto [begin, end] = best_section();
    const Window window = best_window(begin, end);
    if (window.begin == window.end) return std::nullopt;
    Passage passage = passage_of(window);
    if (lines_[begin].is_heading) passage.leaves |= lines_[begin].leaves;  // it stands beside it
    return passage;
  }

 private:
  struct Window {
    std::size_t begin = 0, end = 0;  // of lines_
  };

  /// Each to the line that it begins in, as bytes of it.
  void add_occurrences(const std::vector<Occurrence>& occurrences) {
    auto line = lines_.begin();
    for (Occurrence o : occurrences) {
      const auto begin = [&](const RenderedLine& l) {
        return static_cast<std::size_t>(l.text.data() - page_.data());
      };
      while (line != lines_.end() && begin(*line) + line->text.size() <= o.begin) ++line;
      if (line == lines_.end()) return;
      if (o.begin < begin(*line) || query_.leaves[o.leaf].negated) continue;
      o.end = std::min(o.end - begin(*line), line->text.size());
      o.begin -= begin(*line);
      line->leaves |= 1ull << o.leaf;
      line->occurrences.push_back(o);
    }
  }

  /// A word in few lines of the page says more than one in many.
  void weigh_leaves() {
    std::vector<int> lines_with(query_.leaves.size(), 0);
    for (const RenderedLine& line : lines_)
      for (std::uint64_t rest = line.leaves; rest; rest &= rest - 1)
        ++lines_with[static_cast<std::size_t>(std::countr_zero(rest))];
    for (std::size_t i = 0; i < lines_with.size(); ++i)
      weights_.push_back(query_.leaves[i].node->salience / (1 + std::log2(1 + lines_with[i])));
  }

  double weight(std::uint64_t leaves) const {
    double sum = 0;
    for (; leaves; leaves &= leaves - 1)
      sum += weights_[static_cast<std::size_t>(std::countr_zero(leaves))];
    return sum;
  }

  /// Lines from one heading to the next, by what they hold together; the first of the best.
  Window best_section() const {
    Window best, here;
    double most = 0;
    std::uint64_t leaves = 0;
    for (std::size_t i = 0; i <= lines_.size(); ++i) {
      if (i == lines_.size() || (lines_[i].is_heading && i > here.begin)) {
        here.end = i;
        if (weight(leaves) > most) {
          most = weight(leaves);
          best = here;
        }
        here.begin = i;
        leaves = 0;
      }
      if (i < lines_.size()) leaves |= lines_[i].leaves;
    }
    return best;
  }

  /// Whether a line goes on with the one before it: in its paragraph, or as the next item of a
  /// list.
  bool follows(std::size_t i) const {
    return lines_[i].block == lines_[i - 1].block ||
           (!lines_[i].is_heading && !lines_[i - 1].is_heading &&
            lines_[i].number == lines_[i - 1].number + 1);
  }

  /// The lines of a paragraph or list that hold most. A heading says what the text below it is
  /// about, which is shown in its place.
  Window best_window(std::size_t begin, std::size_t end) const {
    Window best;
    double most = -1;
    bool in_one_block = true;
    for (std::size_t i = begin; i < end; ++i) {
      if (lines_[i].is_heading) continue;
      std::uint64_t leaves = 0;
      for (std::size_t k = i; k < end && k < i + kMaxPassageLines; ++k) {
        if (k > i && !follows(k)) break;
        leaves |= lines_[k].leaves;
        const double w = weight(leaves);
        // Of those that hold as much the first with the fewest lines, if need be in one item.
        const bool one_block = lines_[k].block == lines_[i].block;
        if (w < most || (w == most && (in_one_block || !one_block))) continue;
        most = w;
        in_one_block = one_block;
        best = {i, k + 1};
      }
    }
    if (best.begin == best.end) {  // nothing below the heading
      for (std::size_t i = begin; i < end; ++i)
        if (lines_[i].leaves) return {i, i + 1};
      return best;
    }
    // The rest of the paragraph, as far as there is room: first what follows.
    while (best.end - best.begin < kMaxPassageLines && best.end < end && follows(best.end))
      ++best.end;
    while (best.end - best.begin < kMaxPassageLines && best.begin > begin && follows(best.begin))
      --best.begin;
    return best;
  }

  Passage passage_of(const Window& window) const {
    Passage out;
    out.first_line = lines_[window.begin].number;
    out.last_line = lines_[window.end - 1].number;
    std::size_t focus = 0;
    double most = 0;
    for (std::size_t i = window.begin; i < window.end; ++i) {
      if (i > window.begin && lines_[i].block != lines_[i - 1].block)
        out.text += " · ";
      else if (!out.text.empty() && out.text.back() != ' ')
        out.text += ' ';
      out.leaves |= lines_[i].leaves;
      const auto at = static_cast<std::uint32_t>(out.text.size());
      for (const Occurrence& o : lines_[i].occurrences) {
        const Span span{at + static_cast<std::uint32_t>(o.begin),
                        at + static_cast<std::uint32_t>(o.end)};
        if (query_.leaves[o.leaf].node->salience > 0 &&
            (out.spans.empty() || out.spans.back().end <= span.begin))
          out.spans.push_back(span);
        if (weights_[o.leaf] > most) {
          most = weights_[o.leaf];
          focus = span.begin;
        }
      }
      out.text += lines_[i].text;
    }
    cut(out, focus);
    return out;
  }

  /// A paragraph may be one line of a thousand words: kept is what stands around the focus.
  static void cut(Passage& passage, std::size_t focus) {
    std::string& text = passage.text;
    if (text.size() <= kMaxPassageBytes) return;
    std::size_t begin = focus > kMaxPassageBytes / 3 ? focus - kMaxPassageBytes / 3 : 0;
    begin = std::min(begin, text.size() - kMaxPassageBytes);
    if (begin > 0)  // at a blank, or at least between characters
      begin = std::min(text.find(' ', begin) + 1, focus);
    while (begin > 0 && is_continuation(text[begin])) --begin;
    std::size_t end = std::min(text.size(), begin + kMaxPassageBytes);
    if (end < text.size()) {
      const std::size_t blank = text.rfind(' ', end);
      if (blank != text.npos && blank > focus) end = blank;
      while (is_continuation(text[end])) --end;
    }
    const std::string before = begin > 0 ? "…" : "", after = end < text.size() ? "…" : "";
    std::vector<Span> kept;
    for (const Span& span : passage.spans)
      if (span.begin >= begin && span.end <= end)
        kept.push_back({static_cast<std::uint32_t>(span.begin - begin + before.size()),
                        static_cast<std::uint32_t>(span.end - begin + before.size())});
    text = before + text.substr(begin, end - begin) + after;
    passage.spans = std::move(kept);
  }

  const PreparedQuery& query_;
  const std::string_view page_;  // rendered
  std::vector<RenderedLine> lines_;
  std::vector<double> weights_;  // by leaf
};

}  // namespace

std::optional<Passage> best_passage(const PreparedQuery& query, const FileRecord& record,
                                    const std::vector<std::size_t>& starts,
                                    const EditedText& rendered,
                                    const std::vector<Occurrence>& occurrences) {
  if (query.count_words() < kMinWords || record.language != "markdown" ||
      record.text.size() > kMaxPageBytes)
    return std::nullopt;
  return PassageFinder(query, rendered.view(), PageLines(record, starts, rendered).run())
      .run(occurrences);
}

}  // namespace kw::search
