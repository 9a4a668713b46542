// SPDX-License-Identifier: GPL-2.0-or-later
#include "indexer/walk/file_reader.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "indexer/walk/directory.h"
#include "schema/index/database_dir.h"
#include "schema/text/text.h"

namespace kw::indexer {
namespace {

constexpr int kFolderFlags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;

}  // namespace

FileReader::FileReader(Descriptor root, bool follow, std::uint64_t max_size)
    : root_(std::move(root)), follow_(follow), max_size_(max_size) {}

Result<FileReader> FileReader::open(const std::string& root, bool follow, std::uint64_t max_size) {
  Descriptor fd(::open(root.c_str(), kFolderFlags));
  if (!fd)
    return Error{ErrorCode::NotFound,
                 fmt::format("cannot read folder '{}': {}", printable(root), errno_text(errno)),
                 ""};
  return FileReader(std::move(fd), follow, max_size);
}

/// The descriptor of a folder, by steps from the root; -1 and errno.
int FileReader::enter_folder(std::string_view folder) {
  if (folder.empty()) return root_.get();
  if (folder_fd_ && folder == folder_) return folder_fd_.get();
  Descriptor at;
  for (std::string_view rest = folder; !rest.empty();) {
    const std::size_t slash = std::min(rest.find('/'), rest.size());
    const std::string name(rest.substr(0, slash));
    rest.remove_prefix(std::min(slash + 1, rest.size()));
    const int parent = at ? at.get() : root_.get();
    at = Descriptor(::openat(parent, name.c_str(), kFolderFlags | O_NOFOLLOW));
    if (!at) return -1;
  }
  folder_ = folder;
  folder_fd_ = std::move(at);
  return folder_fd_.get();
}

int FileReader::open_file(const std::string& path) {
  constexpr int kFileFlags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
  if (follow_) return ::openat(root_.get(), path.c_str(), kFileFlags);
  const int folder = enter_folder(folder_of(path));
  if (folder < 0) return -1;
  return ::openat(folder, std::string(file_name_of(path)).c_str(), kFileFlags | O_NOFOLLOW);
}

std::variant<FileBytes, SkipReason, Vanished> FileReader::read(const std::string& path) {
  const Descriptor fd(open_file(path));
  if (!fd) {
    if (errno == ENOENT || errno == ENOTDIR || errno == ELOOP) return Vanished{};
    return errno == ENXIO ? SkipReason::Special : SkipReason::Unreadable;  // ENXIO: a socket
  }
  struct stat st;
  if (::fstat(fd.get(), &st) != 0) return SkipReason::Unreadable;
  if (S_ISDIR(st.st_mode)) return Vanished{};
  if (!S_ISREG(st.st_mode)) return SkipReason::Special;
  if (static_cast<std::uint64_t>(st.st_size) > max_size_) return SkipReason::TooLarge;

  // One byte more than expected: a file that grows meanwhile is read on, up to the limit.
  std::size_t size = 0;
  const std::size_t expected = static_cast<std::size_t>(st.st_size) + 1;
  if (buffer_.size() < expected) buffer_.resize(expected);
  while (true) {
    if (size == buffer_.size()) buffer_.resize(std::min<std::uint64_t>(size * 2, max_size_ + 1));
    const ssize_t n = ::read(fd.get(), buffer_.data() + size, buffer_.size() - size);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return SkipReason::Unreadable;
    if (n == 0) break;
    size += static_cast<std::size_t>(n);
    if (size > max_size_) return SkipReason::TooLarge;
  }
  return FileBytes{std::string_view(buffer_).substr(0, size), stat_of(st)};
}

}  // namespace kw::indexer
