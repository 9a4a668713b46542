// SPDX-License-Identifier: GPL-2.0-or-later
#include "searcher/engine/term_expansion.h"

#include <map>
#include <optional>
#include <utility>

#include "schema/text/language_table.h"
#include "schema/text/splitter.h"
#include "schema/text/text.h"
#include "searcher/match/regex_literals.h"
#include "searcher/match/stem_pattern.h"
#include "searcher/match/text_scan.h"

namespace kw::search {

struct TermExpander::Impl {
  const Xapian::Database& database_;
  const LoadVocabulary vocabulary_;
  const bool case_sensitive_;
  const bool on_servers_;
  Stemmer stemmer_{};
  std::vector<std::pair<const QueryNode*, std::unique_ptr<TermExpansion>>> expansions_{};
  std::map<std::string, TermExpansion> names_{};  // by key
  bool partial_ = false;

  const TermExpansion& of(const QueryNode& leaf) {
    for (auto& [node, m] : expansions_)
      if (node == &leaf) return *m;
    expansions_.emplace_back(&leaf, std::make_unique<TermExpansion>());
    TermExpansion& m = *expansions_.back().second;
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

  const TermExpansion& of_name(const std::string& key) {
    const auto [it, added] = names_.try_emplace(key);
    if (added)
      add_names(
          key, [](std::string_view) { return true; }, {}, it->second);
    return it->second;
  }

  static bool asks(const QueryNode& leaf, Field field) {
    return !leaf.field || *leaf.field == field;
  }

  /// Adds the definitions of a name as stored, and says how many.
  std::size_t add_definitions(std::string_view stored, bool exact, TermExpansion& m) {
    const std::string range = definition_range(stored);
    std::size_t added = 0;
    for (auto it = database_.allterms_begin(range), end = database_.allterms_end(range); it != end;
         ++it) {
      const std::string term = *it;
      const auto definition = parse_definition_term(term);
      if (!definition || definition->name != stored) continue;
      const Xapian::Query query(term);
      // Names that many files open (namespaces, packages) say no more than their use.
      m.at(definition->rank == DefinitionClass::Minor ? Tier::Ident : Tier::Definition)
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
                        TermExpansion& m) {
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
  void add_names(const std::string& key, const Accepts& accepts, const Wanted& wanted,
                 TermExpansion& m) {
    const std::string range = ident_range(key) + " ";
    for (auto it = database_.allterms_begin(range), end = database_.allterms_end(range); it != end;
         ++it) {
      const std::string term = *it;
      const auto name = parse_ident_term(term);
      if (name && accepts(name->spelling)) add_ident(term, name->spelling, wanted, m);
    }
  }

  static bool has_capital(std::string_view text) { return fold(text) != text; }

  void add_word_names(const QueryNode& leaf, std::string_view text, TermExpansion& m) {
    const std::string folded = fold(text), key = term_key(text), stored = term_spelling(text);
    const auto accepts = [&](std::string_view spelling) {
      if (case_sensitive_) return spelling == stored;
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
    if (on_servers_ || database_.term_exists(term)) queries.emplace_back(term);
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
    if (is_ascii(token)) return {std::move(folded)};
    std::vector<std::string> words = split_name(token);
    return words.empty() ? std::vector<std::string>{std::move(folded)} : words;
  }

  void word(const QueryNode& leaf, TermExpansion& m) {
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
    if (!case_sensitive_) add_names_by_stem(fold(leaf.text), m);
  }

  /// Identifiers of one word with the stem of `folded`: words of prose have terms by stem, names
  /// have not. Their inflections are looked up, for all names that begin alike would be thousands.
  void add_names_by_stem(const std::string& folded, TermExpansion& m) {
    const bool is_word =
        std::all_of(folded.begin(), folded.end(), [](char c) { return c >= 'a' && c <= 'z'; });
    if (!is_word) return;
    for (const std::string& word : inflections(stemmer_.stem(folded), stemmer_)) {
      if (word == folded) continue;
      const std::string range = ident_range(term_key(word)) + " ";
      for (auto it = database_.allterms_begin(range), end = database_.allterms_end(range);
           it != end; ++it) {
        const std::string term = *it;
        const auto name = parse_ident_term(term);
        if (name && strip_marks(fold(name->spelling)) == word) m.at(Tier::Prose).emplace_back(term);
      }
    }
  }

  Xapian::Query neighbouring_subwords(const std::string& word) {
    constexpr std::size_t kLeast = 3, kMost = 24;
    const bool is_word =
        std::all_of(word.begin(), word.end(), [](char c) { return is_digit(c) || is_lower(c); });
    if (word.size() < kLeast || word.size() > kMost || !is_word) return {};
    const std::size_t n = word.size();
    std::map<std::pair<std::size_t, std::size_t>, Xapian::Query> known;
    const auto piece = [&](std::size_t from, std::size_t to) -> const Xapian::Query& {
      const auto [at, is_new] = known.try_emplace({from, to});
      if (is_new) at->second = subword(word.substr(from, to - from), to == n);
      return at->second;
    };
    Queries cuts;
    if (Queries numbered = with_digits(word); !numbered.empty()) cuts.push_back(any_of(numbered));
    for (std::size_t i = 1; i < n; ++i) {
      const Xapian::Query& first = piece(0, i);
      if (first.empty()) continue;
      if (const Xapian::Query& rest = piece(i, n); !rest.empty())
        cuts.push_back(all_of({first, rest}));
      for (std::size_t k = i + 1; k < n; ++k) {
        const Xapian::Query& second = piece(i, k);
        if (second.empty()) continue;
        if (const Xapian::Query& third = piece(k, n); !third.empty())
          cuts.push_back(all_of({first, second, third}));
      }
    }
    return any_of(cuts);
  }

  /// Files that have a subword; the last of a word may have digits behind it.
  Xapian::Query subword(const std::string& text, bool is_last) {
    const std::string term = make_term(Field::Part, stemmer_.stem(text));
    Queries forms;
    if (database_.term_exists(term)) forms.emplace_back(term);
    if (is_last) {
      const Queries numbered = with_digits(text);
      forms.insert(forms.end(), numbered.begin(), numbered.end());
    }
    return any_of(forms);
  }

  /// Subwords that are `text` and digits: html5 of html.
  Queries with_digits(const std::string& text) {
    constexpr int kMostLooked = 64;
    Queries queries;
    for (char digit = '0'; digit <= '9'; ++digit) {
      const std::string range = make_term(Field::Part, text + digit);
      int left = kMostLooked;
      for (auto it = database_.allterms_begin(range), end = database_.allterms_end(range);
           it != end && --left > 0; ++it) {
        const std::string term = *it;
        if (std::all_of(term.begin() + static_cast<std::ptrdiff_t>(range.size()), term.end(),
                        is_digit))
          queries.emplace_back(term);
      }
    }
    return queries;
  }

  static bool is_digit(char c) { return c >= '0' && c <= '9'; }
  static bool is_lower(char c) { return c >= 'a' && c <= 'z'; }

  WordFields fields_of(std::string_view token) {
    const std::vector<std::string> words = words_of(token), inner = split_name(token);
    const auto field = [&](Field of, bool stemmed) {
      Queries queries;
      add_words(queries, of, words, stemmed);
      // FooBar is found by its words, too.
      if (queries.empty() && inner.size() > 1) add_words(queries, of, inner, stemmed);
      return any_of(queries);
    };
    WordFields fields;
    fields.title = field(Field::Title, true);
    fields.description = field(Field::Description, true);
    fields.heading = field(Field::Section, true);
    fields.path = field(Field::PathWord, false);
    fields.definition = field(Field::DefinitionPart, true);
    TermExpansion names;
    add_names(
        term_key(token), [](std::string_view) { return true; }, {false, true, {}}, names);
    add_words(names.at(Tier::Ident), Field::Part, words, true);
    fields.name = any_of(names.at(Tier::Ident));
    Queries body;
    add_words(body, Field::Word, words, true);
    if (words.size() == 1 && token[0] >= '0' && token[0] <= '9')
      add_words(body, Field::Word, words, false);  // numbers as they are
    if (body.empty() && inner.size() > 1) add_words(body, Field::Word, inner, true);
    fields.body = any_of(body);
    return fields;
  }

  /// Where a token may stand at all: as a name, or as a word.
  TermExpansion holding(std::string_view token, TokenKind kind) {
    TermExpansion m;
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
    TermExpansion meaning;
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
    TermExpansion& m = it->second.meaning;
    expand_stems(Field::Part, Tier::Part, shape, m);
    expand_stems(Field::Word, Tier::Prose, shape, m);
    expand_terms(
        Field::Ident, {}, letters, m,
        [&](const std::string& term) {
          const auto name = parse_ident_term(term);  // of several words: it is found by them
          return name && split_name(name->spelling).size() <= 1;
        },
        [&](const std::string& term) {
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

  /// The documents that may hold a text.
  struct Candidates {
    Xapian::Query query;
    std::size_t expansions = 0;  ///< names and words in it, for what stands at open ends
  };

  /// Of a token in a script without blanks, all its pairs, which stand in a longer run, too; an
  /// empty query where it is too short to have one. Nothing: it is of another script.
  std::optional<Xapian::Query> pairs_of(std::string_view token) {
    if (is_ascii(token)) return std::nullopt;
    const std::vector<std::string> words = split_name(token);
    const bool all_pairs = !words.empty() && words[0] != fold(token) &&
                           std::all_of(words.begin(), words.end(), [](const std::string& w) {
                             return !is_ascii(w) && w.size() >= 6 && w.size() <= 8;
                           });
    if (!all_pairs) return std::nullopt;
    Queries each;
    for (const Field field : {Field::Word, Field::Part}) {
      Queries of_field;
      add_words(of_field, field, words, true);
      if (!of_field.empty()) each.push_back(any_of(of_field));
    }
    return any_of(each);
  }

  /// Documents that hold all tokens of a text, as far as terms can tell; everything if it has none.
  /// With an open end, the token that stands there may be part of a longer one. Nothing: no
  /// document can hold the text.
  std::optional<Candidates> candidates(std::string_view text, bool open_start, bool open_end,
                                       bool case_matters = false) {
    Candidates found;
    Queries each;
    Tokenizer tokenizer(text);
    for (Token token; tokenizer.next(token);) {
      // A percent-escape has no terms where it is no code.
      if (token.kind == TokenKind::Operator || escaped_bytes(text, token.text) > 0) continue;
      const bool open_before = open_start && token.text.data() == text.data();
      const bool open_after =
          open_end && token.text.data() + token.text.size() == text.data() + text.size();
      Xapian::Query query;
      if (open_before || open_after) {
        const std::string letters = longest_small_letters(token.text);
        if ((case_matters ? letters.size() : token.text.size()) < kShortestPart) continue;
        if (const auto pairs = pairs_of(token.text)) {
          if (!pairs->empty()) each.push_back(*pairs);
          continue;
        }
        const Part& part = case_matters
                               ? expanded_letters(letters)
                               : expanded_part((open_before ? "*" : "") + std::string(token.text) +
                                               (open_after ? "*" : ""));
        if (!part.complete) continue;  // too many to narrow anything
        query = any_of(part.meaning.at_least(1));
        found.expansions += part.meaning.expansions;
      } else {
        query = any_of(holding(token.text, token.kind).at_least(1));
      }
      if (query.empty()) return std::nullopt;
      each.push_back(query);
    }
    found.query = each.empty() ? everything() : all_of(each);
    return found;
  }

  /// Definitions whose name begins with a text (`my-func*`).
  void add_definitions_from(std::string_view text, TermExpansion& m) {
    expand_terms(
        Field::Definition, fold(text), {}, m,
        [](const std::string& term) { return parse_definition_term(term).has_value(); },
        [&](const std::string& term) {
          return add_definitions(parse_definition_term(term)->name, false, m) > 0;
        });
  }

  void literal(const QueryNode& leaf, TermExpansion& m) {
    const std::string_view text = leaf.text;
    std::string_view last_name;
    std::vector<std::string_view> names;
    Tokenizer tokenizer(text);
    for (Token token; tokenizer.next(token);) {
      if (token.kind != TokenKind::Operator) names.push_back(token.text);
      if (token.kind == TokenKind::Name) last_name = token.text;
    }
    const std::optional<Candidates> all = candidates(text, leaf.open_start, leaf.open_end);
    if (all) m.expansions = all->expansions;
    // The whole text as a defined name (operator==), else its last name (bar of foo::bar).
    QueryNode definition;
    definition.field = Field::Definition;
    if (asks(leaf, Field::Definition)) {
      add_word_names(definition, text, m);
      if (leaf.open_end && !leaf.open_start) add_definitions_from(text, m);
      if (m.at(Tier::Definition).empty() && !last_name.empty() && !leaf.open_end) {
        TermExpansion last;
        if (all) add_word_names(definition, last_name, last);
        if (!last.at(Tier::Definition).empty())
          m.at(Tier::Definition).push_back(all_of({any_of(last.at(Tier::Definition)), all->query}));
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
    if (all && (!leaf.field || *leaf.field == Field::Ident))
      m.at(Tier::Ident).push_back(all->query);
  }

  void regex(const QueryNode& leaf, TermExpansion& m) {
    Queries each;
    for (const std::string& literal : required_literals(leaf.text)) {
      // Its ends may stand inside longer words.
      const auto found = candidates(literal, true, true, /*case_matters=*/true);
      if (!found) return;
      each.push_back(found->query);
      m.expansions += found->expansions;
    }
    m.at(Tier::Ident).push_back(each.empty() ? everything() : all_of(each));
  }

  void pattern(const QueryNode& leaf, TermExpansion& m) {
    if (!expand(leaf, m)) partial_ = true;
  }

  /// What a pattern is held against: the start and a piece that all it matches must have.
  struct Shape {
    explicit Shape(const std::string& pattern)
        : folded(fold(pattern)), head(folded.substr(0, folded.find_first_of("*?"))), stems(folded) {
      const std::string tail = folded.substr(folded.find_last_of("*?") + 1);
      if (is_ascii(tail)) key_tail = name_key(tail);
      if (key_tail.find('_') != std::string::npos) key_tail.clear();  // nothing but underscores
      if (folded.find('*') == std::string::npos) longest_key = kMaxUtf8 * folded.size();
    }

    /// False if its key alone says that a name does not match. Most names are told so, for a
    /// fraction of what reading and folding their spelling takes.
    bool may_contain_key(std::string_view key) const {
      return key.size() <= longest_key && key.ends_with(key_tail);
    }

    static constexpr std::size_t kMaxUtf8 = 4;  // bytes of a character, for `?`

    std::string folded, head;
    std::string key_tail;  // what the keys of all names end with that it matches
    std::size_t longest_key = std::string::npos;
    StemPattern stems;  // words are stored as stems
  };

  /// Calls `add` with the terms of a field that begin with `start`, hold `piece` and match, and
  /// counts those for which it returns true among the meaning's expansions, up to kMaxExpansions.
  template <class Matches, class Add>
  void expand_terms(Field field, const std::string& start, std::string_view piece, TermExpansion& m,
                    const Matches& matches, const Add& add) {
    scan_terms(field, start, piece, matches, [&](const std::string& term) {
      if (add(term)) ++m.expansions;
      return m.expansions < kMaxExpansions;
    });
  }

  void expand_stems(Field field, Tier tier, const Shape& shape, TermExpansion& m) {
    const std::size_t prefix = prefix_of(field).size();
    expand_terms(
        field, shape.stems.head(), {}, m,
        [&](const std::string& term) {
          return shape.stems.may_contain(std::string_view(term).substr(prefix));
        },
        [&](const std::string& term) {
          m.at(tier).emplace_back(term);
          return true;
        });
  }

  /// Adds what a pattern stands for among the names and words of texts. False if that is
  /// kMaxExpansions or more: `m` then holds the first of them.
  bool expand_text(const QueryNode& leaf, const Wanted& wanted, TermExpansion& m) {
    const Shape shape(leaf.text);
    const bool only_underscores = shape.head.find_first_not_of('_') == std::string::npos;
    if (wanted.definitions || wanted.uses)
      expand_terms(
          Field::Ident, only_underscores ? std::string() : name_key(shape.head),
          longest_piece(shape.folded), m,
          [&](const std::string& term) {
            const std::string_view key = whole_key_of(term);
            if (!key.empty() && !shape.may_contain_key(key)) return false;
            const auto name = parse_ident_term(term);
            return name && matches_folded(shape.folded, fold(name->spelling));
          },
          [&](const std::string& term) {
            return add_ident(term, parse_ident_term(term)->spelling, wanted, m) > 0;
          });
    if (!leaf.field && shape.stems.are_all())
      m.at(Tier::Prose).push_back(everything());  // `*ing`: stems say nothing, the text decides
    else if (!leaf.field)
      expand_stems(Field::Word, Tier::Prose, shape, m);
    return m.expansions < kMaxExpansions;
  }

  /// The same among definitions, headings and paths, too.
  bool expand(const QueryNode& leaf, TermExpansion& m) {
    const Shape shape(leaf.text);
    const Wanted wanted{asks(leaf, Field::Definition), asks(leaf, Field::Ident), leaf.text};
    expand_text(leaf, wanted, m);
    if (wanted.definitions && !shape.head.empty())  // defined names that are no identifiers
      expand_terms(
          Field::Definition, shape.head, {}, m,
          [&](const std::string& term) {
            const auto definition = parse_definition_term(term);
            return definition && !is_one_name(definition->name) &&
                   matches_pattern(shape.folded, definition->name);
          },
          [&](const std::string& term) {
            return add_definitions(parse_definition_term(term)->name, false, m) > 0;
          });
    if (leaf.field && *leaf.field == Field::Section && shape.stems.are_all())
      m.at(Tier::Prose).push_back(everything());
    if (asks(leaf, Field::Section) && !shape.stems.are_all())
      expand_stems(Field::Section, Tier::Heading, shape, m);
    if (asks(leaf, Field::PathWord))
      expand_terms(
          Field::PathWord, shape.head, {}, m,
          [&](const std::string& term) {
            return matches_pattern(
                shape.folded, std::string_view(term).substr(prefix_of(Field::PathWord).size()));
          },
          [&](const std::string& term) {
            m.at(Tier::Heading).emplace_back(term);
            return true;
          });
    return m.expansions < kMaxExpansions;
  }

  /// Calls `take` with the terms of a field that begin with `start` and match, in order, until it
  /// returns false. Without a start all are meant: then those that hold `piece`, from the
  /// vocabulary.
  template <class Matches, class Take>
  void scan_terms(Field field, const std::string& start, std::string_view piece,
                  const Matches& matches, const Take& take) {
    if (start.empty()) {
      const Vocabulary& vocabulary = vocabulary_();
      vocabulary.for_each(field, piece, [&](const std::string& term) {
        const bool is_meant =
            matches(term) && (vocabulary.is_exact() || database_.term_exists(term));
        return !is_meant || take(term);
      });
      return;
    }
    const std::string range = std::string(prefix_of(field)) + start;
    for (auto it = database_.allterms_begin(range), end = database_.allterms_end(range); it != end;
         ++it)
      if (matches(*it) && !take(*it)) return;
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

  std::map<std::string, Part> parts_{};
};

TermExpander::TermExpander(const Xapian::Database& database, LoadVocabulary vocabulary,
                           bool case_sensitive, bool on_servers)
    : impl_(new Impl{database, std::move(vocabulary), case_sensitive, on_servers}) {}
TermExpander::~TermExpander() = default;
TermExpander::TermExpander(TermExpander&&) noexcept = default;

const TermExpansion& TermExpander::of(const QueryNode& leaf) { return impl_->of(leaf); }
const TermExpansion& TermExpander::of_name(const std::string& key) { return impl_->of_name(key); }
TermExpansion TermExpander::definitions_of(std::string_view name) {
  QueryNode leaf;
  leaf.kind = QueryNode::Kind::Word;
  leaf.field = Field::Definition;
  TermExpansion m;
  impl_->add_word_names(leaf, name, m);
  return m;
}
WordFields TermExpander::fields_of(std::string_view token) { return impl_->fields_of(token); }
Xapian::Query TermExpander::neighbouring_subwords(const std::string& folded) {
  return impl_->neighbouring_subwords(folded);
}
bool TermExpander::is_partial() const { return impl_->partial_; }

Queries WordFields::all() const {
  Queries queries;
  for (const Xapian::Query* query :
       {&title, &description, &heading, &path, &definition, &name, &body})
    if (!query->empty()) queries.push_back(*query);
  return queries;
}

std::string filter_term(const QueryNode& filter) {
  std::string text = *filter.field == Field::Folder ? filter.text : fold(filter.text);
  while (text.size() > 1 && text.back() == '/') text.pop_back();
  // What people call a language: `cpp`, `py`.
  if (*filter.field == Field::Language)
    if (const std::string_view name = language_name(text); !name.empty()) text = name;
  return make_term(*filter.field, text);
}

}  // namespace kw::search
