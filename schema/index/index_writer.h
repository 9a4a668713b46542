// SPDX-License-Identifier: GPL-2.0-or-later
// Writes documents: BatchWriter prepares some for a new database, IndexWriter changes the live one
// all or nothing. Which files, and when: indexer/. Each object lives in one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "schema/base/result.h"
#include "schema/index/index_facts.h"
#include "schema/index/record.h"

namespace kw {

struct Posting {
  std::string term;       ///< complete, from terms.h
  std::uint32_t wdf = 1;  ///< occurrences; 0 for filters, which have no weight

  bool operator==(const Posting&) const = default;
};

/// One document of the index.
struct IndexEntry {
  FileRecord record;
  FileStat stamp;
  std::string group_key;
  std::vector<Posting> postings;  ///< all but the unique key and the pair, which the writer adds
};

/// A batch of documents for merge_databases(), in a directory that does not exist yet.
class BatchWriter {
 public:
  static Result<BatchWriter> create(const std::string& path, RecordCodec codec = RecordCodec());
  BatchWriter(BatchWriter&&) noexcept;
  BatchWriter& operator=(BatchWriter&&) noexcept;
  ~BatchWriter();

  Result<void> add(const IndexEntry& entry);
  /// Also stores the codec's dictionary.
  Result<void> set_info(const IndexInfo& info);
  /// Writes all to files and closes. Nothing may be called after it.
  Result<void> finish();

 private:
  struct Impl;
  explicit BatchWriter(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// Makes a database out of batches, documents in the order of `sources`, by way of files beside
/// `target`, in up to `jobs` threads, and lists its vocabulary. Not synced: see sync_tree in
/// database_dir.h. The sources are removed.
Result<void> merge_databases(const std::vector<std::string>& sources, const std::string& target,
                             unsigned jobs);

/// A copy of `source` without the gaps that updates left. The source stays.
Result<void> compact_database(const std::string& source, const std::string& target);

/// A transaction on an existing database: what was done is seen by readers after commit() and only
/// then; destruction without it undoes all.
class IndexWriter {
 public:
  static Result<IndexWriter> open(const std::string& generation_path);
  IndexWriter(IndexWriter&&) noexcept;
  IndexWriter& operator=(IndexWriter&&) noexcept;
  ~IndexWriter();

  /// Adds the entry, or replaces the document of its path.
  Result<void> put(const IndexEntry& entry);
  /// Only the stat data of a path that is in the index.
  Result<void> set_stat(std::uint32_t docid, const FileStat& stamp);
  Result<void> remove(std::uint32_t docid);
  Result<void> set_info(const IndexInfo& info);
  Result<void> commit();

 private:
  struct Impl;
  explicit IndexWriter(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace kw
