// SPDX-License-Identifier: GPL-2.0-or-later
// A query tree -> Xapian's query: terms looked up in the index's vocabulary, tiers as constant
// weights. It may find more than was asked where terms cannot tell (exact text, patterns in prose,
// regular expressions, case); match.h then checks the text. Uses only what works on remote
// databases too.
#pragma once

#include <string>
#include <vector>

#include "schema/xapian_api.h"
#include "searcher/query.h"

namespace kw {

struct CompileOptions {
  bool case_sensitive = false;
  bool any = false;           ///< of the words at the top any may match, not all
  bool demote_copies = true;  ///< originals before tests, vendored and generated files
};

struct CompiledQuery {
  Xapian::Query query;
  bool needs_check = false;  ///< each result's text must be checked by a Matcher
  bool partial = false;      ///< a bound on expanded terms was reached
};

/// Names and words that a pattern stands for, at most.
inline constexpr std::size_t kMaxExpansions = 2000;
/// Terms of the vocabulary that are looked at for one pattern, at most.
inline constexpr std::size_t kMaxScannedTerms = 2'000'000;

/// Throws Xapian::Error; call under guard().
CompiledQuery compile_query(const QueryNode& root, const Xapian::Database& database,
                            const CompileOptions& options);

/// The term that documents have for which a filter (QueryNode::is_filter) holds.
std::string filter_term(const QueryNode& filter);

/// True if `text` matches `pattern`: `*` any characters, `?` one; both folded by the caller.
bool matches_pattern(std::string_view pattern, std::string_view text);
/// The same, also without accents that the pattern need not have.
bool matches_folded(std::string_view pattern, std::string_view folded);

/// Pieces of text that every match of a regular expression must contain. Conservative: may be
/// empty.
std::vector<std::string> required_literals(std::string_view regex);

}  // namespace kw
