// SPDX-License-Identifier: GPL-2.0-or-later
// Exact text and regular expressions of a query: where they occur in a text. Exact text is compared
// in one form (comparable_text.h); a regular expression is matched line by line, unless it names a
// newline itself.
#pragma once

#include <re2/re2.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "schema/base/result.h"
#include "schema/text/comparable_text.h"
#include "searcher/query/query.h"

namespace kw::search {

class Expression {
 public:
  /// Of a Literal or Regex, which must outlive it. Fails with ErrorCode::Usage for a regular
  /// expression that RE2 does not take.
  static Result<Expression> create(const QueryNode& node, bool case_sensitive);

  /// An occurrence: bytes [begin, end) of the text. Returns whether to go on.
  using Take = std::function<bool(std::size_t begin, std::size_t end)>;

  /// Calls `take` with each occurrence in `original`, in order.
  void find(std::string_view original, const Take& take) const;

  /// False if `text` cannot hold it; much cheaper than find().
  bool may_be_in(std::string_view text) const;

 private:
  Expression() = default;

  bool starts_inside_word(std::string_view text, std::size_t begin) const;
  bool has_edges_at(std::string_view text, std::size_t begin, std::size_t end) const;

  const QueryNode* node_ = nullptr;
  TextForm form_ = TextForm::Folded;
  bool converts_ = true;  // texts are brought into the form
  std::unique_ptr<RE2> regex_;
  std::vector<std::string> pieces_;  // what each occurrence holds; of exact text in lower case
};

}  // namespace kw::search
