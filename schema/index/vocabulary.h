// SPDX-License-Identifier: GPL-2.0-or-later
// The terms that patterns and misspelled names are compared with, once more, as one compressed text
// in the index's metadata. A pattern without a fixed start (`*Meta`) must be held against each of
// them, and reading this text is several times as quick as walking Xapian's list of terms (268,000
// identifiers: 25 ms instead of 70) for 2 % more index.
//
// A build writes it whole. An update adds the terms of what it put in to a second text beside it
// and takes none away, so then a term may be listed that no document has any more.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "schema/base/result.h"
#include "schema/base/xapian_api.h"
#include "schema/index/fields.h"

namespace kw {

/// The fields whose terms are listed.
inline constexpr std::array kVocabularyFields{Field::Ident, Field::Part, Field::Word,
                                              Field::Section, Field::PathWord};

class Vocabulary {
 public:
  /// What an index has, as it is stored.
  struct Stored {
    std::string terms, added;
  };
  /// Throws Xapian::Error.
  static Stored read(const Xapian::Database& database);

  /// Adds what an index has. Throws Xapian::Error, DatabaseCorruptError where it does not decode.
  void load(const Stored& stored);
  void load(const Xapian::Database& database) { load(read(database)); }

  /// Calls `take` with each term (complete) of a field that holds `piece` (of its text, behind the
  /// prefix), in order, once, until it returns false. `field` is one of kVocabularyFields.
  using Take = std::function<bool(const std::string& term)>;
  void for_each(Field field, std::string_view piece, const Take& take) const;

  /// False if terms may be listed that no document has.
  bool is_exact() const { return exact_; }

 private:
  struct Text {
    std::string bytes;
    std::array<std::string_view, kVocabularyFields.size()> lines;  // into `bytes`
  };
  std::vector<std::unique_ptr<const Text>> texts_;
  bool exact_ = true;

  void add(const std::string& stored, std::size_t most);
  friend void add_to_vocabulary(Xapian::WritableDatabase&, const std::set<std::string>&);
};

/// Lists all terms of a database in its metadata. Holds at most `held_bytes` of the list: the terms
/// of a longer one are gone through twice. Throws Xapian::Error.
void write_vocabulary(Xapian::WritableDatabase& database, std::size_t held_bytes = 16 << 20);

/// Adds the terms of changed documents. Throws Xapian::Error.
void add_to_vocabulary(Xapian::WritableDatabase& database, const std::set<std::string>& terms);

}  // namespace kw
