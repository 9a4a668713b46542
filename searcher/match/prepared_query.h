// SPDX-License-Identifier: GPL-2.0-or-later
// A query made ready to be compared with many files: its leaves, and the compound identifier that
// its words may make together.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "schema/base/result.h"
#include "searcher/match/leaf.h"
#include "searcher/query/query.h"

namespace kw::search {

/// The leaves that one token matches, and how.
using TokenMatch = std::vector<std::pair<std::size_t, MatchStrength>>;

/// What tokens match, by their text.
struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const {
    return std::hash<std::string_view>()(text);
  }
};
using TokenMatches = std::unordered_map<std::string, TokenMatch, TextHash, std::equal_to<>>;

struct PreparedQuery {
  const QueryNode* root = nullptr;
  bool case_sensitive = false;
  bool match_any = false;  ///< one word at the top is enough
  LeafTester tester;
  std::vector<Leaf> leaves;           ///< at most 64, in the order of the tree
  std::vector<std::size_t> compound;  ///< leaves whose words may make one name; or empty
  std::string compound_key;           ///< normalized key of that name
  mutable TokenMatches
      seen;  ///< what find_occurrences() knows: most tokens come back in other texts

  /// The root must outlive it. Fails with ErrorCode::Usage for a regular expression that RE2 does
  /// not take.
  static Result<PreparedQuery> create(const QueryNode& root, bool case_sensitive, bool match_any);

  /// The query's truth from that of its leaves, which is asked for only where it matters:
  /// `holds(leaf)`, by number. Filters and negations of plain words at the top count as true: terms
  /// have seen to them.
  template <class Holds>
  bool evaluate(const Holds& holds) const {
    return evaluate(*root, 0, holds);
  }

  /// Words that a file may have more or less of: those of a sentence.
  std::size_t count_words() const;

 private:
  PreparedQuery(const QueryNode& query, bool with_case, bool any)
      : root(&query), case_sensitive(with_case), match_any(any), tester(with_case) {}

  Result<void> add_leaves(const QueryNode& node, bool negated);
  void find_fillers();
  void find_compound();
  bool is_decided_by_terms(const QueryNode& node) const;

  template <class Holds>
  bool evaluate(const QueryNode& node, std::size_t first, const Holds& holds) const;
};

/// The leaves of a tree.
std::size_t count_leaves(const QueryNode& node);

/// `first` is the number of the node's first leaf.
template <class Holds>
bool PreparedQuery::evaluate(const QueryNode& node, std::size_t first, const Holds& holds) const {
  if (node.is_leaf()) return holds(first);
  if (node.kind == QueryNode::Kind::Not) return !evaluate(node.children[0], first, holds);
  const bool top = &node == root;
  const bool some_are_enough = node.kind == QueryNode::Kind::Or || (top && match_any);
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

}  // namespace kw::search
