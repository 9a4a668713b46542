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
  generations_.clear();
  const auto folders = find_databases(options_);
  if (!folders) return folders.error();
  for (const std::string& folder : *folders) {
    const auto live = DatabaseFolder(folder).live_generation();
    if (!live) return live.error();
    generations_.push_back(*live);
  }
  auto opened = Searcher::open(*folders);
  if (!opened) return opened.error();
  searcher_ = *std::move(opened);
  return &*searcher_;
}

/// A new generation stands in the stub; an update in place is seen by Xapian.
bool OpenIndex::has_changed() {
  for (std::size_t i = 0; i < generations_.size(); ++i) {
    const auto live = DatabaseFolder(searcher_->folders()[i]).live_generation();
    if (!live || *live != generations_[i]) return true;
    const auto updated =
        guard("cannot read the index", [&] { return searcher_->reader(i).database().reopen(); });
    if (!updated || *updated) return true;
  }
  return false;
}

Result<std::optional<OpenIndex::File>> OpenIndex::file(const std::string& path,
                                                       const std::string& tree, RecordParts parts) {
  for (std::size_t i = 0; i < generations_.size(); ++i) {
    IndexReader& reader = searcher_->reader(i);
    const std::string root = absolute_root(DatabaseFolder(searcher_->folders()[i]), reader.info());
    if (!tree.empty() && tree != root) continue;
    const auto docid = guard("cannot read the index", [&]() -> std::uint32_t {
      const std::string term = make_term(Field::Path, path);
      const auto it = reader.database().postlist_begin(term);
      return it == reader.database().postlist_end(term) ? 0 : *it;
    });
    if (!docid) return docid.error();
    if (*docid == 0) continue;
    auto record = reader.record(*docid, parts);
    if (!record) return record.error();
    if (record->path == path) return std::optional<File>({*std::move(record), root});
  }
  return std::optional<File>();
}

}  // namespace kw
