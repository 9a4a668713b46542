// SPDX-License-Identifier: GPL-2.0-or-later
#include "searcher/match/match.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <unordered_map>
#include <unordered_set>

#include "schema/text/splitter.h"
#include "schema/text/text.h"
#include "searcher/match/leaf.h"
#include "searcher/match/text_scan.h"

namespace kw::search {
namespace {

// Strength of a line: how many of the words it has counts first, then the best way it has one of
// them, then how rare that word is in the file.
enum Strength : int {
  kNothing = 0,
  kProse = 1,
  kPart = 2,
  kIdent = 4,
  kHeading = 5,
  kDefinition = 6,
  kPerWord = 10,
  kPerGrade = 100  ///< rarity is a number below this
};

// Occurrences of one literal or expression that are looked at in one file.
constexpr std::size_t kMaxOccurrences = 10'000;
// Those of one word, which cost less to find, and distinct tokens that are remembered: a file of 8
// MB may be nothing but one word of one letter.
constexpr std::uint32_t kMaxWordOccurrences = 200'000;
constexpr std::size_t kMaxSeenTokens = 100'000;

Strength strength_of(Held held) {
  switch (held) {
    case Held::No:
      return kNothing;
    case Held::Prose:
      return kProse;
    case Held::Part:
      return kPart;
    case Held::Whole:
      return kIdent;
  }
  return kNothing;
}

struct Occurrence {
  std::size_t begin, end;  // bytes of the text
  std::size_t leaf;
  int strength;
};

/// A line under way.
struct Line {
  std::uint32_t number;
  std::uint64_t leaves;  // bits: those that it has
  int strength;          // the best of them
  std::vector<Span> spans = {};
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
    if (last.spans.empty()) last.spans = std::move(line.spans);
  }
  if (!lines.empty())
    lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(kept) + 1, lines.end());
}

/// Where a defined name stands in its line; the line's start where it does not.
Span span_of_definition(const std::vector<Definition>& definitions, std::uint32_t line,
                        std::string_view shown) {
  for (const Definition& d : definitions) {
    const std::size_t at = d.line == line ? shown.find(d.name) : std::string_view::npos;
    if (at != std::string_view::npos)
      return {static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(at + d.name.size())};
  }
  return {};
}

}  // namespace

struct Matcher::Impl {
  const QueryNode* root = nullptr;
  bool case_sensitive = false;
  bool any = false;
  LeafTester tester;
  std::vector<Leaf> leaves;
  std::vector<std::size_t> joined;  // leaves of the words at the top, if they may be one name
  std::string compound_key;
  std::size_t bytes_read = 0;

  Impl(const QueryNode& query, bool with_case, bool any_word)
      : root(&query), case_sensitive(with_case), any(any_word), tester(with_case) {}

  Result<void> add_leaves(const QueryNode& node, bool negated = false) {
    if (!node.is_leaf()) {
      for (const QueryNode& child : node.children)
        if (auto added = add_leaves(child, negated != (node.kind == QueryNode::Kind::Not)); !added)
          return added;
      return {};
    }
    auto leaf = tester.make_leaf(node, negated);
    if (!leaf) return leaf.error();
    leaves.push_back(*std::move(leaf));
    return {};
  }

  void find_compound() {
    if (case_sensitive) return;  // each word is asked as it is spelled
    std::string text;
    std::size_t index = 0, words = 0;
    for (const QueryNode& child : root->children) {
      if (child.kind == QueryNode::Kind::Not || child.is_filter()) continue;
      if (child.kind != QueryNode::Kind::Word || child.field) return;
      text += child.text;
      ++words;
    }
    if (words < 2) return;
    for (; index < leaves.size(); ++index)
      if (std::any_of(root->children.begin(), root->children.end(),
                      [&](const QueryNode& c) { return &c == leaves[index].node; }) &&
          !leaves[index].node->is_filter())
        joined.push_back(index);
    compound_key = name_key(text);
  }

  /// Leaves that one token holds, and how.
  using TokenMatch = std::vector<std::pair<std::size_t, Strength>>;

  TokenMatch match_token(std::string_view token) {
    TokenMatch match;
    NameForms forms(token);
    // A key is not longer than its name in ASCII.
    const bool may_be_compound =
        !joined.empty() && (!forms.is_ascii() || token.size() >= compound_key.size());
    if (may_be_compound && forms.key() == compound_key) {
      for (const std::size_t i : joined) match.emplace_back(i, kIdent);
      return match;
    }
    for (std::size_t i = 0; i < leaves.size(); ++i)
      if (asks_text(leaves[i]))
        if (const Held held = tester.held_by(leaves[i], forms); held != Held::No)
          match.emplace_back(i, strength_of(held));
    return match;
  }

