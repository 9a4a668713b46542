// SPDX-License-Identifier: GPL-2.0-or-later
// The texts of names by their numbers, in a spill file: a tree of millions of names needs a few
// bytes of memory for each hundred of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "exporter/model/spill_file.h"
#include "schema/base/result.h"

namespace kw::exporter {

class NameTexts {
 public:
  NameTexts() = default;  ///< of no name
  static Result<NameTexts> create();

  /// Gives a name the next number, from 0 on.
  Result<void> add(std::string_view name);

  /// Once all names are there, before the first is read.
  Result<void> end() { return file_.flush(); }

  std::uint32_t size() const { return size_; }

 private:
  friend class NameReader;
  static constexpr std::uint32_t kBlock = 64;  ///< names that are found by one place

  SpillFile file_;
  std::vector<std::uint64_t> blocks_;  ///< where each begins
  std::uint32_t size_ = 0;
};

/// Reads names, quickly where their numbers rise. For one thread; the names must outlive it.
class NameReader {
 public:
  explicit NameReader(const NameTexts& names) : names_(names), reader_(names.file_) {}

  /// Valid until the next call.
  Result<std::string_view> at(std::uint32_t number);

 private:
  const NameTexts& names_;
  SpillReader reader_;
  std::uint32_t block_ = UINT32_MAX;
  std::vector<std::string_view> of_block_;
};

}  // namespace kw::exporter
