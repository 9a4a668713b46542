// SPDX-License-Identifier: GPL-2.0-or-later
#include "exporter/output/output_dir.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <utility>

#include "exporter/output/file_hash.h"
#include "schema/base/bounds.h"
#include "schema/index/database_dir.h"
#include "schema/index/manifest.h"
#include "schema/index/record.h"
#include "schema/text/text.h"

namespace kw::exporter {
namespace {

// One name in the folder itself, for all pages: a page's own name may have no byte left, and what a
// killed run leaves is replaced by the next. The lock keeps others from it.
constexpr const char* kTemporaryName = ".kwexport.tmp";
// A million pages with paths of a hundred bytes take 100 MB; what is larger is no manifest of ours.

// What is read back: lists and chunks.
constexpr std::uint64_t kMaxReadBytes = 64u << 20;

constexpr int kReadFlags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
constexpr int kFolderFlags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_DIRECTORY;

Error page_error(const char* attempt, const std::string& page, int error) {
  const bool blocked = error == ENOTDIR || error == ELOOP;
  const bool full = error == ENOSPC || error == EDQUOT;
  return {
      ErrorCode::Failed,
      fmt::format("cannot {} page '{}': {}", attempt, page,
                  blocked ? "a folder on its way is a file or a symbolic link" : errno_text(error)),
      full ? "free some space and run it again" : ""};
}

Error in_the_way(const std::string& page, bool adoptable) {
  return {ErrorCode::Refused,
          fmt::format("page '{}' is not written: a file that kwexport did not make is in the way",
                      page),
          adoptable ? "take it over with --adopt" : "move it away and run it again"};
}

/// False, with errno, if not all could be written.
bool write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

/// rename(2) that fails with EEXIST where something lies at the target already.
int rename_to_absent(int from, const char* name, int to, const char* target) {
  if (::renameat2(from, name, to, target, RENAME_NOREPLACE) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return -1;
  struct stat st;  // a file system that cannot do it in one step
  if (::fstatat(to, target, &st, AT_SYMLINK_NOFOLLOW) == 0) {
    errno = EEXIST;
    return -1;
  }
  return ::renameat(from, name, to, target);
}

/// Reads until `size` bytes or the end.
std::optional<std::string> read_some(int fd, std::size_t size) {
  std::string bytes(size, '\0');
  std::size_t got = 0;
  while (got < size) {
    const ssize_t n = ::read(fd, bytes.data() + got, size - got);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return std::nullopt;
    if (n == 0) break;
    got += static_cast<std::size_t>(n);
  }
  bytes.resize(got);
  return bytes;
}

/// Opens a regular file and tells its size; nothing else is opened, and no link followed.
Descriptor open_regular(int folder, const std::string& name, std::uint64_t& size) {
  Descriptor fd(::openat(folder, name.c_str(), kReadFlags));
  struct stat st;
  if (!fd || ::fstat(fd.get(), &st) != 0) return {};
  if (!S_ISREG(st.st_mode)) {
    errno = ELOOP;
    return {};
  }
  size = static_cast<std::uint64_t>(st.st_size);
  return fd;
}

/// An image of a site carries no mark: its name is the hash of its bytes, and an ending.
bool is_named_by_content(int folder, const std::string& name) {
  std::uint64_t size = 0, bytes = 0;
  if (name.find('.') != 2 * ContentHash().size()) return false;
  const Descriptor fd = open_regular(folder, name, size);
  const auto hash = fd ? hash_of_file(fd.get(), bytes) : std::nullopt;
  return hash && name.starts_with(to_hex(*hash));
}

bool begins_as_page(int folder, const std::string& name) {
  std::uint64_t size = 0;
  const Descriptor fd = open_regular(folder, name, size);
  const auto head = fd ? read_some(fd.get(), kMaxMarkBytes) : std::nullopt;
  return head && (begins_as_generated(*head) || is_named_by_content(folder, name));
}

bool has_bytes(int folder, const std::string& name, std::string_view bytes) {
  std::uint64_t size = 0;
  const Descriptor fd = open_regular(folder, name, size);
  return fd && size == bytes.size() && read_some(fd.get(), bytes.size() + 1) == bytes;
}

}  // namespace

Result<OutputDir> OutputDir::open(const std::string& path, Mode mode) {
  OutputDir dir;
  dir.path_ = path;
  dir.mode_ = mode;
  const auto fail = [&](const std::string& fact) {
    return Error{ErrorCode::Failed, fmt::format("cannot write to folder '{}': {}", path, fact), ""};
  };
  if (mode == Mode::Write) {
    std::error_code error;
    std::filesystem::create_directories(path, error);
    if (error) return fail(errno_text(error.value()));
  }
  // The folder itself may be a link: the person named it.
  dir.root_ = Descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_DIRECTORY));
  if (!dir.root_) {
    if (mode == Mode::DryRun && errno == ENOENT) return dir;
    return fail(errno_text(errno));
  }
  // Where the file system knows no locks, there is none.
  if (mode == Mode::Write && ::flock(dir.root_.get(), LOCK_EX | LOCK_NB) != 0 &&
      errno == EWOULDBLOCK)
    return Error{ErrorCode::Locked, fmt::format("another kwexport writes to '{}'", path),
                 "wait until it is done"};
  KW_TRY(dir.read_manifest());
  return dir;
}

