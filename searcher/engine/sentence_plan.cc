// SPDX-License-Identifier: GPL-2.0-or-later
#include "searcher/engine/sentence_plan.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <unordered_map>

#include "schema/text/splitter.h"
#include "schema/text/stop_words.h"
#include "schema/text/text.h"
#include "searcher/engine/message_stage.h"
#include "searcher/engine/name_plan.h"
#include "searcher/engine/scoring.h"
#include "searcher/engine/sentence_scores.h"
#include "searcher/engine/sentence_weights.h"
#include "searcher/query/message.h"

namespace kw::search {
namespace {

using namespace sentence;

// What an original file is worth above others.
constexpr double kOrigin = 1;

// Candidates of a message are read with their texts. Fewer where one of them has nearly all of its
// fixed words in one run.
constexpr std::size_t kMessagePool = 120, kLeastMessagePool = 30;

double quarters(double idf) { return std::max(1.0, std::round(idf * kQuarters)); }

/// Files that have any of a query's terms, about: the most that one of them has.
Xapian::doccount files_with(TermDictionary& dictionary, const Xapian::Query& query) {
  Xapian::doccount most = 0;
  for (auto it = query.get_unique_terms_begin(); it != query.get_terms_end(); ++it)
    most = std::max(most, dictionary.frequency(*it));
  return most;
}

double held_weight(const std::vector<SentenceWord>& words) {
  double sum = 0;
  for (const SentenceWord& word : words)
    if (word.is_salient && word.idf > 0) sum += quarters(word.idf);
  return sum;
}

/// What lifts a file above all that do not get it. Only files that have all words in titles, in
/// headings or in names can have them all in one, so only their records are read. No more than
/// needed: sums of larger numbers lose digits (kSameScore).
double promotion(const std::vector<SentenceWord>& words) {
  return kHeldStep * (held_weight(words) + 1);
}

std::size_t salient_count(const std::vector<SentenceWord>& words) {
  return static_cast<std::size_t>(std::count_if(words.begin(), words.end(), [](const auto& word) {
    return word.is_salient && word.idf > 0;
  }));
}

/// One query of all words, each weighted by its fields; what a file holds of them stands above.
/// Files that hold less than `least_held` may be left out.
Xapian::Query weighted_words(const PlanContext& context, const std::vector<SentenceWord>& words,
                             double least_held = 0) {
  std::vector<WeightedWord> salient;
  Queries fillers;
  for (const SentenceWord& word : words) {
    if (!word.is_salient) {
      for (const Xapian::Query* field : {&word.fields.title, &word.fields.heading})
        if (!field->empty()) fillers.push_back(*field);
      continue;
    }
    WeightedWord weighted;
    weighted.held = kHeldStep * quarters(word.idf);
    const auto add = [&](const Xapian::Query& query, double weight) {
      if (!query.empty()) weighted.fields.push_back({query, weight});
    };
    add(word.fields.title, kTitle);
    add(word.fields.description, kDescription);
    add(word.fields.heading, kHeading);
    add(word.fields.path, kPath);
    add(word.fields.definition, kDefinition);
    add(word.fields.name, kName);
    add(word.fields.body, kBody);
    if (!weighted.fields.empty()) salient.push_back(std::move(weighted));
  }
  return sentence_weights(context.session.database(), salient, fillers, least_held,
                          context.session.asks_servers());
}

/// The key of the name that a text's words make together, stop words and repeated ones among them;
/// empty where they are too few or too many for one.
std::string key_of_all(std::string_view text) {
  std::string joined;
  std::size_t count = 0;
  Tokenizer tokenizer(text);
  for (Token token; tokenizer.next_word(token);) {
    joined += token.text;
    ++count;
  }
  return count < 2 || count > kMaxCompoundWords ? std::string() : term_key(joined);
}

/// Files that define the name that all words make together (`key`): they are results even where
/// no file holds a word of it (`as u 64`).
Xapian::Query compound_definitions(const PlanContext& context, const std::string& key) {
  return key.empty() ? Xapian::Query() : any_of(context.terms.of_name(key).at(Tier::Definition));
}

/// Lifts these files above those that are promoted for their titles, headings and names.
Xapian::Query above_promoted(const std::vector<SentenceWord>& words, const Xapian::Query& files) {
  return files.empty() ? files : constant_weight(4 * promotion(words), files);
}

/// Files with all salient words in their title, in headings or in what they define.
Queries promoted(const std::vector<SentenceWord>& words) {
  Queries found;
  const auto add_all_in = [&](Xapian::Query WordFields::*field) {
    Queries each;
    for (const SentenceWord& word : words) {
      if (!word.is_salient || word.idf == 0) continue;
      if ((word.fields.*field).empty()) return;
      each.push_back(word.fields.*field);
    }
    if (!each.empty()) found.push_back(constant_weight(promotion(words), all_of(each)));
  };
  add_all_in(&WordFields::title);
  add_all_in(&WordFields::heading);
  if (words.size() >= 2 && words.size() <= kMostInName) add_all_in(&WordFields::definition);
  return found;
}

/// A text's words, folded, in one string.
std::string folded_words(std::string_view text) {
  std::string words;
  Tokenizer tokenizer(text);
  for (Token token; tokenizer.next_word(token);) words += fold(token.text) + " ";
  return words;
}

/// A text's words, those inside names too, folded, in order.
std::vector<std::string> words_in(std::string_view text) {
  std::vector<std::string> words;
  Tokenizer tokenizer(text);
  for (Token token; tokenizer.next_word(token);) {
    std::vector<std::string> inner = split_name(token.text);
    if (inner.empty()) inner.push_back(fold(token.text));
    std::move(inner.begin(), inner.end(), std::back_inserter(words));
  }
  return words;
}

std::vector<std::string> stems_of(std::vector<std::string> words, const Stemmer& stemmer) {
  for (std::string& word : words) word = stemmer.stem(word);
  return words;
}
std::vector<std::string> stems_of(std::string_view text, const Stemmer& stemmer) {
  return stems_of(words_in(text), stemmer);
}

class WordsStage : public SecondStage {
 public:
  WordsStage(const std::vector<SentenceWord>& words, std::string key, bool demotes_copies)
      : key_(std::move(key)), promotion_(promotion(words)), demotes_copies_(demotes_copies) {
    for (const SentenceWord& word : words) {
      text_ += folded_words(word.text);
      const std::vector<std::string> stems = stems_of(word.text, stemmer_);
      whole_.insert(whole_.end(), stems.begin(), stems.end());
      if (!word.is_salient || word.idf == 0) continue;
      salient_.push_back({word.stem, stems, words_in(word.text), word.idf});
    }
  }

