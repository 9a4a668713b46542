// SPDX-License-Identifier: GPL-2.0-or-later
#include "indexer/update/build.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <string>

#include "indexer/update/dictionary.h"
#include "indexer/update/generation.h"
#include "indexer/walk/file_reader.h"
#include "schema/base/heap.h"
#include "schema/base/parallel.h"

namespace kw::indexer {
namespace {

// Larger batches take more memory and, on 132 MB of pages, no less time.
constexpr std::uint64_t kBatchBytes = 4u << 20;
constexpr std::size_t kBatchFiles = 250;

// What a file becomes on its way into the index takes many times its size. A batch with a file over
// this is made while no other such batch is, and leaves no memory behind: so the memory of a build
// does not depend on how many large files a tree has, and where.
constexpr std::uint64_t kLargeFile = 1u << 20;

// The dictionary of the records is trained on this many files, evenly spread, and at most this much
// of each: half from its start, half from its end. More took longer and compressed no better.
constexpr std::size_t kSampleFiles = 400;
constexpr std::size_t kSampleBytes = 8 << 10;

class Build {
 public:
  Build(const IndexWork& work, const ChangeSet& plan,
        const std::vector<std::optional<ContentHash>>& known, NewGeneration generation)
      : work_(work), plan_(plan), known_(known), generation_(std::move(generation)) {
    done_.outcomes = initial_outcomes(plan);
    std::vector<std::uint64_t> sizes;
    for (std::size_t i = 0; i < plan.size(); ++i) {
      if (plan[i].kind == ChangeKind::Skipped || plan[i].kind == ChangeKind::Gone) continue;
      files_.push_back(i);
      sizes.push_back(plan[i].size);
    }
    batches_ = cut_batches(sizes, kBatchBytes, kBatchFiles);
    for (const auto& [begin, end] : batches_)
      is_large_.push_back(std::any_of(sizes.begin() + static_cast<std::ptrdiff_t>(begin),
                                      sizes.begin() + static_cast<std::ptrdiff_t>(end),
                                      [](std::uint64_t size) { return size > kLargeFile; }));
  }

  Result<WorkDone> run() {
    KW_TRY(train_codec());
    KW_TRY(make_batches());
    trim_heap();  // the threads' caches of tokens are gone
    work_.progress.set_label("merging");
    work_.progress.update(files_.size(), 0, "files");
    std::vector<std::string> sources;
    for (std::size_t b = 0; b < batches_.size(); ++b)
      if (written_[b]) sources.push_back(generation_.batch(b));
    KW_TRY(add_info(sources));
    KW_TRY(merge_databases(sources, generation_.database(), work_.jobs));
    work_.before_commit();
    done_.compacted_bytes = KW_TRY(generation_.publish());
    return std::move(done_);
  }

 private:
  Result<void> train_codec() {
    if (files_.empty()) return {};
    auto reader = KW_TRY(FileReader::open(work_.settings.root, work_.settings.options.follow,
                                          work_.settings.options.max_file_size));
    std::vector<std::string> samples;
    const std::size_t step = std::max<std::size_t>(1, files_.size() / kSampleFiles);
    for (std::size_t f = 0; f < files_.size(); f += step) {
      const auto read = reader.read(plan_[files_[f]].path);
      const auto* file = std::get_if<FileBytes>(&read);
      if (!file) continue;
      const std::string_view bytes = file->bytes;
      std::string sample(bytes.substr(0, kSampleBytes / 2));
      if (bytes.size() > sample.size())
        sample += bytes.substr(
            std::max(sample.size(), bytes.size() - std::min(bytes.size(), kSampleBytes / 2)));
      samples.push_back(std::move(sample));
    }
    auto dictionary = train_dictionary(samples);
    if (dictionary)
      codec_ = RecordCodec(*std::move(dictionary));
    else
      done_.training_failed = dictionary.error();
    return {};
  }

  Result<void> make_batches() {
    const unsigned threads =
        static_cast<unsigned>(std::min<std::size_t>(work_.jobs, batches_.size()));
    std::vector<EntryMaker> makers;
    for (unsigned i = 0; i < threads; ++i) {
      makers.push_back(KW_TRY(EntryMaker::create(work_.settings)));
    }
    written_.assign(batches_.size(), false);
    const std::vector<std::size_t> order = spread_evenly(is_large_);
    auto made = run_parallel(
        batches_.size(), threads,
        [&](unsigned worker, std::size_t n) {
          const std::size_t batch = order[n];
          if (!is_large_[batch]) return make_batch(makers[worker], batch);
          const std::lock_guard lock(large_batch_);
          auto done = make_batch(makers[worker], batch);
          trim_heap();
          return done;
        },
        [&] { work_.progress.update(files_done_, files_.size(), "files"); });
    for (const EntryMaker& maker : makers) {
      done_.symbols_lost += maker.symbols_lost();
      done_.symbols_missing += maker.symbols_missing();
    }
    return made;
  }

