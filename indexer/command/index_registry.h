// SPDX-License-Identifier: GPL-2.0-or-later
// The user's private record of the indexes that kwindex wrote for them. What lies in a tree may
// come from anybody, an index among it; this record lies in the user's state folder, one file an
// index, so that a later run knows its own work and takes root and options from here. docs/trust.md
// has the rules; trust.h applies them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "schema/base/result.h"
#include "schema/index/index_options.h"

namespace kw::indexer {

/// Which folder it is, and whose.
struct DirectoryIdentity {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::uint32_t owner = 0;  ///< user id, as this system shows it

  bool operator==(const DirectoryIdentity&) const = default;
};

/// Of the folder itself, where it is no link. Nothing: there is none.
std::optional<DirectoryIdentity> directory_identity(const std::string& path);

struct IndexRecord {
  std::string id;        ///< Meta::Id of the index
  std::string database;  ///< its folder, absolute, when it was last written
  DirectoryIdentity directory;
  std::string root;       ///< as Meta::Root
  std::string partition;  ///< as Meta::Partition
  IndexOptions options;   ///< what command lines have set
  /// Where ROOT was a path through a link: that path, absolute. The link may lead elsewhere later.
  std::string named_root = {};

  bool operator==(const IndexRecord&) const = default;
};

/// A new Meta::Id: 128 random bits in hexadecimal.
std::string make_index_id();

/// One thread at a time. What it was given it remembers as long as it lives, whatever becomes of
/// the file.
class IndexRegistry {
 public:
  /// Keeps its files in the first of `folders`, absolute paths, and reads all of them. A folder
  /// that is not this user's alone counts as empty.
  explicit IndexRegistry(std::vector<std::string> folders) : folders_(std::move(folders)) {}

  /// $STATE_DIRECTORY/kwsearch, which systemd sets; then $XDG_STATE_HOME/kwsearch, by default
  /// kwsearch in ~/.local/state. The home is $HOME, or, where that is another user's (sudo), the
  /// one of the user database.
  static IndexRegistry of_this_user();

  /// The record of the index with this id in this folder, the latest if there are several. Nothing:
  /// there is none, or it is of another folder: the index was copied. Device numbers may change
  /// when a machine starts, so a folder with the same inode at the same path is the same.
  std::optional<IndexRecord> find(const std::string& id, const std::string& database,
                                  const DirectoryIdentity& directory) const;

  /// The latest record of an index in this folder, whatever its id: for one that cannot be read.
  std::optional<IndexRecord> find_at(const std::string& database,
                                     const DirectoryIdentity& directory) const;

  /// Writes the record, in place of one with the same id. Failed: there is no folder for it, or it
  /// cannot be written.
  Result<void> keep(const IndexRecord& record);

 private:
  std::vector<std::string> folders_;
  std::map<std::string, IndexRecord> kept_;  ///< by id
};

}  // namespace kw::indexer