  Needs needs(const Candidate& candidate) const override {
    return candidate.score >= promotion_ ? Needs::Head : Needs::Path;
  }

  Judgement judge(const Candidate& candidate, const FileRecord& record) const override {
    double score = weights_of(candidate.score) + kOrigin * origin_of(candidate.score);
    bool all_in_heading = false, whole_heading = false;
    const std::vector<std::string> title = stems_of(record.title, stemmer_);
    for (const Section& section : record.sections) {
      if (all_in_heading && whole_heading) break;
      if (!may_hold_all(section.title)) continue;
      const std::vector<std::string> stems = stems_of(section.title, stemmer_);
      all_in_heading |= holds_all(stems);
      whole_heading |= stems == whole_;
    }
    all_in_heading |= holds_all(title);
    score += (whole_heading ? kWholeHeading : 0) + (all_in_heading ? kAllInHeading : 0);
    const double titled = title_worth(record, title);
    const bool is_original = !demotes_copies_ || origin_of(candidate.score) == kBestOrigin;
    double defined = definition_worth(record, is_original);
    // As a name's tiers: originals first, then kinds.
    if (defined >= kCompound) defined += kOfCompound * origin_of(candidate.score);
    return {score + std::max(titled, defined), true,
            defined >= kCompound || titled >= kTitleByStems};
  }

 private:
  struct Salient {
    std::string stem;
    std::vector<std::string> parts;  // the stems of its words
    std::vector<std::string> forms;  // these as they were written, folded
    double idf;

    bool held_by(const std::vector<std::string>& stems) const {
      const auto has = [&](const std::string& s) {
        return std::find(stems.begin(), stems.end(), s) != stems.end();
      };
      return has(stem) || std::all_of(parts.begin(), parts.end(), has);
    }
  };

  bool same_words(std::string_view title) const { return folded_words(title) == text_; }

  bool holds_all(const std::vector<std::string>& stems) const {
    return !salient_.empty() && std::all_of(salient_.begin(), salient_.end(),
                                            [&](const Salient& w) { return w.held_by(stems); });
  }

  /// Whether all salient words are there in the same forms: who asks for a name knows it.
  bool holds_all_forms(const std::vector<std::string>& words) const {
    return std::all_of(salient_.begin(), salient_.end(), [&](const Salient& w) {
      return std::all_of(w.forms.begin(), w.forms.end(), [&](const std::string& form) {
        return std::find(words.begin(), words.end(), form) != words.end();
      });
    });
  }

  /// Cheap: whether the letters of a salient word are there at all.
  bool may_hold_all(std::string_view text) const {
    if (salient_.empty()) return false;
    const std::string& stem = salient_[0].parts.empty() ? salient_[0].stem : salient_[0].parts[0];
    if (!is_ascii(stem) || stem.size() < 2) return true;
    const auto same = [](char a, char b) { return (a | 0x20) == (b | 0x20); };
    return std::search(text.begin(), text.end(), stem.begin(), stem.end() - 1, same) != text.end();
  }

