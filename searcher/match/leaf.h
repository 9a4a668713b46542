// SPDX-License-Identifier: GPL-2.0-or-later
// What one leaf of a query (a word, a pattern, a literal, an expression) asks of a token of the
// text and of a defined name. Where in a text it is asked: match.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "schema/base/result.h"
#include "schema/index/record.h"
#include "schema/text/splitter.h"
#include "searcher/match/expression.h"
#include "searcher/match/text_scan.h"
#include "searcher/query/query.h"

namespace kw::search {

struct Leaf {
  const QueryNode* node = nullptr;
  std::string folded;
  std::string stem;
  std::string stem_prefix;         ///< words with this stem begin with it
  std::vector<std::string> words;  ///< of a token in a script without blanks: its pairs
  std::string probe;               ///< an ASCII token that matches holds this, case aside; may be
                                   ///< empty: nothing is known
  std::uint64_t probe_characters = 0;  ///< characters_of() it
  bool beyond_ascii = false;           ///< a token that matches is not ASCII
  bool negated = false;                ///< what matches it is no line to show
  bool is_filler = false;              ///< a stop word beside other words: of a compound name alone
  std::optional<Expression> expression;  ///< of a Literal or Regex

  /// Whether the tokens of a text decide it.
  bool asks_text() const {
    return asks_tokens() && !is_filler && !node->is_filter() && !is_field(Field::Definition) &&
           !is_field(Field::PathWord) && !is_field(Field::Section);
  }
  bool asks_tokens() const {
    return node->kind == QueryNode::Kind::Word || node->kind == QueryNode::Kind::Pattern;
  }
  Needle needle() const { return {probe, node->kind == QueryNode::Kind::Word}; }
  bool is_field(Field field) const { return node->field && *node->field == field; }
};

/// A name and its forms, each made when it is first asked for: a leaf asks for few, and all leaves
/// share them. Does not own the name.
class NameForms {
 public:
  explicit NameForms(std::string_view name);

  std::string_view name() const { return name_; }
  bool is_ascii() const { return ascii_; }
  std::uint64_t characters();  ///< characters_of() it
  const std::string& folded();
  const std::string& plain();  ///< without accents
  const std::vector<std::string>& words();
  const std::vector<std::string>& plain_words();

 private:
  std::string_view name_;
  bool ascii_;
  std::optional<std::uint64_t> characters_;
  std::optional<std::string> folded_, plain_;
  std::optional<std::vector<std::string>> words_, plain_words_;
};

/// How a place of a file matches a leaf, from weak to strong.
enum class MatchStrength : std::uint8_t { None, Prose, Subword, Identifier, Heading, Definition };

/// How a defined name matches a leaf.
enum class DefinitionMatch : std::uint8_t { None, ByWord, ByName };

/// Makes leaves and asks them. One thread at a time.
class LeafTester {
 public:
  explicit LeafTester(bool case_sensitive) : case_sensitive_(case_sensitive) {}

  /// The node must outlive the leaf. Fails with ErrorCode::Usage for a regular expression that RE2
  /// does not take.
  Result<Leaf> make_leaf(const QueryNode& node, bool negated) const;

  /// Of a Word or Pattern.
  MatchStrength match_token(const Leaf& leaf, NameForms& token) const;

  /// `name`: that of the definition.
  DefinitionMatch match_definition(const Leaf& leaf, const Definition& definition,
                                   NameForms& name) const;

 private:
  bool has_stem(const std::string& word, const Leaf& leaf) const;

  bool case_sensitive_;
  Stemmer stemmer_;
  /// Words are few and come back; stemming one takes longer than all else here.
  mutable std::unordered_map<std::string, std::string> stems_;
};

}  // namespace kw::search
