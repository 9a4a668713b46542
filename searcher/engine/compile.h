// SPDX-License-Identifier: GPL-2.0-or-later
// A query tree -> Xapian's query: terms looked up in the index's vocabulary, tiers as constant
// weights. It may find more than was asked where terms cannot tell (exact text, patterns in prose,
// regular expressions, case); match.h then checks the text. Uses only what works on remote
// databases too.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "schema/base/xapian_api.h"
#include "searcher/engine/term_expander.h"
#include "searcher/query/query.h"

namespace kw::search {

struct CompileOptions {
  bool case_sensitive = false;
  bool demote_copies = true;  ///< originals before tests, vendored and generated files
};

struct CompiledQuery {
  Xapian::Query query;
  bool needs_check = false;  ///< each result's text must be checked by a Matcher
  bool partial = false;      ///< a bound on expanded terms was reached
};

/// Compiles one query. It keeps what it has found in the vocabulary: asked twice, it looks once.
class QueryCompiler {
 public:
  /// All must outlive it.
  QueryCompiler(const QueryNode& root, TermDictionary& dictionary, LoadVocabulary vocabulary,
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

}  // namespace kw::search
