// SPDX-License-Identifier: GPL-2.0-or-later
#include "searcher/engine/compile.h"

#include <algorithm>
#include <array>

#include "schema/index/terms.h"
#include "searcher/engine/origin_weights.h"
#include "searcher/engine/scoring.h"
#include "searcher/engine/xapian_query.h"

namespace kw::search {
namespace {

class Compiler {
 public:
  Compiler(TermDictionary& dictionary, LoadVocabulary vocabulary, const CompileOptions& options)
      : expansions_(dictionary, std::move(vocabulary), options.case_sensitive), options_(options) {}

  CompiledQuery run(const QueryNode& root, bool any) {
    any_ = any;
    std::vector<const QueryNode*> filters, words;
    for (const QueryNode& child : root.children)
      (child.is_filter_only() ? filters : words).push_back(&child);
    const std::string key = compound_key(words);
    joined_ = key.empty() ? nullptr : &expansions_.of_name(key);

    CompiledQuery out;
    Xapian::Query query = words.empty() ? everything() : with_tiers(words);
    Queries required, forbidden;
    for (const QueryNode* filter : filters) {
      if (filter->kind == QueryNode::Kind::Not) {
        if (!has_checked_leaf(*filter)) forbidden.push_back(matching(filter->children[0], 1));
      } else {
        required.push_back(matching(*filter, 1));
      }
    }
    if (!required.empty()) query = Xapian::Query(Xapian::Query::OP_FILTER, query, all_of(required));
    if (!forbidden.empty())
      query = Xapian::Query(Xapian::Query::OP_AND_NOT, query, any_of(forbidden));
    out.query = query;
    out.needs_check = options_.case_sensitive || has_checked_leaf(root);
    out.partial = expansions_.is_partial();
    return out;
  }

 private:
  bool has_checked_leaf(const QueryNode& node) const {
    if (node.is_leaf())
      return node.kind != QueryNode::Kind::Word || (options_.case_sensitive && !node.is_filter());
    return std::any_of(node.children.begin(), node.children.end(),
                       [&](const QueryNode& c) { return has_checked_leaf(c); });
  }

  Xapian::Query top_level(const std::vector<const QueryNode*>& words) {
    Queries each;
    for (const QueryNode* word : words) each.push_back(matching(*word, 1));
    Xapian::Query query = any_ ? any_of(each) : all_of(each);
    // The name that all words make together holds each of them, even where it splits otherwise.
    if (joined_)
      if (const Queries joined = joined_->at_least(1); !joined.empty())
        query = query.empty() ? any_of(joined)
                              : Xapian::Query(Xapian::Query::OP_OR, query, any_of(joined));
    return query;
  }

  /// Whether a leaf stands for so much that it only narrows beside other words.
  bool is_wide(const QueryNode& node) {
    return node.is_leaf() && expansions_.of(node).expansions > kMaxRankedExpansions;
  }

  /// The documents in which `node` matches in `tier` or higher.
  Xapian::Query matching(const QueryNode& node, int tier) {
    if (node.is_filter()) return any_of(expansions_.of(node).at_least(1));  // holds in every tier
    if (tier > 1 && is_wide(node)) return {};
    if (node.is_leaf()) return any_of(expansions_.of(node).at_least(tier));
    Queries each, never;
    for (const QueryNode& child : node.children) {
      if (node.kind == QueryNode::Kind::Or) {
        // A filter or a negation on one side says nothing of how well a file fits.
        if (tier == 1 || !child.is_filter_only()) each.push_back(matching(child, tier));
      } else if (child.kind == QueryNode::Kind::Not) {
        // What is checked terms find too much of: it is not taken off here.
        if (!has_checked_leaf(child)) never.push_back(matching(child.children[0], 1));
      } else {
        each.push_back(matching(child, tier));
      }
    }
    Xapian::Query query;
    switch (node.kind) {
      case QueryNode::Kind::And:
        query = each.empty() ? everything() : all_of(each);
        break;
      case QueryNode::Kind::Or:
        query = any_of(each);
        break;
      case QueryNode::Kind::Not: {
        if (has_checked_leaf(node)) return everything();
        const Xapian::Query inner = matching(node.children[0], 1);
        return Xapian::Query(Xapian::Query::OP_AND_NOT, everything(), inner);
      }
      case QueryNode::Kind::Word:
      case QueryNode::Kind::Literal:
      case QueryNode::Kind::Pattern:
      case QueryNode::Kind::Regex:
        break;  // leaves, done above
    }
    if (!never.empty()) query = Xapian::Query(Xapian::Query::OP_AND_NOT, query, any_of(never));
    return query;
  }