  /// Whether the leaf is asked of the tokens of a text.
  static bool asks_text(const Leaf& leaf) {
    return leaf.asks_tokens() && !leaf.node->is_filter() && !leaf.is_field(Field::Definition) &&
           !leaf.is_field(Field::PathWord) && !leaf.is_field(Field::Section);
  }

  /// Calls `f` with each token of a text that may match one of some leaves, until it returns true;
  /// returns whether it did. All tokens, or, where each leaf has a probe, those around a probe's
  /// occurrences and those that are not ASCII: reading only these took a third off a search that
  /// shows ten files. Of a probe at most `most_of_needle` bytes count.
  template <class F>
  static bool any_likely_token(std::string_view text, const std::vector<const Leaf*>& asked,
                               std::size_t most_of_needle, const F& f) {
    if (asked.empty()) return false;
    std::vector<Needle> probes;
    for (const Leaf* leaf : asked) {
      if (leaf->beyond_ascii) continue;
      if (leaf->probe.empty()) {
        Tokenizer tokenizer(text);
        for (Token token; tokenizer.next(token);)
          if (token.kind != TokenKind::Operator && f(token.text)) return true;
        return false;
      }
      probes.push_back({std::string_view(leaf->probe).substr(0, most_of_needle),
                        leaf->node->kind == QueryNode::Kind::Word});
    }
    NeedleFinder finder(text, std::move(probes));
    std::size_t done = 0;  // tokens up to here were looked at
    for (std::size_t at = 0; (at = finder.next(at)) < text.size();) {
      if (word_char_length(text.substr(at)) == 0) {
        ++at;
        continue;
      }
      std::size_t begin = at;
      while (begin > done && !is_word_edge(text.substr(0, begin), text.substr(begin))) do
          --begin;
        while (begin > done && is_continuation(text[begin]));
      Tokenizer tokenizer(text.substr(begin));
      Token token;
      std::size_t end = at;  // a word character stands at `at`, so that one ends behind it
      while (end <= at && tokenizer.next(token))
        end = static_cast<std::size_t>(token.text.data() - text.data()) + token.text.size();
      if (f(token.text)) return true;
      at = done = std::max(end, at + 1);
    }
    return false;
  }

  void match_tokens(std::string_view text, std::vector<Occurrence>& found) {
    std::vector<const Leaf*> asked;
    for (const Leaf& leaf : leaves)
      if (asks_text(leaf)) asked.push_back(&leaf);
    // In the joined name a word may be in pieces (`view_and` of `viewand`).
    const std::size_t most_of_needle = joined.empty() ? std::string::npos : 3;
    std::vector<std::uint32_t> counts(leaves.size());
    std::unordered_map<std::string_view, TokenMatch> seen;
    any_likely_token(text, asked, most_of_needle, [&](std::string_view token) {
      auto it = seen.find(token);
      if (it == seen.end()) {
        if (seen.size() == kMaxSeenTokens) seen.clear();
        it = seen.emplace(token, match_token(token)).first;
      }
      const auto begin = static_cast<std::size_t>(token.data() - text.data());
      for (const auto& [leaf, strength] : it->second)
        if (++counts[leaf] <= kMaxWordOccurrences)
          found.push_back({begin, begin + token.size(), leaf, strength});
      return false;
    });
  }

  static bool starts_inside_word(const QueryNode& node, std::string_view text, std::size_t begin) {
    return !node.open_start && !is_word_edge(text.substr(0, begin), text.substr(begin));
  }

  bool edges_fit(const QueryNode& node, std::string_view text, std::size_t begin,
                 std::size_t end) const {
    if (node.kind == QueryNode::Kind::Regex || begin == end) return true;
    if (starts_inside_word(node, text, begin)) return false;
    return node.open_end || is_word_edge(text.substr(0, end), text.substr(end));
  }

  void match_expression(std::size_t index, std::string_view text, std::vector<Occurrence>& found,
                        std::size_t most = kMaxOccurrences) {
    const Leaf& leaf = leaves[index];
    const re2::StringPiece whole(text.data(), text.size());
    std::size_t at = 0, count = 0;
    re2::StringPiece match;
    // An empty match behind the last line's end is in no line.
    const std::size_t last = text.size() - (text.ends_with('\n') ? 1 : 0);
    while (at <= last && !text.empty() &&
           leaf.expression->Match(whole, at, text.size(), RE2::UNANCHORED, &match, 1)) {
      const auto begin = static_cast<std::size_t>(match.data() - text.data()),
                 end = begin + match.size();
      if (begin > last) return;
      if (edges_fit(*leaf.node, text, begin, end)) {
        found.push_back({begin, end, index, kIdent});
        if (++count == most) return;
        at = std::max(end, begin + 1);
      } else if (starts_inside_word(*leaf.node, text, begin)) {
        at = begin;  // nor can it start in the rest of that word
        while (const std::size_t n = word_char_length(text.substr(at))) at += n;
      } else {
        at = begin + 1;
      }
    }
  }

