// SPDX-License-Identifier: GPL-2.0-or-later
#include "indexer/command/run.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <system_error>

#include "indexer/command/target.h"
#include "indexer/command/trust.h"
#include "indexer/update/build.h"
#include "indexer/update/update.h"
#include "indexer/walk/walker.h"
#include "schema/base/fault_guard.h"
#include "schema/base/parallel.h"
#include "schema/index/glass_check.h"
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

/// Takes out what belongs to other partitions.
void keep_chunk(WalkResult& tree, const Partition& chunk, const IndexOptions& options) {
  const auto elsewhere = [&](const std::string& path) {
    return !partition_holds(chunk, group_key(path, options.doc_suffixes, options.doc_root));
  };
  std::erase_if(tree.files, [&](const FoundFile& f) { return elsewhere(f.path); });
  // An unreadable folder may hold files of every part.
  std::erase_if(tree.skipped, [&](const SkippedPath& s) {
    return s.reason != SkipReason::Unreadable && elsewhere(s.path);
  });
}

Error would_empty(const std::string& fact, const StoredIndex& stored) {
  return {ErrorCode::Refused,
          fmt::format("{}; the index holds {} and stays as it is", fact, stored.frozen->files),
          "if that is meant, run it again with: --allow-empty"};
}

/// Why all is to be indexed anew; empty if it is not.
std::string reason_to_rebuild(const StoredIndex& stored, const EntrySettings& settings) {
  if (!stored.reader || !stored.rebuild_reason.empty()) return stored.rebuild_reason;
  const IndexInfo& before = stored.reader->info();
  if (makes_other_entries(before.options, settings.options))
    return "the options for definitions or documentation pages changed";
  if (!settings.ctags_version.empty() && before.ctags_version != settings.ctags_version)
    return fmt::format("ctags changed: {} -> {}",
                       before.ctags_version.empty() ? "none" : before.ctags_version,
                       settings.ctags_version);
  return {};
}

bool is_much_changed(const ChangeSet& plan) {
  const auto changes =
      static_cast<std::size_t>(std::count_if(plan.begin(), plan.end(), [](const FileChange& file) {
        return file.must_be_read() || file.kind == ChangeKind::Gone;
      }));
  return changes > kManyFiles && changes > plan.size() / kMuchOfTheTree;
}

/// How the summary names the root: as it is seen from the current folder, or in full where it lies
/// outside. Empty: it is the current folder.
std::string shown_root(const std::string& root, const std::string& current) {
  const std::string relative = fs::path(root).lexically_relative(current).string();
  if (relative == ".") return {};
  return relative.empty() || relative.starts_with("..") ? root : relative;
}

/// The index of a folder above, where ROOT gets one of its own.
std::optional<std::string> covering_database(const KwindexOptions& options,
                                             const DatabaseFolder& folder) {
  const fs::path root = fs::path(folder.path()).parent_path();
  if (!options.database.empty() || root == "/") return std::nullopt;
  return find_database_above(root.parent_path().string());
}

class Run {
 public:
  Run(const KwindexOptions& options, IndexRegistry& registry, DatabaseFolder folder,
      std::string current)
      : options_(options),
        registry_(registry),
        folder_(std::move(folder)),
        current_(std::move(current)),
        started_ns_(now_ns()),
        progress_("walking", options.progress.value_or(cli::wants_progress(options.common))) {}

