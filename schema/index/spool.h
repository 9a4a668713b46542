// SPDX-License-Identifier: GPL-2.0-or-later
// Files that a build writes from start to end and reads once, in the same order. Both throw
// Xapian::DatabaseError, as the database does that they become.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "schema/base/descriptor.h"

namespace kw {

/// A new file.
class SpoolWriter {
 public:
  explicit SpoolWriter(const std::string& path);

  void write(std::string_view bytes);
  /// In LEB128: see leb128.h.
  void number(std::uint64_t n);
  /// The number of bytes, then the bytes.
  void string(std::string_view bytes);
  /// Writes what is left and closes.
  void finish();

 private:
  void flush();

  Descriptor file_;
  std::string pending_;
};

/// What a SpoolWriter wrote.
class SpoolReader {
 public:
  explicit SpoolReader(const std::string& path);

  bool at_end();
  std::uint64_t number();
  /// Valid until the next call.
  std::string_view bytes(std::size_t size);
  std::string_view string() { return bytes(number()); }

 private:
  std::size_t left() const { return end_ - at_; }
  /// Reads until `size` bytes are at hand, or the file ends.
  void fill(std::size_t size);

  Descriptor file_;
  std::vector<char> buffer_;
  std::size_t at_ = 0, end_ = 0;
};

}  // namespace kw
