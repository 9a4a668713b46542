// SPDX-License-Identifier: GPL-2.0-or-later
#include "searcher/engine/sentence_weights.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include "searcher/engine/sentence_scores.h"

namespace kw::search {
namespace {

constexpr double kLeastLength = 0.5;  // of a text, in averages

/// A query of terms, ORs and ANDs.
struct TermTree {
  Xapian::Query::op op = Xapian::Query::LEAF_TERM;
  std::string term;
  double weight = 0;  // of a term that is all of a text of average length
  std::vector<TermTree> children = {};
};

/// As Xapian::BM25Weight, by Robertson's and Zaragoza's "The Probabilistic Relevance Framework"
/// (2009), with its floor for terms that most documents have.
double term_weight(const Xapian::Database& database, const std::string& term) {
  const double all = database.get_doccount(), with = database.get_termfreq(term),
               odds = (all - with + 0.5) / (with + 0.5);
  return 2 * std::log(odds < 2 ? odds * 0.5 + 1 : odds);
}

/// Nothing if the query has other operators.
std::optional<TermTree> tree_of(const Xapian::Database& database, const Xapian::Query& query,
                                double factor) {
  TermTree tree;
  tree.op = query.get_type();
  if (tree.op == Xapian::Query::LEAF_TERM) {
    tree.term = *query.get_terms_begin();
    tree.weight = factor * term_weight(database, tree.term);
    return tree;
  }
  if (tree.op != Xapian::Query::OP_OR && tree.op != Xapian::Query::OP_AND) return std::nullopt;
  for (std::size_t i = 0; i < query.get_num_subqueries(); ++i) {
    auto child = tree_of(database, query.get_subquery(i), factor);
    if (!child) return std::nullopt;
    tree.children.push_back(*std::move(child));
  }
  return tree;
}

/// What is to be added up, for all shards.
struct Sentence {
  struct Word {
    std::vector<TermTree> fields;
    double held;
  };
  std::vector<Word> words;
  std::vector<TermTree> fillers;
  double least_held = 0;
  double average_length = 1;
};

using Ids = std::vector<Xapian::docid>;  // in order

struct Posting {
  Xapian::docid id;
  Xapian::termcount count;  // of the term in it
};

/// The lists of a shard, kept for a second reading as far as there is room.
class Postings {
 public:
  explicit Postings(const Xapian::Database& shard) : shard_(shard) {}

  template <class F>
  void for_each(const std::string& term, const F& f) {
    const auto known = kept_.find(term);
    if (known != kept_.end()) {
      for (const Posting& posting : known->second) f(posting);
      return;
    }
    const Xapian::doccount size = shard_.get_termfreq(term);
    std::vector<Posting>* kept = nullptr;
    if (size <= room_) {
      room_ -= size;
      kept = &kept_[term];
      kept->reserve(size);
    }
    const auto end = shard_.postlist_end(term);
    for (auto at = shard_.postlist_begin(term); at != end; ++at) {
      const Posting posting{*at, at.get_wdf()};
      f(posting);
      if (kept) kept->push_back(posting);
    }
  }

 private:
  const Xapian::Database& shard_;
  std::unordered_map<std::string, std::vector<Posting>> kept_;
  Xapian::doccount room_ = 1'000'000;  // postings: 8 MB
};

/// The sums of one shard, made list by list, each read from its beginning: first what is held, then
/// the weights of those that hold enough. Xapian's tree of lists goes from document to document
/// through all of them, which took several times as long.
class Sums {
 public:
  Sums(const Sentence& sentence, const Xapian::Database& shard)
      : sentence_(sentence),
        postings_(shard),
        sums_(std::size_t{shard.get_lastdocid()} + 1),
        lengths_(sums_.size()) {
    add_held();
    for (const Xapian::docid id : ids_) lengths_[id] = length_of(shard.get_doclength(id));
    for (const Sentence::Word& word : sentence.words)
      for (const TermTree& field : word.fields) add_weights(field, nullptr);
    for (const TermTree& filler : sentence.fillers) add_weights(filler, nullptr);
  }

