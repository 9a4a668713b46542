// SPDX-License-Identifier: GPL-2.0-or-later
#include "indexer/update/update.h"

#include <algorithm>
#include <atomic>
#include <functional>
#include <utility>

#include "indexer/update/build.h"
#include "indexer/update/generation.h"
#include "schema/base/parallel.h"

namespace kw::indexer {
namespace {

// Entries wait in memory until their slice is done: this bounds it.
constexpr std::uint64_t kSliceBytes = 16u << 20;
constexpr std::size_t kSliceFiles = 500;
// A worker costs the start of a ctags, some milliseconds: about as long as sixteen files take.
constexpr std::size_t kFilesPerWorker = 16;
// Below this, a compaction would cost more than the space is worth.
constexpr std::uint64_t kSmallIndexBytes = 1u << 20;

Result<std::optional<ContentHash>> known_content(const FileChange& file, IndexReader& index) {
  if (!file.docid) return std::optional<ContentHash>();
  auto record = KW_TRY(index.record(file.docid, RecordParts::WithoutText));
  return std::optional<ContentHash>(record.hash);
}

/// Reads files in slices, in order; hands what was made of each to `take` in this thread.
class SliceReader {
 public:
  using Take = std::function<Result<void>(std::size_t, const Made&)>;

  SliceReader(const IndexWork& work, const ChangeSet& plan, IndexReader* index)
      : work_(work), plan_(plan), index_(index) {}

  Result<void> run(const std::vector<std::size_t>& files, const Take& take) {
    std::vector<std::uint64_t> sizes;
    for (const std::size_t i : files) sizes.push_back(plan_[i].size);
    std::size_t before = 0;
    for (const auto& [begin, end] : cut_batches(sizes, kSliceBytes, kSliceFiles)) {
      const std::vector<std::size_t> slice(files.begin() + static_cast<std::ptrdiff_t>(begin),
                                           files.begin() + static_cast<std::ptrdiff_t>(end));
      KW_TRY(run_slice(slice, before, files.size(), take));
      before += slice.size();
    }
    return {};
  }

  void count_symbols(WorkDone& done) const {
    done.symbols_lost += symbols_lost_;
    done.symbols_missing += symbols_missing_;
  }

 private:
  /// Makers of one slice: a ctags lives no longer than the thread that started it.
  Result<std::vector<EntryMaker>> create_makers(std::size_t files) const {
    std::vector<EntryMaker> makers;
    const std::size_t count = std::min<std::size_t>(work_.jobs, 1 + files / kFilesPerWorker);
    while (makers.size() < count) {
      makers.push_back(KW_TRY(EntryMaker::create(work_.settings)));
    }
    return makers;
  }

  Result<void> run_slice(const std::vector<std::size_t>& slice, std::size_t before,
                         std::size_t total, const Take& take) {
    std::vector<std::optional<ContentHash>> known(slice.size());
    if (index_)
      for (std::size_t k = 0; k < slice.size(); ++k) {
        known[k] = KW_TRY(known_content(plan_[slice[k]], *index_));
      }
    auto makers = KW_TRY(create_makers(slice.size()));
    std::vector<Made> made(slice.size(), Vanished{});
    std::atomic<std::size_t> done{0};
    auto ran = run_parallel(
        slice.size(), static_cast<unsigned>(makers.size()),
        [&](unsigned worker, std::size_t k) -> Result<void> {
          const FileChange& file = plan_[slice[k]];
          const SymbolLoss before = file.kind == ChangeKind::Retry ? SymbolLoss::Once : file.loss;
          made[k] = makers[worker].make(file.path, known[k], before);
          ++done;
          return {};
        },
        [&] { work_.progress.update(before + done, total, "files"); });
    if (!ran) return ran;
    for (const EntryMaker& maker : makers) {
      symbols_lost_ += maker.symbols_lost();
      symbols_missing_ += maker.symbols_missing();
    }
    for (std::size_t k = 0; k < slice.size(); ++k) KW_TRY(take(slice[k], made[k]));
    return {};
  }

  const IndexWork& work_;
  const ChangeSet& plan_;
  IndexReader* index_;
  std::uint64_t symbols_lost_ = 0;
  std::uint64_t symbols_missing_ = 0;
};

/// The transaction, begun with the first change: in the live generation, or, where that is being
/// read from end to end, in a copy of it.
class Changes {
 public:
  Changes(const IndexWork& work, std::string generation)
      : work_(work), generation_(std::move(generation)) {}
  Changes(const Changes&) = delete;
  Changes& operator=(const Changes&) = delete;
  ~Changes() {
    writer_.reset();
    if (copy_ && !published_) copy_->abandon();
  }

  template <class F>
  Result<void> change(F&& f) {
    if (!writer_) KW_TRY(begin());
    return f(*writer_);
  }

  bool any() const { return writer_.has_value(); }
  bool in_place() const { return !copy_; }

  Result<void> commit() {
    if (!writer_) return {};
    if (auto committed = writer_->commit(); !committed || !copy_) return committed;
    KW_TRY(copy_->publish());
    published_ = true;
    return {};
  }

