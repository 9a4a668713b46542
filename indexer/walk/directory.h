// SPDX-License-Identifier: GPL-2.0-or-later
// Folders and files by descriptor: how the walker and the ignore rules read a tree. Each is opened
// in its folder, because a path may be longer than the system takes in one call. What of it belongs
// to the index is decided elsewhere: walker.h, ignore.h.
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "schema/base/descriptor.h"
#include "schema/index/record.h"

namespace kw::indexer {

/// openat(2) with O_CLOEXEC. On failure nothing is held and errno says why.
Descriptor open_at(int folder, const std::string& path, int flags);

/// What the index keeps of a file's state: all but seen_ns.
FileStat stat_of(const struct stat& info);

/// A name in a folder.
struct ListedName {
  std::uint32_t begin = 0;  ///< where it stands in `FolderList::names`
  std::uint32_t length = 0;
  unsigned char type = 0;  ///< DT_REG and the like; DT_UNKNOWN where the file system does not say
};

/// What a folder holds, without `.` and `..`, in no order.
struct FolderList {
  std::string names;  ///< each ended by a NUL, so that it can be given to the system
  std::vector<ListedName> entries;

  std::string_view name(const ListedName& entry) const {
    return {names.data() + entry.begin, entry.length};
  }
};

/// Reads an open folder from its start to its end. Nothing on failure, and errno says why.
std::optional<FolderList> list_folder(int folder);

/// The first `limit` bytes of a regular file. Never waits for, nor reads from, anything else (a
/// FIFO, a device). Nothing on failure: errno says why, and is 0 if it is no regular file. A
/// symbolic link is followed unless `flags` has O_NOFOLLOW.
std::optional<std::string> read_file_at(int folder, const std::string& path, std::size_t limit,
                                        int flags = 0);

}  // namespace kw::indexer
