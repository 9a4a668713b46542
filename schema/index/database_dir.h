// SPDX-License-Identifier: GPL-2.0-or-later
// The database folder `.kwsearch/`: the names in it are made and parsed here only.
//
//   .gitignore        `*`
//   XAPIANDB          Xapian stub: one line `auto gen-N` that names the live generation
//   gen-N/            a Xapian database (glass)
//   gen-N.tmp/        one that is being built
//   lock              flock(2)ed by the writer; holds its process id
//   status.json       the last run (status.h)
//
// A database folder is not trusted: it may come with a tree from elsewhere. The only legal stub
// line names a real folder of real files inside it, and Xapian is told to open glass and nothing
// else.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "schema/base/descriptor.h"
#include "schema/base/result.h"

namespace kw {

inline constexpr std::string_view kDatabaseFolderName = ".kwsearch";
inline constexpr std::string_view kStubName = "XAPIANDB";

std::string generation_name(std::uint32_t number);
/// "gen-12" -> 12; nothing for every other name.
std::optional<std::uint32_t> parse_generation_name(std::string_view name);

/// Paths in one database folder. Nothing is opened or checked when it is made.
class DatabaseFolder {
 public:
  explicit DatabaseFolder(std::string path) : path_(std::move(path)) {}

  const std::string& path() const { return path_; }
  std::string stub() const { return path_ + "/XAPIANDB"; }
  std::string lock() const { return path_ + "/lock"; }
  std::string status() const { return path_ + "/status.json"; }
  std::string generation(std::uint32_t n) const { return path_ + "/" + generation_name(n); }
  std::string unfinished_generation(std::uint32_t n) const { return generation(n) + ".tmp"; }

  /// The live generation that the stub names. NotFound: no folder or no stub. Refused: a stub that
  /// names anything but a real generation folder inside. Corrupt: not one line.
  Result<std::uint32_t> live_generation() const;

  /// Sum of the sizes of the live generation's files, in bytes; 0 if there is none.
  std::uint64_t live_bytes() const;

  /// A name in the folder that is none of ours, where no stub says that it is an index: something
  /// else lives there. Nothing if there is none, or no folder.
  std::optional<std::string> foreign_name() const;

  /// Generations that lie there, finished or not, in no order. Empty if the folder cannot be read.
  std::vector<std::uint32_t> generations() const;

  /// Makes the folder and its .gitignore if they are missing: mode 0700, or by the umask if
  /// `shared`. False: the folder was there before.
  Result<bool> create(bool shared) const;

  /// Makes `n`, complete and synced, the live generation: syncs the folder, writes the stub aside,
  /// syncs, renames, syncs the folder.
  Result<void> switch_to(std::uint32_t n) const;

  /// Removes unfinished generations, finished ones but those in `keep` and those that are being
  /// read (ReaderLock), and temporary files of runs that were killed. Call with the lock held.
  void remove_leftovers(const std::vector<std::uint32_t>& keep) const;

 private:
  std::string path_;
};

/// A database folder as a person names it: the folder itself, or a tree that holds `.kwsearch`.
std::string resolve_database_path(const std::string& given);

/// The nearest folder with `.kwsearch` at or above `start` (absolute); returns that `.kwsearch`.
std::optional<std::string> find_database_above(const std::string& start);

/// The database that a reader takes: the `given` one, else $KWSEARCH_DB, else the nearest at or
/// above the current folder. NotFound: there is none. Whether it is an index is not looked at.
Result<std::string> database_to_read(const std::string& given);

/// Says that a generation is being read from end to end (an export, a check), as long as this
/// lives: Xapian keeps what a reader sees through one update in place, not through two. No writer
/// is held up; it writes into a new generation. Where the system cannot lock the folder it says
/// nothing, and the reader may have to begin again.
class ReaderLock {
 public:
  ReaderLock() = default;
  static ReaderLock share(const std::string& generation);
  /// True if somebody reads the generation so.
  static bool is_shared(const std::string& generation);

 private:
  explicit ReaderLock(Descriptor folder) : folder_(std::move(folder)) {}
  Descriptor folder_;
};

/// The only writer of a database folder, for as long as this lives. Released by the system when the
/// process dies.
class WriterLock {
 public:
  /// Waits at most `wait_seconds`, and some seconds where the process that took it is dead: what it
  /// had started is about to let go. Locked: another process has it; the message names its id.
  static Result<WriterLock> acquire(const DatabaseFolder& folder, double wait_seconds);
  WriterLock(WriterLock&& other) noexcept;
  WriterLock& operator=(WriterLock&& other) noexcept;
  ~WriterLock();

 private:
  explicit WriterLock(int fd) : fd_(fd) {}
  int fd_ = -1;
};

/// The process that holds the lock, if one does. Only looks, as the system lists its locks: taking
/// the lock to find out could turn away a writer that starts just then.
std::optional<int> lock_holder(const DatabaseFolder& folder);

/// Writes a file so that readers see the old or the new one: temporary file beside it, fsync,
/// rename.
Result<void> write_file_atomically(const std::string& path, std::string_view bytes);

/// The whole file. `limit` bytes at most: a larger file is Refused.
Result<std::string> read_file(const std::string& path, std::uint64_t limit);

/// fsync(2) on every file of a folder and on the folder, all levels.
Result<void> sync_tree(const std::string& path);

/// Copies the files of a generation into a folder that is not there yet, sharing their blocks on
/// disk where the file system can (reflink). Never hard links: Xapian changes files in place.
Result<void> copy_generation(const std::string& from, const std::string& to);

/// Sum of the sizes of the regular files in a folder, in bytes; 0 if it cannot be read.
std::uint64_t folder_bytes(const std::string& path);

/// "no such file or directory" and the like for an errno.
std::string errno_text(int error);

}  // namespace kw