 private:
  Result<void> begin() {
    if (ReaderLock::is_shared(generation_)) {
      copy_ = KW_TRY(NewGeneration::begin(work_.folder, work_.wait_seconds));
      KW_TRY(copy_generation(generation_, copy_->database()));
    }
    writer_ = KW_TRY(IndexWriter::open(copy_ ? copy_->database() : generation_));
    return {};
  }

  const IndexWork& work_;
  std::string generation_;
  std::optional<NewGeneration> copy_;
  std::optional<IndexWriter> writer_;
  bool published_ = false;
};

Result<void> write_made(Changes& changes, const FileChange& file, const Made& made) {
  if (const auto* entry = std::get_if<IndexEntry>(&made))
    return changes.change([&](IndexWriter& w) { return w.put(*entry); });
  if (const auto* same = std::get_if<SameContent>(&made)) {
    if (same->stamp.same_file(*file.stored) && same->stamp.loss == file.loss)
      return {};  // racy and clean: status.json remembers it
    return changes.change([&](IndexWriter& w) { return w.set_stat(file.docid, same->stamp); });
  }
  if (!file.docid) return {};
  return changes.change([&](IndexWriter& w) { return w.remove(file.docid); });
}

Result<std::uint64_t> compact_index(const DatabaseFolder& folder, const std::string& live) {
  auto generation = KW_TRY(NewGeneration::begin(folder, 0));
  auto compacted = compact_database(live, generation.database());
  if (!compacted) {
    generation.abandon();
    return compacted.error();
  }
  return generation.publish();
}

std::vector<std::size_t> files_to_read(const ChangeSet& plan, bool all_files) {
  std::vector<std::size_t> files;
  for (std::size_t i = 0; i < plan.size(); ++i)
    if (plan[i].must_be_read() || (all_files && plan[i].kind == ChangeKind::Same))
      files.push_back(i);
  return files;
}

}  // namespace

Result<std::vector<std::optional<ContentHash>>> known_contents(const ChangeSet& plan,
                                                               IndexReader& index) {
  std::vector<std::optional<ContentHash>> known(plan.size());
  for (std::size_t i = 0; i < plan.size(); ++i) {
    if (plan[i].kind == ChangeKind::Gone || plan[i].kind == ChangeKind::Skipped) continue;
    known[i] = KW_TRY(known_content(plan[i], index));
  }
  return known;
}

Result<WorkDone> try_update(const IndexWork& work, const ChangeSet& plan, IndexReader* index,
                            bool all_files) {
  WorkDone done;
  done.outcomes = initial_outcomes(plan);
  SliceReader reader(work, plan, all_files ? nullptr : index);
  KW_TRY(reader.run(files_to_read(plan, all_files), [&](std::size_t i, const Made& made) {
    done.outcomes[i] = outcome_of(made);
    return Result<void>();
  }));
  return done;
}

Result<WorkDone> update_index(const IndexWork& work, const ChangeSet& plan, IndexReader& index,
                              std::uint64_t compacted_bytes) {
  WorkDone done;
  done.outcomes = initial_outcomes(plan);
  Changes changes(work, index.path());
  for (const FileChange& file : plan) {
    if (!file.docid || (file.kind != ChangeKind::Gone && file.kind != ChangeKind::Skipped))
      continue;
    KW_TRY(changes.change([&](IndexWriter& w) { return w.remove(file.docid); }));
  }
  SliceReader reader(work, plan, &index);
  bool indexed = false;
  KW_TRY(reader.run(files_to_read(plan, false), [&](std::size_t i, const Made& made) {
    done.outcomes[i] = outcome_of(made);
    indexed |= done.outcomes[i].kind == OutcomeKind::Indexed;
    return write_made(changes, plan[i], made);
  }));
  reader.count_symbols(done);

  IndexInfo info = work.info;
  info.ctags_version = index.info().ctags_version;
  // One entry without definitions, and the next run with a ctags takes all of them again.
  if (indexed && (done.symbols_missing || work.settings.ctags_version.empty()))
    info.ctags_version.clear();
  if (info != index.info()) {
    KW_TRY(changes.change([&](IndexWriter& w) { return w.set_info(info); }));
  }
  work.progress.set_label("writing");
  work.progress.update(0, 0, "");
  if (changes.any()) work.before_commit();
  KW_TRY(changes.commit());
  if (!changes.any()) return done;

  if (!changes.in_place()) return done;  // readers have the disk's space; the next run compacts

  const std::uint64_t bytes = folder_bytes(index.path());
  if (compacted_bytes > 0 && bytes > kSmallIndexBytes &&
      bytes > compacted_bytes + compacted_bytes / 2) {
    auto compacted = compact_index(work.folder, index.path());
    if (compacted)
      done.compacted_bytes = *compacted;
    else if (compacted.error().code != ErrorCode::Locked)  // then the next run does it
      done.compaction_failed = compacted.error();
  }
  return done;
}

}  // namespace kw::indexer
