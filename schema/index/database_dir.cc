// SPDX-License-Identifier: GPL-2.0-or-later
#include "schema/index/database_dir.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/fs.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>
#include <thread>

#include "schema/text/text.h"

namespace fs = std::filesystem;

namespace kw {
namespace {

Error io_error(const char* what, const std::string& path, int error) {
  return {ErrorCode::Failed,
          fmt::format("cannot {} '{}': {}", what, printable(path), errno_text(error)),
          error == ENOSPC || error == EDQUOT ? "free some space and run it again" : ""};
}

Result<void> sync_path(const std::string& path) {
  const Descriptor fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  if (!fd || ::fsync(fd.get()) != 0) return io_error("sync", path, errno);
  return {};
}

constexpr std::string_view kGenerationPrefix = "gen-";
constexpr std::string_view kUnfinishedSuffix = ".tmp";

/// What write_file_atomically leaves of a file of ours when it is killed.
bool is_temporary_of_ours(std::string_view name) {
  return name.ends_with(kUnfinishedSuffix) &&
         (name.starts_with("XAPIANDB.") || name.starts_with("status.json."));
}

}  // namespace

std::string errno_text(int error) {
  std::string text = std::generic_category().message(error);
  if (!text.empty() && text[0] >= 'A' && text[0] <= 'Z') text[0] = static_cast<char>(text[0] + 32);
  return text;
}

std::string generation_name(std::uint32_t number) {
  return fmt::format("{}{}", kGenerationPrefix, number);
}

std::optional<std::uint32_t> parse_generation_name(std::string_view name) {
  if (!name.starts_with(kGenerationPrefix)) return std::nullopt;
  name.remove_prefix(kGenerationPrefix.size());
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (error != std::errc() || end != name.data() + name.size() || name.size() > 9)
    return std::nullopt;
  if (name.size() > 1 && name.front() == '0') return std::nullopt;  // one name a number
  return number;
}

namespace {

bool may_not_read(int why) { return why == EACCES || why == EPERM; }

}  // namespace

Result<std::uint32_t> DatabaseFolder::live_generation() const {
  struct stat st;
  const std::string shown = printable(path_);
  if (::stat(path_.c_str(), &st) != 0)
    return Error{ErrorCode::NotFound,
                 fmt::format("cannot open index '{}': {}", shown, errno_text(errno)),
                 may_not_read(errno) ? kMayNotReadHint : "create it with: kwindex FOLDER"};
  if (!S_ISDIR(st.st_mode))
    return Error{ErrorCode::NotFound, fmt::format("cannot open index '{}': not a folder", shown),
                 "name the folder of an index; only kwsearch takes a list of some"};
  const Descriptor fd(::open(stub().c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  if (!fd) {
    const int why = errno;
    const bool too_many = why == EMFILE || why == ENFILE;
    return Error{why == ELOOP                    ? ErrorCode::Refused
                 : too_many || may_not_read(why) ? ErrorCode::Failed
                                                 : ErrorCode::NotFound,
                 fmt::format("cannot open index '{}': its file {} cannot be read ({})", shown,
                             kStubName, errno_text(why)),
                 too_many            ? kTooManyFilesHint
                 : may_not_read(why) ? kMayNotReadHint
                                     : "create it with: kwindex FOLDER"};
  }
  char buffer[64];
  const ssize_t n = ::read(fd.get(), buffer, sizeof buffer);
  std::string_view line(buffer, n > 0 ? static_cast<std::size_t>(n) : 0);
  if (line.ends_with('\n')) line.remove_suffix(1);
  const bool known = line.starts_with("auto ");
  const auto number = known ? parse_generation_name(line.substr(5)) : std::nullopt;
  if (!number)
    return Error{
        ErrorCode::Refused,
        fmt::format(
            "refused index '{}': its file {} names something other than a generation inside it",
            shown, kStubName),
        "remove the folder and build the index again with: kwindex FOLDER"};
  if (::lstat(generation(*number).c_str(), &st) != 0)
    return Error{
        ErrorCode::Corrupt,
        fmt::format("cannot open index '{}': {} is missing", shown, generation_name(*number)),
        "rebuild it with: kwindex --rebuild"};
  if (!S_ISDIR(st.st_mode))
    return Error{
        ErrorCode::Refused,
        fmt::format("refused index '{}': {} is no real folder", shown, generation_name(*number)),
        "remove the folder and build the index again with: kwindex FOLDER"};
  // A link inside would make a writer change a file elsewhere.
  std::error_code error;
  for (fs::directory_iterator it(generation(*number), error), end; !error && it != end;
       it.increment(error))
    if (!it->is_regular_file(error) || it->is_symlink(error))
      return Error{ErrorCode::Refused,
                   fmt::format("refused index '{}': {} holds something other than files", shown,
                               generation_name(*number)),
                   "remove the folder and build the index again with: kwindex FOLDER"};
  return *number;
}

std::uint64_t DatabaseFolder::live_bytes() const {
  const auto live = live_generation();
  return live ? folder_bytes(generation(*live)) : 0;
}

std::optional<std::string> DatabaseFolder::foreign_name() const {
  struct stat st;
  if (::lstat(stub().c_str(), &st) == 0) return std::nullopt;
  std::error_code error;
  for (fs::directory_iterator it(path_, error), end; !error && it != end; it.increment(error)) {
    const std::string name = it->path().filename().string();
    std::string_view stem = name;
    if (stem.ends_with(kUnfinishedSuffix)) stem.remove_suffix(kUnfinishedSuffix.size());
    const bool ours = name == "lock" || name == "status.json" || name == ".gitignore" ||
                      parse_generation_name(stem) || is_temporary_of_ours(name);
    if (!ours) return name;
  }
  return std::nullopt;
}

std::vector<std::uint32_t> DatabaseFolder::generations() const {
  std::vector<std::uint32_t> numbers;
  std::error_code error;
  for (fs::directory_iterator it(path_, error), end; !error && it != end; it.increment(error)) {
    std::string name = it->path().filename().string();
    if (name.ends_with(kUnfinishedSuffix)) name.resize(name.size() - kUnfinishedSuffix.size());
    if (const auto n = parse_generation_name(name)) numbers.push_back(*n);
  }
  return numbers;
}

Result<bool> DatabaseFolder::create(bool shared) const {
  struct stat st;
  bool created = false;
  if (::lstat(path_.c_str(), &st) != 0) {
    std::error_code error;
    const fs::path parent = fs::path(path_).parent_path();
    if (!parent.empty()) fs::create_directories(parent, error);
    // Another run may make it in the same moment.
    created = ::mkdir(path_.c_str(), shared ? 0777 : 0700) == 0;
    if (!created && errno != EEXIST) return io_error("create", path_, errno);
    if (::lstat(path_.c_str(), &st) != 0) return io_error("create", path_, errno);
  }
  if (!S_ISDIR(st.st_mode))
    return Error{ErrorCode::Refused,
                 fmt::format("'{}' is in the way: not a folder of an index", printable(path_)),
                 "name another place with: --db FOLDER"};
  // Not by way of a temporary file: there is no lock yet, and the owner of it removes those.
  const std::string ignore = path_ + "/.gitignore";
  if (::lstat(ignore.c_str(), &st) == 0 && st.st_size > 0) return created;
  const Descriptor fd(
      ::open(ignore.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666));
  if (!fd || ::write(fd.get(), "*\n", 2) != 2) return io_error("write", ignore, errno);
  return created;
}

Result<void> DatabaseFolder::switch_to(std::uint32_t n) const {
  // The generation's name must be on disk before the stub that names it.
  KW_TRY(sync_path(path_));
  return write_file_atomically(stub(), fmt::format("auto {}\n", generation_name(n)));
}

void DatabaseFolder::remove_leftovers(const std::vector<std::uint32_t>& keep) const {
  std::error_code ignored;  // what cannot be removed is tried again by the next run
  for (const std::uint32_t n : generations()) {
    fs::remove_all(unfinished_generation(n), ignored);
    if (std::find(keep.begin(), keep.end(), n) == keep.end() &&
        !ReaderLock::is_shared(generation(n)))
      fs::remove_all(generation(n), ignored);
  }
  std::vector<fs::path> temporary;  // listed first: not to remove under the iterator
  for (fs::directory_iterator it(path_, ignored), end; !ignored && it != end; it.increment(ignored))
    if (is_temporary_of_ours(it->path().filename().string())) temporary.push_back(it->path());
  for (const fs::path& file : temporary) fs::remove(file, ignored);
}

std::string resolve_database_path(const std::string& given) {
  std::string path = given;
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  struct stat st;
  std::string inside = path + "/" + std::string(kDatabaseFolderName);
  if (file_name_of(path) != kDatabaseFolderName &&
      ::stat((path + "/" + std::string(kStubName)).c_str(), &st) != 0 &&
      ::stat(inside.c_str(), &st) == 0 && S_ISDIR(st.st_mode))
    return inside;
  return path;
}

std::optional<std::string> find_database_above(const std::string& start) {
  for (fs::path folder = start;; folder = folder.parent_path()) {
    const fs::path candidate = folder / kDatabaseFolderName;
    struct stat st;
    if (::stat(candidate.c_str(), &st) == 0 && S_ISDIR(st.st_mode)) return candidate.string();
    if (folder == folder.parent_path()) return std::nullopt;
  }
}

namespace {

// A writer that is killed while it starts a program leaves a child that has its lock until that
// program runs, moments later.
constexpr double kDeadHolderSeconds = 2;

/// The process that last took the lock; 0 if none is named.
int holder_written_in(int fd) {
  char holder[32] = {};
  const ssize_t n = ::pread(fd, holder, sizeof holder - 1, 0);
  int pid = 0;
  if (n > 0) std::from_chars(holder, holder + n, pid);
  return pid;
}

}  // namespace

Result<WriterLock> WriterLock::acquire(const DatabaseFolder& folder, double wait_seconds) {
  const std::string path = folder.lock();
  const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
  if (fd < 0) return io_error("open the lock file", path, errno);
  WriterLock lock(fd);
  const auto from = std::chrono::steady_clock::now();
  while (::flock(fd, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK && errno != EINTR)
      return Error{ErrorCode::Failed,
                   fmt::format("cannot lock '{}': {}", printable(path), errno_text(errno)),
                   "keep the index where files can be locked: --db FOLDER"};
    const int pid = holder_written_in(fd);
    const bool is_dead = pid > 0 && ::kill(pid, 0) != 0 && errno == ESRCH;
    const double patience = is_dead ? std::max(wait_seconds, kDeadHolderSeconds) : wait_seconds;
    if (std::chrono::steady_clock::now() - from >= std::chrono::duration<double>(patience)) {
      return Error{
          ErrorCode::Locked,
          pid > 0
              ? fmt::format("index '{}' is locked by process {}", printable(folder.path()), pid)
              : fmt::format("index '{}' is locked by another process", printable(folder.path())),
          "wait for it, or use --wait SECONDS"};
    }
    std::this_thread::sleep_for(
        std::chrono::milliseconds(50));  // flock(2) has no deadline of its own
  }
  const std::string pid = fmt::format("{}\n", ::getpid());
  if (::ftruncate(fd, 0) != 0 || ::pwrite(fd, pid.data(), pid.size(), 0) < 0)
    return io_error("write the lock file", path, errno);
  return lock;
}

WriterLock::WriterLock(WriterLock&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}

WriterLock& WriterLock::operator=(WriterLock&& other) noexcept {
  std::swap(fd_, other.fd_);
  return *this;
}

WriterLock::~WriterLock() {
  if (fd_ >= 0) ::close(fd_);  // releases the lock
}

namespace {

Descriptor open_directory(const std::string& path) {
  return Descriptor(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW));
}

}  // namespace

ReaderLock ReaderLock::share(const std::string& generation) {
  // A writer that asks is_shared() holds the other lock for a moment. Who holds it longer means
  // harm, and must not stop a reader.
  constexpr int kTries = 100;
  Descriptor folder = open_directory(generation);
  for (int i = 0; folder && i < kTries; ++i) {
    if (::flock(folder.get(), LOCK_SH | LOCK_NB) == 0) return ReaderLock(std::move(folder));
    if (errno != EWOULDBLOCK && errno != EINTR) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return {};
}

bool ReaderLock::is_shared(const std::string& generation) {
  const Descriptor folder = open_directory(generation);
  return folder && ::flock(folder.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

std::optional<int> lock_holder(const DatabaseFolder& folder) {
  struct stat st;
  if (::lstat(folder.lock().c_str(), &st) != 0) return std::nullopt;
  const std::string inode = fmt::format(":{}", st.st_ino);
  // "1: FLOCK  ADVISORY  WRITE 4711 08:01:131074 0 EOF"; of waiting ones "1: -> FLOCK ...".
  std::ifstream locks("/proc/locks");
  for (std::string line; std::getline(locks, line);) {
    std::istringstream words(line);
    std::string number, type, advisory, access, where;
    int process = 0;
    words >> number >> type >> advisory >> access >> process >> where;
    if (type == "FLOCK" && access == "WRITE" && where.ends_with(inode) && process > 0)
      return process;
  }
  return std::nullopt;
}

Result<void> write_file_atomically(const std::string& path, std::string_view bytes) {
  const std::string temporary = fmt::format("{}.{}.tmp", path, ::getpid());
  const auto fail = [&](int error) {
    ::unlink(temporary.c_str());
    return io_error("write", path, error);
  };
  {
    const Descriptor fd(
        ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666));
    if (!fd) return io_error("write", path, errno);
    for (std::string_view rest = bytes; !rest.empty();) {
      const ssize_t n = ::write(fd.get(), rest.data(), rest.size());
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) return fail(errno);
      rest.remove_prefix(static_cast<std::size_t>(n));
    }
    if (::fsync(fd.get()) != 0) return fail(errno);
  }
  if (::rename(temporary.c_str(), path.c_str()) != 0) return fail(errno);
  const std::string folder(folder_of(path));
  return sync_path(folder.empty() ? (path.starts_with('/') ? "/" : ".") : folder);
}

Result<std::string> database_to_read(const std::string& given) {
  if (!given.empty()) return resolve_database_path(given);
  if (const char* const db = std::getenv("KWSEARCH_DB"); db && *db)
    return resolve_database_path(db);
  std::error_code error;
  const fs::path here = fs::current_path(error);
  if (auto above = error ? std::nullopt : find_database_above(here.string()))
    return *std::move(above);
  return Error{ErrorCode::NotFound, "no index here or in a folder above",
               "create one with: kwindex FOLDER, or name one with: --db FOLDER"};
}

Result<std::string> read_file(const std::string& path, std::uint64_t limit) {
  const Descriptor fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat st;
  if (!fd || ::fstat(fd.get(), &st) != 0) return io_error("read", path, errno);
  if (!S_ISREG(st.st_mode)) return io_error("read", path, S_ISDIR(st.st_mode) ? EISDIR : EINVAL);
  std::string bytes;
  bytes.resize(std::min<std::uint64_t>(static_cast<std::uint64_t>(st.st_size), limit) + 1);
  std::size_t size = 0;
  while (true) {
    const ssize_t n = ::read(fd.get(), bytes.data() + size, bytes.size() - size);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return io_error("read", path, errno);
    if (n == 0) break;
    size += static_cast<std::size_t>(n);
    if (size > limit)
      return Error{ErrorCode::Refused,
                   fmt::format("'{}' is larger than {}", printable(path), human_size(limit)), ""};
    if (size == bytes.size()) bytes.resize(std::min<std::uint64_t>(bytes.size() * 2, limit + 1));
  }
  bytes.resize(size);
  return bytes;
}

Result<void> sync_tree(const std::string& path) {
  std::error_code error;
  for (fs::recursive_directory_iterator it(path, error), end; !error && it != end;
       it.increment(error))
    KW_TRY(sync_path(it->path().string()));
  if (error) return io_error("sync", path, error.value());
  return sync_path(path);
}

Result<void> copy_generation(const std::string& from, const std::string& to) {
  if (::mkdir(to.c_str(), 0777) != 0) return io_error("create", to, errno);
  std::error_code error;
  for (fs::directory_iterator it(from, error), end; !error && it != end; it.increment(error)) {
    const std::string target = to + "/" + it->path().filename().string();
    const Descriptor in(::open(it->path().c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
    if (!in) return io_error("read", it->path(), errno);
    struct stat st;
    if (::fstat(in.get(), &st) != 0) return io_error("read", it->path(), errno);
    const Descriptor out(
        ::open(target.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, st.st_mode & 0777));
    if (!out) return io_error("write", target, errno);
    if (::ioctl(out.get(), FICLONE, in.get()) == 0) continue;
    // The system's own copy shares blocks, too, where it can.
    for (off_t left = st.st_size; left > 0;) {
      const ssize_t n = ::copy_file_range(in.get(), nullptr, out.get(), nullptr,
                                          static_cast<std::size_t>(left), 0);
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) return io_error("write", target, errno);
      if (n == 0) break;
      left -= n;
    }
  }
  if (error) return io_error("read", from, error.value());
  return {};
}

std::uint64_t folder_bytes(const std::string& path) {
  std::uint64_t sum = 0;
  std::error_code error;
  for (fs::recursive_directory_iterator it(path, error), end; !error && it != end;
       it.increment(error)) {
    std::error_code ignored;
    if (it->is_regular_file(ignored)) sum += it->file_size(ignored);
  }
  return sum;
}

}  // namespace kw
