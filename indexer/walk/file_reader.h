// SPDX-License-Identifier: GPL-2.0-or-later
// Reads files of a tree whose names were listed a while ago and may mean something else by now.
// Bytes and stat data come from one descriptor, so they fit. Every folder on the way is opened in
// its parent without following links: one that was swapped for a link cannot lead out of the root.
// (openat2(2) would do it in one call, but containers often forbid it.)
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "indexer/walk/skip_reason.h"
#include "schema/base/descriptor.h"
#include "schema/base/result.h"
#include "schema/index/record.h"

namespace kw::indexer {

struct FileBytes {
  std::string_view bytes;  ///< valid until the next read
  FileStat stamp;          ///< all but seen_ns
};

/// The path is no file any more: deleted, or a folder or link now.
struct Vanished {};

/// One thread at a time.
class FileReader {
 public:
  /// `root`: absolute. With `follow`, links are followed, wherever they lead.
  static Result<FileReader> open(const std::string& root, bool follow, std::uint64_t max_size);

  /// Never hangs, not on a FIFO either. SkipReason: Unreadable, TooLarge, Special.
  std::variant<FileBytes, SkipReason, Vanished> read(const std::string& path);

 private:
  FileReader(Descriptor root, bool follow, std::uint64_t max_size);
  int open_file(const std::string& path);
  int enter_folder(std::string_view folder);

  Descriptor root_;
  bool follow_;
  std::uint64_t max_size_;
  std::string buffer_;
  // The folder of the last file: the next one's most often, as paths come sorted.
  std::string folder_;
  Descriptor folder_fd_;
};

}  // namespace kw::indexer