  /// Whether a leaf holds in a text, and no more: tokens and expressions alike.
  bool holds_in(std::size_t index, std::string_view text) {
    const Leaf& leaf = leaves[index];
    bytes_read += text.size();
    if (leaf.expression) {
      if (!may_match_expression(leaf, text)) return false;
      std::vector<Occurrence> found;
      match_expression(index, text, found, 1);
      return !found.empty();
    }
    std::unordered_set<std::string_view> no;  // tokens that do not match
    return any_likely_token(text, {&leaf}, std::string::npos, [&](std::string_view token) {
      if (no.contains(token)) return false;
      NameForms forms(token);
      if (tester.held_by(leaf, forms) != Held::No) return true;
      no.insert(token);
      return false;
    });
  }

  /// Most texts that do not match an expression lack a piece of it, which is quicker to find out.
  static bool may_match_expression(const Leaf& leaf, std::string_view text) {
    return std::all_of(leaf.pieces.begin(), leaf.pieces.end(), [&](const std::string& piece) {
      return leaf.expression->options().case_sensitive() ? text.find(piece) != text.npos
                                                         : may_contain(text, piece);
    });
  }

  bool path_holds(std::size_t index, const FileRecord& record) {
    const QueryNode& node = *leaves[index].node;
    return node.kind != QueryNode::Kind::Regex &&  // it is asked of lines alone
           (!node.field || leaves[index].is_field(Field::PathWord)) && holds_in(index, record.path);
  }

  /// Whether a leaf holds for a file: what match() finds out for all leaves at once.
  bool leaf_holds(std::size_t index, const FileRecord& record) {
    const Leaf& leaf = leaves[index];
    const QueryNode& node = *leaf.node;
    if ((!node.field || leaf.is_field(Field::Ident)) && holds_in(index, record.text)) return true;
    if (path_holds(index, record)) return true;
    if (leaf.is_field(Field::Section))
      return std::any_of(record.sections.begin(), record.sections.end(),
                         [&](const Section& s) { return holds_in(index, s.title); });
    if (leaf.is_field(Field::Definition))
      return std::any_of(record.definitions.begin(), record.definitions.end(),
                         [&](const Definition& d) {
                           NameForms name(d.name);
                           return tester.defined_by(leaf, d, name) != Defined::No;
                         });
    return false;
  }

  /// Whether the query is words that terms have seen to, and texts and patterns that all must hold.
  bool is_plain_sequence() const {
    return !any && !case_sensitive &&
           std::all_of(root->children.begin(), root->children.end(),
                       [](const QueryNode& c) { return c.is_leaf(); });
  }

  bool may_define(const Leaf& leaf) const {
    return !leaf.node->is_filter() && leaf.node->kind != QueryNode::Kind::Regex &&
           (!leaf.node->field || leaf.is_field(Field::Definition));
  }

  /// Tokens and expressions of a text, in its order.
  std::vector<Occurrence> occurrences(std::string_view text) {
    std::vector<Occurrence> found;
    match_tokens(text, found);
    for (std::size_t i = 0; i < leaves.size(); ++i)
      if (leaves[i].expression && (!leaves[i].node->field || leaves[i].is_field(Field::Ident)))
        match_expression(i, text, found);
    std::sort(found.begin(), found.end(), [](const Occurrence& a, const Occurrence& b) {
      return a.begin != b.begin ? a.begin < b.begin : a.end < b.end;
    });
    return found;
  }

