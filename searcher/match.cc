// SPDX-License-Identifier: GPL-2.0-or-later
#include "searcher/match.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <bitset>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "schema/splitter.h"
#include "schema/text.h"
#include "searcher/regex_literals.h"
#include "searcher/stem_pattern.h"
#include "searcher/text_scan.h"

namespace kw {
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

// A regular expression may use this much memory for its automaton (RE2's own default, written out).
constexpr std::int64_t kRegexMemory = 8 << 20;
// Occurrences of one literal or expression that are looked at in one file.
constexpr std::size_t kMaxOccurrences = 10'000;

struct Leaf {
  const QueryNode* node = nullptr;
  std::string folded;
  std::string stem;
  std::string stem_start;          // words with this stem begin with it
  std::vector<std::string> words;  // of a token in a script without blanks: its pairs
  std::string probe;          // a token that matches holds this, ASCII case aside; empty: no test
  bool beyond_ascii = false;  // a token that matches is not ASCII
  bool negated = false;       // what matches it is no line to show
  std::unique_ptr<RE2> expression;  // of a Literal or Regex
  std::vector<std::string> pieces;  // what each of its matches holds; in small letters where case
                                    // does not matter
};

struct Occurrence {
  std::size_t begin, end;  // bytes of the text
  std::size_t leaf;
  int strength;
};

std::string literal_expression(std::string_view text) {
  std::string expression;
  while (!text.empty()) {  // blanks are folded: each stands for any run of them
    const std::size_t blank = text.find(' ');
    expression += RE2::QuoteMeta(re2::StringPiece(text.data(), std::min(blank, text.size())));
    if (blank == std::string_view::npos) break;
    expression += "\\s+";
    text.remove_prefix(blank + 1);
  }
  return expression;
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

std::string without_blanks(std::string text) {
  text.erase(std::remove(text.begin(), text.end(), ' '), text.end());
  return text;
}

bool is_field(const QueryNode& node, Field field) { return node.field && *node.field == field; }

}  // namespace

struct Matcher::Impl {
  const QueryNode* root = nullptr;
  bool case_sensitive = false;
  bool any = false;
  Stemmer stemmer;
  std::vector<Leaf> leaves;
  std::vector<std::size_t> joined;  // leaves of the words at the top, if they may be one name
  std::string joined_key;

  Result<void> add_leaves(const QueryNode& node, bool negated = false) {
    if (!node.is_leaf()) {
      for (const QueryNode& child : node.children)
        if (auto added = add_leaves(child, negated != (node.kind == QueryNode::Kind::Not)); !added)
          return added;
      return {};
    }
    Leaf leaf;
    leaf.node = &node;
    leaf.negated = negated;
    leaf.folded = fold(node.text);
    leaf.stem = stemmer.stem(leaf.folded);
    if (!is_ascii(node.text)) leaf.words = split_name(node.text);
    if (leaf.words.size() < 2) leaf.words.clear();
    // The stemmer leaves a word as it is but for its end, and may change the stem's last letter
    // (happy -> happi), or two of three (dying -> die).
    leaf.stem_start = leaf.stem.substr(0, leaf.stem.ends_with("ie") ? leaf.stem.size() - 2
                                          : leaf.stem.size() > 1    ? leaf.stem.size() - 1
                                                                    : 1);
    if (node.kind == QueryNode::Kind::Word && is_ascii(leaf.stem)) leaf.probe = leaf.stem_start;
    leaf.beyond_ascii = !is_ascii(node.kind == QueryNode::Kind::Word ? leaf.stem : leaf.folded);
    if (node.kind == QueryNode::Kind::Pattern) leaf.probe = longest_ascii_run(leaf.folded, "*?");
    if (node.kind == QueryNode::Kind::Literal || node.kind == QueryNode::Kind::Regex) {
      RE2::Options options;
      options.set_log_errors(false);
      options.set_max_mem(kRegexMemory);
      const bool literal = node.kind == QueryNode::Kind::Literal;
      options.set_case_sensitive(case_sensitive || !literal);  // (?i) in a regular expression
      leaf.expression = std::make_unique<RE2>(
          literal ? literal_expression(node.text) : "(?m)" + node.text, options);
      if (!leaf.expression->ok())
        return Error{
            ErrorCode::Usage,
            fmt::format("'{}' is no regular expression: {}", node.text, leaf.expression->error()),
            "RE2's syntax is described at https://github.com/google/re2/wiki/Syntax"};
      if (!literal)
        leaf.pieces = required_literals(node.text);
      else if (case_sensitive)
        leaf.pieces = {longest_ascii_run(node.text, " ")};
      else
        leaf.pieces = {longest_ascii_run(leaf.folded, " ")};
    }
    leaves.push_back(std::move(leaf));
    return {};
  }