  // --- tiers
  // -----------------------------------------------------------------------------------------

  /// What fits, in the order of scoring.h. Tiers are nested sets, and each adds a step to the score
  /// of what is in it. OP_MAX over tiers would say it more directly, but it reads memory that it
  /// has freed when several of its lists end at once and the root of the query is replaced by a
  /// part of it (Xapian 1.4.22: the matcher asks for the greatest weight before it asks for the
  /// end).
  Xapian::Query with_tiers(const std::vector<const QueryNode*>& words) {
    struct Level {
      Xapian::Query where;
      int steps = 1;
    };
    std::vector<Level> levels;
    for (int tier = kTierCount; tier > 1; --tier) {
      if (!adds(words, tier)) {
        if (!levels.empty()) ++levels.back().steps;
      } else if (Xapian::Query where = tier_query(words, tier); !where.empty()) {
        levels.push_back({std::move(where)});
      }
    }
    Queries tiers;
    for (const Level& level : levels)
      tiers.push_back(constant_weight(kTierStep * level.steps, level.where));

    Queries bonuses{constant_weight(kTierStep, everything())};  // all are in the lowest tier
    Xapian::Query query;
    if (words.size() == 1 && words[0]->kind == QueryNode::Kind::Pattern) {
      // It has hundreds of terms: they are opened for their tiers alone, and have no other weight.
      const Xapian::Query lowest = any_of(expansions_.of(*words[0]).at(Tier::Prose));
      tiers.push_back(Xapian::Query(Xapian::Query::OP_SCALE_WEIGHT, lowest, 0));
      query = any_of(tiers);
    } else {
      query = top_level(words);
      bonuses.insert(bonuses.end(), tiers.begin(), tiers.end());
    }

    Queries spelling;
    std::array<Queries, 4> ranks;
    for (const QueryNode* word : words) collect(*word, spelling, ranks);
    if (joined_)
      for (std::size_t i = 0; i < ranks.size(); ++i)
        ranks[i].insert(ranks[i].end(), joined_->ranks[i].begin(), joined_->ranks[i].end());
    if (!spelling.empty()) bonuses.push_back(constant_weight(kSpellingBonus, any_of(spelling)));
    if (options_.demote_copies)
      bonuses.push_back(origin_weights(kOriginStep, expansions_.lookup().asks_servers()));
    Queries of_rank;  // or better
    for (const DefinitionClass rank : kDefinitionRanks) {
      const Queries& q = ranks[rank_index(rank)];
      of_rank.insert(of_rank.end(), q.begin(), q.end());
      if (!of_rank.empty() && rank_weight(rank) > 0)
        bonuses.push_back(constant_weight(kRankStep, any_of(of_rank)));
    }
    return Xapian::Query(Xapian::Query::OP_AND_MAYBE, query, any_of(bonuses));
  }

  /// Whether some word may have files in `tier` that are in no higher one.
  bool adds(const std::vector<const QueryNode*>& words, int tier) {
    if (words.size() > 1) {
      if (tier == static_cast<int>(Tier::DefinitionWords)) return true;
      if (tier == static_cast<int>(Tier::CompoundDefinition) ||
          tier == static_cast<int>(Tier::Ident))
        if (joined_) return true;
    }
    return std::any_of(words.begin(), words.end(),
                       [&](const QueryNode* word) { return adds(*word, tier); });
  }
  bool adds(const QueryNode& node, int tier) {
    if (node.is_leaf()) return !expansions_.of(node).at(static_cast<Tier>(tier)).empty();
    return std::any_of(node.children.begin(), node.children.end(),
                       [&](const QueryNode& child) { return adds(child, tier); });
  }