Result<void> OutputDir::read_manifest() {
  std::uint64_t size = 0;
  const std::string name(kManifestName);
  const Descriptor fd = open_regular(root_.get(), name, size);
  if (!fd && errno == ENOENT) return {};
  const auto fail = [&](ErrorCode code, const std::string& fact) {
    return Error{code, fmt::format("cannot read the manifest '{}/{}': {}", path_, name, fact),
                 "remove it and run kwexport with --adopt"};
  };
  if (!fd)
    return errno == ELOOP || errno == ENXIO ? fail(ErrorCode::Refused, "it is no regular file")
                                            : fail(ErrorCode::Failed, errno_text(errno));
  if (size > kMaxManifestBytes) return fail(ErrorCode::Refused, "it is too large");
  auto bytes = read_some(fd.get(), size);
  if (!bytes) return fail(ErrorCode::Failed, errno_text(errno));
  manifest_ = KW_TRY(parse_manifest(*bytes));
  manifest_bytes_ = *std::move(bytes);
  return {};
}

/// The descriptor of a folder of ours, which stays this object's; -1 and errno if there is none.
int OutputDir::folder_fd(std::string_view folder, bool create) {
  if (folder.empty() || !root_) {
    errno = ENOENT;
    return root_.get();
  }
  if (folder == last_folder_) {
    if (last_folder_fd_) return last_folder_fd_.get();
    if (!create && is_last_missing_) {
      errno = ENOENT;
      return -1;
    }
  }
  last_folder_ = folder;
  last_folder_fd_ = {};
  is_last_missing_ = false;
  Descriptor at(::fcntl(root_.get(), F_DUPFD_CLOEXEC, 0));
  for (std::string_view rest = folder; at && !rest.empty();) {
    const std::size_t slash = rest.find('/');
    const std::string name(rest.substr(0, slash));
    rest.remove_prefix(slash == std::string_view::npos ? rest.size() : slash + 1);
    Descriptor next(::openat(at.get(), name.c_str(), kFolderFlags));
    if (!next && errno == ENOENT && create) {
      if (::mkdirat(at.get(), name.c_str(), 0777) != 0 && errno != EEXIST) return -1;
      next = Descriptor(::openat(at.get(), name.c_str(), kFolderFlags));
    }
    if (!next) {
      is_last_missing_ = errno == ENOENT;
      return -1;
    }
    at = std::move(next);
  }
  last_folder_fd_ = std::move(at);
  return last_folder_fd_.get();
}

std::string OutputDir::read(const std::string& page) {
  const int folder = manifest_.files.contains(page) ? folder_fd(folder_of(page), false) : -1;
  std::uint64_t size = 0;
  const Descriptor fd =
      folder < 0 ? Descriptor() : open_regular(folder, std::string(file_name_of(page)), size);
  if (!fd || size > kMaxReadBytes) return {};
  return read_some(fd.get(), size).value_or("");
}

void OutputDir::keep(const std::string& page) {
  const auto listed = manifest_.files.find(page);
  const std::string bytes = read(page);
  if (listed != manifest_.files.end() && !bytes.empty()) hashes_[*listed] = hash_content(bytes);
}

std::optional<OutputDir::Kept> OutputDir::kept(const std::string& inputs) {
  const ExportedState& state = manifest_.state;
  if (inputs.empty() || state.inputs != inputs) return std::nullopt;
  Kept kept{state.pages, manifest_.files.size(), 0};
  FilesHash all;
  for (const std::string& page : manifest_.files) {
    const int folder = folder_fd(folder_of(page), false);
    std::uint64_t size = 0;
    const Descriptor fd =
        folder < 0 ? Descriptor() : open_regular(folder, std::string(file_name_of(page)), size);
    const auto hash = fd ? hash_of_file(fd.get(), kept.bytes) : std::nullopt;
    if (!hash) return std::nullopt;
    all.add(page, *hash);
  }
  return all.hex() == state.content ? std::optional(kept) : std::nullopt;
}

Result<OutputDir::Removed> OutputDir::remove(const std::string& page) {
  const int folder = folder_fd(folder_of(page), false);
  const std::string name(file_name_of(page));
  struct stat st;
  if (folder < 0 || ::fstatat(folder, name.c_str(), &st, AT_SYMLINK_NOFOLLOW) != 0) {
    const bool gone = errno == ENOENT;
    const bool blocked = errno == ENOTDIR || errno == ELOOP;  // its folder is a file or a link now
    if (!gone && !blocked) return page_error("remove", page, errno);
    forget(page);
    return gone ? Removed::Gone : Removed::NotOurs;
  }
  if (!begins_as_page(folder, name)) {
    forget(page);
    return Removed::NotOurs;
  }
  if (mode_ == Mode::Write) {
    if (::unlinkat(folder, name.c_str(), 0) != 0) return page_error("remove", page, errno);
    remove_empty_folders(folder_of(page));
  }
  forget(page);
  return Removed::Yes;
}