  double title_worth(const FileRecord& record, const std::vector<std::string>& stems) const {
    // The first line of a source's comment says less than a title that an author chose.
    const bool is_whole = !stems.empty() && stems == whole_;
    if (record.language != "markdown") return is_whole ? kSourceTitle : 0;
    if (is_whole) return same_words(record.title) ? kWholeTitle : kTitleByStems;
    return 0;
  }

  /// What a definition is worth whose name makes up the words together, or holds them all.
  double worth_of(const Definition& d, bool is_original) const {
    const bool is_field = d.name.ends_with('_');  // of a class, as C++ often has them
    if (!key_.empty() && !is_field && has_name_key(d.name, key_))
      return kCompound + kKindStep * kind_worth(d.kind) + (d.scope.empty() ? kOutermost : 0);
    const bool may_be_in_one = salient_.size() >= 2 && salient_.size() <= kMostInName;
    if (!may_be_in_one || !may_hold_all(d.name)) return 0;
    const std::vector<std::string> words = words_in(d.name);
    if (!holds_all_forms(words))
      return holds_all(stems_of(words, stemmer_)) ? kOtherFormsInOneName : 0;
    std::size_t asked = 0;
    for (const Salient& word : salient_) asked += word.forms.size();
    const int others = static_cast<int>(std::max(words.size(), asked) - asked);
    // What a test is called often says what it tests.
    if (!is_original)
      return others <= 1 && words.front() != "test" ? kInOneNameOfCopy : kOtherFormsInOneName;
    return kInOneName + kNameKindStep * kind_worth(d.kind) +
           (is_field ? 0 : kPerOther * std::max(0, kMostOthers - others));
  }

  double definition_worth(const FileRecord& record, bool is_original) const {
    double best = 0;
    for (const Definition& d : record.definitions) best = std::max(best, worth_of(d, is_original));
    return best;
  }

