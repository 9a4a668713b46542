// SPDX-License-Identifier: GPL-2.0-or-later
// The files of a batch: documents on their way into a new database. batch_writer.cc writes them,
// batch_merge.cc makes tables of Xapian's of those of all batches. Documents count from 1 in each
// batch, in order. `number` and `string` are those of spool.h.
//
//   documents  of each document: its data (string), whether its list of terms is deflated (number),
//              the list as the table of term lists has it (string)
//   values     of each document: its length, its largest wdf (numbers), path, file stat (strings)
//   postings   of each term, in order: bytes shared with the term before (number), the rest of it
//              (string), documents, sum of wdf, first document, last minus first (numbers), list
//              (string): the first wdf, then of each document the gap to it and its wdf
//   metadata   keys and values (strings)
//
// They are read by the process that wrote them, and never again.
#pragma once

namespace kw {

inline constexpr const char *kBatchDocuments = "/documents", *kBatchValues = "/values",
                            *kBatchPostings = "/postings", *kBatchMetadata = "/metadata";

}  // namespace kw