  /// Those that hold enough.
  Ids take_ids() { return std::move(ids_); }
  /// By document.
  std::vector<double> take_sums() { return std::move(sums_); }

 private:
  void add_held() {
    std::vector<std::uint8_t> last_word(sums_.size());
    std::uint8_t number = 0;
    for (const Sentence::Word& word : sentence_.words) {
      ++number;
      for (const TermTree& field : word.fields)
        for_each_id(field, [&](Xapian::docid id) {
          if (last_word[id] == number) return;
          last_word[id] = number;
          sums_[id] += word.held;
        });
    }
    for (Xapian::docid id = 1; id < sums_.size(); ++id)
      if (last_word[id] != 0 && sums_[id] >= sentence_.least_held) ids_.push_back(id);
  }

  /// Of those that have one side of an OR, in no order and more than once.
  template <class F>
  void for_each_id(const TermTree& tree, const F& f) {
    if (tree.op == Xapian::Query::LEAF_TERM)
      postings_.for_each(tree.term, [&](const Posting& posting) { f(posting.id); });
    else if (tree.op == Xapian::Query::OP_OR)
      for (const TermTree& child : tree.children) for_each_id(child, f);
    else
      for (const Xapian::docid id : ids_of(tree)) f(id);
  }

  Ids ids_of(const TermTree& tree) {
    Ids ids;
    if (tree.op == Xapian::Query::LEAF_TERM) {
      postings_.for_each(tree.term, [&](const Posting& posting) { ids.push_back(posting.id); });
      return ids;
    }
    for (std::size_t i = 0; i < tree.children.size(); ++i) {
      Ids more = ids_of(tree.children[i]), both;
      if (i > 0 && tree.op == Xapian::Query::OP_OR)
        std::set_union(ids.begin(), ids.end(), more.begin(), more.end(), std::back_inserter(both));
      else if (i > 0)
        std::set_intersection(ids.begin(), ids.end(), more.begin(), more.end(),
                              std::back_inserter(both));
      ids = std::move(i > 0 ? both : more);
    }
    return ids;
  }

  /// To those that hold enough, of `only` if it is given.
  void add_weights(const TermTree& tree, const Ids* only) {
    Ids with_all;
    if (tree.op == Xapian::Query::OP_AND) {
      const Ids ids = ids_of(tree);
      std::copy_if(ids.begin(), ids.end(), std::back_inserter(with_all), [&](Xapian::docid id) {
        return !only || std::binary_search(only->begin(), only->end(), id);
      });
      only = &with_all;
    }
    for (const TermTree& child : tree.children) add_weights(child, only);
    if (tree.op != Xapian::Query::LEAF_TERM) return;
    postings_.for_each(tree.term, [&](const Posting& posting) {
      const double length = lengths_[posting.id], count = posting.count;
      if (length == 0 || (only && !std::binary_search(only->begin(), only->end(), posting.id)))
        return;
      sums_[posting.id] += tree.weight * (count / (count + length));
    });
  }

  /// What BM25 adds to a term's count for the length of the text.
  double length_of(Xapian::termcount length) const {
    constexpr double kShare = sentence::kLengthShare;
    const double averages = length / sentence_.average_length;
    return std::max(averages, kLeastLength) * kShare + (1 - kShare);
  }

  const Sentence& sentence_;
  Postings postings_;
  Ids ids_;
  std::vector<double> sums_, lengths_;  // by document; a length of 0: it holds too little
};

class SentenceSource final : public Xapian::PostingSource {
 public:
  explicit SentenceSource(std::shared_ptr<const Sentence> sentence)
      : sentence_(std::move(sentence)) {}

  PostingSource* clone() const override { return new SentenceSource(sentence_); }
  std::string get_description() const override { return "Sentence"; }

