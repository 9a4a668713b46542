// SPDX-License-Identifier: GPL-2.0-or-later
#include "exporter/output/file_hash.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <memory>
#include <string_view>

#include "schema/base/descriptor.h"

namespace kw::exporter {

std::optional<ContentHash> hash_of_file(int fd, std::uint64_t& bytes) {
  ContentHasher hasher;
  constexpr std::size_t kPiece = 1 << 16;
  const auto piece = std::make_unique_for_overwrite<char[]>(kPiece);
  while (true) {
    const ssize_t n = ::read(fd, piece.get(), kPiece);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return std::nullopt;
    if (n == 0) return hasher.hash();
    hasher.add({piece.get(), static_cast<std::size_t>(n)});
    bytes += static_cast<std::uint64_t>(n);
  }
}

std::optional<ContentHash> hash_of_file(const std::string& path) {
  const Descriptor fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  std::uint64_t bytes = 0;
  return fd ? hash_of_file(fd.get(), bytes) : std::nullopt;
}

void FilesHash::add(const std::string& name, const ContentHash& content) {
  hasher_.add(name);
  hasher_.add(std::string_view("\0", 1));
  hasher_.add({reinterpret_cast<const char*>(content.data()), content.size()});
}

}  // namespace kw::exporter
