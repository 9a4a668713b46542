// SPDX-License-Identifier: GPL-2.0-or-later
#include "searcher/engine/subword_plan.h"

#include <algorithm>

#include "schema/text/splitter.h"
#include "searcher/engine/name_plan.h"
#include "searcher/engine/scoring.h"
#include "searcher/engine/word_expansion.h"

namespace kw::search {
namespace {

// Candidates whose texts are read: the names of a text are not in the rest of its record.
constexpr std::size_t kPool = 200;

// Above all kinds and origins: the file defines a name that holds the word.
constexpr double kDefines = 100;

class SubwordStage : public SecondStage {
 public:
  explicit SubwordStage(std::string word) : word_(std::move(word)) {}

  Needs needs(const Candidate&) const override { return Needs::Text; }

  Judgement judge(const Candidate& candidate, const FileRecord& record) const override {
    if (const Definition* best = definition(record))
      return {kDefines + candidate.score + kind_worth(best->kind) * 0.1, true};
    Tokenizer tokenizer(record.text);
    for (Token token; tokenizer.next(token);)
      if (token.kind != TokenKind::Operator && holds_word(token.text))
        return {candidate.score, true};
    return {0, false};
  }

  std::vector<std::uint32_t> named_lines(const FileRecord& record,
                                         std::string_view) const override {
    if (const Definition* best = definition(record)) return {best->line};
    std::uint32_t line = 1;
    const char* seen = record.text.data();
    Tokenizer tokenizer(record.text);
    for (Token token; tokenizer.next(token);) {
      for (; seen < token.text.data(); ++seen) line += *seen == '\n';
      if (token.kind != TokenKind::Operator && holds_word(token.text)) return {line};
    }
    return {};
  }

 private:
  const Definition* definition(const FileRecord& record) const {
    const Definition* best = nullptr;
    for (const Definition& d : record.definitions)
      if (holds_word(d.name) && (!best || kind_worth(d.kind) > kind_worth(best->kind))) best = &d;
    return best;
  }

  bool holds_word(std::string_view name) const {
    if (name.size() <= word_.size() || !may_hold_letters(name)) return false;
    if (is_compound_word_of(word_, name)) return true;
    const std::vector<std::string> words = split_name(name);
    return std::any_of(words.begin(), words.end(), [&](const std::string& word) {  // html5
      return word.substr(0, word.find_last_not_of("0123456789") + 1) == word_;
    });
  }

  /// Cheap: whether the word's letters follow one another in the name, underscores aside.
  bool may_hold_letters(std::string_view name) const {
    std::string letters;
    for (const char c : name)
      if (c != '_') letters += static_cast<char>(c >= 'A' && c <= 'Z' ? c | 0x20 : c);
    return letters.find(word_) != std::string::npos;
  }

  const std::string word_;
};

}  // namespace

Plan make_subword_plan(const PlanContext& context, const std::string& word) {
  Plan plan;
  plan.kind = ReadingKind::Compound;
  plan.root = context.tree({leaf_of(QueryNode::Kind::Word, word)});
  const std::string folded = fold(word);
  const Xapian::Query found = neighbouring_subwords(context.terms.lookup(), folded);
  if (found.empty()) return plan;
  plan.compiled.query =
      context.with_origins(context.filtered(constant_weight(1, found)), kOriginStep);
  plan.second = std::make_unique<SubwordStage>(folded);
  plan.pool = kPool;
  plan.keeps_rest = false;
  return plan;
}

}  // namespace kw::search
