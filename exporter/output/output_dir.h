// SPDX-License-Identifier: GPL-2.0-or-later
// The folder that pages are written to, and the manifest in it. Everything goes by descriptors from
// the folder down and no symbolic link inside is followed, so nothing outside is ever touched. A
// file that is not ours is never changed, and no page of ours is ever unlisted, whenever the
// process dies.
//
// The order of a run: open, ask whether all is there already, remove what is stale, claim every
// page, begin, write every page, finish.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>

#include "schema/base/descriptor.h"
#include "schema/base/result.h"
#include "schema/index/manifest.h"
#include "schema/index/record.h"

namespace kw::exporter {

class OutputDir {
 public:
  enum class Mode {
    Write,
    DryRun  ///< changes nothing on disk; what follows answers as if it had
  };
  enum class Written { Changed, Unchanged };
  enum class Removed {
    Yes,
    Gone,    ///< it was not there any more
    NotOurs  ///< it no longer is a page of ours: left, and listed no more
  };

  /// Makes the folder if it is missing, locks it (Locked: another kwexport is at work) and reads
  /// its manifest. Refused: a manifest that is damaged, hostile or no regular file.
  static Result<OutputDir> open(const std::string& path, Mode mode);

  /// The pages that are ours: those of the manifest, as changed by the calls below.
  const std::set<std::string>& pages() const { return manifest_.files; }

  /// The bytes of a page that is ours; empty if it is not, or cannot be read.
  std::string read(const std::string& page);

  /// Leaves a page of ours as it lies there: one that this export does not write, but readers may
  /// still want.
  void keep(const std::string& page);

  struct Kept {
    std::uint64_t pages = 0;  ///< that a person reads, as finish() was told
    std::uint64_t files = 0;
    std::uint64_t bytes = 0;
  };

  /// What lies here, if it is all that an export from the same `inputs` (hash_of_inputs) wrote, and
  /// every byte is as it was written: each file is read. Nothing otherwise.
  std::optional<Kept> kept(const std::string& inputs);

  /// Removes a listed page, if it begins as a file of kwexport does, and the folders that became
  /// empty by it.
  Result<Removed> remove(const std::string& page);

  /// Announces a page that is to be written. Refused if a file is in its way that the manifest does
  /// not list; with `adopt` a file that begins as a keyword page is taken over.
  Result<void> claim(const std::string& page, bool adopt);

  /// Lists all that is claimed in the manifest on disk, before the first page is written.
  Result<void> begin();

  /// Writes a claimed page by temporary file and rename, if its bytes differ.
  Result<Written> write(const std::string& page, std::string_view bytes);

  /// Brings the manifest on disk to what is there now. `inputs` and the number of `pages` for the
  /// next run's kept(), where each listed file was written by this one; empty: for no run.
  Result<void> finish(const std::string& inputs, std::uint64_t pages);

 private:
  OutputDir() = default;
  int folder_fd(std::string_view folder, bool create);
  Result<void> read_manifest();
  Result<void> write_manifest();
  enum class Put { New, Replace, ReplaceSynced };
  int put_file(int folder, const std::string& name, std::string_view bytes, Put how);
  void remove_empty_folders(std::string_view folder);
  void forget(const std::string& page);

  std::string path_;
  Mode mode_ = Mode::Write;
  Descriptor root_;  ///< none in a dry run where the folder is missing
  // Pages come by path, so the folder of the last one serves for most.
  std::string last_folder_;
  Descriptor last_folder_fd_;
  bool is_last_missing_ = false;
  Manifest manifest_;
  std::string manifest_bytes_;      ///< as on disk; empty for none
  std::set<std::string_view> new_;  ///< of them: claimed, and nothing lay there
  /// Of the listed files that this run wrote or found equal; the names are those of manifest_.
  std::unordered_map<std::string_view, ContentHash> hashes_;
};

}  // namespace kw::exporter
