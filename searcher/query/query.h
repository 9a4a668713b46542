// SPDX-License-Identifier: GPL-2.0-or-later
// The query language: a string -> a small tree. Every non-empty string is a legal query; what is
// not syntax is text. No index is looked at here: compile.h turns the tree into Xapian's terms.
//
//   words            all must match (if no file has all of them, any)
//   "exact text"     literal, blanks folded, on word edges unless `*` stands there
//   foo::bar  i++    a word with punctuation is literal too
//   word* *word w?rd expanded over the names and words of the index
//   NOT x   x OR y   (x y)
//   def:Name ident:Name section:word path:part folder:a/b lang:python ext:md origin:test
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "schema/index/fields.h"

namespace kw::search {

struct QueryNode {
  enum class Kind {
    And,      ///< of its children
    Or,       ///< of its children
    Not,      ///< of its only child
    Word,     ///< `text` is one token of letters and digits
    Literal,  ///< `text` stands in the file, character for character but for blanks and case
    Pattern,  ///< `text` has `*` (any characters) and `?` (one character) between letters and
              ///< digits
    Regex     ///< `text` is an RE2 expression
  };
  Kind kind = Kind::And;
  std::vector<QueryNode> children;
  std::optional<Field> field;  ///< of a leaf: only this field is asked
  std::string text;
  bool open_start = false;  ///< of a Literal: may begin inside a word
  bool open_end = false;    ///< of a Literal: may end inside a word
  double salience = 1;      ///< of a leaf: its weight (idf) in a sentence; 0: a stop word, which is
                            ///< neither marked first nor counted

  bool is_leaf() const { return kind >= Kind::Word; }
  /// A filter narrows what is found and says nothing of how well it fits (lang:, ext:, folder:,
  /// origin:).
  bool is_filter() const {
    return is_leaf() && field && field_row(*field).kind == TermKind::Boolean;
  }
  /// Filters and negations, and what is made of them alone.
  bool is_filter_only() const;
};

struct ParsedQuery {
  QueryNode root;  ///< an And
  bool truncated =
      false;  ///< it was larger than kMaxLeaves or kMaxQueryBytes: some was passed over
  /// What was typed or pasted, without filters, if none of it is syntax (quotes, fields, wildcards,
  /// brackets, NOT, OR): it may then be read in several ways (reading.h). Empty: the tree decides.
  std::string plain;
};

/// More words than a person types; each costs some posting lists.
/// One less than 64, so that with an expression beside them they have a bit each in a word.
inline constexpr std::size_t kMaxLeaves = 63;
/// More words than this do not make one name together.
inline constexpr std::size_t kMaxCompoundWords = 12;
/// What stands behind this many bytes is passed over, too (16 KiB).
inline constexpr std::size_t kMaxQueryBytes = 16 << 10;
/// Brackets nested deeper than this are text.
inline constexpr std::size_t kMaxDepth = 32;

/// Nothing only for a string of blanks.
std::optional<ParsedQuery> parse_query(std::string_view bytes);

/// For --explain: "(view AND \"a b\" AND NOT lang:python)".
std::string to_string(const QueryNode& node);

}  // namespace kw::search
