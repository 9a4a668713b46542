// SPDX-License-Identifier: GPL-2.0-or-later
#include "searcher/compile.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <memory>
#include <optional>

#include "schema/splitter.h"
#include "schema/terms.h"
#include "searcher/rank.h"
#include "searcher/stem_pattern.h"

namespace kw {
namespace {

using Queries = std::vector<Xapian::Query>;

Xapian::Query any_of(const Queries& queries) {
  if (queries.empty()) return {};
  if (queries.size() == 1) return queries[0];
  return Xapian::Query(Xapian::Query::OP_OR, queries.begin(), queries.end());
}

Xapian::Query all_of(const Queries& queries) {
  if (queries.empty()) return {};
  if (queries.size() == 1) return queries[0];
  return Xapian::Query(Xapian::Query::OP_AND, queries.begin(), queries.end());
}

/// Every document. Not Xapian::Query::MatchAll, which threads may not share.
Xapian::Query everything() { return Xapian::Query(std::string()); }

/// What one leaf means, by tier: a document that holds one of a tier's queries has the leaf in that
/// tier.
struct Meaning {
  std::array<Queries, kTierCount + 1> tiers;
  Queries exact_spelling;
  std::array<Queries, 4> ranks;  // by DefinitionRank
  std::size_t expansions = 0;    // of a pattern

  Queries& at(Tier tier) { return tiers[static_cast<std::size_t>(tier)]; }

  Queries at_least(int tier) const {
    Queries result;
    for (int t = kTierCount; t >= tier; --t)
      result.insert(result.end(), tiers[static_cast<std::size_t>(t)].begin(),
                    tiers[static_cast<std::size_t>(t)].end());
    return result;
  }
};

class Compiler {
 public:
  Compiler(const Xapian::Database& database, QueryCompiler::LoadVocabulary vocabulary,
           const CompileOptions& options)
      : database_(database), vocabulary_(std::move(vocabulary)), options_(options) {}

  CompiledQuery run(const QueryNode& root, bool any) {
    any_ = any;
    std::vector<const QueryNode*> filters, words;
    for (const QueryNode& child : root.children)
      (child.only_narrows() ? filters : words).push_back(&child);

    CompiledQuery out;
    Xapian::Query query = words.empty() ? everything() : with_tiers(words);
    Queries required, forbidden;
    for (const QueryNode* filter : filters) {
      if (filter->kind == QueryNode::Kind::Not) {
        needs_check_ |= has_checked_leaf(*filter);
        if (!has_checked_leaf(*filter)) forbidden.push_back(matching(filter->children[0], 1));
      } else {
        required.push_back(matching(*filter, 1));
      }
    }
    if (!required.empty()) query = Xapian::Query(Xapian::Query::OP_FILTER, query, all_of(required));
    if (!forbidden.empty())
      query = Xapian::Query(Xapian::Query::OP_AND_NOT, query, any_of(forbidden));
    out.query = query;
    out.needs_check = needs_check_ || options_.case_sensitive;
    out.partial = partial_;
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
    if (const std::string key = joined_key(words); !key.empty())
      if (const Queries joined = joined_name(key).at_least(1); !joined.empty())
        query = query.empty() ? any_of(joined)
                              : Xapian::Query(Xapian::Query::OP_OR, query, any_of(joined));
    return query;
  }

  /// Whether a pattern stands for so much that it only narrows beside other words.
  bool is_wide(const QueryNode& node) {
    return node.kind == QueryNode::Kind::Pattern && meaning(node).expansions > kMaxRankedExpansions;
  }