  /// The lines of occurrences that are to be shown, with their spans.
  std::vector<Line> lines_of(const std::vector<Occurrence>& found, std::string_view text,
                             const std::vector<std::size_t>& starts) const {
    std::vector<Line> lines;
    std::size_t line = 0;
    for (const Occurrence& o : found) {
      if (leaves[o.leaf].negated) continue;
      while (line + 1 < starts.size() && starts[line + 1] <= o.begin) ++line;
      const auto number = static_cast<std::uint32_t>(line + 1);
      const std::size_t shown = line_at(text, starts, number).size(),
                        begin = std::min(o.begin - starts[line], shown),
                        end = std::min(o.end - starts[line], shown);
      if (lines.empty() || lines.back().number != number) lines.push_back({number, 0, kNothing});
      Line& last = lines.back();
      if (last.spans.empty() || last.spans.back().end <= begin)
        last.spans.push_back({static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)});
      last.leaves |= 1ull << o.leaf;
      last.strength = std::max(last.strength, o.strength);
    }
    return lines;
  }

  /// Lines that are headings are strong; and what asks for headings finds them.
  void match_headings(const FileRecord& record, std::vector<Line>& lines,
                      std::vector<bool>& leaf_holds) {
    std::vector<Line> more;
    for (const Section& s : record.sections) {
      const auto at = std::lower_bound(
          lines.begin(), lines.end(), s.first_line,
          [](const Line& line, std::uint32_t number) { return line.number < number; });
      if (at != lines.end() && at->number == s.first_line)
        at->strength = std::max<int>(at->strength, kHeading);
      for (std::size_t i = 0; i < leaves.size(); ++i) {
        // Its words may stand in any order in the heading, so the leaf is asked about the title
        // alone.
        if (!leaves[i].is_field(Field::Section) || !holds_in(i, s.title)) continue;
        leaf_holds[i] = true;
        if (!leaves[i].negated) more.push_back({s.first_line, 1ull << i, kHeading});
      }
    }
    if (more.empty()) return;
    std::move(more.begin(), more.end(), std::back_inserter(lines));
    merge(lines);
  }

  /// Definitions that match; their lines are added to `lines`.
  std::vector<Definition> match_definitions(const FileRecord& record, std::vector<Line>& lines,
                                            std::vector<bool>& leaf_holds) {
    const std::size_t lines_before = lines.size();
    std::vector<std::pair<int, const Definition*>> found;
    for (const Definition& d : record.definitions) {
      NameForms name(d.name);
      Defined best = Defined::No;
      bool asked_alone = false;  // by def:
      std::uint64_t held = 0;
      std::size_t asked = 0;
      for (std::size_t i = 0; i < leaves.size(); ++i) {
        if (!may_define(leaves[i])) continue;
        const Defined how = tester.defined_by(leaves[i], d, name);
        const bool by_field = how != Defined::No && leaves[i].is_field(Field::Definition);
        if (by_field) leaf_holds[i] = true;
        if (leaves[i].negated) continue;
        asked_alone |= by_field;
        ++asked;
        if (how != Defined::No) held |= 1ull << i;
        best = std::max(best, how);
      }
      const bool is_compound = !joined.empty() && name.key() == compound_key;
      if (is_compound)
        for (const std::size_t i : joined) held |= 1ull << i;
      const bool all = asked > 0 && static_cast<std::size_t>(std::popcount(held)) == asked;
      const int grade = is_compound               ? 4
                        : best == Defined::ByName ? 3
                        : all                     ? 2
                        : asked_alone             ? 1
                                                  : 0;
      if (grade == 0) continue;
      found.emplace_back(grade, &d);
      lines.push_back({d.line, held, kDefinition});
    }
    if (lines.size() > lines_before) merge(lines);
    std::stable_sort(found.begin(), found.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    std::vector<Definition> definitions;
    for (const auto& [grade, d] : found)
      if (grade == found[0].first) definitions.push_back(*d);
    return definitions;
  }

  /// Terms have seen to filters and negations of plain words at the top. They know code from prose
  /// and are right where a text alone would find too much.
  bool is_decided_by_terms(const QueryNode& node) const {
    if (node.is_leaf())
      return node.is_filter() || (node.kind == QueryNode::Kind::Word && !case_sensitive);
    return std::all_of(node.children.begin(), node.children.end(),
                       [&](const QueryNode& c) { return is_decided_by_terms(c); });
  }

  static std::size_t count_leaves(const QueryNode& node) {
    if (node.is_leaf()) return 1;
    std::size_t n = 0;
    for (const QueryNode& child : node.children) n += count_leaves(child);
    return n;
  }

  /// The query's truth from that of its leaves, asked for only where it matters. `first` is the
  /// number of the node's first leaf.
  template <class Holds>
  bool evaluate(const QueryNode& node, std::size_t first, const Holds& holds) const {
    if (node.is_leaf()) return holds(first);
    if (node.kind == QueryNode::Kind::Not) return !evaluate(node.children[0], first, holds);
    const bool top = &node == root;
    const bool some_are_enough = node.kind == QueryNode::Kind::Or || (top && any);
    bool some = false;
    for (const QueryNode& child : node.children) {
      const bool required =
          node.kind == QueryNode::Kind::And && (!some_are_enough || child.is_filter_only());
      const bool decided = top && child.is_filter_only() && is_decided_by_terms(child);
      if (!decided && (required || !some)) {
        const bool true_here = evaluate(child, first, holds);
        if (required && !true_here) return false;
        some |= !required && true_here;
      }
      first += count_leaves(child);
    }
    return !some_are_enough || some;
  }
};

