// SPDX-License-Identifier: GPL-2.0-or-later
#include "schema/index/spool.h"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "schema/base/xapian_api.h"
#include "schema/index/glass_packer.h"

namespace kw {
namespace {

constexpr std::size_t kWriteAtOnce = 256 << 10;
// A merge has one of these for each of some hundred files.
constexpr std::size_t kReadAtOnce = 32 << 10;

}  // namespace

SpoolWriter::SpoolWriter(const std::string& path)
    : file_(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666)) {
  if (!file_) throw Xapian::DatabaseError("cannot create a file", errno);
}

void SpoolWriter::write(std::string_view bytes) {
  pending_ += bytes;
  if (pending_.size() >= kWriteAtOnce) flush();
}

void SpoolWriter::number(std::uint64_t n) { pack_number(pending_, n); }

void SpoolWriter::string(std::string_view bytes) {
  number(bytes.size());
  write(bytes);
}

void SpoolWriter::flush() {
  for (std::string_view rest = pending_; !rest.empty();) {
    const ssize_t n = ::write(file_.get(), rest.data(), rest.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw Xapian::DatabaseError("a write failed", errno);
    rest.remove_prefix(static_cast<std::size_t>(n));
  }
  pending_.clear();
}

void SpoolWriter::finish() {
  flush();
  if (::close(std::exchange(file_, Descriptor()).release()) != 0)
    throw Xapian::DatabaseError("a write failed", errno);
}

SpoolReader::SpoolReader(const std::string& path)
    : file_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)), buffer_(kReadAtOnce) {
  if (!file_) throw Xapian::DatabaseError("cannot open a file", errno);
}

void SpoolReader::fill(std::size_t size) {
  if (left() >= size) return;
  std::memmove(buffer_.data(), buffer_.data() + at_, left());
  end_ -= std::exchange(at_, 0);
  if (buffer_.size() < size) buffer_.resize(std::max(size, kReadAtOnce));
  while (end_ < size) {
    const ssize_t n = ::read(file_.get(), buffer_.data() + end_, buffer_.size() - end_);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw Xapian::DatabaseError("a read failed", errno);
    if (n == 0) return;
    end_ += static_cast<std::size_t>(n);
  }
}

bool SpoolReader::at_end() {
  fill(1);
  return left() == 0;
}

std::uint64_t SpoolReader::number() {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    if (left() == 0) fill(1);
    if (left() == 0) break;
    const auto byte = static_cast<unsigned char>(buffer_[at_++]);
    value |= std::uint64_t{byte & 0x7fu} << shift;
    if (byte < 0x80) return value;
  }
  throw Xapian::DatabaseError("a file is cut short");
}

std::string_view SpoolReader::bytes(std::size_t size) {
  fill(size);
  if (left() < size) throw Xapian::DatabaseError("a file is cut short");
  const std::string_view text(buffer_.data() + at_, size);
  at_ += size;
  return text;
}

}  // namespace kw