  /// In a worker thread: the batch's files and flags are its own.
  Result<void> make_batch(EntryMaker& maker, std::size_t batch) {
    std::optional<BatchWriter> writer;  // only where there is a file: they may all have vanished
    for (std::size_t f = batches_[batch].first; f < batches_[batch].second; ++f) {
      const std::size_t i = files_[f];
      const Made made = maker.make(plan_[i].path, std::nullopt);
      done_.outcomes[i] = outcome_of(made);
      if (const auto* entry = std::get_if<IndexEntry>(&made)) {
        const bool regained =
            plan_[i].kind == ChangeKind::Retry && entry->stamp.loss == SymbolLoss::None;
        if (!known_.empty() && known_[i] == entry->record.hash && !regained) {
          done_.outcomes[i].kind = OutcomeKind::SameContent;
          done_.outcomes[i].stamp = std::make_unique<FileStat>(entry->stamp);
        }
        if (!writer) {
          writer = KW_TRY(BatchWriter::create(generation_.batch(batch), codec_));
        }
        KW_TRY(writer->add(*entry));
      }
      ++files_done_;
    }
    if (!writer) return {};
    written_[batch] = true;
    return writer->finish();
  }

  /// The facts about the whole: a part without documents. They come last, because whether ctags
  /// held out is known only now.
  Result<void> add_info(std::vector<std::string>& sources) const {
    IndexInfo info = work_.info;
    info.ctags_version = done_.symbols_missing ? "" : work_.settings.ctags_version;
    sources.push_back(generation_.batch(batches_.size()));
    auto writer = KW_TRY(BatchWriter::create(sources.back(), codec_));
    KW_TRY(writer.set_info(info));
    return writer.finish();
  }

  const IndexWork& work_;
  const ChangeSet& plan_;
  const std::vector<std::optional<ContentHash>>& known_;
  NewGeneration generation_;
  RecordCodec codec_;
  std::vector<std::size_t> files_;                            // indexes in the plan
  std::vector<std::pair<std::size_t, std::size_t>> batches_;  // of files_
  std::vector<bool> is_large_;                                // by batch
  std::mutex large_batch_;                                    // held while one is made
  std::vector<char> written_;  // by batch; not bool, as threads write neighbours
  std::atomic<std::uint64_t> files_done_{0};
  WorkDone done_;
};

}  // namespace

std::vector<std::pair<std::size_t, std::size_t>> cut_batches(
    const std::vector<std::uint64_t>& sizes, std::uint64_t max_bytes, std::size_t max_files) {
  std::vector<std::pair<std::size_t, std::size_t>> batches;
  std::size_t begin = 0;
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (i > begin && (bytes + sizes[i] > max_bytes || i - begin == max_files)) {
      batches.emplace_back(begin, i);
      begin = i;
      bytes = 0;
    }
    bytes += sizes[i];
  }
  if (begin < sizes.size()) batches.emplace_back(begin, sizes.size());
  return batches;
}

std::vector<std::size_t> spread_evenly(const std::vector<bool>& marked) {
  std::vector<std::size_t> of_marked, rest, order;
  for (std::size_t i = 0; i < marked.size(); ++i) (marked[i] ? of_marked : rest).push_back(i);
  std::size_t placed = 0;
  for (std::size_t i = 0; i < marked.size(); ++i) {
    const bool is_due = (i + 1) * of_marked.size() / marked.size() > placed;
    order.push_back(is_due ? of_marked[placed] : rest[i - placed]);
    placed += is_due;
  }
  return order;
}

Result<WorkDone> build_index(const IndexWork& work, const ChangeSet& plan,
                             const std::vector<std::optional<ContentHash>>& known) {
  auto generation = KW_TRY(NewGeneration::begin(work.folder, work.wait_seconds));
  auto done = Build(work, plan, known, generation).run();
  if (!done) generation.abandon();
  return done;
}

}  // namespace kw::indexer
