// SPDX-License-Identifier: GPL-2.0-or-later
// Preloaded into a program under test: a disk that fails, or a machine that dies, at a chosen call.
// So every moment that matters is tried, without a clock. N counts from 1.
//
//   KW_CRASH_AT=N        kill -9 right before the Nth call that changes the disk
//   KW_FAIL_AT=N         that call and all after it that need space fail with KW_ERRNO, as on a
//                        full disk; calls that only remove go on
//   KW_FAIL_ONCE=1       only the Nth fails
//   KW_FAIL_READ_AT=N    the Nth read(2) or pread(2) of a regular file, and all after it, fail
//   KW_ERRNO=E           the number of the error (EIO)
//   KW_RUN_AT=N          right before the Nth read the shell runs KW_RUN, without this layer
//   KW_WHOLE_SECONDS=1   stat data as of a file system that keeps whole seconds
//   KW_CLOCK_AHEAD=S     the clock is S seconds ahead of the file system's, or behind
//   KW_MAX_WATCHES=N     the limit of inotify watches
//   KW_NO_LOCKS=1        a file system without locks: flock(2), and fcntl(2) for a lock, fail;
//                        2: fcntl(2) alone
//   KW_RESOLVER_HANGS=1  looking up the name of a host takes for ever
//   KW_COUNT=FILE        writes the numbers of both kinds of calls into FILE when the program ends
#include <dlfcn.h>
#include <fcntl.h>
#include <netdb.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace {

std::atomic<long> changes{0};
std::atomic<long> reads{0};

long number(const char* variable, long otherwise = 0) {
  const char* const text = std::getenv(variable);
  return text ? std::atol(text) : otherwise;
}

template <class F>
F* original(const char* name) {
  return reinterpret_cast<F*>(::dlsym(RTLD_NEXT, name));
}

/// True if the call is to fail; errno is set.
bool fails(long count, long at) {
  if (at == 0 || count < at || (count > at && number("KW_FAIL_ONCE"))) return false;
  errno = static_cast<int>(number("KW_ERRNO", EIO));
  return true;
}

/// Counts a call that changes the disk.
bool change_fails(bool needs_space = true) {
  const long count = ++changes;
  if (count == number("KW_CRASH_AT")) ::kill(::getpid(), SIGKILL);
  return needs_space && fails(count, number("KW_FAIL_AT"));
}

bool read_fails() {
  const long count = ++reads;
  if (count == number("KW_RUN_AT") &&
      std::system("exec env -u LD_PRELOAD sh -c \"$KW_RUN\"") != 0)  // NOLINT(cert-env33-c)
    std::abort();
  return fails(count, number("KW_FAIL_READ_AT"));
}

bool is_file(int fd) {
  struct stat st;
  return original<int(int, struct stat*)>("fstat")(fd, &st) == 0 && S_ISREG(st.st_mode);
}

int coarse(int result, struct stat* st) {
  static const bool whole_seconds = number("KW_WHOLE_SECONDS");
  if (result == 0 && whole_seconds)
    st->st_mtim.tv_nsec = st->st_ctim.tv_nsec = st->st_atim.tv_nsec = 0;
  return result;
}

/// True if locks up to this number of KW_NO_LOCKS are to fail; errno is set.
bool locks_fail(long at_most) {
  const long which = number("KW_NO_LOCKS");
  if (which == 0 || which > at_most) return false;
  errno = ENOLCK;
  return true;
}

mode_t mode_of(int flags, va_list& rest) {
  return flags & O_CREAT ? static_cast<mode_t>(va_arg(rest, int)) : 0;
}

[[gnu::destructor]] void write_counts() {
  const char* const path = std::getenv("KW_COUNT");
  if (!path) return;
  const int fd = original<int(const char*, int, ...)>("open")(
      path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);  // children do not count
  if (fd < 0) return;
  ::dprintf(fd, "%ld %ld\n", changes.load(), reads.load());
  ::close(fd);
}

}  // namespace

