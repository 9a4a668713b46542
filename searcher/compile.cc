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
  Compiler(const Xapian::Database& database, const CompileOptions& options)
      : database_(database), options_(options) {}

  CompiledQuery run(const QueryNode& root) {
    std::vector<const QueryNode*> filters, words;
    for (const QueryNode& child : root.children)
      (child.only_narrows() ? filters : words).push_back(&child);

    CompiledQuery out;
    Xapian::Query query = words.empty() ? everything() : top_level(words);
    if (!words.empty()) query = with_tiers(query, words);
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
    Xapian::Query query = options_.any ? any_of(each) : all_of(each);
    // The name that all words make together holds each of them, even where it splits otherwise.
    if (const std::string key = joined_key(words); !key.empty())
      if (const Queries joined = joined_name(key).at_least(1); !joined.empty())
        query = query.empty() ? any_of(joined)
                              : Xapian::Query(Xapian::Query::OP_OR, query, any_of(joined));
    return query;
  }

  /// The documents in which `node` matches in `tier` or higher.
  Xapian::Query matching(const QueryNode& node, int tier) {
    if (node.is_filter()) return any_of(meaning(node).at_least(1));  // holds in every tier
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

  Xapian::Query with_tiers(const Xapian::Query& query, const std::vector<const QueryNode*>& words) {
    Queries tiers;
    for (int tier = kTierCount; tier >= 1; --tier) {
      Xapian::Query where = tier_query(words, tier);
      if (!where.empty()) tiers.push_back(weighted(kTierStep * tier, where));
    }
    Queries bonuses;
    if (!tiers.empty())
      bonuses.push_back(Xapian::Query(Xapian::Query::OP_MAX, tiers.begin(), tiers.end()));

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
    Queries each;
    for (const QueryNode* word : words) {
      Xapian::Query at = matching(*word, tier);
      if (several && tier == static_cast<int>(Tier::DefinitionWords)) {
        at = any_of({matching(*word, static_cast<int>(Tier::Definition)), definition_part(*word)});
      }
      if (at.empty() && !options_.any) {
        each.clear();
        break;
      }
      if (!at.empty()) each.push_back(at);
    }
    if (!each.empty()) alternatives.push_back(options_.any ? any_of(each) : all_of(each));
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

  /// A part of a word and what it may stand for; looked up once for all tiers.
  struct Part {
    bool complete = false;
    Meaning meaning;
  };
  const Part& expanded_part(const std::string& pattern, std::string_view exact) {
    const auto [it, added] = parts_.try_emplace({pattern, std::string(exact)});
    if (added) {
      QueryNode leaf;
      leaf.text = pattern;
      it->second.complete = expand(leaf, it->second.meaning, exact);
    }
    return it->second;
  }

  /// Documents that hold all tokens of a text, as far as terms can tell; everything if it has none.
  /// With an open end, the token that stands there may be part of a longer one. Nothing: no
  /// document can hold the text.
  std::optional<Xapian::Query> candidates(std::string_view text, bool open_start, bool open_end,
                                          Tier tier = Tier::Prose, bool case_matters = false) {
    Queries each;
    Tokenizer tokenizer(text);
    for (Token token; tokenizer.next(token);) {
      if (token.kind == TokenKind::Operator) continue;
      const bool open_before = open_start && token.text.data() == text.data();
      const bool open_after =
          open_end && token.text.data() + token.text.size() == text.data() + text.size();
      Xapian::Query query;
      if (open_before || open_after) {
        if (token.text.size() < kShortestPart) continue;
        const Part& part = expanded_part(
            (open_before ? "*" : "") + std::string(token.text) + (open_after ? "*" : ""),
            case_matters ? token.text : std::string_view());
        if (!part.complete) continue;  // too many to narrow anything
        query = any_of(part.meaning.at_least(static_cast<int>(tier)));
      } else {
        query = any_of(holding(token.text, token.kind).at_least(static_cast<int>(tier)));
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
    // Files that have its parts in identifiers are looked at first.
    for (const Tier tier : {Tier::Ident, Tier::Prose}) {
      Queries each;
      bool possible = true;
      for (const std::string& literal : required_literals(leaf.text)) {
        // Its ends may stand inside longer words.
        const auto query = candidates(literal, true, true, tier, /*case_matters=*/true);
        possible &= query.has_value();
        if (query) each.push_back(*query);
      }
      if (possible) m.at(tier).push_back(each.empty() ? everything() : all_of(each));
    }
  }

  void pattern(const QueryNode& leaf, Meaning& m) {
    needs_check_ = true;
    if (!expand(leaf, m)) partial_ = true;
  }

  /// Adds what a pattern stands for in the vocabulary. False if that is more than kMaxExpansions,
  /// or more than kMaxScannedTerms had to be looked at: `m` then holds the first of them.
  /// Names must hold `exact` as it is spelled.
  bool expand(const QueryNode& leaf, Meaning& m, std::string_view exact = {}) {
    const std::string folded = fold(leaf.text);
    const std::string head = folded.substr(0, folded.find_first_of("*?"));
    const std::string piece = longest_piece(folded);
    std::size_t expanded = 0, scanned = 0;
    const auto scan = [&](const std::string& range, const auto& take) {
      for (auto it = database_.allterms_begin(range), end = database_.allterms_end(range);
           it != end; ++it) {
        if (expanded >= kMaxExpansions || ++scanned > kMaxScannedTerms) return;
        if (take(*it)) ++expanded;
      }
    };
    const Wanted wanted{asks(leaf, Field::Definition), asks(leaf, Field::Ident), leaf.text};
    const bool only_underscores = head.find_first_not_of('_') == std::string::npos;
    const std::string names = ident_range(only_underscores ? std::string() : name_key(head));
    if (wanted.definitions || wanted.uses)
      scan(names, [&](const std::string& term) {
        if (term.find(piece) == std::string::npos) return false;  // cheaper than reading the name
        const auto name = parse_ident_term(term);
        return name && name->spelling.find(exact) != std::string::npos &&
               matches_folded(folded, fold(name->spelling)) &&
               add_ident(term, name->spelling, wanted, m) > 0;
      });
    const std::string definitions = std::string(prefix_of(Field::Definition)) + head;
    if (wanted.definitions && !head.empty())  // defined names that are no identifiers
      scan(definitions, [&](const std::string& term) {
        const auto definition = parse_definition_term(term);
        return definition && !is_one_name(definition->name) &&
               matches_pattern(folded, definition->name) &&
               add_definitions(definition->name, false, m) > 0;
      });

    // Words are stored as stems: those that a matching word might have. The text decides.
    const Stems stems(folded);
    const auto scan_stems = [&](Field field, Tier tier, const std::string& range) {
      const std::size_t prefix = prefix_of(field).size();
      scan(range, [&](const std::string& term) {
        if (!stems.may_hold(std::string_view(term).substr(prefix))) return false;
        m.at(tier).emplace_back(term);
        return true;
      });
    };
    const std::string stem_head = head.substr(0, head.size() - most_cut(head));
    const bool no_help = stems.are_all();  // `*ing`: stems say nothing
    if (no_help && (!leaf.field || *leaf.field == Field::Section))
      m.at(Tier::Prose).push_back(everything());
    if (asks(leaf, Field::Section) && !no_help)
      scan_stems(Field::Section, Tier::Heading, make_term(Field::Section, stem_head));
    if (!leaf.field && !no_help) {
      if (!stem_head.empty())
        scan_stems(Field::Word, Tier::Prose, stem_head);
      else  // words have no prefix: all first bytes that no prefix has
        for (int c = '0'; c < 0x100; c = c == '9' ? 'a' : c == 'z' ? 0x80 : c + 1)
          scan_stems(Field::Word, Tier::Prose, std::string(1, static_cast<char>(c)));
    }
    if (asks(leaf, Field::PathWord)) {
      const std::string paths = make_term(Field::PathWord, head);
      scan(paths, [&](const std::string& term) {
        if (!matches_pattern(folded,
                             std::string_view(term).substr(prefix_of(Field::PathWord).size())))
          return false;
        m.at(Tier::Heading).emplace_back(term);
        return true;
      });
    }
    return expanded < kMaxExpansions && scanned <= kMaxScannedTerms;
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

  /// What a pattern ends in, after its last star but one at the end.
  static std::string_view last_piece(std::string_view pattern) {
    while (pattern.ends_with('*')) pattern.remove_suffix(1);
    return pattern.substr(pattern.rfind('*') + 1);  // npos + 1 is 0
  }

  /// What the English stemmer may take off a word at most: an ending that makes one word of
  /// another, with or without one that bends it.
  static std::vector<std::string> make_endings() {
    static constexpr std::string_view kInner[] = {
        "",     "abil",  "abl",  "able", "al",   "alis",     "aliz",    "alization", "alize",
        "anc",  "ance",  "ant",  "at",   "ate",  "ation",    "ational", "ativ",      "ative",
        "ator", "ement", "enc",  "ence", "ent",  "entative", "er",      "ful",       "ibil",
        "ibl",  "ible",  "ic",   "ical", "icat", "icate",    "icativ",  "icative",   "ication",
        "ion",  "ional", "ism",  "it",   "iv",   "ive",      "iz",      "ization",   "izational",
        "ize",  "less",  "ment", "og",   "ous"};
    static constexpr std::string_view kOuter[] = {
        "s",     "es",     "ed",    "eds",   "ing",  "ings", "ly",  "lies", "lied",
        "lying", "edly",   "ally",  "ingly", "y",    "ies",  "ied", "ers",  "ors",
        "eedly", "nesses", "ities", "ity",   "isms", "ists", "sses"};
    std::vector<std::string> endings;
    for (const std::string_view inner : kInner)
      for (const std::string_view outer : kOuter)
        endings.push_back(std::string(inner).append(outer));
    return endings;
  }

  /// Whether a piece of a word may stand inside what the stemmer takes off. `?` is any letter.
  static bool is_inside_ending(std::string_view piece) {
    static const std::vector<std::string> endings = make_endings();
    const auto same = [](char asked, char c) { return asked == '?' || asked == c; };
    return std::any_of(endings.begin(), endings.end(), [&](const std::string& ending) {
      return std::search(ending.begin(), ending.end(), piece.begin(), piece.end(),
                         [&](char c, char asked) { return same(asked, c); }) != ending.end();
    });
  }

  /// How many letters at the end of `text` the stemmer may take off a word that goes on from there.
  static std::size_t most_cut(std::string_view text) {
    std::size_t cut = 0;
    while (cut < text.size() && is_inside_ending(text.substr(text.size() - cut - 1))) ++cut;
    // hopp|ing gives hop, and dy|ing die: one letter more.
    return std::min(cut + 1, text.size());
  }

  /// Which stems a word may have that matches a pattern.
  class Stems {
   public:
    explicit Stems(std::string_view pattern) : patterns_{std::string(pattern)} {
      patterns_[0] += '*';  // a word may be longer than its stem
      const std::string_view piece = last_piece(pattern);
      whole_ = pattern;
      while (pattern.ends_with('*')) pattern.remove_suffix(1);
      all_ = piece.size() < pattern.size() && is_inside_ending(piece);
      for (std::size_t cut = most_cut(piece); cut > 0; --cut) {
        pattern.remove_suffix(1);
        patterns_.emplace_back(pattern);
      }
    }

    bool may_hold(std::string_view stem) const {
      if (all_) return true;
      if (stem.size() == 3 && stem.ends_with("ie") &&  // die, lie, tie
          matches_pattern(whole_, std::string(1, stem[0]) + "ying"))
        return true;
      // The stem's last letter may be another than the word's (happy -> happi).
      const std::string_view kept = stem.substr(0, stem.size() - 1);
      return std::any_of(patterns_.begin(), patterns_.end(), [&](const std::string& p) {
        return matches_pattern(p, stem) || matches_pattern(p, kept);
      });
    }

    /// Any word may match.
    bool are_all() const { return all_; }

   private:
    std::string whole_;
    std::vector<std::string> patterns_;  // with what the stemmer may leave of a word
    bool all_ = false;
  };

  // A part of a word shorter than this stands in too many to narrow a search.
  static constexpr std::size_t kShortestPart = 3;

  const Xapian::Database& database_;
  const CompileOptions& options_;
  Stemmer stemmer_;
  std::vector<std::pair<const QueryNode*, std::unique_ptr<Meaning>>> meanings_;
  std::map<std::pair<std::string, std::string>, Part> parts_;
  bool needs_check_ = false;
  bool partial_ = false;
};

}  // namespace

CompiledQuery compile_query(const QueryNode& root, const Xapian::Database& database,
                            const CompileOptions& options) {
  return Compiler(database, options).run(root);
}

std::string filter_term(const QueryNode& filter) {
  std::string text = *filter.field == Field::Folder ? filter.text : fold(filter.text);
  while (text.size() > 1 && text.back() == '/') text.pop_back();
  return make_term(*filter.field, text);
}

bool matches_folded(std::string_view pattern, std::string_view folded) {
  return matches_pattern(pattern, folded) || matches_pattern(pattern, strip_marks(folded));
}

bool matches_pattern(std::string_view pattern, std::string_view text) {
  // Greedy with one point to come back to: linear in most cases, never worse than the product of
  // lengths.
  std::size_t p = 0, t = 0, star = std::string_view::npos, mark = 0;
  const auto next_char = [&](std::size_t at) {
    ++at;
    while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) ++at;
    return at;
  };
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = ++p;
      mark = t;
    } else if (p < pattern.size() && pattern[p] == '?') {
      ++p;
      t = next_char(t);
    } else if (p < pattern.size() && pattern[p] == text[t]) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star;
      t = ++mark;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
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
