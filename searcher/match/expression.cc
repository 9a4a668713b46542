// SPDX-License-Identifier: GPL-2.0-or-later
#include "searcher/match/expression.h"

#include <fmt/format.h>

#include <algorithm>

#include "schema/text/splitter.h"
#include "schema/text/text.h"
#include "searcher/match/regex_literals.h"
#include "searcher/match/text_scan.h"

namespace kw::search {
namespace {

// A regular expression may use this much memory for its automaton (RE2's own default, written out).
constexpr std::int64_t kRegexMemory = 8 << 20;

/// Any run of blanks stands for a blank.
std::string regex_of_text(std::string_view text) {
  std::string regex;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t blank = std::min(text.find(' ', at), text.size());
    regex += RE2::QuoteMeta(re2::StringPiece(text.data() + at, blank - at));
    at = std::min(text.find_first_not_of(' ', blank), text.size());
    if (at > blank) regex += "[\\t-\\r ]+";
  }
  return regex;
}

}  // namespace

Result<Expression> Expression::create(const QueryNode& node, bool case_sensitive) {
  Expression e;
  e.node_ = &node;
  RE2::Options options;
  options.set_log_errors(false);
  options.set_max_mem(kRegexMemory);
  std::string regex;
  if (node.kind == QueryNode::Kind::Literal) {
    e.form_ = case_sensitive ? TextForm::CaseKept : TextForm::Folded;
    const std::string text = comparable(node.text, e.form_);
    regex = regex_of_text(text);
    options.set_case_sensitive(case_sensitive);
    e.pieces_ = {ascii_run_in_all_forms(text)};
  } else {
    const RegexFacts facts = facts_of_regex(node.text);
    e.form_ = TextForm::UnixLines;
    e.converts_ = !facts.names_carriage_return;
    options.set_never_nl(!facts.names_newline);
    regex = "(?m)" + node.text;
    e.pieces_ = required_literals(node.text);
  }
  e.regex_ = std::make_unique<RE2>(regex, options);
  if (!e.regex_->ok())
    return Error{ErrorCode::Usage,
                 fmt::format("'{}' is no regular expression: {}", node.text, e.regex_->error()),
                 "RE2's syntax is described at https://github.com/google/re2/wiki/Syntax"};
  return e;
}

bool Expression::may_be_in(std::string_view text) const {
  return std::all_of(pieces_.begin(), pieces_.end(), [&](const std::string& piece) {
    return node_->kind == QueryNode::Kind::Regex ? text.find(piece) != text.npos
                                                 : may_contain(text, piece);
  });
}

bool Expression::starts_inside_word(std::string_view text, std::size_t begin) const {
  return !node_->open_start && !is_word_edge(text.substr(0, begin), text.substr(begin));
}

bool Expression::has_edges_at(std::string_view text, std::size_t begin, std::size_t end) const {
  if (node_->kind == QueryNode::Kind::Regex || begin == end) return true;
  if (starts_inside_word(text, begin)) return false;
  return node_->open_end || is_word_edge(text.substr(0, end), text.substr(end));
}

void Expression::find(std::string_view original, const Take& take) const {
  if (original.empty() || !may_be_in(original)) return;
  const ComparableText converted(converts_ ? original : std::string_view(), form_);
  const std::string_view text = converts_ ? converted.view() : original;
  const re2::StringPiece whole(text.data(), text.size());
  re2::StringPiece match;
  // An empty match behind the last line's end is in no line.
  const std::size_t last = text.size() - (text.ends_with('\n') ? 1 : 0);
  for (std::size_t at = 0;
       at <= last && regex_->Match(whole, at, text.size(), RE2::UNANCHORED, &match, 1);) {
    const auto begin = static_cast<std::size_t>(match.data() - text.data()),
               end = begin + match.size();
    if (begin > last) return;
    if (has_edges_at(text, begin, end)) {
      const ComparableText::Range range =
          converts_ ? converted.in_original(begin, end) : ComparableText::Range{begin, end};
      if (!take(range.begin, range.end)) return;
      at = std::max(end, begin + 1);
    } else if (starts_inside_word(text, begin)) {
      at = begin;  // nor can it start in the rest of that word
      do at += std::max<std::size_t>(word_char_length(text.substr(at)), 1);
      while (at < text.size() && !is_word_edge(text.substr(0, at), text.substr(at)));
    } else {
      at = begin + 1;
    }
  }
}

}  // namespace kw::search
