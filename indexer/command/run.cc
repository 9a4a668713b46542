// SPDX-License-Identifier: GPL-2.0-or-later
#include "indexer/command/run.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <system_error>

#include "indexer/command/target.h"
#include "indexer/update/build.h"
#include "indexer/update/update.h"
#include "indexer/walk/walker.h"
#include "schema/base/parallel.h"
#include "schema/index/group_key.h"
#include "schema/text/text.h"

namespace fs = std::filesystem;

namespace kw::indexer {
namespace {

// More changed files than both, and a new generation is made rather than a transaction. A
// transaction takes about 4 ms of work a changed file, a build 3.3 ms a file (9,747 pages), so on
// one core it would pay up to three quarters of a tree; but a build writes in all threads, and
// leaves no gaps to compact.
constexpr std::size_t kManyFiles = 1000;
constexpr std::size_t kMuchOfTheTree = 3;  // a third

std::int64_t now_ns() {
  using namespace std::chrono;
  return duration_cast<nanoseconds>(system_clock::now().time_since_epoch()).count();
}

Result<void> check_folder(const std::string& root) {
  std::error_code error;
  const auto status = fs::status(root, error);
  if (fs::is_directory(status)) return {};
  return Error{
      ErrorCode::NotFound,
      fmt::format("cannot index '{}': {}", printable(root),
                  fs::exists(status) ? "not a folder" : errno_text(error ? error.value() : ENOENT)),
      "kwindex FOLDER, one that can be read"};
}

bool is_empty_index(const StoredIndex& stored) {
  return !stored.frozen || stored.frozen->files == 0;
}

/// What only a rebuild can change: options that go into the entries themselves.
bool makes_other_entries(const IndexOptions& a, const IndexOptions& b) {
  return a.symbols != b.symbols || a.doc_suffixes != b.doc_suffixes || a.doc_root != b.doc_root;
}

class Run {
 public:
  Run(const KwindexOptions& options, DatabaseFolder folder, std::string current)
      : options_(options),
        folder_(std::move(folder)),
        current_(std::move(current)),
        started_ns_(now_ns()),
        progress_("walking", options.progress.value_or(cli::wants_progress(options.common))) {}

  Result<RunReport> run() {
    const auto begin = std::chrono::steady_clock::now();
    report_.database = folder_.path();
    if (auto prepared = prepare(); !prepared) return prepared.error();
    if (auto walked = walk_tree(); !walked) return walked.error();
    find_ctags();
    choose_rebuild();
    auto done = carry_out();
    progress_.clear();
    if (!done) return done.error();
    report_.summary = summarize(plan_, done->outcomes);
    report_.summary.dry_run = options_.dry_run;
    if (!options_.dry_run)
      if (auto written = write_run_status(*done); !written) return written.error();
    finish_report(*done);
    report_.summary.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return std::move(report_);
  }

 private:
  void note(std::string message, std::string hint = {}) {
    report_.notices.push_back({Notice::Kind::Note, std::move(message), std::move(hint)});
  }
  void warn(std::string message, std::string hint = {}) {
    report_.notices.push_back({Notice::Kind::Warning, std::move(message), std::move(hint)});
  }

  /// The lock, what is stored, and what is to be indexed.
  Result<void> prepare() {
    std::error_code error;
    const bool is_new = !fs::exists(folder_.path(), error);
    if (is_new) {  // nothing may be created for a folder that is not there
      if (auto there = check_folder(absolute(options_.root)); !there) return there;
      note_database_above();
    }
    if (!options_.dry_run)
      if (auto locked = take_lock(); !locked) return locked;
    auto stored = open_stored(folder_, options_.rebuild);
    if (!stored) return stored.error();
    stored_ = *std::move(stored);
    auto root = find_root(options_, folder_, stored_, current_);
    if (!root) return root.error();
    auto shard = find_partition(options_, folder_, stored_);
    if (!shard) return shard.error();
    shard_ = *shard;
    settings_.root = *root;
    settings_.seen_ns = started_ns_;
    IndexOptions before;
    if (stored_.frozen && !options_.reset)
      before = stored_.frozen->info.stored.value_or(stored_.frozen->info.options);
    settings_.options = options_.index.applied_to(before);
    to_store_ = options_.to_store.applied_to(std::move(before));
    if (!options_.rebuild) last_ = read_status(folder_);
    return {};
  }

