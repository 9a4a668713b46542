// SPDX-License-Identifier: GPL-2.0-or-later
// Posting lists in files, sorted by term: merges those of many batches into one list of each term.
// batch_files.h has the form of such a file.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "schema/index/spool.h"

namespace kw {

/// The first eight bytes of a term as a number that sorts as they do: most terms differ in them.
inline std::uint64_t head_of(std::string_view term) {
  std::uint64_t head = 0;
  std::memcpy(&head, term.data(), std::min(term.size(), sizeof head));
  return __builtin_bswap64(head);
}

/// Views are valid until the next one is made.
struct PostingList {
  std::string_view term;
  std::uint64_t documents = 0, occurrences = 0;
  std::uint32_t first = 0, last = 0;  ///< documents
  std::string_view list;              ///< see batch_files.h
};

/// Writes a run: lists in order of their terms.
class RunWriter {
 public:
  explicit RunWriter(const std::string& path) : out_(path) {}

  void add(const PostingList& list);
  void finish() { out_.finish(); }

 private:
  SpoolWriter out_;
  std::string before_;  // the last term
};

struct PostingRun {
  std::string path;
  std::uint32_t documents_before = 0;
};

/// Calls `take` with the list of each term of all runs, in order. The runs are in the order of
/// their documents; they are removed. `scratch`: how the names of files for what does not fit into
/// one merge begin. Throws Xapian::DatabaseError.
void merge_runs(std::vector<PostingRun> runs, const std::string& scratch,
                const std::function<void(const PostingList&)>& take);

}  // namespace kw