  void find_joined() {
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
    joined_key = name_key(text);
    // In the joined name a word may be in pieces (`view_and` of `viewand`).
    for (const std::size_t i : joined)
      if (Leaf& leaf = leaves[i]; leaf.probe.size() > 3) leaf.probe.resize(3);
  }

  /// How one token of the text holds a Word or Pattern; kNothing if it does not.
  int strength_of(const Leaf& leaf, std::string_view token) {
    const QueryNode& node = *leaf.node;
    if (case_sensitive && node.kind == QueryNode::Kind::Pattern)
      return matches_pattern(node.text, token) ? kIdent : kNothing;
    if (case_sensitive && token.find(node.text) == std::string_view::npos) return kNothing;
    const std::string folded = fold(token);
    if (node.kind == QueryNode::Kind::Pattern)
      return matches_folded(leaf.folded, folded) ? kIdent : kNothing;
    if (folded == leaf.folded) return kIdent;
    if (is_field(node, Field::Ident)) return strip_marks(folded) == leaf.folded ? kIdent : kNothing;
    const std::string plain = strip_marks(folded);
    if (plain == leaf.folded) return kIdent;
    if (!leaf.words.empty()) {  // pairs: all of them, in one token
      const std::vector<std::string> pairs = split_name(token);
      return std::all_of(leaf.words.begin(), leaf.words.end(),
                         [&](const std::string& w) {
                           return std::find(pairs.begin(), pairs.end(), w) != pairs.end();
                         })
                 ? kPart
                 : kNothing;
    }
    if (has_stem(folded, leaf) || has_stem(plain, leaf)) return kProse;
    for (const std::string& word : split_name(token))
      if (has_stem(word, leaf) || has_stem(strip_marks(word), leaf)) return kPart;
    return kNothing;
  }

  /// Stemming takes longer than all else here: most words are told apart by how they begin.
  bool has_stem(const std::string& word, const Leaf& leaf) {
    return word.starts_with(leaf.stem_start) && stemmer.stem(word) == leaf.stem;
  }

  /// What a distinct token gives each leaf, remembered for one file.
  struct TokenMatch {
    std::vector<std::pair<std::uint16_t, std::uint8_t>> leaves;  // leaf, strength
  };

  TokenMatch match_token(std::string_view token) {
    TokenMatch m;
    if (!joined.empty() && name_key(token) == joined_key) {
      for (const std::size_t i : joined) m.leaves.emplace_back(i, kIdent);
      return m;
    }
    for (std::size_t i = 0; i < leaves.size(); ++i) {
      const QueryNode& node = *leaves[i].node;
      if (node.is_filter() ||
          (node.kind != QueryNode::Kind::Word && node.kind != QueryNode::Kind::Pattern))
        continue;
      if (is_field(node, Field::Definition) || is_field(node, Field::PathWord) ||
          is_field(node, Field::Section))
        continue;
      if (const int s = strength_of(leaves[i], token)) m.leaves.emplace_back(i, s);
    }
    return m;
  }

  static bool asks_tokens(const Leaf& leaf) {
    return leaf.node->kind == QueryNode::Kind::Word || leaf.node->kind == QueryNode::Kind::Pattern;
  }