  /// The documents in which `node` matches in `tier` or higher.
  Xapian::Query matching(const QueryNode& node, int tier) {
    if (node.is_filter()) return any_of(meaning(node).at_least(1));  // holds in every tier
    if (tier > 1 && is_wide(node)) return {};
    if (node.is_leaf()) return any_of(meaning(node).at_least(tier));
    Queries each, never;
    for (const QueryNode& child : node.children) {
      if (node.kind == QueryNode::Kind::Or) {
        // A filter or a negation on one side says nothing of how well a file fits.
        if (tier == 1 || !child.only_narrows()) each.push_back(matching(child, tier));
      } else if (child.kind == QueryNode::Kind::Not) {
        if (has_checked_leaf(child))
          needs_check_ = true;  // terms find too much of it to be taken off here
        else
          never.push_back(matching(child.children[0], 1));
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
        if (has_checked_leaf(node)) {
          needs_check_ = true;
          return everything();
        }
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

  static Xapian::Query weighted(double weight, const Xapian::Query& where) {
    auto* const source = new Xapian::FixedWeightPostingSource(weight);
    return Xapian::Query(Xapian::Query::OP_FILTER, Xapian::Query(source->release()), where);
  }

  Xapian::Query with_tiers(const std::vector<const QueryNode*>& words) {
    Queries tiers;
    for (int tier = kTierCount; tier >= 1; --tier) {
      Xapian::Query where = tier_query(words, tier);
      if (!where.empty()) tiers.push_back(weighted(kTierStep * tier, where));
    }
    Queries bonuses;
    Xapian::Query query;
    const Xapian::Query by_tier(Xapian::Query::OP_MAX, tiers.begin(), tiers.end());
    if (words.size() == 1 && words[0]->kind == QueryNode::Kind::Pattern) {
      query = by_tier;  // it has hundreds of terms: each is opened once, none is weighed
    } else {
      query = top_level(words);
      if (!tiers.empty()) bonuses.push_back(by_tier);
    }

    Queries spelling;
    std::array<Queries, 4> ranks;
    for (const QueryNode* word : words) collect(*word, spelling, ranks);
    if (const std::string key = joined_key(words); !key.empty()) {
      const Meaning joined = joined_name(key);
      for (std::size_t i = 0; i < ranks.size(); ++i)
        ranks[i].insert(ranks[i].end(), joined.ranks[i].begin(), joined.ranks[i].end());
    }
    if (!spelling.empty()) bonuses.push_back(weighted(kSpellingBonus, any_of(spelling)));
    if (options_.demote_copies)
      for (std::size_t place = 0; place < 3; ++place)
        bonuses.push_back(
            weighted(origin_weight(place),
                     Xapian::Query(make_term(Field::Origin, kOriginsBestFirst[place]))));
    Queries by_rank;
    for (const DefinitionRank rank : kDefinitionRanks)
      if (const Queries& q = ranks[rank_index(rank)]; !q.empty() && rank_weight(rank) > 0)
        by_rank.push_back(weighted(rank_weight(rank), any_of(q)));
    if (!by_rank.empty())
      bonuses.push_back(Xapian::Query(Xapian::Query::OP_MAX, by_rank.begin(), by_rank.end()));
    return Xapian::Query(Xapian::Query::OP_AND_MAYBE, query, any_of(bonuses));
  }

  /// Where all words (or any, if so asked) match in `tier` or higher.
  Xapian::Query tier_query(const std::vector<const QueryNode*>& words, int tier) {
    const bool several = words.size() > 1;
    const std::string key = joined_key(words);
    Queries alternatives;
    if (tier == static_cast<int>(Tier::JoinedDefinition)) {
      return key.empty() ? Xapian::Query() : any_of(joined_name(key).at(Tier::Definition));
    }
    if (tier == static_cast<int>(Tier::DefinitionWords) && !several) return {};
    if (!several && words[0]->is_leaf() && !words[0]->is_filter())
      return any_of(meaning(*words[0]).at(static_cast<Tier>(tier)));  // of tiers the highest counts
    Queries each;
    const bool all_wide = std::all_of(words.begin(), words.end(),
                                      [&](const QueryNode* word) { return is_wide(*word); });
    for (const QueryNode* word : words) {
      if (is_wide(*word) && !all_wide) continue;  // the others say it
      Xapian::Query at = matching(*word, tier);
      if (several && tier == static_cast<int>(Tier::DefinitionWords)) {
        at = any_of({matching(*word, static_cast<int>(Tier::Definition)), definition_part(*word)});
      }
      if (at.empty() && !any_) {
        each.clear();
        break;
      }
      if (!at.empty()) each.push_back(at);
    }
    if (!each.empty()) alternatives.push_back(any_ ? any_of(each) : all_of(each));
    if (several && tier == static_cast<int>(Tier::Ident) && !key.empty())
      for (const Xapian::Query& q : joined_name(key).at_least(1)) alternatives.push_back(q);
    return any_of(alternatives);
  }

  Xapian::Query definition_part(const QueryNode& node) {
    if (!node.is_leaf()) return {};
    return any_of(meaning(node).at(Tier::DefinitionPart));
  }

  void collect(const QueryNode& node, Queries& spelling, std::array<Queries, 4>& ranks) {
    if (!node.is_leaf()) {
      if (node.kind != QueryNode::Kind::Not)
        for (const QueryNode& child : node.children) collect(child, spelling, ranks);
      return;
    }
    const Meaning& m = meaning(node);
    spelling.insert(spelling.end(), m.exact_spelling.begin(), m.exact_spelling.end());
    for (std::size_t i = 0; i < ranks.size(); ++i)
      ranks[i].insert(ranks[i].end(), m.ranks[i].begin(), m.ranks[i].end());
  }

  // --- several words as one name
  // ---------------------------------------------------------------------

  /// The key of the name that the words make together; empty if they are not two or more plain
  /// words.
  static std::string joined_key(const std::vector<const QueryNode*>& words) {
    if (words.size() < 2) return {};
    std::string joined;
    for (const QueryNode* word : words) {
      if (word->kind != QueryNode::Kind::Word || word->field) return {};
      joined += word->text;
    }
    return term_key(joined);
  }

  /// All spellings of the name that the words make together.
  Meaning joined_name(const std::string& key) {
    Meaning m;
    add_names(
        key, [](std::string_view) { return true; }, {}, m);
    return m;
  }

  // --- leaves
  // ----------------------------------------------------------------------------------------

  /// Meanings are asked for once a tier; each is looked up once.
  Meaning& meaning(const QueryNode& leaf) {
    for (auto& [node, m] : meanings_)
      if (node == &leaf) return *m;
    meanings_.emplace_back(&leaf, std::make_unique<Meaning>());
    Meaning& m = *meanings_.back().second;
    switch (leaf.kind) {
      case QueryNode::Kind::Word:
        word(leaf, m);
        break;
      case QueryNode::Kind::Literal:
        literal(leaf, m);
        break;
      case QueryNode::Kind::Pattern:
        pattern(leaf, m);
        break;
      case QueryNode::Kind::Regex:
        regex(leaf, m);
        break;
      case QueryNode::Kind::And:
      case QueryNode::Kind::Or:
      case QueryNode::Kind::Not:
        break;  // no leaves
    }
    return m;
  }

  static bool asks(const QueryNode& leaf, Field field) {
    return !leaf.field || *leaf.field == field;
  }
  static std::size_t rank_index(DefinitionRank rank) {
    return static_cast<std::size_t>(static_cast<char>(rank) - '1');
  }

  /// Adds the definitions of a name as stored, and says how many.
  std::size_t add_definitions(std::string_view stored, bool exact, Meaning& m) {
    const std::string range = definition_range(stored);
    std::size_t added = 0;
    for (auto it = database_.allterms_begin(range), end = database_.allterms_end(range); it != end;
         ++it) {
      const std::string term = *it;
      const auto definition = parse_definition_term(term);
      if (!definition || definition->name != stored) continue;
      const Xapian::Query query(term);
      // Names that many files open (namespaces, packages) say no more than their use.
      m.at(definition->rank == DefinitionRank::Minor ? Tier::Ident : Tier::Definition)
          .push_back(query);
      m.ranks[rank_index(definition->rank)].push_back(query);
      if (exact) m.exact_spelling.push_back(query);
      ++added;
    }
    return added;
  }

  struct Wanted {
    bool definitions = true;
    bool uses = true;
    std::string_view exact;  ///< the spelling that comes first; empty for none
  };

  /// Adds what an identifier's term stands for, and says how many terms.
  std::size_t add_ident(const std::string& term, std::string_view spelling, const Wanted& wanted,
                        Meaning& m) {
    const bool exact = !wanted.exact.empty() && spelling == wanted.exact;
    std::size_t added = 0;
    if (wanted.definitions) added += add_definitions(spelling, exact, m);
    if (wanted.uses) {
      m.at(Tier::Ident).emplace_back(term);
      if (exact) m.exact_spelling.emplace_back(term);
      ++added;
    }
    return added;
  }

  /// Adds the names with this key whose spelling `accepts`.
  template <class Accepts>
  void add_names(const std::string& key, const Accepts& accepts, const Wanted& wanted, Meaning& m) {
    const std::string range = ident_range(key) + " ";
    for (auto it = database_.allterms_begin(range), end = database_.allterms_end(range); it != end;
         ++it) {
      const std::string term = *it;
      const auto name = parse_ident_term(term);
      if (name && accepts(name->spelling)) add_ident(term, name->spelling, wanted, m);
    }
  }

  static bool is_one_name(std::string_view text) {
    Tokenizer tokenizer(text);
    Token token;
    return tokenizer.next(token) && token.text.size() == text.size() &&
           token.kind == TokenKind::Name;
  }

  static bool has_capital(std::string_view text) { return fold(text) != text; }

  void add_word_names(const QueryNode& leaf, std::string_view text, Meaning& m) {
    const std::string folded = fold(text), key = term_key(text), stored = term_spelling(text);
    const auto accepts = [&](std::string_view spelling) {
      if (options_.case_sensitive) return spelling == stored;
      const std::string f = fold(spelling);
      return f == folded || strip_marks(f) == folded || spelling == stored;
    };
    Wanted wanted{asks(leaf, Field::Definition), asks(leaf, Field::Ident), {}};
    if (has_capital(text)) wanted.exact = stored;
    if (!wanted.definitions && !wanted.uses) return;
    add_names(key, accepts, wanted, m);
    // Defined names that are no identifiers: operator==, all-tests.
    if (wanted.definitions && !is_one_name(text)) add_definitions(definition_name(text), false, m);
  }

  /// A term if the index has it: tiers without documents are then seen to be empty.
  void add_term(Queries& queries, Field field, std::string_view text) {
    const std::string term = make_term(field, text);
    if (database_.term_exists(term)) queries.emplace_back(term);
  }

  /// All words of one token, in a text field: CJK tokens have several.
  void add_words(Queries& queries, Field field, const std::vector<std::string>& words,
                 bool stemmed) {
    Queries each;
    for (const std::string& word : words) {
      Queries forms;
      add_term(forms, field, stemmed ? stemmer_.stem(word) : word);
      if (forms.empty()) return;
      each.push_back(forms[0]);
    }
    if (!each.empty()) queries.push_back(all_of(each));
  }

  static std::vector<std::string> words_of(std::string_view token) {
    std::string folded = fold(token);
    bool ascii = std::all_of(token.begin(), token.end(),
                             [](char c) { return static_cast<signed char>(c) >= 0; });
    if (ascii) return {std::move(folded)};
    std::vector<std::string> words = split_name(token);
    return words.empty() ? std::vector<std::string>{std::move(folded)} : words;
  }

  void word(const QueryNode& leaf, Meaning& m) {
    if (leaf.is_filter()) {
      m.at(Tier::Prose).emplace_back(filter_term(leaf));
      return;
    }
    add_word_names(leaf, leaf.text, m);
    const std::vector<std::string> words = words_of(leaf.text);
    if (asks(leaf, Field::Section)) add_words(m.at(Tier::Heading), Field::Section, words, true);
    if (asks(leaf, Field::PathWord)) add_words(m.at(Tier::Heading), Field::PathWord, words, false);
    if (leaf.field) {
      // def:word finds names that hold the word, after those that are it; ident: likewise.
      if (*leaf.field == Field::Definition)
        add_words(m.at(Tier::DefinitionPart), Field::DefinitionPart, words, true);
      return;
    }
    add_words(m.at(Tier::DefinitionPart), Field::DefinitionPart, words, true);
    add_words(m.at(Tier::Part), Field::Part, words, true);
    add_words(m.at(Tier::Prose), Field::Word, words, true);
    if (words.size() == 1)
      add_words(m.at(Tier::Prose), Field::Word, words, false);  // numbers as they are
  }

  /// Where a token may stand at all: as a name, or as a word.
  Meaning holding(std::string_view token, TokenKind kind) {
    Meaning m;
    QueryNode leaf;
    leaf.kind = QueryNode::Kind::Word;
    leaf.text = token;
    const std::string folded = fold(token), key = term_key(token), stored = term_spelling(token);
    if (kind == TokenKind::Name)
      add_names(
          key, [&](std::string_view s) { return fold(s) == folded || s == stored; },
          {false, true, {}}, m);
    add_words(m.at(Tier::Prose), Field::Word, words_of(token), true);
    if (kind == TokenKind::Number) add_term(m.at(Tier::Prose), Field::Word, folded);
    return m;
  }

  /// What a part of a word may stand for; looked up once for all tiers.
  struct Part {
    bool complete = false;
    Meaning meaning;
  };

  /// `pattern`: the part with stars where it is open.
  const Part& expanded_part(const std::string& pattern) {
    const auto [it, added] = parts_.try_emplace(pattern);
    if (added) {
      QueryNode leaf;
      leaf.text = pattern;
      it->second.complete = expand_text(leaf, {false, true, {}}, it->second.meaning);
    }
    return it->second;
  }

  /// The same for small letters in a text whose case matters. Names are split where case changes,
  /// so the letters lie in one word of a name, of which there are far fewer than names.
  const Part& expanded_letters(const std::string& letters) {
    const auto [it, added] = parts_.try_emplace(letters);
    if (!added) return it->second;
    const Shape shape("*" + letters + "*");
    if (shape.stems.are_all()) return it->second;
    Meaning& m = it->second.meaning;
    expand_stems(Field::Part, Tier::Part, shape, m);
    expand_stems(Field::Word, Tier::Prose, shape, m);
    expand_terms(Field::Ident, {}, letters, m, [&](const std::string& term) {
      const auto name = parse_ident_term(term);
      if (!name || split_name(name->spelling).size() > 1) return false;  // found by its words
      m.at(Tier::Ident).emplace_back(term);
      return true;
    });
    it->second.complete = m.expansions < kMaxExpansions;
    return it->second;
  }

  static std::string longest_small_letters(std::string_view text) {
    std::string_view longest;
    for (std::size_t begin = 0, i = 0; i <= text.size(); ++i) {
      if (i < text.size() && text[i] >= 'a' && text[i] <= 'z') continue;
      if (i - begin > longest.size()) longest = text.substr(begin, i - begin);
      begin = i + 1;
    }
    return std::string(longest);
  }

  /// Documents that hold all tokens of a text, as far as terms can tell; everything if it has none.
  /// With an open end, the token that stands there may be part of a longer one. Nothing: no
  /// document can hold the text.
  std::optional<Xapian::Query> candidates(std::string_view text, bool open_start, bool open_end,
                                          bool case_matters = false) {
    Queries each;
    Tokenizer tokenizer(text);
    for (Token token; tokenizer.next(token);) {
      if (token.kind == TokenKind::Operator) continue;
      const bool open_before = open_start && token.text.data() == text.data();
      const bool open_after =
          open_end && token.text.data() + token.text.size() == text.data() + text.size();
      Xapian::Query query;
      if (open_before || open_after) {
        const std::string letters = longest_small_letters(token.text);
        if ((case_matters ? letters.size() : token.text.size()) < kShortestPart) continue;
        const Part& part = case_matters
                               ? expanded_letters(letters)
                               : expanded_part((open_before ? "*" : "") + std::string(token.text) +
                                               (open_after ? "*" : ""));
        if (!part.complete) continue;  // too many to narrow anything
        query = any_of(part.meaning.at_least(1));
      } else {
        query = any_of(holding(token.text, token.kind).at_least(1));
      }
      if (query.empty()) return std::nullopt;
      each.push_back(query);
    }
    return each.empty() ? everything() : all_of(each);
  }

  void literal(const QueryNode& leaf, Meaning& m) {
    needs_check_ = true;
    const std::string_view text = leaf.text;
    std::string_view last_name;
    std::vector<std::string_view> names;
    Tokenizer tokenizer(text);
    for (Token token; tokenizer.next(token);) {
      if (token.kind != TokenKind::Operator) names.push_back(token.text);
      if (token.kind == TokenKind::Name) last_name = token.text;
    }
    // The whole text as a defined name (operator==), else its last name (bar of foo::bar).
    QueryNode definition;
    definition.field = Field::Definition;
    if (asks(leaf, Field::Definition)) {
      add_word_names(definition, text, m);
      if (m.at(Tier::Definition).empty() && !last_name.empty() && !leaf.open_end) {
        const auto all = candidates(text, leaf.open_start, leaf.open_end);
        Meaning last;
        if (all) add_word_names(definition, last_name, last);
        for (const Xapian::Query& q : last.at(Tier::Definition))
          m.at(Tier::Definition).push_back(all_of({q, *all}));
        m.ranks = last.ranks;
        m.exact_spelling = last.exact_spelling;
      }
    }
    // Names at open ends may be parts of longer ones: the text decides.
    if (!names.empty() && leaf.open_start && names[0].data() == text.data())
      names.erase(names.begin());
    if (!names.empty() && leaf.open_end &&
        names.back().data() + names.back().size() == text.data() + text.size())
      names.pop_back();
    for (const Field field : {Field::Section, Field::PathWord}) {
      if (!asks(leaf, field) || (names.empty() && !leaf.field)) continue;
      if (names.empty()) m.at(Tier::Heading).push_back(everything());
      Queries each;
      for (const std::string_view name : names)
        add_words(each, field, {fold(name)}, field == Field::Section);
      if (!each.empty() && each.size() == names.size()) m.at(Tier::Heading).push_back(all_of(each));
    }
    if (!leaf.field || *leaf.field == Field::Ident)
      if (const auto query = candidates(text, leaf.open_start, leaf.open_end))
        m.at(Tier::Ident).push_back(*query);
  }

  void regex(const QueryNode& leaf, Meaning& m) {
    needs_check_ = true;
    Queries each;
    for (const std::string& literal : required_literals(leaf.text)) {
      // Its ends may stand inside longer words.
      const auto query = candidates(literal, true, true, /*case_matters=*/true);
      if (!query) return;
      each.push_back(*query);
    }
    m.at(Tier::Ident).push_back(each.empty() ? everything() : all_of(each));
  }

  void pattern(const QueryNode& leaf, Meaning& m) {
    needs_check_ = true;
    if (!expand(leaf, m)) partial_ = true;
  }

  /// What a pattern is held against: the start and a piece that all it matches must have.
  struct Shape {
    explicit Shape(const std::string& pattern)
        : folded(fold(pattern)),
          head(folded.substr(0, folded.find_first_of("*?"))),
          stems(folded) {}

    std::string folded, head;
    StemPattern stems;  // words are stored as stems
  };

  /// Calls `take` with the terms of a field that begin with `start` and hold `piece`, and adds to
  /// the meaning's expansions where it returns true, up to kMaxExpansions.
  template <class Take>
  void expand_terms(Field field, const std::string& start, std::string_view piece, Meaning& m,
                    const Take& take) {
    scan_terms(field, start, piece, [&](const std::string& term) {
      if (take(term)) ++m.expansions;
      return m.expansions < kMaxExpansions;
    });
  }

  void expand_stems(Field field, Tier tier, const Shape& shape, Meaning& m) {
    const std::size_t prefix = prefix_of(field).size();
    expand_terms(field, shape.stems.head(), {}, m, [&](const std::string& term) {
      if (!shape.stems.may_hold(std::string_view(term).substr(prefix))) return false;
      m.at(tier).emplace_back(term);
      return true;
    });
  }

  /// Adds what a pattern stands for among the names and words of texts. False if that is
  /// kMaxExpansions or more: `m` then holds the first of them.
  bool expand_text(const QueryNode& leaf, const Wanted& wanted, Meaning& m) {
    const Shape shape(leaf.text);
    const bool only_underscores = shape.head.find_first_not_of('_') == std::string::npos;
    if (wanted.definitions || wanted.uses)
      expand_terms(Field::Ident, only_underscores ? std::string() : name_key(shape.head),
                   longest_piece(shape.folded), m, [&](const std::string& term) {
                     const auto name = parse_ident_term(term);
                     return name && matches_folded(shape.folded, fold(name->spelling)) &&
                            add_ident(term, name->spelling, wanted, m) > 0;
                   });
    if (!leaf.field && shape.stems.are_all())
      m.at(Tier::Prose).push_back(everything());  // `*ing`: stems say nothing, the text decides
    else if (!leaf.field)
      expand_stems(Field::Word, Tier::Prose, shape, m);
    return m.expansions < kMaxExpansions;
  }

  /// The same among definitions, headings and paths, too.
  bool expand(const QueryNode& leaf, Meaning& m) {
    const Shape shape(leaf.text);
    const Wanted wanted{asks(leaf, Field::Definition), asks(leaf, Field::Ident), leaf.text};
    expand_text(leaf, wanted, m);
    if (wanted.definitions && !shape.head.empty())  // defined names that are no identifiers
      expand_terms(Field::Definition, shape.head, {}, m, [&](const std::string& term) {
        const auto definition = parse_definition_term(term);
        return definition && !is_one_name(definition->name) &&
               matches_pattern(shape.folded, definition->name) &&
               add_definitions(definition->name, false, m) > 0;
      });
    if (leaf.field && *leaf.field == Field::Section && shape.stems.are_all())
      m.at(Tier::Prose).push_back(everything());
    if (asks(leaf, Field::Section) && !shape.stems.are_all())
      expand_stems(Field::Section, Tier::Heading, shape, m);
    if (asks(leaf, Field::PathWord))
      expand_terms(Field::PathWord, shape.head, {}, m, [&](const std::string& term) {
        if (!matches_pattern(shape.folded,
                             std::string_view(term).substr(prefix_of(Field::PathWord).size())))
          return false;
        m.at(Tier::Heading).emplace_back(term);
        return true;
      });
    return m.expansions < kMaxExpansions;
  }

  /// Calls `take` with the terms of a field that begin with `start`, in order, until it returns
  /// false. Without a start all are meant: then those that hold `piece`, from the vocabulary.
  template <class Take>
  void scan_terms(Field field, const std::string& start, std::string_view piece, const Take& take) {
    if (start.empty()) {
      const Vocabulary& vocabulary = vocabulary_();
      vocabulary.for_each(field, piece, [&](const std::string& term) {
        return (!vocabulary.is_exact() && !database_.term_exists(term)) || take(term);
      });
      return;
    }
    const std::string range = std::string(prefix_of(field)) + start;
    for (auto it = database_.allterms_begin(range), end = database_.allterms_end(range); it != end;
         ++it)
      if (!take(*it)) return;
  }

  /// The longest run of letters in a pattern that the key of every name it matches must hold.
  static std::string longest_piece(std::string_view pattern) {
    std::string longest;
    while (!pattern.empty()) {
      const std::size_t end = std::min(pattern.find_first_of("*?_"), pattern.size());
      if (end > longest.size()) longest = std::string(pattern.substr(0, end));
      pattern.remove_prefix(std::min(end + 1, pattern.size()));
    }
    return strip_marks(longest);
  }

  // A part of a word shorter than this stands in too many to narrow a search.
  static constexpr std::size_t kShortestPart = 3;

  const Xapian::Database& database_;
  const QueryCompiler::LoadVocabulary vocabulary_;
  const CompileOptions options_;
  bool any_ = false;
  Stemmer stemmer_;
  std::vector<std::pair<const QueryNode*, std::unique_ptr<Meaning>>> meanings_;
  std::map<std::string, Part> parts_;
  bool needs_check_ = false;
  bool partial_ = false;
};

}  // namespace

struct QueryCompiler::Impl {
  const QueryNode& root;
  Compiler compiler;
};

QueryCompiler::QueryCompiler(const QueryNode& root, const Xapian::Database& database,
                             LoadVocabulary vocabulary, const CompileOptions& options)
    : impl_(new Impl{root, Compiler(database, std::move(vocabulary), options)}) {}
QueryCompiler::~QueryCompiler() = default;
QueryCompiler::QueryCompiler(QueryCompiler&&) noexcept = default;

CompiledQuery QueryCompiler::compile(bool any) { return impl_->compiler.run(impl_->root, any); }

std::string filter_term(const QueryNode& filter) {
  std::string text = *filter.field == Field::Folder ? filter.text : fold(filter.text);
  while (text.size() > 1 && text.back() == '/') text.pop_back();
  return make_term(*filter.field, text);
}

std::vector<std::string> required_literals(std::string_view regex) {
  std::vector<std::string> literals;
  std::string run;
  const auto flush = [&] {
    if (run.size() > 1) literals.push_back(run);
    run.clear();
  };
  constexpr std::string_view kMeta = "^$.[]()*+?{}|\\";
  for (std::size_t i = 0; i < regex.size(); ++i) {
    char c = regex[i];
    if (c == '|' || c == '(' || c == ')')
      return {};     // alternatives and groups: anything may be optional
    if (c == '[') {  // a class: to its end
      flush();
      if (++i < regex.size() && regex[i] == '^') ++i;
      if (i < regex.size() && regex[i] == ']') ++i;  // first in a class it is itself
      for (; i < regex.size() && regex[i] != ']'; ++i)
        if (regex[i] == '\\') ++i;
      continue;
    }
    bool is_char = kMeta.find(c) == std::string_view::npos;
    if (c == '\\') {
      if (++i >= regex.size()) return {};
      c = regex[i];
      // An escaped letter or digit is a class, an anchor or a code; escaped punctuation is itself.
      if (word_char_length(std::string_view(&c, 1))) {
        if (c == 'Q' || c == 'x' || c == 'p' || c == 'P') return {};
        flush();
        continue;
      }
      is_char = true;
    }
    const bool optional =
        i + 1 < regex.size() && (regex[i + 1] == '*' || regex[i + 1] == '?' || regex[i + 1] == '{');
    if (optional && (static_cast<unsigned char>(c) & 0xC0) == 0x80)  // the whole character is
      while (!run.empty() && static_cast<signed char>(run.back()) < 0) {
        const bool lead = (static_cast<unsigned char>(run.back()) & 0xC0) == 0xC0;
        run.pop_back();
        if (lead) break;
      }
    if (is_char && !optional) {
      run.push_back(c);
      if (i + 1 < regex.size() && regex[i + 1] == '+') flush();
    } else {
      flush();
      if (c == '{')
        while (i < regex.size() && regex[i] != '}') ++i;
    }
  }
  flush();
  return literals;
}

}  // namespace kw
