// SPDX-License-Identifier: GPL-2.0-or-later
#include "searcher/open_index.h"

#include <utility>

#include "schema/fields.h"
#include "schema/guard.h"
#include "schema/layout.h"
#include "schema/terms.h"
#include "searcher/present.h"

namespace kw {

Result<Searcher*> OpenIndex::searcher() {
  if (searcher_ && !has_changed()) return &*searcher_;
  searcher_.reset();
  readers_.clear();
  auto folders = find_databases(options_);
  if (!folders) return folders.error();
  if (auto opened = open(*std::move(folders)); !opened) {
    searcher_.reset();
    return opened.error();
  }
  return &*searcher_;
}

Result<void> OpenIndex::open(std::vector<std::string> folders) {
  folders_ = std::move(folders);
  generations_.clear();
  for (const std::string& name : folders_) {
    const DatabaseFolder folder(name);
    const auto live = folder.live_generation();
    if (!live) return live.error();
    generations_.push_back(*live);
    auto reader = IndexReader::open(folder);
    if (!reader) return reader.error();
    readers_.push_back(*std::move(reader));
  }
  auto searcher = Searcher::open(folders_);
  if (!searcher) return searcher.error();
  searcher_ = *std::move(searcher);
  return {};
}

/// A new generation stands in the stub; an update in place is seen by Xapian.
bool OpenIndex::has_changed() {
  for (std::size_t i = 0; i < folders_.size(); ++i) {
    const auto live = DatabaseFolder(folders_[i]).live_generation();
    if (!live || *live != generations_[i]) return true;
    const auto updated =
        guard("cannot read the index", [&] { return readers_[i].database().reopen(); });
    if (!updated || *updated) return true;
  }
  return false;
}

Result<std::optional<OpenIndex::File>> OpenIndex::file(const std::string& path,
                                                       const std::string& tree, RecordParts parts) {
  for (std::size_t i = 0; i < readers_.size(); ++i) {
    const std::string root = absolute_root(DatabaseFolder(folders_[i]), readers_[i].info());
    if (!tree.empty() && tree != root) continue;
    const auto docid = guard("cannot read the index", [&]() -> std::uint32_t {
      const std::string term = make_term(Field::Path, path);
      const auto it = readers_[i].database().postlist_begin(term);
      return it == readers_[i].database().postlist_end(term) ? 0 : *it;
    });
    if (!docid) return docid.error();
    if (*docid == 0) continue;
    auto record = readers_[i].record(*docid, parts);
    if (!record) return record.error();
    if (record->path == path) return std::optional<File>({*std::move(record), root});
  }
  return std::optional<File>();
}

}  // namespace kw
