// SPDX-License-Identifier: GPL-2.0-or-later
#include "searcher/match/prepared_query.h"

#include <algorithm>
#include <utility>

namespace kw::search {

Result<PreparedQuery> PreparedQuery::create(const QueryNode& root, bool case_sensitive,
                                            bool match_any) {
  PreparedQuery query(root, case_sensitive, match_any);
  KW_TRY(query.add_leaves(root, false));
  query.find_fillers();
  query.find_compound();
  return query;
}

Result<void> PreparedQuery::add_leaves(const QueryNode& node, bool negated) {
  if (!node.is_leaf()) {
    for (const QueryNode& child : node.children)
      KW_TRY(add_leaves(child, negated != (node.kind == QueryNode::Kind::Not)));
    return {};
  }
  leaves.push_back(KW_TRY(tester.make_leaf(node, negated)));
  return {};
}

void PreparedQuery::find_fillers() {
  const auto is_word = [](const Leaf& leaf) {
    return leaf.node->kind == QueryNode::Kind::Word && !leaf.node->field;
  };
  const bool has_salient = std::any_of(leaves.begin(), leaves.end(), [&](const Leaf& leaf) {
    return is_word(leaf) && leaf.node->salience > 0;
  });
  for (Leaf& leaf : leaves)
    leaf.is_filler = has_salient && is_word(leaf) && leaf.node->salience == 0;
}

void PreparedQuery::find_compound() {
  if (case_sensitive) return;  // each word is asked as it is spelled
  std::string text;
  std::vector<const QueryNode*> words;
  for (const QueryNode& child : root->children) {
    if (child.kind == QueryNode::Kind::Not || child.is_filter()) continue;
    if (child.kind != QueryNode::Kind::Word || child.field) return;
    text += child.text;
    words.push_back(&child);
  }
  if (words.size() < 2 || words.size() > kMaxCompoundWords) return;
  for (std::size_t i = 0; i < leaves.size(); ++i)
    if (std::find(words.begin(), words.end(), leaves[i].node) != words.end()) compound.push_back(i);
  compound_key = name_key(text);
}

std::size_t PreparedQuery::count_words() const {
  return static_cast<std::size_t>(std::count_if(leaves.begin(), leaves.end(), [](const Leaf& leaf) {
    return leaf.node->kind == QueryNode::Kind::Word && !leaf.node->field && !leaf.negated &&
           leaf.node->salience > 0;
  }));
}

/// Terms have seen to filters and negations of plain words at the top. They know code from prose
/// and are right where a text alone would find too much.
bool PreparedQuery::is_decided_by_terms(const QueryNode& node) const {
  if (node.is_leaf())
    return node.is_filter() || (node.kind == QueryNode::Kind::Word && !case_sensitive);
  return std::all_of(node.children.begin(), node.children.end(),
                     [&](const QueryNode& c) { return is_decided_by_terms(c); });
}

std::size_t count_leaves(const QueryNode& node) {
  if (node.is_leaf()) return 1;
  std::size_t n = 0;
  for (const QueryNode& child : node.children) n += count_leaves(child);
  return n;
}

}  // namespace kw::search
