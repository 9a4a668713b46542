// SPDX-License-Identifier: GPL-2.0-or-later
// The hash of a file's bytes, read in pieces: who knows how large it is.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "schema/index/record.h"

namespace kw::exporter {

/// From where `fd` stands to the end. `bytes` grows by what was read. Nothing, with errno, if it
/// cannot be read.
std::optional<ContentHash> hash_of_file(int fd, std::uint64_t& bytes);
std::optional<ContentHash> hash_of_file(const std::string& path);

/// One hash of many files, by name and content, in the order in which they are added.
class FilesHash {
 public:
  void add(const std::string& name, const ContentHash& content);
  std::string hex() const { return to_hex(hasher_.hash()); }

 private:
  ContentHasher hasher_;
};

}  // namespace kw::exporter
