// SPDX-License-Identifier: GPL-2.0-or-later
// Finds what several words describe: a page by what it is about, a name by the words in it, a
// message by its fixed words. Weights by field, then a bounded second stage; the reasons for the
// numbers stand in docs/ranking.md.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "searcher/engine/plan.h"
#include "searcher/engine/plan_context.h"
#include "searcher/engine/word_expansion.h"

namespace kw::search {

/// More words than this are not looked for in one name.
inline constexpr std::size_t kMostInName = 6;

/// One word of a sentence.
struct SentenceWord {
  std::string text;  ///< as written
  std::string stem;
  WordFields fields;
  double idf = 0;          ///< 0: no file has it
  bool is_salient = true;  ///< false: a stop word, which counts in titles and headings only
};

/// The distinct words of a text, at most kMaxLeaves. Where all are stop words, all are salient.
std::vector<SentenceWord> words_of_sentence(const PlanContext& context, std::string_view text);

/// How many distinct words of a text are no stop words.
std::size_t count_salient_words(std::string_view text);

/// Files that hold enough of the weight of the salient words. `best_there_are`: no file does; those
/// that hold most of it.
Plan make_words_plan(const PlanContext& context, const std::string& text, bool best_there_are);

/// Files that define the name that all words make together.
Plan make_compound_plan(const PlanContext& context, const std::string& text);

/// Files that hold enough of the fixed words of a message, those first where they stand together.
Plan make_message_plan(const PlanContext& context, const std::string& text);

}  // namespace kw::search
