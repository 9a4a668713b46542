// SPDX-License-Identifier: GPL-2.0-or-later
// A query tree -> Xapian's query: terms looked up in the index's vocabulary, tiers as constant
// weights. It may find more than was asked where terms cannot tell (exact text, patterns in prose,
// regular expressions, case); match.h then checks the text. Uses only what works on remote
// databases too.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "schema/vocabulary.h"
#include "schema/xapian_api.h"
#include "searcher/query.h"

namespace kw {

struct CompileOptions {
  bool case_sensitive = false;
  bool demote_copies = true;  ///< originals before tests, vendored and generated files
};

struct CompiledQuery {
  Xapian::Query query;
  bool needs_check = false;  ///< each result's text must be checked by a Matcher
  bool partial = false;      ///< a bound on expanded terms was reached
};

/// Names and words that a pattern stands for, at most: each costs some fifty microseconds.
inline constexpr std::size_t kMaxExpansions = 300;
/// Of several words, a pattern that stands for more does not say in which tier a file is: it only
/// narrows.
inline constexpr std::size_t kMaxRankedExpansions = 100;

/// Compiles one query. It keeps what it has found in the vocabulary: asked twice, it looks once.
class QueryCompiler {
 public:
  /// Reads the vocabulary when it is first needed, for it takes a while.
  using LoadVocabulary = std::function<const Vocabulary&()>;

  /// All must outlive it.
  QueryCompiler(const QueryNode& root, const Xapian::Database& database, LoadVocabulary vocabulary,
                const CompileOptions& options);
  ~QueryCompiler();
  QueryCompiler(QueryCompiler&&) noexcept;

  /// `any`: of the words at the top any may match, not all. Throws Xapian::Error; call under
  /// guard().
  CompiledQuery compile(bool any);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// The term that documents have for which a filter (QueryNode::is_filter) holds.
std::string filter_term(const QueryNode& filter);

/// Pieces of text that every match of a regular expression must contain. Conservative: may be
/// empty.
std::vector<std::string> required_literals(std::string_view regex);

}  // namespace kw
