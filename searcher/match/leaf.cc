// SPDX-License-Identifier: GPL-2.0-or-later
#include "searcher/match/leaf.h"

#include <algorithm>

#include "schema/text/text.h"
#include "searcher/match/stem_pattern.h"

namespace kw::search {
namespace {

// Stems that are remembered; few texts have more words that begin like a word of the query.
constexpr std::size_t kMaxStems = 10'000;

std::string without_blanks(std::string text) {
  text.erase(std::remove(text.begin(), text.end(), ' '), text.end());
  return text;
}

/// Whether a name contains `asked`, at the ends that are not open in `literal`.
bool contains_at_edges(const QueryNode& literal, const std::string& name,
                       const std::string& asked) {
  if (literal.open_start)
    return literal.open_end ? name.find(asked) != name.npos : name.ends_with(asked);
  return name.starts_with(asked);
}

/// Whether a qualified name (`a::b::c`) ends in `asked` (`b::c`) on the edge of a word.
bool ends_in_name(const std::string& qualified, const std::string& asked) {
  return qualified.ends_with(asked) &&
         (qualified.size() == asked.size() || !ends_in_word_char(std::string_view(qualified).substr(
                                                  0, qualified.size() - asked.size())));
}

/// Whether a name of ASCII may match the leaf.
bool may_hold_probe(const Leaf& leaf, NameForms& name) {
  return !leaf.beyond_ascii &&
         (name.characters() & leaf.probe_characters) == leaf.probe_characters &&
         holds_folded(name.name(), leaf.needle());
}

}  // namespace

NameForms::NameForms(std::string_view name) : name_(name), ascii_(kw::is_ascii(name)) {}

std::uint64_t NameForms::characters() {
  if (!characters_) characters_ = characters_of(name_);
  return *characters_;
}

const std::string& NameForms::folded() {
  if (!folded_) folded_ = fold(name_);
  return *folded_;
}

const std::string& NameForms::plain() {
  if (ascii_) return folded();
  if (!plain_) plain_ = strip_marks(folded());
  return *plain_;
}

const std::vector<std::string>& NameForms::words() {
  if (!words_) words_ = split_name(name_);
  return *words_;
}

const std::vector<std::string>& NameForms::plain_words() {
  if (ascii_) return words();
  if (!plain_words_) {
    plain_words_.emplace();
    for (const std::string& word : words()) plain_words_->push_back(strip_marks(word));
  }
  return *plain_words_;
}

Result<Leaf> LeafTester::make_leaf(const QueryNode& node, bool negated) const {
  Leaf leaf;
  leaf.node = &node;
  leaf.negated = negated;
  leaf.folded = fold(node.text);
  leaf.stem = stemmer_.stem(leaf.folded);
  leaf.stem_prefix = start_of_stem(leaf.stem);
  if (!is_ascii(node.text)) leaf.words = split_name(node.text);
  if (leaf.words.size() < 2) leaf.words.clear();
  switch (node.kind) {
    case QueryNode::Kind::Word:
      if (is_ascii(leaf.stem)) leaf.probe = leaf.stem_prefix;
      leaf.beyond_ascii = !is_ascii(leaf.stem);
      break;
    case QueryNode::Kind::Pattern:
      leaf.probe = longest_ascii_run(leaf.folded, "*?");
      leaf.beyond_ascii = !is_ascii(leaf.folded);
      break;
    case QueryNode::Kind::Literal:
    case QueryNode::Kind::Regex:
      if (auto made = Expression::create(node, case_sensitive_))
        leaf.expression = *std::move(made);
      else
        return made.error();
      break;
    case QueryNode::Kind::And:
    case QueryNode::Kind::Or:
    case QueryNode::Kind::Not:
      break;  // no leaves
  }
  leaf.probe_characters = characters_of(leaf.probe);
  return leaf;
}

MatchStrength LeafTester::match_token(const Leaf& leaf, NameForms& token) const {
  const QueryNode& node = *leaf.node;
  if (token.is_ascii() && !may_hold_probe(leaf, token)) return MatchStrength::None;
  if (node.kind == QueryNode::Kind::Pattern) {
    const bool matches = case_sensitive_ ? matches_pattern(node.text, token.name())
                                         : matches_folded(leaf.folded, token.folded());
    return matches ? MatchStrength::Identifier : MatchStrength::None;
  }
  if (case_sensitive_ && token.name().find(node.text) == std::string_view::npos)
    return MatchStrength::None;
  if (token.folded() == leaf.folded || token.plain() == leaf.folded)
    return MatchStrength::Identifier;
  if (leaf.is_field(Field::Ident)) return MatchStrength::None;
  const std::vector<std::string>& words = token.words();
  if (!leaf.words.empty()) {  // pairs: all of them, in one token
    const bool all = std::all_of(leaf.words.begin(), leaf.words.end(), [&](const std::string& w) {
      return std::find(words.begin(), words.end(), w) != words.end();
    });
    return all ? MatchStrength::Subword : MatchStrength::None;
  }
  const auto has_the_stem = [&](const std::string& word) { return has_stem(word, leaf); };
  if (has_the_stem(token.folded()) || has_the_stem(token.plain())) return MatchStrength::Prose;
  if (std::any_of(words.begin(), words.end(), has_the_stem)) return MatchStrength::Subword;
  if (token.is_ascii()) return MatchStrength::None;
  const std::vector<std::string>& plain = token.plain_words();
  return std::any_of(plain.begin(), plain.end(), has_the_stem) ? MatchStrength::Subword
                                                               : MatchStrength::None;
}

DefinitionMatch LeafTester::match_definition(const Leaf& leaf, const Definition& definition,
                                             NameForms& name) const {
  const QueryNode& node = *leaf.node;
  if (node.kind == QueryNode::Kind::Word && name.is_ascii() && !may_hold_probe(leaf, name))
    return DefinitionMatch::None;
  const std::string& comparable = case_sensitive_ ? definition.name : name.folded();
  const std::string& asked = case_sensitive_ ? node.text : leaf.folded;
  if (node.kind == QueryNode::Kind::Pattern)
    return matches_folded(asked, comparable) ? DefinitionMatch::ByName : DefinitionMatch::None;
  if (comparable == asked || (!case_sensitive_ && name.plain() == asked))
    return DefinitionMatch::ByName;
  if (node.kind == QueryNode::Kind::Literal) {
    if ((node.open_start || node.open_end) && contains_at_edges(node, comparable, asked))
      return DefinitionMatch::ByName;                         // my-func*
    if (without_blanks(comparable) == without_blanks(asked))  // operator ==
      return DefinitionMatch::ByName;
    if (asked.size() <= comparable.size()) return DefinitionMatch::None;
    // foo::bar: bar in a scope that ends in foo.
    const std::string scope = case_sensitive_ ? definition.scope : fold(definition.scope);
    return ends_in_name(scope + "::" + comparable, asked) ||
                   ends_in_name(scope + "." + comparable, asked)
               ? DefinitionMatch::ByName
               : DefinitionMatch::None;
  }
  if (case_sensitive_ && definition.name.find(asked) == std::string::npos)
    return DefinitionMatch::None;
  const std::vector<std::string>& words = name.words();
  return std::any_of(
             words.begin(), words.end(),
             [&](const std::string& word) { return word == leaf.folded || has_stem(word, leaf); })
             ? DefinitionMatch::ByWord
             : DefinitionMatch::None;
}

bool LeafTester::has_stem(const std::string& word, const Leaf& leaf) const {
  if (!word.starts_with(leaf.stem_prefix)) return false;
  if (stems_.size() >= kMaxStems) stems_.clear();
  const auto [at, added] = stems_.try_emplace(word);
  if (added) at->second = stemmer_.stem(word);
  return at->second == leaf.stem;
}

}  // namespace kw::search
