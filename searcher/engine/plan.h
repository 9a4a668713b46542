// SPDX-License-Identifier: GPL-2.0-or-later
// One way to answer a query: what Xapian finds (the first stage), and how the best of it are put in
// order by what only the record knows (the second). A query has several plans, whose results follow
// one another (planner.h); result_list.h runs them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "schema/index/record.h"
#include "searcher/engine/compile.h"
#include "searcher/query/query.h"
#include "searcher/query/reading.h"

namespace kw::search {

/// A result of the first stage.
struct Candidate {
  double score = 0;
  std::string_view path;
  std::string_view key;  ///< its group key: the path of the source that a page is about
};

struct Judgement {
  double score = 0;
  bool is_result = true;
  bool is_certain = false;  ///< no candidate far behind it can be better
};

/// Orders a bounded number of candidates. Equal candidates get equal judgements, whatever the
/// machine and however the index is divided.
class SecondStage {
 public:
  enum class Needs { Path, Head, Text };  ///< of the record; less is quicker

  virtual ~SecondStage() = default;
  virtual Needs needs(const Candidate& candidate) const = 0;
  /// `record` is empty for Needs::Path, without its text for Needs::Head.
  virtual Judgement judge(const Candidate& candidate, const FileRecord& record) const = 0;
  /// Lines of a whole record that are shown first, best first. Threads may call it at once.
  virtual std::vector<std::uint32_t> named_lines(const FileRecord&,
                                                 std::string_view /*key*/) const {
    return {};
  }
};

struct Plan {
  ReadingKind kind = ReadingKind::Words;
  std::string instead;              ///< the near name that is searched in place of the query's
  std::unique_ptr<QueryNode> root;  ///< what texts are checked for, and what is shown and marked
  bool match_any = false;           ///< one word of it at the top is enough
  bool is_relaxed = false;          ///< no file has all of the words; its results have some
  CompiledQuery compiled;
  double least_score = 0;               ///< of the first stage: what has less is no result
  std::unique_ptr<SecondStage> second;  ///< none: the first stage's order stands
  std::size_t pool = 0;                 ///< candidates that the second stage judges
  std::size_t least_pool = 0;           ///< those that it judges even if one of them is certain
  bool keeps_rest = true;  ///< what is behind the pool follows in the first stage's order
  bool only_best = false;  ///< only those that the second stage judged best
};

/// Plans are made when the results of those before do not suffice.
struct PlanStep {
  bool only_if_nothing = false;  ///< of the steps before
  std::function<Plan()> make;    ///< throws Xapian::Error; a plan without a query finds nothing
};

}  // namespace kw::search
