// SPDX-License-Identifier: GPL-2.0-or-later
#include "searcher/engine/message_stage.h"

#include <algorithm>
#include <array>
#include <map>
#include <mutex>
#include <string_view>

#include "schema/text/splitter.h"
#include "schema/text/text.h"
#include "searcher/engine/sentence_scores.h"

namespace kw::search {
namespace {

using namespace sentence;

// What an original file is worth above others, as a share of its run.
constexpr double kMessageOrigin = 0.4;
// The share of the fixed words' weight in one run that makes a candidate certain.
constexpr double kNearlyAll = 0.75;

/// Orders by the heaviest run of a message's fixed words: they stand together where it is printed.
class MessageStage : public SecondStage {
 public:
  MessageStage(const std::vector<MessageWord>& said,
               const std::unordered_map<std::string, double>& idf) {
    for (const MessageWord& word : said) {
      if (word.text.empty()) continue;
      places_[word.text].push_back(weights_.size());
      if (is_ascii(word.text))
        lengths_[static_cast<unsigned char>(word.text[0])] |= length_bit(word.text.size());
      const auto known = idf.find(word.text);
      // A filler in its place says something, too.
      weights_.push_back(std::max(1.0, known == idf.end() ? 0 : known->second));
      if (!word.is_optional) whole_ += 2 * weights_.back();
    }
  }

  Needs needs(const Candidate&) const override { return Needs::Text; }

  Judgement judge(const Candidate& candidate, const FileRecord& record) const override {
    const double run = best_run_of(record).weight;
    return {run * (1 + kMessageOrigin * origin_of(candidate.score)) * kAboveWeights +
                weights_of(candidate.score),
            true, run >= kNearlyAll * whole_};
  }

  std::vector<std::uint32_t> named_lines(const FileRecord& record,
                                         std::string_view) const override {
    const Run run = best_run_of(record);
    if (run.weight <= 0) return {};
    const std::vector<std::size_t> starts = line_starts(record.text);
    const auto after = std::upper_bound(starts.begin(), starts.end(), run.heaviest_line);
    return {static_cast<std::uint32_t>(after - starts.begin())};
  }

 private:
  static constexpr double kAboveWeights = 100;  // what breaks ties between runs

  struct Run {
    double weight = 0;
    std::size_t heaviest_line = 0;  // a byte of the line that has most of it
  };
  /// The best run that ends with a word of the message, where it ended last.
  struct State {
    double weight = 0;
    std::size_t token = 0;
    double in_line = 0;   // of the part that stands in the last line
    double heaviest = 0;  // of the line that has most so far
    std::size_t line = 0, heaviest_line = 0;
  };

  // What may stand between two words of a run in the text (names of values, signs are no words),
  // and how many of the message's words may be missing there.
  static constexpr std::size_t kMostBetween = 6, kMostMissing = 3;

  static std::uint64_t length_bit(std::size_t length) {
    return std::uint64_t{1} << std::min<std::size_t>(length, 63);
  }

  /// Cheap: whether a word of the message begins like this token of ASCII, and is as long.
  bool may_be_said(std::string_view token) const {
    const auto first = static_cast<unsigned char>(token[0]);
    const unsigned char lower = first >= 'A' && first <= 'Z' ? first | 0x20 : first;
    return lengths_[lower] & length_bit(token.size());
  }

  /// A file that is judged and then shown is looked through once.
  Run best_run_of(const FileRecord& record) const {
    {
      const std::lock_guard lock(mutex_);
      const auto known = runs_.find(record.hash);
      if (known != runs_.end()) return known->second;
    }
    const Run run = best_run(record.text);
    const std::lock_guard lock(mutex_);
    return runs_.emplace(record.hash, run).first->second;
  }

  Run best_run(std::string_view text) const {
    std::vector<State> states(weights_.size());
    Run best;
    const bool is_plain = is_ascii(text);
    std::size_t count = 0, line = 0;
    const char* seen = text.data();
    Tokenizer tokenizer(text);
    for (Token token; tokenizer.next_word(token);) {
      ++count;
      if ((is_plain || is_ascii(token.text)) && !may_be_said(token.text)) continue;
      const auto places = places_.find(fold(token.text));
      if (places == places_.end()) continue;
      line += static_cast<std::size_t>(std::count(seen, token.text.data(), '\n'));
      seen = token.text.data();
      const auto at = static_cast<std::size_t>(token.text.data() - text.data());
      for (auto i = places->second.rbegin(); i != places->second.rend(); ++i)
        extend(states, *i, count, line, at, best);
    }
    return best;
  }

  void extend(std::vector<State>& states, std::size_t i, std::size_t count, std::size_t line,
              std::size_t at, Run& best) const {
    const State* before = nullptr;
    for (std::size_t back = 1; back <= kMostMissing && back <= i; ++back) {
      const State& s = states[i - back];
      if (s.weight <= 0 || count - s.token > kMostBetween || s.token == count) continue;
      if (!before || s.weight > before->weight) before = &s;
    }
    State next;
    if (before) next = *before;
    // A word right behind the one before it is worth more than one somewhere near.
    const bool joins = before && count - before->token == 1;
    const double weight = weights_[i] * (joins ? 2 : 1);
    next.weight += weight;
    next.in_line = (before && before->line == line ? before->in_line : 0) + weight;
    next.line = line;
    next.token = count;
    if (next.in_line > next.heaviest) {
      next.heaviest = next.in_line;
      next.heaviest_line = at;
    }
    states[i] = next;
    if (next.weight > best.weight) best = {next.weight, next.heaviest_line};
  }

  std::vector<double> weights_;               // of the words of the message, in order
  double whole_ = 0;                          // of the run of its fixed words, all joined
  std::array<std::uint64_t, 128> lengths_{};  // of ASCII words, a bit each, by their first letter
  std::unordered_map<std::string, std::vector<std::size_t>> places_;
  mutable std::mutex mutex_;
  mutable std::map<ContentHash, Run> runs_;  // of files that were looked through
};

}  // namespace

std::unique_ptr<SecondStage> make_message_stage(
    const std::vector<MessageWord>& said, const std::unordered_map<std::string, double>& idf) {
  return std::make_unique<MessageStage>(said, idf);
}

}  // namespace kw::search
