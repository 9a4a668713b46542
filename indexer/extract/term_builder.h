// SPDX-License-Identifier: GPL-2.0-or-later
// Counts the tokens of one file at a time and turns them into postings. What a token means in
// prose, code and comments is decided here, and its counterpart for questions in
// searcher/query/query.cc.
//
//   prose     a word: its stem (Word); what looks like code is an identifier instead
//   code      an identifier (Ident), the words inside it (Part); numbers and operators (Word)
//
// Comments are prose: a word in a comment is no use of a name. Percent-escapes (`%E6`) are no words
// outside of code.
//
// Each distinct token is analysed once and remembered from file to file: a tree's vocabulary is
// small beside its tokens (PyTorch's pages: 12.7 million tokens, 0.4 million distinct).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "schema/index/fields.h"
#include "schema/index/index_writer.h"
#include "schema/index/terms.h"

namespace kw::indexer {

enum class Context : std::uint8_t {
  Prose,
  Code,
  Hidden  ///< not shown to a reader (front matter): found as prose is, without weight
};

/// One thread at a time; one object serves many files.
class TermBuilder {
 public:
  TermBuilder();
  ~TermBuilder();

  /// Counts the tokens of a piece of the file's text.
  void add_text(std::string_view text, Context context);
  /// Gives the tokens of what a reader does not see (marks, targets of links) that the file has
  /// nowhere else terms without weight, as words: exact text finds them, and no name.
  void add_unseen(std::string_view text);
  /// Words of a title, heading or description, stemmed, and those inside them, to a text field.
  void add_words(Field field, std::string_view text);
  void add_path(std::string_view path);
  void add_definition(std::string_view name, DefinitionClass rank);
  /// A filter: a term without weight.
  void add_filter(Field field, std::string_view text);

  /// The postings of all that was added since the last call, each term once, in no order.
  std::vector<Posting> take();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace kw::indexer