Matcher::Matcher(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Matcher::Matcher(Matcher&&) noexcept = default;
Matcher& Matcher::operator=(Matcher&&) noexcept = default;
Matcher::~Matcher() = default;

Result<Matcher> Matcher::create(const QueryNode& root, bool case_sensitive, bool any) {
  auto impl = std::make_unique<Impl>(root, case_sensitive, any);
  if (auto added = impl->add_leaves(root); !added) return added.error();
  impl->find_compound();
  return Matcher(std::move(impl));
}

bool Matcher::is_match(const FileRecord& record, const HoldsFilter& holds_filter) {
  const bool plain = impl_->is_plain_sequence();
  return impl_->evaluate(*impl_->root, 0, [&](std::size_t i) {
    const QueryNode& node = *impl_->leaves[i].node;
    if (node.is_filter()) return !holds_filter || holds_filter(node);
    if (plain && node.kind == QueryNode::Kind::Word) return true;
    return impl_->leaf_holds(i, record);
  });
}

std::size_t Matcher::bytes_read() const { return impl_->bytes_read; }

FileMatch Matcher::match(const FileRecord& record, const HoldsFilter& holds_filter) {
  FileMatch result;
  const std::string_view text = record.text;
  const std::vector<Leaf>& leaves = impl_->leaves;
  const std::vector<Occurrence> found = impl_->occurrences(text);
  std::vector<bool> leaf_holds(leaves.size(), false);
  for (const Occurrence& o : found) leaf_holds[o.leaf] = true;
  result.line_starts = line_starts(text);
  std::vector<Line> lines = impl_->lines_of(found, text, result.line_starts);
  result.definitions = impl_->match_definitions(record, lines, leaf_holds);
  impl_->match_headings(record, lines, leaf_holds);
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    const QueryNode& node = *leaves[i].node;
    if (node.is_filter())
      leaf_holds[i] = !holds_filter || holds_filter(node);
    else if (!leaf_holds[i])
      leaf_holds[i] = impl_->path_holds(i, record);
  }

  std::vector<int> lines_with(leaves.size(), 0);
  for (const Line& line : lines)
    for (std::uint64_t rest = line.leaves; rest; rest &= rest - 1)
      ++lines_with[static_cast<std::size_t>(std::countr_zero(rest))];
  const auto rarity = [&](std::uint64_t held) {
    int fewest = kPerGrade;
    for (; held; held &= held - 1)
      fewest = std::min(fewest, lines_with[static_cast<std::size_t>(std::countr_zero(held))]);
    return kPerGrade - fewest;
  };
  result.lines.reserve(lines.size());
  for (Line& line : lines) {
    const int strength =
        (std::popcount(line.leaves) * kPerWord + line.strength) * kPerGrade + rarity(line.leaves);
    if (line.spans.empty())
      line.spans.push_back(span_of_definition(result.definitions, line.number,
                                              line_at(text, result.line_starts, line.number)));
    result.lines.push_back({line.number, std::move(line.spans), strength});
  }
  result.matches = impl_->evaluate(*impl_->root, 0, [&](std::size_t i) { return leaf_holds[i]; });
  return result;
}

std::vector<LineMatch> best_lines(const std::vector<LineMatch>& lines, std::size_t most) {
  if (lines.size() <= most) return lines;
  std::vector<const LineMatch*> order;
  for (const LineMatch& line : lines) order.push_back(&line);
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(most), order.end(),
                    [](const LineMatch* a, const LineMatch* b) {
                      return a->strength != b->strength ? a->strength > b->strength
                                                        : a->line < b->line;
                    });
  order.resize(most);
  std::sort(order.begin(), order.end(),
            [](const LineMatch* a, const LineMatch* b) { return a->line < b->line; });
  std::vector<LineMatch> best;
  for (const LineMatch* line : order) best.push_back(*line);
  return best;
}

const Section* section_at(const FileRecord& record, std::uint32_t line) {
  const auto after =
      std::upper_bound(record.sections.begin(), record.sections.end(), line,
                       [](std::uint32_t l, const Section& s) { return l < s.first_line; });
  return after == record.sections.begin() ? nullptr : &*std::prev(after);
}

}  // namespace kw::search
