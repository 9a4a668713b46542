// SPDX-License-Identifier: GPL-2.0-or-later
#include "searcher/engine/term_expander.h"

#include "searcher/engine/pattern_expansion.h"
#include "searcher/engine/word_expansion.h"

namespace kw::search {

TermExpander::TermExpander(TermDictionary& dictionary, LoadVocabulary vocabulary,
                           bool case_sensitive)
    : lookup_(dictionary, std::move(vocabulary), case_sensitive), texts_(lookup_) {}

const TermExpansion& TermExpander::of(const QueryNode& leaf) {
  for (const auto& [node, expansion] : expansions_)
    if (node == &leaf) return *expansion;
  expansions_.emplace_back(&leaf, std::make_unique<TermExpansion>(expand(leaf)));
  return *expansions_.back().second;
}

TermExpansion TermExpander::expand(const QueryNode& leaf) {
  switch (leaf.kind) {
    case QueryNode::Kind::Word:
      return expand_word(lookup_, leaf);
    case QueryNode::Kind::Literal:
      return texts_.expand_literal(leaf);
    case QueryNode::Kind::Regex:
      return texts_.expand_regex(leaf);
    case QueryNode::Kind::Pattern: {
      TermExpansion expansion = expand_pattern(lookup_, leaf);
      is_partial_ |= expansion.is_truncated();
      return expansion;
    }
    case QueryNode::Kind::And:
    case QueryNode::Kind::Or:
    case QueryNode::Kind::Not:
      break;  // no leaves
  }
  return {};
}

const TermExpansion& TermExpander::of_name(const std::string& key) {
  const auto [it, added] = names_.try_emplace(key);
  if (added)
    lookup_.add_names(
        key, [](std::string_view) { return true; }, {}, it->second);
  return it->second;
}

TermExpansion TermExpander::definitions_of(std::string_view name) const {
  TermExpansion m;
  lookup_.add_name(name, {true, false, {}}, m);
  return m;
}

}  // namespace kw::search
