// SPDX-License-Identifier: GPL-2.0-or-later
#include "searcher/engine/subword_plan.h"

#include <algorithm>

#include "schema/text/splitter.h"
#include "searcher/engine/name_plan.h"
#include "searcher/engine/scoring.h"
#include "searcher/engine/sentence_plan.h"
#include "searcher/engine/word_expansion.h"
#include "searcher/match/text_scan.h"

namespace kw::search {
namespace {

// Candidates whose texts are read: the names of a text are not in the rest of its record.
constexpr std::size_t kSubwordPool = 200;

// Above all kinds and origins: the file defines a name that holds the word.
constexpr double kDefines = 100;

class SubwordStage : public SecondStage {
 public:
  /// A name may hold any of the words, which are folded.
  explicit SubwordStage(std::vector<std::string> words) : words_(std::move(words)) {
    for (const std::string& word : words_) cut_begins_.push_back(word.substr(0, 1) + "_");
  }

  Needs needs(const Candidate&) const override { return Needs::Text; }

  Judgement judge(const Candidate& candidate, const FileRecord& record) const override {
    if (const Definition* best = definition(record))
      return {kDefines + candidate.score + kind_worth(best->kind) * 0.1, true};
    return {candidate.score, first_line(record.text) > 0};
  }

  std::vector<std::uint32_t> named_lines(const FileRecord& record,
                                         std::string_view) const override {
    if (const Definition* best = definition(record)) return {best->line};
    const std::uint32_t line = first_line(record.text);
    return line > 0 ? std::vector{line} : std::vector<std::uint32_t>();
  }

 private:
  const Definition* definition(const FileRecord& record) const {
    const Definition* best = nullptr;
    for (const Definition& d : record.definitions)
      if (holds_word(d.name) && (!best || kind_worth(d.kind) > kind_worth(best->kind))) best = &d;
    return best;
  }

  /// The first line of a text with a name that holds one of the words, from 1; 0 if there is none.
  std::uint32_t first_line(std::string_view text) const {
    // The word begins with its first two letters, or has an underscore between them.
    std::vector<Needle> needles;
    for (const std::string& word : words_) needles.push_back({std::string_view(word).substr(0, 2)});
    for (const std::string& begin : cut_begins_) needles.push_back({begin});
    NeedleFinder finder(text, std::move(needles));
    for (std::size_t at = 0; (at = finder.next(at)) < text.size();) {
      if (!begins_with_word(text.substr(at))) {
        ++at;
        continue;
      }
      const std::size_t begin = text.rfind('\n', at) + 1;  // 0 where there is none
      const std::size_t end = std::min(text.find('\n', at), text.size());
      if (line_holds_word(text.substr(begin, end - begin)))
        return 1 + static_cast<std::uint32_t>(std::count(text.begin(), text.begin() + begin, '\n'));
      at = end;
    }
    return 0;
  }

  bool line_holds_word(std::string_view line) const {
    Tokenizer tokenizer(line);
    for (Token token; tokenizer.next_word(token);)
      if (holds_word(token.text)) return true;
    return false;
  }

  /// Whether a text begins with the letters of a word, underscores and case aside.
  bool begins_with_word(std::string_view text) const {
    return std::any_of(words_.begin(), words_.end(), [&](const std::string& word) {
      std::size_t k = 0;
      for (std::size_t i = 0; i < text.size() && k < word.size(); ++i) {
        const char c =
            text[i] >= 'A' && text[i] <= 'Z' ? static_cast<char>(text[i] | 0x20) : text[i];
        if (c == '_') continue;
        if (c != word[k]) return false;
        ++k;
      }
      return k == word.size();
    });
  }

  bool holds_word(std::string_view name) const {
    std::string letters;  // with those of a word in a row, underscores aside, in most cases
    for (const char c : name)
      if (c != '_') letters += static_cast<char>(c >= 'A' && c <= 'Z' ? c | 0x20 : c);
    return std::any_of(words_.begin(), words_.end(), [&](const std::string& word) {
      return name.size() > word.size() && letters.find(word) != letters.npos &&
             (is_compound_word_of(word, name) || holds_with_digits(name, word));
    });
  }

  /// html in parseHTML5.
  static bool holds_with_digits(std::string_view name, std::string_view word) {
    const std::vector<std::string> parts = split_name(name);
    return std::any_of(parts.begin(), parts.end(), [&](const std::string& part) {
      return part.substr(0, part.find_last_not_of("0123456789") + 1) == word;
    });
  }

  const std::vector<std::string> words_;
  std::vector<std::string> cut_begins_;
};

/// A plan of which the files are found by `query` and have a name that holds one of `words`.
void plan_subwords(const PlanContext& context, const Xapian::Query& query,
                   std::vector<std::string> words, Plan& plan) {
  plan.compiled.query =
      context.with_origins(context.filtered(constant_weight(1, query)), kOriginStep);
  plan.second = std::make_unique<SubwordStage>(std::move(words));
  plan.pool = kSubwordPool;
  plan.keeps_rest = false;
}

}  // namespace

Plan make_subword_plan(const PlanContext& context, const std::string& word) {
  Plan plan;
  plan.kind = ReadingKind::Compound;
  plan.root = context.tree({leaf_of(QueryNode::Kind::Word, word)});
  const std::string folded = fold(word);
  const Xapian::Query found = neighbouring_subwords(context.terms.lookup(), folded);
  if (!found.empty()) plan_subwords(context, found, {folded}, plan);
  return plan;
}

Plan make_subwords_plan(const PlanContext& context, const std::string& text, bool only_unknown) {
  Plan plan;
  if (count_salient_words(text) > kMostInName) return plan;  // before any is looked up
  std::vector<SentenceWord> words = words_of_sentence(context, text);
  std::erase_if(words, [](const SentenceWord& word) { return !word.is_salient; });
  if (words.size() < 2 || words.size() > kMostInName) return plan;
  Queries files;
  std::vector<std::string> cut;
  std::vector<QueryNode> leaves;
  for (const SentenceWord& word : words) {
    leaves.push_back(leaf_of(QueryNode::Kind::Word, word.text));
    if (only_unknown && word.idf > 0) continue;
    const std::string folded = fold(word.text);
    Queries all{neighbouring_subwords(context.terms.lookup(), folded)};
    for (const SentenceWord& other : words)
      if (&other != &word) all.push_back(any_of(other.fields.all()));
    if (std::any_of(all.begin(), all.end(), [](const auto& query) { return query.empty(); }))
      continue;
    files.push_back(all_of(all));
    cut.push_back(folded);
  }
  if (files.empty()) return plan;
  plan.kind = ReadingKind::Words;
  plan.root = context.tree(std::move(leaves));
  plan.match_any = true;
  plan_subwords(context, any_of(files), std::move(cut), plan);
  return plan;
}

}  // namespace kw::search
