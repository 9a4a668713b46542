// SPDX-License-Identifier: GPL-2.0-or-later
// One glob, matched against a path as ripgrep (globset) matches a line of an ignore file. It is
// translated to a regular expression of RE2: patterns come from trees that are not trusted, and
// matching takes time proportional to pattern times path at worst, whatever the pattern. What a
// line of an ignore file means around its glob (`!`, `/`): ignore.h.
//
//   ?  one byte but `/`          *  any bytes but `/`        **  between slashes: any folders, or
//   none [a-z] [!a-z] [^a-z]  one byte of, or not of, a set; a negated set has `/` in it, as in
//   ripgrep {a,b}  either; may be nested                              \x  x itself
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "schema/base/result.h"

namespace re2 {
class RE2;
}

namespace kw::indexer {

/// A longer pattern is refused: no path that the system takes in one call is longer.
inline constexpr std::size_t kMaxGlobBytes = 4096;

class Glob {
 public:
  /// Usage: a class or brace that is not closed, a brace that is not opened or nested too deep, a
  /// range that runs backwards, a last `\`, too long.
  /// The message is the reason alone, as only the caller knows the whole of what was written.
  static Result<Glob> parse(std::string_view pattern);

  /// True if the whole of `text` matches: a file's name if name_only(), else its path. Bytes, no
  /// encoding. One thread at a time.
  bool matches(std::string_view text) const;

  /// The pattern is `**/NAME` and NAME cannot match a `/`: only the last name of a path counts.
  bool name_only() const { return name_only_; }

  /// Nothing in it is special: `matches(text)` is `text == literal()`.
  bool is_literal() const { return shape_ == Shape::Literal; }
  const std::string& literal() const { return head_; }

 private:
  friend class GlobParser;

  /// Most patterns are one of the first two, and need no expression.
  enum class Shape : std::uint8_t { Literal, OneStar, Expression };

  Shape shape_ = Shape::Expression;
  bool name_only_ = false;
  std::string head_;     ///< bytes that each match begins with
  std::string tail_;     ///< and ends with, none of them in head_
  std::string inner_;    ///< and has somewhere
  std::string pattern_;  ///< of RE2
  /// Compiled when a text first has these three. Shared by copies.
  mutable std::shared_ptr<const re2::RE2> expression_;
};

}  // namespace kw::indexer