  /// Calls `f` with each token of a text that may match one of some leaves, until it returns true;
  /// returns whether it did. All tokens, or, where each leaf has a probe, those around a probe's
  /// occurrences and those that are not ASCII: reading only these took a third off a search that
  /// shows ten files.
  template <class F>
  static bool any_likely_token(std::string_view text, const std::vector<const Leaf*>& asked,
                               const F& f) {
    if (asked.empty()) return false;
    std::bitset<128> begins;  // ASCII bytes that a likely place begins with
    for (const Leaf* leaf : asked) {
      if (leaf->beyond_ascii) continue;
      if (leaf->probe.empty()) {
        Tokenizer tokenizer(text);
        for (Token token; tokenizer.next(token);)
          if (token.kind != TokenKind::Operator && f(token.text)) return true;
        return false;
      }
      begins.set(static_cast<unsigned char>(leaf->probe[0]));
    }
    ByteFinder finder(text, begins);
    for (std::size_t at = 0; (at = finder.next(at)) < text.size();) {
      const std::string_view rest = text.substr(at);
      const bool likely =
          static_cast<signed char>(text[at]) < 0
              ? word_char_length(rest) > 0
              : std::any_of(asked.begin(), asked.end(), [&](const Leaf* leaf) {
                  return !leaf->beyond_ascii && starts_with_folded(rest, leaf->probe);
                });
      if (!likely) {
        ++at;
        continue;
      }
      std::size_t begin = at;
      while (ends_in_word_char(text.substr(0, begin))) do
          --begin;
        while (begin > 0 && is_continuation(text[begin]));
      Token token;
      Tokenizer(text.substr(begin)).next(token);  // there is one: a word character begins it
      if (f(token.text)) return true;
      at = begin + token.text.size();
    }
    return false;
  }

  void match_tokens(std::string_view text, std::vector<Occurrence>& found) {
    std::vector<const Leaf*> asked;
    for (const Leaf& leaf : leaves)
      if (asks_tokens(leaf) && !leaf.node->is_filter()) asked.push_back(&leaf);
    std::unordered_map<std::string_view, TokenMatch> seen;
    any_likely_token(text, asked, [&](std::string_view token) {
      auto it = seen.find(token);
      if (it == seen.end()) it = seen.emplace(token, match_token(token)).first;
      const auto begin = static_cast<std::size_t>(token.data() - text.data());
      for (const auto& [leaf, strength] : it->second.leaves)
        found.push_back({begin, begin + token.size(), leaf, strength});
      return false;
    });
  }

  static bool starts_inside_word(const QueryNode& node, std::string_view text, std::size_t begin) {
    return !node.open_start && word_char_length(text.substr(begin)) > 0 &&
           ends_in_word_char(text.substr(0, begin));
  }

  bool edges_fit(const QueryNode& node, std::string_view text, std::size_t begin,
                 std::size_t end) const {
    if (node.kind == QueryNode::Kind::Regex || begin == end) return true;
    if (starts_inside_word(node, text, begin)) return false;
    return node.open_end || !ends_in_word_char(text.substr(0, end)) ||
           word_char_length(text.substr(end)) == 0;
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
    if (leaf.expression) {
      if (!may_match_expression(leaf, text)) return false;
      std::vector<Occurrence> found;
      match_expression(index, text, found, 1);
      return !found.empty();
    }
    std::unordered_set<std::string_view> no;  // tokens that do not match
    return any_likely_token(text, {&leaf}, [&](std::string_view token) {
      if (no.contains(token)) return false;
      if (strength_of(leaf, token)) return true;
      no.insert(token);
      return false;
    });
  }

  /// Most texts that do not match an expression lack a piece of it, which is quicker to find out.
  static bool may_match_expression(const Leaf& leaf, std::string_view text) {
    return std::all_of(leaf.pieces.begin(), leaf.pieces.end(), [&](const std::string& piece) {
      return leaf.expression->options().case_sensitive() ? text.find(piece) != text.npos
                                                         : may_hold(text, piece);
    });
  }

  bool path_holds(std::size_t index, const FileRecord& record) {
    const QueryNode& node = *leaves[index].node;
    return node.kind != QueryNode::Kind::Regex &&  // it is asked of lines alone
           (!node.field || is_field(node, Field::PathWord)) && holds_in(index, record.path);
  }

  /// Whether a leaf holds for a file: what match() finds out for all leaves at once.
  bool leaf_holds(std::size_t index, const FileRecord& record) {
    const Leaf& leaf = leaves[index];
    const QueryNode& node = *leaf.node;
    if ((!node.field || is_field(node, Field::Ident)) && holds_in(index, record.text)) return true;
    if (path_holds(index, record)) return true;
    if (is_field(node, Field::Section))
      return std::any_of(record.sections.begin(), record.sections.end(),
                         [&](const Section& s) { return holds_in(index, s.title); });
    if (is_field(node, Field::Definition))
      return std::any_of(record.definitions.begin(), record.definitions.end(),
                         [&](const Definition& d) { return defines(leaf, d) > 0; });
    return false;
  }