  /// Where all words (or any, if so asked) match in `tier` or higher; tier > 1.
  Xapian::Query tier_query(const std::vector<const QueryNode*>& words, int tier) {
    if (words.size() == 1 && words[0]->is_leaf() && !words[0]->is_filter())
      return any_of(expansions_.of(*words[0]).at_least(tier));
    const auto words_at = [&](const auto& at) {
      Queries each;
      const bool all_wide = std::all_of(words.begin(), words.end(),
                                        [&](const QueryNode* word) { return is_wide(*word); });
      for (const QueryNode* word : words) {
        if (is_wide(*word) && !all_wide) continue;  // the others say it
        Xapian::Query query = at(*word);
        if (query.empty() && !any_) return Xapian::Query();
        if (!query.empty()) each.push_back(std::move(query));
      }
      return each.empty() ? Xapian::Query() : any_ ? any_of(each) : all_of(each);
    };
    Queries alternatives;
    alternatives.push_back(words_at([&](const QueryNode& word) { return matching(word, tier); }));
    if (words.size() > 1 && tier <= static_cast<int>(Tier::DefinitionWords) &&
        tier > static_cast<int>(Tier::DefinitionPart))
      alternatives.push_back(words_at([&](const QueryNode& word) {
        return any_of({matching(word, static_cast<int>(Tier::Definition)), definition_part(word)});
      }));
    if (joined_)
      alternatives.push_back(any_of(tier <= static_cast<int>(Tier::Ident)
                                        ? joined_->at_least(1)
                                        : joined_->at(Tier::Definition)));
    return any_of(alternatives);
  }

  Xapian::Query definition_part(const QueryNode& node) {
    if (!node.is_leaf()) return {};
    return any_of(expansions_.of(node).at(Tier::DefinitionPart));
  }

  void collect(const QueryNode& node, Queries& spelling, std::array<Queries, 4>& ranks) {
    if (!node.is_leaf()) {
      if (node.kind != QueryNode::Kind::Not)
        for (const QueryNode& child : node.children) collect(child, spelling, ranks);
      return;
    }
    const TermExpansion& m = expansions_.of(node);
    spelling.insert(spelling.end(), m.exact_spelling.begin(), m.exact_spelling.end());
    for (std::size_t i = 0; i < ranks.size(); ++i)
      ranks[i].insert(ranks[i].end(), m.ranks[i].begin(), m.ranks[i].end());
  }

  // --- several words as one name
  // ---------------------------------------------------------------------

  /// The key of the name that the words make together; empty if they are not two or more plain
  /// words.
  static std::string compound_key(const std::vector<const QueryNode*>& words) {
    if (words.size() < 2) return {};
    std::string joined;
    for (const QueryNode* word : words) {
      if (word->kind != QueryNode::Kind::Word || word->field) return {};
      joined += word->text;
    }
    return term_key(joined);
  }

  TermExpander expansions_;
  const CompileOptions options_;
  bool any_ = false;
  const TermExpansion* joined_ =
      nullptr;  // of the name that the words at the top may make together
};

}  // namespace

struct QueryCompiler::Impl {
  const QueryNode& root;
  Compiler compiler;
};

QueryCompiler::QueryCompiler(const QueryNode& root, TermDictionary& dictionary,
                             LoadVocabulary vocabulary, const CompileOptions& options)
    : impl_(new Impl{root, Compiler(dictionary, std::move(vocabulary), options)}) {}
QueryCompiler::~QueryCompiler() = default;
QueryCompiler::QueryCompiler(QueryCompiler&&) noexcept = default;

CompiledQuery QueryCompiler::compile(bool any) { return impl_->compiler.run(impl_->root, any); }

}  // namespace kw::search
