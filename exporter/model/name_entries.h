// SPDX-License-Identifier: GPL-2.0-or-later
// What each file of the tree says of each of its names, by file, in a spill file. The vocabulary
// gives it by name: EntrySorter turns it over in a bounded memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "exporter/model/spill_file.h"
#include "schema/base/result.h"

namespace kw::exporter {

/// What a file says of a name: a number that KeywordIndex gives its meaning.
struct NameEntry {
  std::uint32_t name;
  std::uint32_t what;
};

class FileEntries {
 public:
  FileEntries() = default;  ///< of no file

 private:
  friend class EntrySorter;
  friend class EntryReader;

  SpillFile spill_;
  std::vector<std::uint64_t> begins_;  ///< by number of the file table; and where the last ends
};

/// Reads entries, quickly where the numbers of files rise. For one thread; the entries must outlive
/// it.
class EntryReader {
 public:
  explicit EntryReader(const FileEntries& entries) : entries_(entries), reader_(entries.spill_) {}

  /// Those of a file, names rising. Valid until the next call.
  Result<const std::vector<NameEntry>*> of(std::size_t file);

 private:
  const FileEntries& entries_;
  SpillReader reader_;
  std::vector<NameEntry> of_file_;
};

/// Takes the entries by name, and gives them by file.
class EntrySorter {
 public:
  /// `memory`: bytes of entries that are held, until a run of them is spilled.
  static Result<EntrySorter> create(std::size_t files, std::size_t memory = std::size_t{16} << 20);

  /// Names rise for each file.
  Result<void> add(std::size_t file, NameEntry entry);

  /// All that were added, their names by `numbers`: what each is called from now on.
  Result<FileEntries> finish(const std::vector<std::uint32_t>& numbers);

 private:
  EntrySorter() = default;
  Result<void> spill_run();
  Result<std::vector<NameEntry>> entries_of(std::size_t file) const;

  struct Pending {
    std::string bytes;
    std::uint32_t last = 0;  ///< name, of this run or one before
  };

  std::size_t memory_ = 0, held_ = 0;
  std::vector<Pending> pending_;                    ///< by file
  SpillFile spill_;                                 ///< runs, each by file
  std::vector<std::vector<std::uint64_t>> begins_;  ///< of each run, as in FileEntries
};

}  // namespace kw::exporter