  std::string absolute(const std::string& path) const {
    return (fs::path(current_) / path).lexically_normal().string();
  }

  void note_database_above() {
    if (!options_.database.empty()) return;
    const fs::path root = fs::path(folder_.path()).parent_path();
    if (const auto above = find_database_above(root.parent_path().string()); above && root != "/")
      note(fmt::format("'{}' gets an index of its own, though '{}' covers it",
                       printable(root.string()), printable(*above)));
  }

  Result<void> take_lock() {
    if (auto created = folder_.create(options_.shared); !created) {
      Error error = created.error();
      if (error.hint.empty()) error.hint = "name another place with: --db FOLDER";
      return error;
    }
    auto lock = WriterLock::acquire(folder_, options_.wait_seconds);
    if (!lock) return lock.error();
    lock_ = *std::move(lock);
    // What a run left that was killed, and the generation that was kept for readers of before.
    std::vector<std::uint32_t> keep;
    auto live = folder_.live_generation();
    if (live) keep.push_back(*live);
    if (live || live.error().code == ErrorCode::NotFound) folder_.remove_leftovers(keep);
    return {};
  }

  Result<void> walk_tree() {
    auto tree = walk(settings_.root, folder_.path(), settings_.options,
                     [this](std::uint64_t n) { progress_.update(n, 0, "files"); });
    if (!tree) {
      if (is_empty_index(stored_)) return tree.error();
      if (!options_.allow_empty) return would_empty(tree.error().message);
      std::error_code error;
      tree = WalkResult{};
      if (fs::exists(settings_.root, error) || error)
        tree->skipped.push_back({".", SkipReason::Unreadable});
    } else if (tree->files.empty() && !is_empty_index(stored_) && !options_.allow_empty) {
      return would_empty(fmt::format("'{}' holds no file to index", printable(settings_.root)));
    }
    keep_chunk(*tree);
    report_.root = settings_.root;
    report_.folders = std::move(tree->folders);
    tree_ = *std::move(tree);
    return {};
  }

  Error would_empty(const std::string& fact) const {
    return {ErrorCode::Refused,
            fmt::format("{}; the index holds {} and stays as it is", fact, stored_.frozen->files),
            "if that is meant, run it again with: --allow-empty"};
  }

  void keep_chunk(WalkResult& tree) const {
    const auto elsewhere = [&](const std::string& path) {
      return !partition_holds(
          shard_, group_key(path, settings_.options.doc_suffixes, settings_.options.doc_root));
    };
    std::erase_if(tree.files, [&](const FoundFile& f) { return elsewhere(f.path); });
    // An unreadable folder may hold files of every part.
    std::erase_if(tree.skipped, [&](const SkippedPath& s) {
      return s.reason != SkipReason::Unreadable && elsewhere(s.path);
    });
  }

  void find_ctags() {
    if (settings_.options.symbols == Symbols::None) return;
    auto started = SymbolExtractor::start();
    if (started)
      settings_.ctags_version = started->version();
    else
      warn("no definitions are taken: " + started.error().message,
           "install universal-ctags, or ask for none with: --symbols none");
  }

  /// Sets why all is to be indexed anew; empty if it is not.
  void choose_rebuild() {
    rebuild_reason_ = stored_.rebuild_reason;
    if (!stored_.reader || !rebuild_reason_.empty()) return;
    const IndexInfo& before = stored_.reader->info();
    if (makes_other_entries(before.options, settings_.options))
      rebuild_reason_ = "the options for definitions or documentation pages changed";
    else if (!settings_.ctags_version.empty() && before.ctags_version != settings_.ctags_version)
      rebuild_reason_ = fmt::format("ctags changed: {} -> {}",
                                    before.ctags_version.empty() ? "none" : before.ctags_version,
                                    settings_.ctags_version);
  }

  bool much_changed() const {
    const auto changes = static_cast<std::size_t>(
        std::count_if(plan_.begin(), plan_.end(), [](const FileChange& file) {
          return file.must_be_read() || file.kind == ChangeKind::Gone;
        }));
    return changes > kManyFiles && changes > plan_.size() / kMuchOfTheTree;
  }

