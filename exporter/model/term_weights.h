// SPDX-License-Identifier: GPL-2.0-or-later
// How telling a name is for a page: TF-IDF, a name says the more about a page the oftener it stands
// there and the fewer files of the tree have it. And which files define it.
//
//   weight = tf * idf
//   tf  = count * (k1 + 1) / (count + k1), k1 = 1.2
//   idf = 1 + floor(log2 N) - floor(log2 n)
//
// count: of the name on the page; N: files of the index; n: those that have the name. tf is that of
// BM25 (Robertson and Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond, 2009)
// without its length of the page, which is the same for all names of one; it saturates, so that a
// loop's counter does not win by being used often. idf is that of Spärck Jones (A Statistical
// Interpretation of Term Specificity, 1972), of counts rounded down to powers of two, so that an
// edit elsewhere seldom changes a page. Whole numbers and three operations: every machine gives the
// same order.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "exporter/model/file_table.h"
#include "schema/base/result.h"
#include "schema/index/index_reader.h"

namespace kw::exporter {

class TreeStatistics {
 public:
  /// Names that more files than this define are said to be defined nowhere: a list of places is no
  /// answer.
  static constexpr std::uint32_t kMaxDefiners = 2;

  TreeStatistics() = default;

  /// One walk over the vocabulary. Kept are 8 bytes for a name that two or more files have, and 16
  /// for one that is defined.
  static Result<TreeStatistics> read(IndexReader& reader, const FileTable& files);

  double weight(std::string_view name, std::uint32_t count) const;

  /// The files that define the name as a type, function, macro or the like: numbers of the file
  /// table, and so by path, whatever order the index has them in. Empty where none or too many do.
  std::span<const std::uint32_t> definers(std::string_view name) const;

 private:
  static constexpr std::uint64_t kBits = 63;  ///< the last digits of a hash give way to a count's
  static constexpr std::uint32_t kNoFile = 0xffffffff;
  struct Definers {
    std::uint64_t name = 0;  ///< its hash
    std::array<std::uint32_t, kMaxDefiners> files{};

    bool operator<(std::uint64_t other) const { return name < other; }
  };

  int file_bits_ = 0;
  std::vector<std::uint64_t>
      bits_;                        ///< hashes of names with bits of their counts, not of 0; sorted
  std::vector<Definers> definers_;  ///< by name
};

}  // namespace kw::exporter
