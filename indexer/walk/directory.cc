// SPDX-License-Identifier: GPL-2.0-or-later
#include "indexer/walk/directory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>

namespace kw::indexer {
namespace {

std::int64_t nanoseconds(const timespec& time) {
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

}  // namespace

FileStat stat_of(const struct stat& info) {
  FileStat stat;
  stat.size = static_cast<std::uint64_t>(info.st_size);
  stat.mtime_ns = nanoseconds(info.st_mtim);
  stat.ctime_ns = nanoseconds(info.st_ctim);
  stat.inode = info.st_ino;
  return stat;
}

Descriptor open_at(int folder, const std::string& path, int flags) {
  return Descriptor(::openat(folder, path.c_str(), flags | O_CLOEXEC));
}

std::optional<FolderList> list_folder(int folder) {
  FolderList list;
  alignas(dirent64) char buffer[32 * 1024];
  while (true) {
    const ssize_t got = ::getdents64(folder, buffer, sizeof buffer);
    if (got < 0) return std::nullopt;
    if (got == 0) return list;
    for (ssize_t at = 0; at < got;) {
      const auto* entry = reinterpret_cast<const dirent64*>(buffer + at);
      at += entry->d_reclen;
      const std::string_view name(entry->d_name);
      if (name == "." || name == "..") continue;
      list.entries.push_back({static_cast<std::uint32_t>(list.names.size()),
                              static_cast<std::uint32_t>(name.size()), entry->d_type});
      list.names.append(name.data(), name.size() + 1);
    }
  }
}

std::optional<std::string> read_file_at(int folder, const std::string& path, std::size_t limit,
                                        int flags) {
  // Looked at before it is opened, because opening a device can have effects of its own.
  struct stat info;
  errno = 0;
  if (::fstatat(folder, path.c_str(), &info, flags & O_NOFOLLOW ? AT_SYMLINK_NOFOLLOW : 0) != 0 ||
      !S_ISREG(info.st_mode))
    return std::nullopt;
  const Descriptor fd = open_at(folder, path, flags | O_RDONLY | O_NONBLOCK | O_NOCTTY);
  if (!fd || ::fstat(fd.get(), &info) != 0 || !S_ISREG(info.st_mode)) return std::nullopt;

  std::string bytes;
  char buffer[16 * 1024];
  while (bytes.size() < limit) {
    const ssize_t got = ::read(fd.get(), buffer, std::min(sizeof buffer, limit - bytes.size()));
    if (got < 0) return std::nullopt;
    if (got == 0) break;
    bytes.append(buffer, static_cast<std::size_t>(got));
  }
  return bytes;
}

}  // namespace kw::indexer