  Result<WorkDone> carry_out() {
    std::vector<StoredFile> files;
    if (stored_.reader) {
      auto listed = stored_.reader->stored_files();
      if (!listed) return listed.error();
      files = *std::move(listed);
    }
    plan_ = build_change_set(files, tree_, last_, started_ns_);
    tree_ = {};
    // Parts know by it, on any machine, that they are of one tree.
    const std::string root =
        shard_.count == 1 ? root_to_store(settings_.root, folder_) : settings_.root;
    const IndexWork work{folder_,
                         settings_,
                         {root, to_string(shard_), settings_.options,
                          to_store_ == settings_.options ? std::nullopt : std::optional(to_store_),
                          settings_.ctags_version},
                         options_.jobs ? options_.jobs : core_count(),
                         progress_};
    const bool all_anew = !stored_.reader || !rebuild_reason_.empty();
    progress_.set_label(options_.dry_run ? "reading" : "indexing");
    if (stored_.frozen && !rebuild_reason_.empty() && rebuild_reason_ != "--rebuild")
      note(fmt::format("the index {} rebuilt: {}", options_.dry_run ? "would be" : "is",
                       rebuild_reason_));
    if (options_.dry_run) {
      settings_.ctags_version.clear();  // what is skipped does not depend on definitions
      return try_update(work, plan_, stored_.reader ? &*stored_.reader : nullptr, all_anew);
    }
    if (all_anew)
      return build_index(work, plan_, std::vector<std::optional<ContentHash>>(plan_.size()));
    if (!much_changed()) return update_index(work, plan_, *stored_.reader, last_.compacted_bytes);
    if (options_.common.verbose) note("much of the tree changed: a new generation is built");
    auto known = known_contents(plan_, *stored_.reader);
    if (!known) return known.error();
    return build_index(work, plan_, *known);
  }

  Result<void> write_run_status(const WorkDone& done) {
    RunStatus status = remember(plan_, done.outcomes, last_);
    status.started_ns = started_ns_;
    status.finished_ns = now_ns();
    status.files = report_.summary.files;
    status.bytes = report_.summary.bytes;
    status.indexed = report_.summary.indexed();
    status.removed = report_.summary.removed;
    status.then_due =
        last_.then_due || last_.started_ns == 0 || status.indexed + status.removed > 0;
    report_.then_due = status.then_due;
    status.compacted_bytes = done.compacted_bytes ? done.compacted_bytes : last_.compacted_bytes;
    if (status.compacted_bytes == 0 &&
        stored_.reader)  // status.json was lost: begin to measure here
      status.compacted_bytes = folder_bytes(stored_.reader->path());
    return write_status(folder_, status);
  }

  void finish_report(const WorkDone& done) {
    const RunSummary& summary = report_.summary;
    if (summary.skipped.contains(SkipReason::Unreadable)) report_.code = ExitCode::Incomplete;
    if (const auto n = done.symbols_lost + done.symbols_missing; n > 0)
      warn(fmt::format("ctags failed on {} {}: indexed without definitions", n,
                       n == 1 ? "file" : "files"),
           "the next run tries each once more; see them with: kwindex --skipped");
    if (done.compaction_failed)
      warn(
          "the index is up to date, but could not be compacted: " + done.compaction_failed->message,
          done.compaction_failed->hint);
    if (done.training_failed)
      warn("the records are compressed without a dictionary, which makes the index larger: " +
           done.training_failed->message);
    if (!options_.explain) return;
    report_.explanation = explain(plan_, done.outcomes, [this](const std::string& path) {
      struct stat st;
      return ::lstat((settings_.root + "/" + path).c_str(), &st) == 0;
    });
  }

  const KwindexOptions& options_;
  const DatabaseFolder folder_;
  const std::string current_;
  const std::int64_t started_ns_;
  cli::ProgressBar progress_;
  std::optional<WriterLock> lock_;
  StoredIndex stored_;
  Partition shard_;
  EntrySettings settings_;
  IndexOptions to_store_;
  RunStatus last_;
  std::string rebuild_reason_;
  WalkResult tree_;
  ChangeSet plan_;
  RunReport report_;
};

}  // namespace

Result<RunReport> run_kwindex(const KwindexOptions& options) {
  std::error_code error;
  const std::string current = fs::current_path(error).string();
  if (error)
    return Error{ErrorCode::NotFound, "the current folder is gone: " + errno_text(error.value()),
                 "change to another folder"};
  auto folder = find_database(options, current);
  if (!folder) return folder.error();
  return Run(options, *folder, current).run();
}

}  // namespace kw::indexer