  Result<RunReport> run() {
    const auto begin = std::chrono::steady_clock::now();
    report_.database = folder_.path();
    if (auto prepared = prepare(); !prepared) return prepared.error();
    lift_limits();
    if (auto walked = walk_tree(); !walked) return walked.error();
    find_ctags();
    rebuild_reason_ = reason_to_rebuild(stored_, settings_);
    auto done = carry_out();
    lift_limits();
    progress_.clear();
    if (!done) return done.error();
    report_.summary = summarize(plan_, done->outcomes);
    report_.summary.dry_run = options_.dry_run;
    report_.summary.root = shown_root(settings_.root, current_);
    if (!options_.dry_run) {
      keep_record();
      if (auto written = write_run_status(*done); !written) return written.error();
    }
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
      if (auto there =
              check_folder((fs::path(current_) / options_.root).lexically_normal().string());
          !there)
        return there;
      if (const auto above = covering_database(options_, folder_))
        note(fmt::format("'{}' gets an index of its own, though '{}' covers it",
                         printable(folder_of(folder_.path())), printable(*above)));
    } else if (auto found = find_index(); !found) {  // nothing is touched of what is not ours
      return found;
    }
    if (!options_.dry_run) {
      if (auto locked = take_lock(); !locked) return locked;
      if (auto found = find_index(); !found) return found;  // another run may have changed it
    }
    auto root = find_root(options_, folder_, stored_, current_);
    if (!root) return root.error();
    auto shard = find_partition(options_, folder_, stored_);
    if (!shard) return shard.error();
    shard_ = *shard;
    settings_.root = *root;
    settings_.seen_ns = started_ns_;
    // Partitions know by it, on any machine, that they are of one tree.
    stored_root_ = shard_.count == 1 ? root_to_store(*root, folder_) : *root;
    IndexOptions before;
    if (stored_.frozen && !options_.reset)
      before = stored_.frozen->info.stored.value_or(stored_.frozen->info.options);
    settings_.options = options_.index.applied_to(before);
    to_store_ = options_.to_store.applied_to(std::move(before));
    const bool is_unknown = stored_.frozen && !record_ && !options_.trust;
    if (!options_.rebuild && !is_unknown) last_ = read_status(folder_);
    return {};
  }

  Result<void> find_index() {
    limit_time(0);
    auto stored = open_stored(folder_, options_.rebuild);
    if (!stored) return stored.error();
    stored_ = *std::move(stored);
    auto record = recognize_index(options_, folder_, created_, registry_, stored_);
    if (!record) return record.error();
    record_ = *std::move(record);
    return {};
  }

  /// What the next run goes by: written before the index that it is of becomes the live one, so
  /// that no kill leaves an index without it.
  void keep_record() {
    const auto directory = directory_identity(folder_.path());
    if (!directory) return;
    IndexRecord record{id_, folder_.path(), *directory, stored_root_, to_string(shard_), to_store_};
    if (record_ == record) return;
    const auto kept = registry_.keep(record);
    record_ = std::move(record);
    if (kept || options_.trust) return;
    note("no record of this index could be kept: " + kept.error().message +
             "; the next run rebuilds it",
         "set XDG_STATE_HOME to a folder of your own, or give --trust each time");
  }

  Result<void> take_lock() {
    auto created = folder_.create(options_.shared);
    if (!created) {
      Error error = created.error();
      if (error.hint.empty()) error.hint = "name another place with: --db FOLDER";
      return error;
    }
    auto lock = WriterLock::acquire(folder_, options_.wait_seconds);
    if (!lock) return lock.error();
    lock_ = *std::move(lock);
    created_ = *created;
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
      if (!options_.allow_empty) return would_empty(tree.error().message, stored_);
      std::error_code error;
      tree = WalkResult{};
      if (fs::exists(settings_.root, error) || error)
        tree->skipped.push_back({".", SkipReason::Unreadable});
    } else if (tree->files.empty() && !is_empty_index(stored_) && !options_.allow_empty) {
      return would_empty(fmt::format("'{}' holds no file to index", printable(settings_.root)),
                         stored_);
    }
    keep_chunk(*tree, shard_, settings_.options);
    report_.root = settings_.root;
    report_.folders = std::move(tree->folders);
    tree_ = *std::move(tree);
    return {};
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

  /// Xapian does not defend itself against a damaged index: where more of it is read than its
  /// list of files, or it is written to, its tables are checked first.
  Result<void> check_stored() {
    const bool is_used = std::any_of(plan_.begin(), plan_.end(), [](const FileChange& file) {
      return file.must_be_read() || file.kind == ChangeKind::Gone;
    });
    if (!stored_.reader || !rebuild_reason_.empty() || !is_used) return {};
    return check_tables(stored_.reader->path());
  }

  /// As much time as reading the index may take, and some more for each file that is read. Memory
  /// goes by the tree, not by the index.
  void limit_time(std::size_t files) const {
    constexpr std::size_t kSecondsAFile = 2;
    limit_work(seconds_to_read(folder_.live_bytes()) + static_cast<unsigned>(kSecondsAFile * files),
               0);
  }
  /// Where nothing is read but the tree.
  static void lift_limits() { limit_work(0, 0); }

  Result<WorkDone> carry_out() {
    std::vector<StoredFile> files;
    if (stored_.reader) {
      limit_time(0);
      auto listed = stored_.reader->stored_files();
      if (!listed) return listed.error();
      files = *std::move(listed);
    }
    plan_ = build_change_set(files, tree_, last_, started_ns_);
    tree_ = {};
    if (auto sound = check_stored(); !sound) return sound.error();
    limit_time(plan_.size());
    id_ = record_ ? record_->id : make_index_id();
    const IndexWork work{folder_,
                         settings_,
                         {stored_root_, to_string(shard_), settings_.options,
                          to_store_ == settings_.options ? std::nullopt : std::optional(to_store_),
                          settings_.ctags_version, id_},
                         options_.jobs ? options_.jobs : core_count(),
                         options_.wait_seconds,
                         [this] { keep_record(); },
                         progress_};
    const bool all_anew = !stored_.reader || !rebuild_reason_.empty();
    progress_.set_label(options_.dry_run ? "reading" : "indexing");
    if (stored_.frozen && !rebuild_reason_.empty() && rebuild_reason_ != "--rebuild")
      note(fmt::format("the index {} rebuilt: {}", options_.dry_run ? "would be" : "is",
                       rebuild_reason_),
           stored_.rebuild_hint);
    if (options_.dry_run) {
      settings_.ctags_version.clear();  // what is skipped does not depend on definitions
      return try_update(work, plan_, stored_.reader ? &*stored_.reader : nullptr, all_anew);
    }
    if (all_anew) lift_limits();
    if (all_anew)
      return build_index(work, plan_, std::vector<std::optional<ContentHash>>(plan_.size()));
    if (!is_much_changed(plan_))
      return update_index(work, plan_, *stored_.reader, last_.compacted_bytes);
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
  IndexRegistry& registry_;
  const DatabaseFolder folder_;
  const std::string current_;
  const std::int64_t started_ns_;
  cli::ProgressBar progress_;
  std::optional<WriterLock> lock_;
  bool created_ = false;  ///< the folder, by this run
  StoredIndex stored_;
  std::optional<IndexRecord> record_;  ///< of the index that is there, or was just written
  std::string id_, stored_root_;
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

Result<RunReport> run_kwindex(const KwindexOptions& options, IndexRegistry& registry) {
  std::error_code error;
  const std::string current = fs::current_path(error).string();
  if (error)
    return Error{ErrorCode::NotFound, "the current folder is gone: " + errno_text(error.value()),
                 "change to another folder"};
  auto folder = find_database(options, current);
  if (!folder) return folder.error();
  return Run(options, registry, *folder, current).run();
}

}  // namespace kw::indexer