  /// Whether the query is words that terms have seen to, and texts and patterns that all must hold.
  bool is_plain_sequence() const {
    return !any && !case_sensitive &&
           std::all_of(root->children.begin(), root->children.end(),
                       [](const QueryNode& c) { return c.is_leaf(); });
  }

  /// Whether a defined name is what the leaf asks for: 2 by its whole name, 1 by words inside, 0
  /// not.
  int defines(const Leaf& leaf, const Definition& d) {
    const QueryNode& node = *leaf.node;
    const auto comparable = [&](const std::string& text) {
      return case_sensitive ? text : fold(text);
    };
    const std::string name = comparable(d.name), &asked = case_sensitive ? node.text : leaf.folded;
    if (node.kind == QueryNode::Kind::Pattern) return matches_folded(asked, name) ? 2 : 0;
    if (name == asked || (!case_sensitive && strip_marks(name) == asked)) return 2;
    if (node.kind == QueryNode::Kind::Literal) {
      if (without_blanks(name) == without_blanks(asked)) return 2;  // operator ==
      // foo::bar: bar in a scope that ends in foo.
      const std::string scope = comparable(d.scope), qualified = scope + "::" + name,
                        dotted = scope + "." + name;
      const auto ends = [&](const std::string& full) {
        return full.ends_with(asked) &&
               (full.size() == asked.size() ||
                !ends_in_word_char(full.substr(0, full.size() - asked.size())));
      };
      return asked.size() > name.size() && (ends(qualified) || ends(dotted)) ? 2 : 0;
    }
    if (case_sensitive && name.find(asked) == std::string::npos) return 0;
    for (const std::string& word : split_name(d.name))
      if (word == leaf.folded || has_stem(word, leaf)) return 1;
    return 0;
  }

  bool may_define(const Leaf& leaf) const {
    return !leaf.node->is_filter() && leaf.node->kind != QueryNode::Kind::Regex &&
           (!leaf.node->field || is_field(*leaf.node, Field::Definition));
  }