/// It is listed no more.
void OutputDir::forget(const std::string& page) {
  new_.erase(page);
  hashes_.erase(page);
  manifest_.files.erase(page);
}

void OutputDir::remove_empty_folders(std::string_view folder) {
  while (!folder.empty()) {
    const int above = folder_fd(folder_of(folder), false);
    if (above < 0 ||
        ::unlinkat(above, std::string(file_name_of(folder)).c_str(), AT_REMOVEDIR) != 0)
      return;              // mostly: not empty
    last_folder_fd_ = {};  // it may be the one that is gone
    folder = folder_of(folder);
  }
}

Result<void> OutputDir::claim(const std::string& page, bool adopt) {
  if (manifest_.files.contains(page)) return {};
  if (page == kManifestName || page == kTemporaryName) return in_the_way(page, false);
  const int folder = folder_fd(folder_of(page), false);
  const std::string name(file_name_of(page));
  struct stat st;
  // A folder that cannot be opened is told of when the page is written.
  if (folder >= 0 && ::fstatat(folder, name.c_str(), &st, AT_SYMLINK_NOFOLLOW) == 0) {
    const bool adoptable = begins_as_page(folder, name);
    if (!adoptable || !adopt) return in_the_way(page, adoptable);
  } else {
    new_.insert(*manifest_.files.insert(page).first);
  }
  manifest_.files.insert(page);
  return {};
}

Result<void> OutputDir::begin() { return write_manifest(); }

Result<void> OutputDir::finish(const std::string& inputs, std::uint64_t pages) {
  manifest_.state = {};
  const auto is_written = [&](const std::string& page) { return hashes_.contains(page); };
  if (!inputs.empty() && std::all_of(manifest_.files.begin(), manifest_.files.end(), is_written)) {
    FilesHash all;
    for (const std::string& page : manifest_.files) all.add(page, hashes_.at(page));
    manifest_.state = {inputs, all.hex(), pages};
  }
  return write_manifest();
}

Result<OutputDir::Written> OutputDir::write(const std::string& page, std::string_view bytes) {
  const bool dry = mode_ == Mode::DryRun;
  const bool is_new = new_.contains(page);
  const auto fail = [&](Error error) {
    hashes_.erase(page);
    if (is_new) forget(page);  // else the page of an earlier run is still there
    return error;
  };
  const int folder = folder_fd(folder_of(page), !dry);
  if (folder < 0) {
    if (dry && errno == ENOENT) return Written::Changed;
    return fail(page_error("write", page, errno));
  }
  const std::string name(file_name_of(page));
  const auto listed = manifest_.files.find(page);
  if (listed != manifest_.files.end()) hashes_[*listed] = hash_content(bytes);
  if (!is_new && has_bytes(folder, name, bytes)) return Written::Unchanged;
  if (dry) return Written::Changed;
  // No sync: a page that a power cut spoils differs from what it should be, and is written again.
  const int error = put_file(folder, name, bytes, is_new ? Put::New : Put::Replace);
  if (error == EEXIST) return fail(in_the_way(page, false));
  if (error != 0) return fail(page_error("write", page, error));
  return Written::Changed;
}

/// By way of the temporary file. 0, or the errno.
int OutputDir::put_file(int folder, const std::string& name, std::string_view bytes, Put how) {
  const int root = root_.get();
  const auto fail = [&](int error) {
    ::unlinkat(root, kTemporaryName, 0);
    return error;
  };
  {
    const auto create = [root] {
      return Descriptor(::openat(root, kTemporaryName,
                                 O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666));
    };
    Descriptor fd = create();
    if (!fd && errno == EEXIST) {  // of a run that was killed
      ::unlinkat(root, kTemporaryName, 0);
      fd = create();
    }
    if (!fd) return errno;
    if (!write_all(fd.get(), bytes)) return fail(errno);
    if (how == Put::ReplaceSynced && ::fsync(fd.get()) != 0) return fail(errno);
  }
  const int renamed = how == Put::New ? rename_to_absent(root, kTemporaryName, folder, name.c_str())
                                      : ::renameat(root, kTemporaryName, folder, name.c_str());
  return renamed == 0 ? 0 : fail(errno);
}

Result<void> OutputDir::write_manifest() {
  if (mode_ == Mode::DryRun || (manifest_.files.empty() && manifest_bytes_.empty())) return {};
  std::string bytes = format_manifest(manifest_);
  if (bytes == manifest_bytes_) return {};
  // Synced, or a power cut could leave pages that no manifest lists.
  if (const int error =
          put_file(root_.get(), std::string(kManifestName), bytes, Put::ReplaceSynced))
    return Error{ErrorCode::Failed,
                 fmt::format("cannot write the manifest '{}/{}': {}", path_, kManifestName,
                             errno_text(error)),
                 ""};
  manifest_bytes_ = std::move(bytes);
  return {};
}

}  // namespace kw::exporter
