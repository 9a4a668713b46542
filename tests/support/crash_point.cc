// SPDX-License-Identifier: GPL-2.0-or-later
// Preloaded into a program under test: kills it, as kill -9 does, right before the Nth of the calls
// that put things on disk. N is KW_CRASH_AT, counted from 1. So every moment that matters is tried,
// without a clock.
#include <dlfcn.h>
#include <signal.h>
#include <sys/types.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>

namespace {

std::atomic<long> calls{0};

void count_call() {
  const char* const at = std::getenv("KW_CRASH_AT");
  if (at && ++calls == std::atol(at)) ::kill(::getpid(), SIGKILL);
}

template <class F>
F* original(const char* name) {
  return reinterpret_cast<F*>(::dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" {

int rename(const char* from, const char* to) noexcept {
  count_call();
  return original<int(const char*, const char*)>("rename")(from, to);
}

int fsync(int fd) {
  count_call();
  return original<int(int)>("fsync")(fd);
}

int fdatasync(int fd) {
  count_call();
  return original<int(int)>("fdatasync")(fd);
}

int mkdir(const char* path, mode_t mode) noexcept {
  count_call();
  return original<int(const char*, mode_t)>("mkdir")(path, mode);
}

int unlinkat(int folder, const char* path, int flags) noexcept {
  count_call();
  return original<int(int, const char*, int)>("unlinkat")(folder, path, flags);
}

}  // extern "C"