  Stemmer stemmer_;
  const std::string key_;
  const double promotion_;
  const bool demotes_copies_;
  std::string text_;                // all words, folded
  std::vector<std::string> whole_;  // stems of all words
  std::vector<Salient> salient_;
};

/// The tree that is shown and marked: any of the words, by their weight.
std::unique_ptr<QueryNode> shown_tree(const PlanContext& context,
                                      const std::vector<SentenceWord>& words) {
  std::vector<QueryNode> leaves;
  for (const SentenceWord& word : words) {
    if (leaves.size() + context.filters.size() >= kMaxLeaves) break;
    leaves.push_back(leaf_of(QueryNode::Kind::Word, word.text));
    leaves.back().salience = word.is_salient ? word.idf : 0;
  }
  return context.tree(std::move(leaves));
}

/// The share of the salient words' weight that a file must hold.
double least_held(const PlanContext& context, const std::vector<SentenceWord>& words) {
  const double total = held_weight(words);
  switch (context.options.words) {
    case SearchOptions::Words::All:
      return total;
    case SearchOptions::Words::Any:
      return 1;
    case SearchOptions::Words::Enough:
      break;
  }
  return salient_count(words) <= 2 ? total : std::ceil(total * kEnough);
}

/// Where no file holds enough: a share of what the best one holds.
double least_held_by_best(const PlanContext& context, const std::vector<SentenceWord>& words,
                          const Xapian::Query& query) {
  Xapian::Enquire e(context.session.database());
  e.set_query(query);
  const Xapian::MSet first = e.get_mset(0, 1);
  const double most = first.empty() ? 0 : std::floor(first.begin().get_weight() / kHeldStep);
  return std::max(1.0, std::min(held_weight(words), most) * kEnough);
}

/// `also`: files that are results whatever words they hold; may be empty.
Plan make_plan(const PlanContext& context, const std::vector<SentenceWord>& words, ReadingKind kind,
               bool best_there_are, const Xapian::Query& also = {}) {
  Plan plan;
  plan.kind = kind;
  plan.match_any = true;
  plan.root = shown_tree(context, words);
  const auto files_that_hold = [&](double least) {
    Queries found;
    for (const Xapian::Query& query : {weighted_words(context, words, least), also})
      if (!query.empty()) found.push_back(query);
    if (found.empty()) return Xapian::Query();
    return context.filtered(context.with_origins(any_of(found), kOriginPlace));
  };
  double least = least_held(context, words);
  if (best_there_are) least = least_held_by_best(context, words, files_that_hold(0));
  plan.least_score = kHeldStep * least;
  // What is there for its name is weighed by what it holds, too, however little. So is a message,
  // of which words that need not be there make up what is enough.
  const bool is_all = also.empty() && kind != ReadingKind::Message;
  plan.compiled.query = files_that_hold(is_all ? plan.least_score : 0);
  return plan;
}

}  // namespace

std::vector<SentenceWord> words_of_sentence(const PlanContext& context, std::string_view text) {
  std::vector<SentenceWord> words;
  const Stemmer stemmer;
  const double files = context.session.database().get_doccount();
  std::vector<std::string> tokens;
  Tokenizer all(text);
  for (Token token; all.next_word(token) && tokens.size() < kMaxLeaves;)
    tokens.emplace_back(token.text);
  prepare_fields(context.terms.lookup(), tokens);
  Tokenizer tokenizer(text);
  for (Token token; tokenizer.next_word(token) && words.size() < kMaxLeaves;) {
    const std::string folded = fold(token.text);
    SentenceWord word;
    word.text = token.text;
    word.stem = stemmer.stem(folded);
    word.is_salient = !is_stop_word(folded);
    if (std::any_of(words.begin(), words.end(),
                    [&](const SentenceWord& w) { return w.stem == word.stem; }))
      continue;
    word.fields = fields_of(context.terms.lookup(), token.text);
    const Xapian::doccount with = files_with(context.session.terms(), any_of(word.fields.all()));
    word.idf = with ? std::log(1 + files / with) : 0;
    words.push_back(std::move(word));
  }
  if (std::none_of(words.begin(), words.end(),
                   [](const SentenceWord& word) { return word.is_salient && word.idf > 0; }))
    for (SentenceWord& word : words) word.is_salient = true;
  return words;
}

std::size_t count_salient_words(std::string_view text) {
  const Stemmer stemmer;
  std::set<std::string> stems;
  Tokenizer tokenizer(text);
  for (Token token; tokenizer.next_word(token);) {
    const std::string folded = fold(token.text);
    if (!is_stop_word(folded)) stems.insert(stemmer.stem(folded));
  }
  return stems.size();
}

Plan make_words_plan(const PlanContext& context, const std::string& text, bool best_there_are) {
  const std::vector<SentenceWord> words = words_of_sentence(context, text);
  const std::string key = key_of_all(text);
  Plan plan = make_plan(context, words, ReadingKind::Words, best_there_are,
                        above_promoted(words, compound_definitions(context, key)));
  if (plan.compiled.query.empty()) return plan;
  if (const Queries best = promoted(words); !best.empty())
    plan.compiled.query = Xapian::Query(Xapian::Query::OP_AND_MAYBE, plan.compiled.query,
                                        context.filtered(any_of(best)));
  plan.second = std::make_unique<WordsStage>(words, key, context.options.demote_copies);
  plan.pool = kPool;
  plan.least_pool = kLeastPool;
  // A word that no file has is said, too.
  const bool is_missing = std::any_of(words.begin(), words.end(), [](const SentenceWord& word) {
    return word.is_salient && word.idf == 0;
  });
  plan.is_relaxed =
      (best_there_are || is_missing) && context.options.words != SearchOptions::Words::Any;
  return plan;
}

Plan make_compound_plan(const PlanContext& context, const std::string& text) {
  const std::string key = key_of_all(text);
  Plan plan;
  const Xapian::Query definitions = compound_definitions(context, key);
  if (definitions.empty()) return plan;
  const std::vector<SentenceWord> words = words_of_sentence(context, text);
  plan.kind = ReadingKind::Words;
  plan.match_any = true;
  plan.root = shown_tree(context, words);
  plan.compiled.query =
      context.filtered(context.with_origins(above_promoted(words, definitions), kOriginPlace));
  plan.second = std::make_unique<WordsStage>(words, key, context.options.demote_copies);
  plan.pool = kPool;
  plan.least_pool = kLeastPool;
  return plan;
}

Plan make_message_plan(const PlanContext& context, const std::string& text) {
  const std::vector<MessageWord> said = message_words(text);
  std::string fixed, quoted;
  for (const MessageWord& word : said) (word.is_optional ? quoted : fixed) += word.text + " ";
  std::vector<SentenceWord> words = words_of_sentence(context, fixed);
  Plan plan = make_plan(context, words, ReadingKind::Message, false);
  if (plan.compiled.query.empty()) return plan;
  // What was quoted need not be there, but brings a file nearer to the pool's head.
  const std::vector<SentenceWord> optional = words_of_sentence(context, quoted);
  if (const Xapian::Query also = weighted_words(context, optional); !also.empty())
    plan.compiled.query = Xapian::Query(Xapian::Query::OP_AND_MAYBE, plan.compiled.query, also);
  words.insert(words.end(), optional.begin(), optional.end());
  std::unordered_map<std::string, double> idf;
  for (const SentenceWord& word : words) idf[fold(word.text)] = word.idf;
  plan.second = make_message_stage(said, idf);
  plan.pool = kMessagePool;
  plan.least_pool = kLeastMessagePool;
  return plan;
}

}  // namespace kw::search