extern "C" {

int rename(const char* from, const char* to) noexcept {
  return change_fails() ? -1 : original<int(const char*, const char*)>("rename")(from, to);
}

int fsync(int fd) { return change_fails() ? -1 : original<int(int)>("fsync")(fd); }

int fdatasync(int fd) { return change_fails() ? -1 : original<int(int)>("fdatasync")(fd); }

int mkdir(const char* path, mode_t mode) noexcept {
  return change_fails() ? -1 : original<int(const char*, mode_t)>("mkdir")(path, mode);
}

int unlink(const char* path) noexcept {
  change_fails(false);
  return original<int(const char*)>("unlink")(path);
}

int unlinkat(int folder, const char* path, int flags) noexcept {
  change_fails(false);
  return original<int(int, const char*, int)>("unlinkat")(folder, path, flags);
}

int ftruncate(int fd, off_t size) noexcept {
  return change_fails(size > 0) ? -1 : original<int(int, off_t)>("ftruncate")(fd, size);
}
int ftruncate64(int fd, off64_t size) noexcept { return ftruncate(fd, size); }

ssize_t write(int fd, const void* bytes, size_t size) {
  if (is_file(fd) && change_fails()) return -1;
  return original<ssize_t(int, const void*, size_t)>("write")(fd, bytes, size);
}

ssize_t pwrite(int fd, const void* bytes, size_t size, off_t at) {
  if (change_fails()) return -1;
  return original<ssize_t(int, const void*, size_t, off_t)>("pwrite")(fd, bytes, size, at);
}
ssize_t pwrite64(int fd, const void* bytes, size_t size, off64_t at) {
  return pwrite(fd, bytes, size, at);
}

ssize_t read(int fd, void* bytes, size_t size) {
  if (is_file(fd) && read_fails()) return -1;
  return original<ssize_t(int, void*, size_t)>("read")(fd, bytes, size);
}

ssize_t pread(int fd, void* bytes, size_t size, off_t at) {
  if (read_fails()) return -1;
  return original<ssize_t(int, void*, size_t, off_t)>("pread")(fd, bytes, size, at);
}
ssize_t pread64(int fd, void* bytes, size_t size, off64_t at) { return pread(fd, bytes, size, at); }

int open(const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = mode_of(flags, rest);
  va_end(rest);
  if (flags & O_CREAT && change_fails()) return -1;
  return original<int(const char*, int, ...)>("open")(path, flags, mode);
}
int open64(const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = mode_of(flags, rest);
  va_end(rest);
  return open(path, flags, mode);
}

int inotify_add_watch(int fd, const char* path, uint32_t mask) noexcept {
  static std::atomic<long> watches{0};
  static const long limit = number("KW_MAX_WATCHES", -1);
  if (limit >= 0 && ++watches > limit) {
    errno = ENOSPC;
    return -1;
  }
  return original<int(int, const char*, uint32_t)>("inotify_add_watch")(fd, path, mask);
}

int flock(int fd, int operation) noexcept {
  return locks_fail(1) ? -1 : original<int(int, int)>("flock")(fd, operation);
}

int fcntl(int fd, int command, ...) {
  va_list rest;
  va_start(rest, command);
  void* const argument = va_arg(rest, void*);  // whatever it is, it has that size
  va_end(rest);
  const bool is_lock = command == F_SETLK || command == F_SETLKW || command == F_OFD_SETLK ||
                       command == F_OFD_SETLKW;
  if (is_lock && locks_fail(2)) return -1;
  return original<int(int, int, ...)>("fcntl")(fd, command, argument);
}
int fcntl64(int fd, int command, ...) {
  va_list rest;
  va_start(rest, command);
  void* const argument = va_arg(rest, void*);
  va_end(rest);
  return fcntl(fd, command, argument);
}

int getaddrinfo(const char* host, const char* service, const addrinfo* hints, addrinfo** found) {
  const auto resolve =
      original<int(const char*, const char*, const addrinfo*, addrinfo**)>("getaddrinfo");
  addrinfo numeric = *hints;
  numeric.ai_flags |= AI_NUMERICHOST;  // numbers need no name server
  const bool is_name = resolve(host, service, &numeric, found) == EAI_NONAME;
  while (is_name && number("KW_RESOLVER_HANGS") && !(hints->ai_flags & AI_NUMERICHOST)) ::pause();
  return resolve(host, service, hints, found);
}

int clock_gettime(clockid_t clock, timespec* time) noexcept {
  const int result = original<int(clockid_t, timespec*)>("clock_gettime")(clock, time);
  if (result == 0 && clock == CLOCK_REALTIME) time->tv_sec += number("KW_CLOCK_AHEAD");
  return result;
}

int stat(const char* path, struct stat* st) noexcept {
  return coarse(original<int(const char*, struct stat*)>("stat")(path, st), st);
}
int lstat(const char* path, struct stat* st) noexcept {
  return coarse(original<int(const char*, struct stat*)>("lstat")(path, st), st);
}
int fstat(int fd, struct stat* st) noexcept {
  return coarse(original<int(int, struct stat*)>("fstat")(fd, st), st);
}
int fstatat(int folder, const char* path, struct stat* st, int flags) noexcept {
  return coarse(
      original<int(int, const char*, struct stat*, int)>("fstatat")(folder, path, st, flags), st);
}

}  // extern "C"
