// SPDX-License-Identifier: GPL-2.0-or-later
#include "exporter/model/name_texts.h"

#include <string>

#include "schema/base/leb128.h"

namespace kw::exporter {

Result<NameTexts> NameTexts::create() {
  NameTexts names;
  names.file_ = KW_TRY(SpillFile::create());
  return names;
}

Result<void> NameTexts::add(std::string_view name) {
  if (size_++ % kBlock == 0) blocks_.push_back(file_.size());
  std::string bytes;
  put_leb128(bytes, name.size());
  bytes += name;
  return file_.append(bytes);
}

Result<std::string_view> NameReader::at(std::uint32_t number) {
  const std::uint32_t block = number / NameTexts::kBlock;
  if (block != block_) {
    const std::uint64_t begin = names_.blocks_[block];
    const std::uint64_t end =
        block + 1 < names_.blocks_.size() ? names_.blocks_[block + 1] : names_.file_.size();
    block_ = UINT32_MAX;
    std::string_view bytes = KW_TRY(reader_.read(begin, end - begin));
    of_block_.clear();
    while (!bytes.empty()) {
      const std::size_t length = take_leb128(bytes).value_or(0);
      of_block_.push_back(bytes.substr(0, length));
      bytes.remove_prefix(length);
    }
    block_ = block;
  }
  return of_block_[number % NameTexts::kBlock];
}

}  // namespace kw::exporter
