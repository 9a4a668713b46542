// SPDX-License-Identifier: GPL-2.0-or-later
// A temporary file without a name, for what an export needs again but does not keep in memory: it
// grows at its end, is read at any place, and is gone when its object or the process is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "schema/base/descriptor.h"
#include "schema/base/result.h"

namespace kw::exporter {

class SpillFile {
 public:
  /// Of no file: nothing can be appended to it.
  SpillFile() = default;

  /// In $TMPDIR, else in /tmp. Fails where no file can be made there.
  static Result<SpillFile> create();

  /// Appends bytes, which are at place size() then. Fails where there is no room.
  Result<void> append(std::string_view bytes);

  std::uint64_t size() const { return written_ + buffer_.size(); }

  /// Writes what is still in memory. Before the first read, and after each append before another.
  Result<void> flush();

  /// The `length` bytes at a place, all of them appended and flushed. Several threads may read.
  Result<std::string> read(std::uint64_t begin, std::size_t length) const;

 private:
  Descriptor file_;
  std::string buffer_;
  std::uint64_t written_ = 0;
};

/// Reads a spill file in the order of its bytes, or nearly so, with few calls.
class SpillReader {
 public:
  /// `file` must outlive it, and is flushed.
  explicit SpillReader(const SpillFile& file) : file_(&file) {}

  /// Bytes that stay valid until the next call.
  Result<std::string_view> read(std::uint64_t begin, std::size_t length);

 private:
  const SpillFile* file_;
  std::string held_;
  std::uint64_t begin_ = 0;  ///< of what is held
};

}  // namespace kw::exporter
