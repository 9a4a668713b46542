// SPDX-License-Identifier: GPL-2.0-or-later
#include "exporter/model/spill_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>

#include "schema/index/database_dir.h"

namespace kw::exporter {
namespace {

// Bytes that are written, or read ahead, at once.
constexpr std::size_t kAtOnce = std::size_t{256} * 1024;

Error spill_error(int error) {
  return {ErrorCode::Failed,
          fmt::format("cannot keep parts of the pages in a temporary file: {}", errno_text(error)),
          "see that TMPDIR or /tmp has room"};
}

}  // namespace

Result<SpillFile> SpillFile::create() {
  const char* folder = std::getenv("TMPDIR");
  std::string name = folder && *folder ? folder : "/tmp";
  name += "/kwexport-XXXXXX";
  SpillFile spill;
  spill.file_ = Descriptor(::mkostemp(name.data(), O_CLOEXEC));
  if (!spill.file_) return spill_error(errno);
  ::unlink(name.c_str());
  return spill;
}

Result<void> SpillFile::append(std::string_view bytes) {
  buffer_ += bytes;
  return buffer_.size() < kAtOnce ? Result<void>() : flush();
}

Result<void> SpillFile::flush() {
  std::string_view rest = buffer_;
  while (!rest.empty()) {
    const ssize_t n =
        ::pwrite(file_.get(), rest.data(), rest.size(), static_cast<off_t>(size() - rest.size()));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return spill_error(errno);
    rest.remove_prefix(static_cast<std::size_t>(n));
  }
  written_ += buffer_.size();
  buffer_.clear();
  return {};
}

Result<std::string> SpillFile::read(std::uint64_t begin, std::size_t length) const {
  std::string bytes(length, '\0');
  for (std::size_t got = 0; got < length;) {
    const ssize_t n =
        ::pread(file_.get(), bytes.data() + got, length - got, static_cast<off_t>(begin + got));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return spill_error(n < 0 ? errno : EIO);
    got += static_cast<std::size_t>(n);
  }
  return bytes;
}

Result<std::string_view> SpillReader::read(std::uint64_t begin, std::size_t length) {
  if (begin < begin_ || begin + length > begin_ + held_.size()) {
    const std::uint64_t ahead = std::min<std::uint64_t>(file_->size() - begin, kAtOnce);
    held_ = KW_TRY(file_->read(begin, std::max<std::uint64_t>(length, ahead)));
    begin_ = begin;
  }
  return std::string_view(held_).substr(begin - begin_, length);
}

}  // namespace kw::exporter