  /// Definitions that match; adds their lines to `lines` with their names as spans.
  std::vector<Definition> match_definitions(
      const FileRecord& record, std::map<std::uint32_t, std::pair<std::uint64_t, int>>& lines,
      std::vector<bool>& leaf_holds) {
    std::vector<std::pair<int, const Definition*>> found;
    for (const Definition& d : record.definitions) {
      int best = 0;
      bool asked_alone = false;  // by def:
      std::uint64_t held = 0;
      std::size_t asked = 0;
      for (std::size_t i = 0; i < leaves.size(); ++i) {
        if (!may_define(leaves[i])) continue;
        const int how = defines(leaves[i], d);
        if (how && is_field(*leaves[i].node, Field::Definition)) leaf_holds[i] = true;
        if (leaves[i].negated) continue;
        asked_alone |= how && is_field(*leaves[i].node, Field::Definition);
        ++asked;
        if (how) held |= 1ull << i;
        best = std::max(best, how);
      }
      const bool is_joined = !joined.empty() && name_key(d.name) == joined_key;
      if (is_joined)
        for (const std::size_t i : joined) held |= 1ull << i;
      const bool all = asked > 0 && static_cast<std::size_t>(__builtin_popcountll(held)) == asked;
      const int grade = is_joined ? 4 : best == 2 ? 3 : all ? 2 : asked_alone ? 1 : 0;
      if (grade == 0) continue;
      found.emplace_back(grade, &d);
      auto& [mask, strength] = lines[d.line];
      mask |= held;
      strength = std::max<int>(strength, kDefinition);
    }
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
          node.kind == QueryNode::Kind::And && (!some_are_enough || child.only_narrows());
      const bool decided = top && child.only_narrows() && is_decided_by_terms(child);
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
  auto impl = std::make_unique<Impl>();
  impl->root = &root;
  impl->case_sensitive = case_sensitive;
  impl->any = any;
  if (auto added = impl->add_leaves(root); !added) return added.error();
  impl->find_joined();
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

FileMatch Matcher::match(const FileRecord& record, const HoldsFilter& holds_filter) {
  FileMatch result;
  const std::string_view text = record.text;
  std::vector<Occurrence> found;
  impl_->match_tokens(text, found);
  std::vector<Leaf>& leaves = impl_->leaves;
  for (std::size_t i = 0; i < leaves.size(); ++i)
    if (leaves[i].expression && (!leaves[i].node->field || is_field(*leaves[i].node, Field::Ident)))
      impl_->match_expression(i, text, found);
  std::sort(found.begin(), found.end(), [](const Occurrence& a, const Occurrence& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.end < b.end;
  });

  std::vector<bool> leaf_holds(leaves.size(), false);
  for (const Occurrence& o : found) leaf_holds[o.leaf] = true;
  std::map<std::uint32_t, std::pair<std::uint64_t, int>> ranked;  // line -> leaves, strength
  result.definitions = impl_->match_definitions(record, ranked, leaf_holds);

  result.line_starts = line_starts(text);
  const std::vector<std::size_t>& starts = result.line_starts;
  std::map<std::uint32_t, std::vector<Span>> spans;
  std::size_t line = 0;
  for (const Occurrence& o : found) {
    if (leaves[o.leaf].negated) continue;
    while (line + 1 < starts.size() && starts[line + 1] <= o.begin) ++line;
    const auto number = static_cast<std::uint32_t>(line + 1);
    const std::string_view shown = line_at(text, starts, number);
    const std::size_t begin = std::min(o.begin - starts[line], shown.size()),
                      end = std::min(o.end - starts[line], shown.size());
    auto& list = spans[number];
    if (list.empty() || list.back().end <= begin)
      list.push_back({static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)});
    auto& [mask, strength] = ranked[number];
    mask |= 1ull << o.leaf;
    strength = std::max(strength, o.strength);
  }
  for (const Section& s : record.sections) {
    const auto it = ranked.find(s.first_line);
    const bool by_token = it != ranked.end();
    if (by_token) it->second.second = std::max<int>(it->second.second, kHeading);
    for (std::size_t i = 0; i < leaves.size(); ++i) {
      if (!is_field(*leaves[i].node, Field::Section)) continue;
      // Its words may stand in any order in the heading, so the leaf is asked about the title
      // alone.
      if (impl_->holds_in(i, s.title)) {
        leaf_holds[i] = true;
        if (leaves[i].negated) continue;
        auto& [mask, strength] = ranked[s.first_line];
        mask |= 1ull << i;
        strength = std::max<int>(strength, kHeading);
      }
    }
  }
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    const QueryNode& node = *leaves[i].node;
    if (node.is_filter())
      leaf_holds[i] = !holds_filter || holds_filter(node);
    else if (!leaf_holds[i])
      leaf_holds[i] = impl_->path_holds(i, record);
  }
  std::vector<int> lines_of(leaves.size(), 0);
  for (const auto& [number, value] : ranked)
    for (std::size_t i = 0; i < leaves.size(); ++i) lines_of[i] += value.first >> i & 1;
  const auto rarity = [&](std::uint64_t mask) {
    int fewest = kPerGrade;
    for (std::size_t i = 0; i < leaves.size(); ++i)
      if (mask >> i & 1) fewest = std::min(fewest, lines_of[i]);
    return kPerGrade - fewest;
  };
  for (auto& [number, value] : ranked) {
    LineMatch m;
    m.line = number;
    m.strength = (__builtin_popcountll(value.first) * kPerWord + value.second) * kPerGrade +
                 rarity(value.first);
    if (const auto it = spans.find(number); it != spans.end()) m.spans = std::move(it->second);
    if (m.spans.empty())
      m.spans.push_back(
          span_of_definition(result.definitions, number, line_at(text, starts, number)));
    result.lines.push_back(std::move(m));
  }
  result.matches = impl_->evaluate(*impl_->root, 0, [&](std::size_t i) { return leaf_holds[i]; });
  return result;
}

std::vector<LineMatch> best_lines(std::vector<LineMatch> lines, std::size_t most) {
  if (lines.size() > most) {
    std::stable_sort(lines.begin(), lines.end(), [](const LineMatch& a, const LineMatch& b) {
      return a.strength > b.strength;
    });
    lines.resize(most);
    std::sort(lines.begin(), lines.end(),
              [](const LineMatch& a, const LineMatch& b) { return a.line < b.line; });
  }
  return lines;
}

const Section* section_at(const FileRecord& record, std::uint32_t line) {
  const auto after =
      std::upper_bound(record.sections.begin(), record.sections.end(), line,
                       [](std::uint32_t l, const Section& s) { return l < s.first_line; });
  return after == record.sections.begin() ? nullptr : &*std::prev(after);
}

}  // namespace kw
