// SPDX-License-Identifier: GPL-2.0-or-later
// Opens an index for reading. Version, fingerprint and place are checked here, not by the caller.
// Holds Xapian objects: one thread at a time. Reading needs no lock and no right to write.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "schema/base/result.h"
#include "schema/base/xapian_api.h"
#include "schema/index/database_dir.h"
#include "schema/index/database_location.h"
#include "schema/index/index_writer.h"
#include "schema/index/record.h"
#include "schema/index/terms.h"

namespace kw {

/// What the index knows of a file without its record.
struct StoredFile {
  std::uint32_t docid = 0;
  std::string path;
  FileStat stamp;
};

/// Facts in frozen keys, which every version can read: enough to rebuild an index of any version.
struct FrozenInfo {
  std::uint32_t version = 0;
  std::uint32_t files = 0;  ///< in the index
  IndexInfo info;           ///< of it: root, shard, options, id
};

/// What an index is opened for. Whole: most of it is read, in a time in which others may write to
/// it. Its tables are checked first, and it stays as it is as long as the reader lives.
enum class Reading { Search, Whole };

class IndexReader {
 public:
  /// Opens the live generation of a database folder. OtherVersion: older ones want a rebuild, newer
  /// ones another program. Where a generation vanishes while it is opened (a rebuild switched), the
  /// new one is taken.
  static Result<IndexReader> open(const DatabaseFolder& folder, Reading reading = Reading::Search);

  /// Opens one generation by path, live or not.
  static Result<IndexReader> open_generation(const std::string& path);

  /// The index that a server has, as xapian-tcpsrv serves it, at one of its addresses (a number).
  /// Each answer, and the connection, is waited for at most so long. Unreachable: there is none, or
  /// not in time. Throws std::bad_alloc for a message larger than the memory. Of info() it has no
  /// id and no version of ctags, which only kwindex needs.
  static Result<IndexReader> open_remote(const DatabaseLocation& place, const std::string& address,
                                         double timeout_seconds);

  /// What any version's index says of itself.
  static Result<FrozenInfo> read_frozen(const DatabaseFolder& folder);

  const IndexInfo& info() const { return info_; }
  /// Of the generation; HOST:PORT of a server.
  const std::string& path() const { return path_; }
  Xapian::Database& database() { return database_; }
  std::uint32_t document_count() const { return database_.get_doccount(); }

  /// Every file, in order of path.
  Result<std::vector<StoredFile>> stored_files();

  /// Reads the data of one of this index's documents. Its dictionary is fetched when it is first
  /// needed, for it is more than all else that a search may read; that throws Xapian::Error. After
  /// record_data() any thread may use it.
  const RecordCodec& codec();

  /// The record of a document as it is stored, for codec().
  Result<std::string> record_data(std::uint32_t docid);

  /// The record of a document.
  Result<FileRecord> record(std::uint32_t docid, RecordParts parts);

  /// A document as it was written. Its postings are all of its terms, in order: with the unique key
  /// and the pair.
  Result<IndexEntry> entry(std::uint32_t docid);

  /// Document ids in order of their paths.
  Result<std::vector<std::uint32_t>> docids_by_path();

  /// Every identifier of the index and the number of files that have it, one spelling at a time.
  Result<void> for_each_identifier(
      const std::function<void(const std::string& spelling, std::uint32_t files)>& use);

  /// The files that have an identifier, by docid, for each that `wanted` asks for, one spelling at
  /// a time and in order of their keys, until `use` fails.
  struct Use {
    std::uint32_t docid = 0;
    std::uint32_t count = 0;  ///< how often it stands there
  };
  Result<void> for_each_use(
      const std::function<bool(const std::string& spelling, std::uint32_t files)>& wanted,
      const std::function<Result<void>(const std::string& spelling, const std::vector<Use>& uses)>&
          use);

  /// Every name that files define, once for each rank, its ranks one after the other; the name as
  /// terms.h stores it (definition_name). No documents are named where more than `max_files` define
  /// it.
  Result<void> for_each_definition(
      std::uint32_t max_files,
      const std::function<void(std::string_view name, DefinitionClass rank,
                               const std::vector<std::uint32_t>& docids)>& use);

 private:
  static Result<IndexReader> checked(const std::string& name, Xapian::Database database,
                                     bool is_remote);

  std::string path_;
  ReaderLock lock_;
  Xapian::Database database_;
  std::optional<RecordCodec> codec_;
  IndexInfo info_;
};

/// The error of a server's index: what is damaged there is what was sent, and nothing here is to be
/// rebuilt.
Error of_server(Error error);

/// The root that an index was made of, as an absolute path: Meta::Root seen from the database
/// folder.
std::string absolute_root(const DatabaseFolder& folder, const IndexInfo& info);

/// The folder whose configuration file counts for a database: the one that holds `.kwsearch`; for
/// an index that lies elsewhere, its root. Empty: nobody knows.
std::string configured_folder(const std::string& database);

}  // namespace kw
