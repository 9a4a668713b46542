// SPDX-License-Identifier: GPL-2.0-or-later
#include "exporter/model/name_entries.h"

#include <algorithm>
#include <utility>

#include "schema/base/leb128.h"

namespace kw::exporter {
namespace {

/// Numbers of names as steps from the one before; `last` goes on from bytes to bytes of one file.
void put_entry(std::string& out, std::uint32_t& last, NameEntry entry) {
  put_leb128(out, entry.name - last);
  put_leb128(out, entry.what);
  last = entry.name;
}

void take_entries(std::string_view bytes, std::uint32_t& last, std::vector<NameEntry>& entries) {
  while (!bytes.empty()) {
    last += static_cast<std::uint32_t>(take_leb128(bytes).value_or(0));
    entries.push_back({last, static_cast<std::uint32_t>(take_leb128(bytes).value_or(0))});
  }
}

}  // namespace

Result<const std::vector<NameEntry>*> EntryReader::of(std::size_t file) {
  const std::uint64_t begin = entries_.begins_[file], end = entries_.begins_[file + 1];
  of_file_.clear();
  std::uint32_t last = 0;
  take_entries(KW_TRY(reader_.read(begin, end - begin)), last, of_file_);
  return &of_file_;
}

Result<EntrySorter> EntrySorter::create(std::size_t files, std::size_t memory) {
  EntrySorter sorter;
  sorter.memory_ = memory;
  sorter.pending_.resize(files);
  sorter.spill_ = KW_TRY(SpillFile::create());
  return sorter;
}

Result<void> EntrySorter::add(std::size_t file, NameEntry entry) {
  Pending& pending = pending_[file];
  const std::size_t before = pending.bytes.size();
  put_entry(pending.bytes, pending.last, entry);
  held_ += pending.bytes.size() - before;
  return held_ < memory_ ? Result<void>() : spill_run();
}

Result<void> EntrySorter::spill_run() {
  std::vector<std::uint64_t>& begins = begins_.emplace_back();
  begins.reserve(pending_.size() + 1);
  for (Pending& pending : pending_) {
    begins.push_back(spill_.size());
    KW_TRY(spill_.append(pending.bytes));
    std::string().swap(pending.bytes);
  }
  begins.push_back(spill_.size());
  held_ = 0;
  return spill_.flush();
}

Result<std::vector<NameEntry>> EntrySorter::entries_of(std::size_t file) const {
  std::vector<NameEntry> entries;
  std::uint32_t last = 0;
  for (const std::vector<std::uint64_t>& run : begins_) {
    const std::string bytes = KW_TRY(spill_.read(run[file], run[file + 1] - run[file]));
    take_entries(bytes, last, entries);
  }
  take_entries(pending_[file].bytes, last, entries);
  return entries;
}

Result<FileEntries> EntrySorter::finish(const std::vector<std::uint32_t>& numbers) {
  FileEntries out;
  out.spill_ = KW_TRY(SpillFile::create());
  out.begins_.reserve(pending_.size() + 1);
  for (std::size_t file = 0; file < pending_.size(); ++file) {
    auto entries = KW_TRY(entries_of(file));
    std::string().swap(pending_[file].bytes);
    for (NameEntry& entry : entries) entry.name = numbers[entry.name];
    std::sort(entries.begin(), entries.end(),
              [](NameEntry a, NameEntry b) { return a.name < b.name; });
    out.begins_.push_back(out.spill_.size());
    std::string bytes;
    std::uint32_t last = 0;
    for (const NameEntry entry : entries) put_entry(bytes, last, entry);
    KW_TRY(out.spill_.append(bytes));
  }
  out.begins_.push_back(out.spill_.size());
  KW_TRY(out.spill_.flush());
  return out;
}

}  // namespace kw::exporter