  void init(const Xapian::Database& shard) override {
    Sums sums(*sentence_, shard);
    ids_ = sums.take_ids();
    sums_ = sums.take_sums();
    double most = 0;
    for (const Xapian::docid id : ids_) most = std::max(most, sums_[id]);
    set_maxweight(most);
    at_ = kBefore;
  }

  Xapian::doccount get_termfreq_min() const override { return files(); }
  Xapian::doccount get_termfreq_est() const override { return files(); }
  Xapian::doccount get_termfreq_max() const override { return files(); }

  void next(double) override { ++at_; }
  void skip_to(Xapian::docid id, double) override {
    if (at_ == kBefore) at_ = 0;
    if (at_end() || ids_[at_] >= id) return;
    const auto from = ids_.begin() + static_cast<std::ptrdiff_t>(at_);
    at_ = static_cast<std::size_t>(std::lower_bound(from, ids_.end(), id) - ids_.begin());
  }

  bool at_end() const override { return at_ != kBefore && at_ >= ids_.size(); }
  Xapian::docid get_docid() const override { return ids_[at_]; }
  double get_weight() const override { return sums_[ids_[at_]]; }

 private:
  static constexpr std::size_t kBefore = static_cast<std::size_t>(-1);

  Xapian::doccount files() const { return static_cast<Xapian::doccount>(ids_.size()); }

  const std::shared_ptr<const Sentence> sentence_;
  Ids ids_;                   // those that hold enough
  std::vector<double> sums_;  // by document
  std::size_t at_ = kBefore;  // of ids_
};

/// The words as one list of ours; nothing if a field's query is more than terms, ORs and ANDs.
std::optional<Sentence> sentence_of(const Xapian::Database& database,
                                    const std::vector<WeightedWord>& words, const Queries& fillers,
                                    double least_held) {
  Sentence sentence;
  sentence.least_held = least_held;
  sentence.average_length = database.get_avlength();
  for (const WeightedWord& word : words) {
    sentence.words.push_back({{}, word.held});
    for (const auto& [query, weight] : word.fields) {
      auto tree = tree_of(database, query, weight);
      if (!tree) return std::nullopt;
      sentence.words.back().fields.push_back(*std::move(tree));
    }
  }
  for (const Xapian::Query& filler : fillers) {
    auto tree = tree_of(database, filler, 1);
    if (!tree) return std::nullopt;
    sentence.fillers.push_back(*std::move(tree));
  }
  return sentence;
}

Xapian::Query as_operators(const std::vector<WeightedWord>& words, const Queries& fillers) {
  Queries each;
  for (const WeightedWord& word : words) {
    Queries fields;
    for (const auto& [query, weight] : word.fields)
      fields.push_back(weight == 1 ? query
                                   : Xapian::Query(Xapian::Query::OP_SCALE_WEIGHT, query, weight));
    auto* const held = new Xapian::FixedWeightPostingSource(word.held);
    each.emplace_back(Xapian::Query::OP_AND, any_of(fields), Xapian::Query(held->release()));
  }
  Xapian::Query query = any_of(each);
  if (fillers.empty()) return query;
  return Xapian::Query(Xapian::Query::OP_AND_MAYBE, query, any_of(fillers));
}

}  // namespace

Xapian::BM25Weight sentence_bm25() {
  return Xapian::BM25Weight(1, 0, 1, sentence::kLengthShare, kLeastLength);
}

Xapian::Query sentence_weights(const Xapian::Database& database,
                               const std::vector<WeightedWord>& words, const Queries& fillers,
                               double least_held, bool on_servers) {
  if (words.empty()) return {};
  if (!on_servers)
    if (auto sentence = sentence_of(database, words, fillers, least_held))
      return Xapian::Query(
          (new SentenceSource(std::make_shared<const Sentence>(*std::move(sentence))))->release());
  return as_operators(words, fillers);
}

}  // namespace kw::search
